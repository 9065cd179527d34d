#pragma once

#include "chess/position.hpp"

namespace scholar::chess {

// Whether a move is legal, for any 16 bits whatever: from a transposition table, a file or a GUI. Agrees with
// legal_moves() on every one of them, without generating any.
bool is_legal(const Position& position, Move move);

}  // namespace scholar::chess
