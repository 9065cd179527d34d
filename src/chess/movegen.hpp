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

// The squares each piece can legally go to, as sets: the moves without a list of them. A castling king goes
// to its rook's square; a promotion is one square.
struct LegalTargets {
    Bitboard movers = 0;
    std::array<Bitboard, 64> targets;  // by from-square; only those of movers are set
};
void find_legal_targets(const Position& position, LegalTargets& out);

}  // namespace scholar::chess
