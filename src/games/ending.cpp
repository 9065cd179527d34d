#include "games/ending.hpp"

#include <algorithm>
#include <string>

namespace scholar::games {

std::string_view name_of(Ending ending) {
    switch (ending) {
        case Ending::Unknown:
            break;
        case Ending::Checkmate:
            return "checkmate";
        case Ending::Stalemate:
            return "stalemate";
        case Ending::InsufficientMaterial:
            return "insufficient material";
        case Ending::Repetition:
            return "threefold repetition";
        case Ending::FiftyMoves:
            return "fifty moves";
        case Ending::Resignation:
            return "resignation";
        case Ending::Adjudication:
            return "adjudication";
        case Ending::TimeForfeit:
            return "time forfeit";
        case Ending::Forfeit:
            return "forfeit";
        case Ending::Abandoned:
            return "abandoned";
    }
    return "unknown";
}

std::optional<Ending> ending_of_name(std::string_view name) {
    std::string words(name);
    std::ranges::replace(words, '-', ' ');
    const auto* found = std::ranges::find(kEndings, words, [](Ending ending) { return name_of(ending); });
    if (found == kEndings.end()) return std::nullopt;
    return *found;
}

}  // namespace scholar::games
