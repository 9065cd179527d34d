#pragma once

#include <span>
#include <string>

#include "arena/player.hpp"
#include "chess/uci_move.hpp"

// What a UCI engine is told.

namespace scholar::arena {

// "position startpos moves e2e4 …" or "position fen … moves …".
std::string position_command(const chess::Position& start, std::span<const chess::Move> moves,
                             chess::CastlingNotation notation);
// "go nodes 5000".
std::string go_command(const SearchLimit& limit);

}  // namespace scholar::arena
