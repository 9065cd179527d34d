#include "evaluators/linear_evaluator.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "chess/fen.hpp"
#include "games/shipped_games.hpp"
#include "nets/linear/linear_network.hpp"
#include "support/mirror.hpp"
#include "support/random_games.hpp"
#include "support/test_data.hpp"

namespace scholar::evaluators {
namespace {

using namespace chess;

std::shared_ptr<const nets::LinearNetwork> random_network() {
    nets::FloatLinearNetwork network;
    base::Random random(11);
    for (float& weight : network.weights) weight = static_cast<float>((2 * random.unit() - 1) * 50);
    return std::make_shared<const nets::LinearNetwork>(*nets::quantise(network));
}

TEST(LinearEvaluator, StepwiseEqualsFreshAfterEveryMoveOfGames) {
    const auto network = random_network();
    LinearEvaluator evaluator(network);
    int positions = 0;
    for (const games::Game& game : games::shipped_games(tests::kSanitized ? 30 : 500)) {
        Position position = game.start;
        evaluator.reset(position);
        for (const Move move : game.moves) {
            evaluator.push(position, move);
            position.make(move);
            ASSERT_EQ(evaluator.value(position), nets::evaluate_plainly(*network, position))
                << to_fen(position);
            ++positions;
        }
    }
    EXPECT_GT(positions, tests::kSanitized ? 1000 : 20'000);
}

// Castling, promotions and en passant; pawn structures that come again, and boards without any.
TEST(LinearEvaluator, IsExactOverRandomGamesFromOddPositions) {
    const auto network = random_network();
    LinearEvaluator evaluator(network);
    base::Random random(7);
    int promotions = 0;
    int castlings = 0;
    for (const char* fen : {"r3k2r/8/8/3pp3/3PP3/8/8/R3K2R w KQkq - 0 1", "8/PPPk4/8/8/8/8/4Kppp/8 w - - 0 1",
                            "4k3/8/8/8/8/8/8/QR2K3 w - - 0 1", "4k2r/8/8/pP6/8/8/P6p/4K3 w k a6 0 1",
                            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"})
        for (int game = 0; game < 20; ++game) {
            const auto start = parse_fen(fen);
            ASSERT_TRUE(start) << fen;
            evaluator.reset(*start);
            tests::play_random_game(
                random, *start, 100, [&](const Position& before, Move move, const Position& after) {
                    promotions += move.is_promotion();
                    castlings += move.is_castling();
                    evaluator.push(before, move);
                    if (random.below(4) == 0) return;
                    ASSERT_EQ(evaluator.value(after), nets::evaluate_plainly(*network, after))
                        << to_fen(after);
                    ASSERT_EQ(nets::evaluate_plainly(*network, tests::mirrored(after)),
                              nets::evaluate_plainly(*network, after))
                        << to_fen(after);
                });
        }
    EXPECT_GT(promotions, 20);
    EXPECT_GT(castlings, 5);
}

TEST(LinearEvaluator, GoesBackAsItCame) {
    const auto network = random_network();
    LinearEvaluator evaluator(network);
    base::Random random(3);
    Position position;
    evaluator.reset(position);
    for (int ply = 0; ply < 300; ++ply) {
        const MoveList moves = legal_moves(position);
        if (moves.empty()) break;
        const Score here = evaluator.value(position);
        for (const Move move : moves) {
            const Position next = position.after(move);
            evaluator.push(position, move);
            ASSERT_EQ(evaluator.value(next), nets::evaluate_plainly(*network, next)) << to_fen(next);
            evaluator.pop();
        }
        ASSERT_EQ(evaluator.value(position), here);
        if (!position.in_check()) {
            Position passed = position;
            passed.make_null();
            evaluator.push_null(position);
            ASSERT_EQ(evaluator.value(passed), nets::evaluate_plainly(*network, passed)) << to_fen(passed);
            evaluator.pop();
        }
        const Move move = moves[static_cast<int>(random.below(static_cast<std::uint64_t>(moves.size())))];
        evaluator.push(position, move);
        position.make(move);
    }
}

}  // namespace
}  // namespace scholar::evaluators
