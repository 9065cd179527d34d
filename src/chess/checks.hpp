#pragma once

#include <array>

#include "chess/position.hpp"

// Whether a move gives check, without making it.

namespace scholar::chess {

// Where the side to move gives check, worked out once for all moves of a position.
struct CheckSquares {
    // From where a piece of that kind would attack the enemy king, by PieceKind; empty for the king.
    std::array<Bitboard, 6> by_kind{};
    // Our pieces that hide the enemy king from one of our sliders: off that line they discover a check.
    Bitboard discoverers = 0;
    Square king = NoSquare;  // the enemy's
};
CheckSquares find_check_squares(const Position& position);

// Whether a legal move gives check: directly, discovered, by the rook that castles, by the piece that a pawn
// becomes, or through the square of the pawn taken en passant.
bool gives_check(const Position& position, Move move);
// The same where many moves of one position are asked about.
bool gives_check(const Position& position, const CheckSquares& check_squares, Move move);

}  // namespace scholar::chess
