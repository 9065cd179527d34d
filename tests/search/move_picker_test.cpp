#include "search/alpha_beta/move_picker.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <set>

#include "chess/exchange.hpp"
#include "chess/fen.hpp"
#include "support/random_games.hpp"

namespace scholar::search {
namespace {

using namespace chess;

constexpr nets::PieceValues kValues{100, 325, 325, 500, 975, 0};

TEST(MovePicker, GivesEveryLegalMoveOnceInTheOrderOfRanks) {
    base::Random random(6);
    const auto histories = std::make_unique<Histories>();
    auto& continuation = histories->continuations.after(make_piece(White, Knight), F3);
    for (int game = 0; game < 30; ++game) {
        tests::play_random_game(
            random, Position(), 120, [&](const Position& position, Move played, const Position&) {
                const MoveList legal = legal_moves(position);
                const Move killer =
                    legal[static_cast<int>(random.below(static_cast<std::uint64_t>(legal.size())))];
                OrderingHints hints;
                hints.table_move = played;
                hints.killers = {killer, Move::none()};
                hints.histories = histories.get();
                hints.continuations = {&continuation, nullptr, &continuation, nullptr};
                MovePicker picker(position, MovePicker::Which::All, hints, kValues);
                MovePicker::Pick pick;
                std::set<std::uint16_t> given;
                auto rank = MovePicker::Rank::TableMove;
                int history = INT32_MAX;
                while (picker.next(pick)) {
                    ASSERT_TRUE(given.insert(pick.move.bits()).second);
                    ASSERT_LE(pick.rank, rank);
                    if (pick.rank == MovePicker::Rank::Quiet && rank == pick.rank) {
                        ASSERT_LE(pick.history, history);
                    }
                    rank = pick.rank;
                    history = pick.history;
                    if (given.size() == 1) {
                        ASSERT_EQ(pick.move, played);
                    }
                    const bool wins = exchange_wins(position, pick.move, 0, kValues);
                    ASSERT_FALSE(pick.rank == MovePicker::Rank::WinningCapture && !wins);
                    ASSERT_FALSE(pick.rank == MovePicker::Rank::LosingCapture && wins);
                    ASSERT_EQ(pick.rank == MovePicker::Rank::Quiet || pick.rank == MovePicker::Rank::Killer,
                              !position.is_noisy(pick.move) && pick.move != played);
                }
                ASSERT_EQ(static_cast<int>(given.size()), legal.size());
                for (const Move move : legal) ASSERT_TRUE(given.contains(move.bits()));
                if (position.is_noisy(played)) return;
                histories->butterfly.at(position.side_to_move(), played).add(500);
                continuation.at(position.piece_on(played.from()), played.to()).add(-300);
            });
    }
}

// The other kinds give exactly the sets they say, in and out of check.
TEST(MovePicker, NoisyMovesAndChecksAreTheSetsTheySay) {
    base::Random random(7);
    int checks = 0;
    for (int game = 0; game < 20; ++game) {
        tests::play_random_game(
            random, Position(), 120, [&](const Position& position, Move, const Position&) {
                if (position.in_check()) return;
                for (const auto which : {MovePicker::Which::Noisy, MovePicker::Which::NoisyAndChecks}) {
                    std::set<std::uint16_t> expected;
                    for (const Move move : legal_moves(position, MoveSet::Noisy))
                        if (exchange_wins(position, move, 0, kValues)) expected.insert(move.bits());
                    if (which == MovePicker::Which::NoisyAndChecks)
                        for (const Move move : legal_moves(position, MoveSet::QuietChecks))
                            if (exchange_wins(position, move, 0, kValues))
                                expected.insert(move.bits()), ++checks;
                    MovePicker picker(position, which, {}, kValues);
                    MovePicker::Pick pick;
                    std::set<std::uint16_t> given;
                    while (picker.next(pick)) ASSERT_TRUE(given.insert(pick.move.bits()).second);
                    ASSERT_EQ(given, expected);
                }
            });
    }
    EXPECT_GT(checks, 50);
}

TEST(MovePicker, SkippingQuietsLeavesTheRest) {
    const auto position =
        parse_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1").value();
    MovePicker picker(position, MovePicker::Which::All, {}, kValues);
    MovePicker::Pick pick;
    int noisy = 0;
    int quiet = 0;
    while (picker.next(pick)) {
        (position.is_noisy(pick.move) ? noisy : quiet)++;
        if (quiet == 3) picker.skip_quiets();
    }
    EXPECT_EQ(quiet, 3);
    EXPECT_EQ(noisy, 8);  // as the published perft of this position has it
}

TEST(MovePicker, AMoveThatIsNotLegalHereIsNeverGiven) {
    OrderingHints hints;
    hints.table_move = Move(E4, E5);
    hints.killers = {Move(A1, A8), Move(E2, E5)};
    const Position start;
    MovePicker picker(start, MovePicker::Which::All, hints, kValues);
    MovePicker::Pick pick;
    int count = 0;
    while (picker.next(pick)) {
        ++count;
        EXPECT_EQ(pick.rank, MovePicker::Rank::Quiet);
    }
    EXPECT_EQ(count, 20);
}

}  // namespace
}  // namespace scholar::search
