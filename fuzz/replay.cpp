// REPLAY FILE|FOLDER…: runs a fuzzer's target over kept inputs, the files and all files in the folders, in
// order of their names. So every build checks what fuzzing has found, without libFuzzer. What does not exist
// is passed over, as a fuzzer need not have found anything yet; but there must be some input.

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <vector>

#include "base/files.hpp"
#include "fuzzer.hpp"

namespace {

int replay(int count, char** arguments) {
    std::vector<std::filesystem::path> inputs;
    for (int i = 1; i < count; ++i) {
        const std::filesystem::path path = arguments[i];
        if (!std::filesystem::exists(path)) continue;
        if (!std::filesystem::is_directory(path)) {
            inputs.push_back(path);
            continue;
        }
        for (const auto& entry : std::filesystem::recursive_directory_iterator(path))
            if (entry.is_regular_file()) inputs.push_back(entry.path());
    }
    std::ranges::sort(inputs);
    for (const auto& input : inputs) {
        const auto bytes = scholar::base::read_bytes(input);
        if (!bytes) {
            std::fprintf(stderr, "%s\n", bytes.error().message.c_str());
            return 1;
        }
        // Said first, so that the one that ends the program is the last one named.
        std::printf("%s\n", input.c_str());
        std::fflush(stdout);
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes->data()), bytes->size());
    }
    std::printf("%zu inputs\n", inputs.size());
    if (inputs.empty()) std::fprintf(stderr, "no inputs, expected files or folders of them\n");
    return inputs.empty() ? 1 : 0;
}

}  // namespace

int main(int count, char** arguments) {
    try {
        return replay(count, arguments);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
