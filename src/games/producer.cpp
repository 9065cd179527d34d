#include "games/producer.hpp"

#include <algorithm>
#include <array>

namespace scholar::games {

std::string producer_of(std::string_view player) {
    constexpr std::array<std::string_view, 6> kBuilds{"dev", "Dev", "copy", "Copy", "latest", "Latest"};
    std::string name;
    while (!player.empty()) {
        const std::size_t end = std::min(player.find_first_of(" _"), player.size());
        const std::string_view word = player.substr(0, end);
        player.remove_prefix(std::min(end + 1, player.size()));
        if (word.empty()) continue;
        if (!name.empty()) {
            if (word.find_first_of("0123456789") != std::string_view::npos) break;
            if (std::ranges::find(kBuilds, word) != kBuilds.end()) break;
            name += ' ';
        }
        name += word;
    }
    return name;
}

}  // namespace scholar::games
