#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "chess/position.hpp"

namespace scholar::games {

// Where a game of a match begins: a position and the moves played from it.
struct Opening {
    chess::Position start;
    std::vector<chess::Move> moves;
};

// Reads openings from a file of positions, one EPD or FEN a line (empty lines and lines that begin with '#'
// do not count), or from PGN games, each to its end or to `max_plies` half-moves. Which of the two is known
// by what is in the file, not by its name; it may be packed as base/streams.hpp reads it. The first thing
// wrong in it is an error, with its line; so is an opening whose last position is the end of a game by the
// rules.
base::Result<std::vector<Opening>> read_openings(const std::string& path, std::size_t max_plies = 10'000);

// The same from text in memory, which an error calls `name`: positions only.
base::Result<std::vector<Opening>> parse_openings(std::string_view text, const std::string& name);

}  // namespace scholar::games
