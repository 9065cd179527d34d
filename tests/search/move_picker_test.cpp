#include "search/move_picker.hpp"

#include <gtest/gtest.h>
#include <set>

#include "chess/exchange.hpp"
#include "support/random_games.hpp"

namespace scholar::search {
namespace {

using namespace chess;

constexpr nets::PieceValues kValues{100, 325, 325, 500, 975, 0};

TEST(MovePicker, GivesEveryLegalMoveOnceInTheOrderOfRanks) {
    base::Random random(6);
    ButterflyHistory butterfly;
    for (int game = 0; game < 30; ++game) {
        tests::play_random_game(
            random, Position(), 120, [&](const Position& position, Move played, const Position&) {
                const MoveList legal = legal_moves(position);
                const Move killer =
                    legal[static_cast<int>(random.below(static_cast<std::uint64_t>(legal.size())))];
                const OrderingHints hints{played, {killer, Move::none()}, &butterfly, nullptr};
                MovePicker picker(position, MoveSet::All, hints, kValues);
                MovePicker::Pick pick;
                std::set<std::uint16_t> given;
                auto rank = MovePicker::Rank::TableMove;
                while (picker.next(pick)) {
                    ASSERT_TRUE(given.insert(pick.move.bits()).second);
                    ASSERT_LE(pick.rank, rank);
                    rank = pick.rank;
                    if (given.size() == 1) {
                        ASSERT_EQ(pick.move, played);
                    }
                    const bool wins = exchange_wins(position, pick.move, 0, kValues);
                    ASSERT_FALSE(pick.rank == MovePicker::Rank::WinningCapture && !wins);
                    ASSERT_FALSE(pick.rank == MovePicker::Rank::LosingCapture && wins);
                }
                ASSERT_EQ(static_cast<int>(given.size()), legal.size());
                for (const Move move : legal) ASSERT_TRUE(given.contains(move.bits()));
                if (!position.is_noisy(played)) butterfly.at(position.side_to_move(), played).add(500);
            });
    }
}

TEST(MovePicker, AMoveThatIsNotLegalHereIsNeverGiven) {
    const OrderingHints hints{Move(E4, E5), {Move(A1, A8), Move::none()}, nullptr, nullptr};
    const Position start;
    MovePicker picker(start, MoveSet::All, hints, kValues);
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
