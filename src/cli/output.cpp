#include "cli/output.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>

#include "base/files.hpp"
#include "base/json.hpp"
#include "games/store_format.hpp"

namespace scholar::cli {

namespace fs = std::filesystem;

void print(const Json& json) {
    fmt::print("{}\n", base::json_line(json));
}

base::Status flush_output() {
    if (std::fflush(stdout) != 0)
        return base::fail("standard output: cannot write: {}", std::strerror(errno));
    if (std::ferror(stdout) != 0) return base::fail("standard output: cannot write");
    return {};
}

base::Status check_output(const std::string& output, const std::vector<std::string>& inputs) {
    for (const std::string& input : inputs) {
        std::error_code not_there;
        if (fs::equivalent(output, input == "-" ? "/dev/stdin" : input, not_there))
            return base::fail("{}: is {}, expected another file for the output", output,
                              input == "-"      ? "standard input"
                              : input == output ? "an input too"
                                                : fmt::format("the input {} too", input));
    }
    return {};
}

base::Status check_new_output(const std::string& output, bool overwrite) {
    if (output.empty() || output == "-") return {};
    std::error_code not_there;
    if (!overwrite && fs::is_regular_file(output, not_there))
        return base::fail("{}: exists, expected a new name, or {} to replace it", output, kOverwrite);
    // Begun and dropped again: this leaves nothing behind.
    if (const auto begun = base::AtomicFile::create(output); !begun) return std::unexpected(begun.error());
    return {};
}

bool is_game_store(const std::string& path) {
    std::error_code not_there;
    if (!fs::is_regular_file(path, not_there)) return false;
    std::string head(games::kStoreMagic.size(), '\0');
    std::ifstream file(path, std::ios::binary);
    return file.read(head.data(), static_cast<std::streamsize>(head.size())) && head == games::kStoreMagic;
}

}  // namespace scholar::cli
