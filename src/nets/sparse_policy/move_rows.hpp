#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/error.hpp"
#include "chess/position.hpp"
#include "chess/types.hpp"
#include "nets/container/piece_values.hpp"
#include "nets/perspective/feature_set.hpp"

// Which rows of a sparse policy's output weights a move has. Trainers and engine call this code and no other.
//
// A move has a number: what moves, from where to where, what a pawn becomes, or to which side the king
// castles; seen from the mover's side, and mirrored where its view of the board is. There are as many as
// pieces can make on an empty board, so that few rows are never used.

namespace scholar::nets {

constexpr int kMoveNumbers = 3'884;

// 0 to kMoveNumbers − 1, of a legal move in the position before it.
int move_number(const chess::Position& position, View view, chess::Move move);

// Which rows there are.
enum class PolicyRows : std::uint8_t {
    Moves,      // one for each move number
    Exchanges,  // two: for moves whose exchange (chess::exchange_wins) loses something, and for all others
    // These, and each move has two rows more, which know nothing of its squares:
    //   [what moves][what it takes, or nothing][exchange: loses, even, wins][checks][danger before]
    //   [what moves][danger after][what it threatens][comes to help][danger before]
    Circumstances,
};

// As recipes and files name them.
std::string_view to_string(PolicyRows rows);
base::Result<PolicyRows> find_policy_rows(std::string_view name);
std::string policy_rows_names();

// What circumstances tell apart, of the piece that moves and with what pieces are worth as learnt:
// danger before   where it stands: not attacked; attacked; attacked by what is worth less, or not defended
// danger after    where it goes: not attacked; attacked and defended; not defended; attacked by what is worth
//                 less. As attacks are before the move, those of the piece itself left out
// it threatens    of the enemy's pieces but the king, what it attacks from its new square and not from its
// old
//                 one: nothing; something not defended; something worth more than itself
// comes to help   it attacks likewise, that is defends, an own piece that was in the worst danger
constexpr int kTakingRows = 6 * 6 * 3 * 2 * 3;
constexpr int kAttackRows = 6 * 4 * 3 * 2 * 3;

constexpr int kMostRowsOfAMove = 3;
constexpr int rows_of_a_move(PolicyRows rows) {
    return rows == PolicyRows::Circumstances ? kMostRowsOfAMove : 1;
}
constexpr int row_count(PolicyRows rows) {
    return rows == PolicyRows::Moves       ? kMoveNumbers
           : rows == PolicyRows::Exchanges ? 2 * kMoveNumbers
                                           : 2 * kMoveNumbers + kTakingRows + kAttackRows;
}

// The rows of `moves`, all legal in the position: rows_of_a_move() of each, in their order. `values`: what
// pieces are worth in exchanges. `view`: that of the side to move. `out` has a place for each.
void find_move_rows(PolicyRows rows, const PieceValues& values, const chess::Position& position, View view,
                    const chess::MoveList& moves, std::span<std::uint16_t> out);

}  // namespace scholar::nets
