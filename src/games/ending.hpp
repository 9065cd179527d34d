#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "games/game.hpp"

namespace scholar::games {

// In the order of their numbers.
inline constexpr std::array kEndings{
    Ending::Unknown,     Ending::Checkmate,  Ending::Stalemate,   Ending::InsufficientMaterial,
    Ending::Repetition,  Ending::FiftyMoves, Ending::Resignation, Ending::Adjudication,
    Ending::TimeForfeit, Ending::Forfeit,    Ending::Abandoned};

// "checkmate", "insufficient material", …; "unknown" for Unknown.
std::string_view name_of(Ending ending);
// The ending of that name, with blanks or hyphens between its words; nothing for any other text.
std::optional<Ending> ending_of_name(std::string_view name);

}  // namespace scholar::games
