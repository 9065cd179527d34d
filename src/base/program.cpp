#include "base/program.hpp"

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/auxv.h>

namespace scholar::base {

namespace {

// The kernel says where it has loaded the loader that a program names; none if the loader itself was started.
bool is_launched() {
    return ::getauxval(AT_BASE) == 0;
}

}  // namespace

Result<std::string> program_command() {
    // As the launcher says: its own absolute path.
    if (is_launched()) return std::string(program_invocation_name);
    std::error_code error;
    const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
    if (error) return fail("this program's own path is not known: {}", error.message());
    return self.string();
}

Result<std::string> program_file() {
    if (!is_launched()) return program_command();
    // What is mapped where this function is: "first-last rwxp offset device inode path".
    const auto here = reinterpret_cast<std::uintptr_t>(&program_file);
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        std::istringstream words(line);
        std::uintptr_t first = 0;
        std::uintptr_t last = 0;
        char dash = 0;
        std::string skipped;
        std::string path;
        words >> std::hex >> first >> dash >> last;
        for (int i = 0; i < 4; ++i) words >> skipped;
        std::getline(words >> std::ws, path);
        if (words && first <= here && here < last) return path;
    }
    return fail("this program's own file is not known: /proc/self/maps does not have it");
}

}  // namespace scholar::base
