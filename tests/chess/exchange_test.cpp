#include "chess/exchange.hpp"

#include <algorithm>
#include <gtest/gtest.h>

#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "chess/uci_move.hpp"
#include "support/random_games.hpp"

namespace scholar::chess {
namespace {

constexpr std::array<int, 6> kValues{100, 325, 325, 500, 975, 0};

// The exchange on one square played out with real, legal moves: each side takes with its least valuable piece
// or stops. Slow and plainly right; promotions are left to the positions below.
int exchange_value(const Position& position, Move move) {
    const PieceKind captured = position.captured_kind(move);
    const int gain = captured == NoKind ? 0 : kValues[captured];
    const Position after = position.after(move);
    int reply = 0;
    int least = 1'000'000;
    Move cheapest;
    for (const Move candidate : legal_moves(after, MoveSet::Noisy)) {
        if (candidate.to() != move.to() || candidate.is_en_passant() || !after.is_capture(candidate))
            continue;
        const PieceKind kind = kind_of(after.piece_on(candidate.from()));
        const int value = kind == King ? 100'000 : kValues[kind];
        if (value < least) {
            least = value;
            cheapest = candidate;
        }
    }
    if (cheapest) reply = std::max(0, exchange_value(after, cheapest));
    return gain - reply;
}

void expect_value(const char* fen, const char* move_text, int value) {
    const auto position = parse_fen(fen);
    ASSERT_TRUE(position);
    const auto move = parse_uci_move(*position, move_text);
    ASSERT_TRUE(move);
    EXPECT_TRUE(exchange_wins(*position, *move, value, kValues)) << fen << ' ' << move_text;
    EXPECT_FALSE(exchange_wins(*position, *move, value + 1, kValues)) << fen << ' ' << move_text;
}

// The two worked examples of the Chess Programming Wiki's page on static exchange evaluation.
TEST(Exchange, PublishedExamples) {
    expect_value("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100);
    expect_value("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", 100 - 325);
}

TEST(Exchange, QuietMovesAndEnPassant) {
    expect_value("4k3/8/8/3p4/8/8/8/R3K3 w - - 0 1", "a1a4", 0);
    expect_value("4k3/8/8/3p4/8/8/8/R3K3 w - - 0 1", "a1a5", 0);
    expect_value("4k3/8/4p3/1p6/8/8/8/R3K3 w - - 0 1", "a1a5", 0);
    expect_value("4k3/8/1p6/8/8/8/8/R3K3 w - - 0 1", "a1a5", -500);  // a pawn takes the rook
    expect_value("4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 1", "d5c6", 100);
    expect_value("4k3/1p6/8/2pP4/8/8/8/4K3 w - c6 0 1", "d5c6", 0);
}

// On every capture of many random positions: where promotions and pins do not enter (a king takes part as the
// rules let it), the answer is that of the played-out exchange.
TEST(Exchange, AgreesWithThePlayedOutExchange) {
    base::Random random(4);
    int compared = 0;
    int different = 0;
    for (int game = 0; game < 300; ++game) {
        tests::play_random_game(
            random, Position(), 120, [&](const Position& position, Move, const Position&) {
                for (const Move move : legal_moves(position, MoveSet::Noisy)) {
                    if (move.is_promotion() || rank_of(move.to()) == 0 || rank_of(move.to()) == 7) continue;
                    const int value = exchange_value(position, move);
                    ++compared;
                    different += !exchange_wins(position, move, value, kValues) ||
                                 exchange_wins(position, move, value + 1, kValues);
                }
            });
    }
    ASSERT_GT(compared, 10'000);
    // Left over: which of two equal pieces takes first, checks given on the way, pins that come and go.
    EXPECT_LT(different, compared / 100) << different << " of " << compared;
}

TEST(Exchange, EqualValuesBeforeAnythingIsLearnt) {
    constexpr std::array<int, 6> equal{100, 100, 100, 100, 100, 0};
    const auto position = parse_fen("4k3/2p5/3p4/8/8/8/3Q4/4K3 w - - 0 1");
    ASSERT_TRUE(position);
    const auto move = parse_uci_move(*position, "d2d6");
    ASSERT_TRUE(move);
    EXPECT_TRUE(exchange_wins(*position, *move, 0, equal));  // one piece for one piece
    EXPECT_FALSE(exchange_wins(*position, *move, 0, kValues));
}

}  // namespace
}  // namespace scholar::chess
