#pragma once

#include "chess/position.hpp"

namespace scholar::chess {

// Which moves to generate. In check each set holds evasions only: All is then the evasions.
enum class MoveSet {
    All,
    Noisy,        // captures, en passant and promotions
    Quiet,        // the rest
    Captures,     // captures and en passant; promotions only if they capture
    QuietChecks,  // those of Quiet that give check, directly, discovered or by castling
};

// Exactly the legal moves: no move is generated and then tested. In no promised order.
MoveList legal_moves(const Position& position, MoveSet which = MoveSet::All);

bool has_legal_move(const Position& position);
int count_legal_moves(const Position& position);

}  // namespace scholar::chess
