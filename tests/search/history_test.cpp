#include "search/alpha_beta/history.hpp"

#include <gtest/gtest.h>
#include <set>

#include "chess/fen.hpp"
#include "search/alpha_beta/structure_hash.hpp"
#include "support/random_games.hpp"

namespace scholar::search {
namespace {

TEST(History, StaysWithinItsLimitAndForgets) {
    MoveScore score;
    for (int i = 0; i < 1000; ++i) score.add(3000);
    EXPECT_LE(score.value(), MoveScore::kMax);
    EXPECT_GT(score.value(), MoveScore::kMax * 9 / 10);
    // What was learnt long fades faster than what is new.
    const int before = score.value();
    score.add(-1000);
    EXPECT_LT(score.value(), before - 1900);
    for (int i = 0; i < 1000; ++i) score.add(-100'000);
    EXPECT_GE(score.value(), -MoveScore::kMax);
}

// A hash follows exactly the part of the board that it is named for.
TEST(StructureHash, ChangesWithItsPartAlone) {
    using namespace chess;
    base::Random random(3);
    int pawns = 0;
    int pieces = 0;
    for (int game = 0; game < 50; ++game)
        tests::play_random_game(
            random, Position(), 100, [&](const Position& before, Move move, const Position& after) {
                const bool same_pawns = before.pieces(White, Pawn) == after.pieces(White, Pawn) &&
                                        before.pieces(Black, Pawn) == after.pieces(Black, Pawn);
                ASSERT_EQ(pawn_hash(before) == pawn_hash(after), same_pawns) << to_fen(before);
                pawns += !same_pawns;
                for (const Color color : kColors) {
                    bool same = true;
                    for (const PieceKind kind : {Knight, Bishop, Rook, Queen, King})
                        same = same && before.pieces(color, kind) == after.pieces(color, kind);
                    ASSERT_EQ(piece_hash(before, color) == piece_hash(after, color), same) << to_fen(before);
                    pieces += !same;
                }
                bool same_minors = true;
                for (const Color color : kColors)
                    for (const PieceKind kind : {Knight, Bishop, King})
                        same_minors = same_minors && before.pieces(color, kind) == after.pieces(color, kind);
                ASSERT_EQ(minor_hash(before) == minor_hash(after), same_minors)
                    << to_fen(before) << ' ' << move.bits();
            });
    EXPECT_GT(pawns, 500);
    EXPECT_GT(pieces, 2000);
}

}  // namespace
}  // namespace scholar::search
