#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "chess/position.hpp"
#include "search/limits.hpp"

namespace scholar::protocols {

struct GoCommand {
    search::Limits limits;
    std::vector<std::string> ignored;  // words that mean nothing here
};

// The words after "go" as limits, for `position`'s side to move. Lenient where GUIs are sloppy (unknown
// words, an empty or negative increment, no moves to go, clocks beyond any game); an error where nothing
// sensible can be meant: a missing or wrong number, an illegal search move. "ponder" gives a PonderLimit
// whose token the engine provides.
base::Result<GoCommand> parse_go(const chess::Position& position, const std::vector<std::string_view>& words);

}  // namespace scholar::protocols
