#include "games/distinct_files.hpp"

#include <algorithm>
#include <filesystem>

namespace scholar::games {

std::vector<std::string> distinct_files(const std::vector<std::string>& files) {
    std::vector<std::string> distinct;
    for (const std::string& file : files) {
        const auto is_same = [&file](const std::string& other) {
            std::error_code unknown;
            return file == other || std::filesystem::equivalent(file, other, unknown);
        };
        if (std::ranges::none_of(distinct, is_same)) distinct.push_back(file);
    }
    return distinct;
}

}  // namespace scholar::games
