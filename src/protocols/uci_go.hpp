#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "chess/position.hpp"
#include "search/limits.hpp"

namespace scholar::protocols {

struct GoCommand {
    search::Limits limits;
    std::vector<std::string> ignored;  // what was passed over, and what was expected: a line for each
};

// The words after "go" as limits, for `position`'s side to move. What is wrong is ignored, since a search
// that never answered would lose the game: unknown words, missing or wrong numbers, illegal search moves.
// Where only the opponent's clock is given, both are taken to be alike; where no good limit is left of those
// meant, the search is short. "ponder" gives a PonderLimit whose token the engine provides.
GoCommand parse_go(const chess::Position& position, const std::vector<std::string_view>& words);

}  // namespace scholar::protocols
