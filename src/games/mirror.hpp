#pragma once

#include "chess/position.hpp"

namespace scholar::games {

// The same position with the colours exchanged and the board turned over, top to bottom: what Black could do,
// White can do now. Castling rights, en passant and clocks go along.
chess::Position mirrored(const chess::Position& position);
// A move of the position as a move of the mirrored one.
chess::Move mirrored(chess::Move move);

}  // namespace scholar::games
