#pragma once

#include "chess/position.hpp"

namespace scholar::chess {

// The same position with the colours exchanged and the board turned over, top to bottom: what Black could do,
// White can do now. Castling rights, en passant and clocks go along.
Position mirrored(const Position& position);
// A move of the position as a move of the mirrored one.
Move mirrored(Move move);

}  // namespace scholar::chess
