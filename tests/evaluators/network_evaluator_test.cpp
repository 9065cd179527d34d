#include "evaluators/network_evaluator.hpp"

#include <filesystem>
#include <gtest/gtest.h>

#include "chess/fen.hpp"
#include "chess/line.hpp"
#include "games/pgn.hpp"
#include "nets/container/embedded.hpp"
#include "nets/perspective/network_file.hpp"
#include "nets/perspective/quantise.hpp"
#include "support/random_games.hpp"
#include "support/test_data.hpp"

namespace scholar::evaluators {
namespace {

using namespace chess;

std::shared_ptr<const nets::Network> random_network(const nets::Architecture& architecture) {
    return std::make_shared<const nets::Network>(
        nets::quantise(nets::FloatNetwork::random(architecture, 11))->network);
}

class EachNetworkEvaluator : public testing::TestWithParam<nets::Architecture> {};

// A thousand games of masters, each move pushed in turn: the value must be that of a fresh evaluation.
TEST(NetworkEvaluator, StepwiseEqualsFreshAfterEveryMoveOfAThousandGames) {
    const auto network =
        std::make_shared<const nets::Network>(*nets::parse_network(nets::default_network_file()));
    auto reader = games::PgnReader::open(tests::source_dir() / "games" / "master-games.pgn.zst");
    ASSERT_TRUE(reader) << reader.error().message;
    NetworkEvaluator evaluator(network);
    const int wanted = tests::kSanitized ? 100 : 1000;
    int played = 0;
    while (played < wanted) {
        const auto item = reader->next();
        ASSERT_TRUE(item) << item.error().message;
        ASSERT_EQ(*item, games::PgnItem::Game);
        const games::Game& game = reader->game();
        ++played;
        Position position = game.start;
        evaluator.reset(position);
        for (const Move move : game.moves) {
            evaluator.push(position, move);
            position.make(move);
            ASSERT_EQ(evaluator.value(position), nets::evaluate_plainly(*network, position))
                << to_fen(position);
        }
    }
    EXPECT_EQ(played, wanted);
}

// The same where values are asked for now and then only, along a tree with passes and returns.
TEST_P(EachNetworkEvaluator, IsExactOnAnyPathThroughATree) {
    const auto network = random_network(GetParam());
    base::Random random(5);
    NetworkEvaluator evaluator(network);
    Line line;
    evaluator.reset(line.current());
    for (int step = 0; step < 20'000; ++step) {
        const Position& position = line.current();
        const MoveList moves = legal_moves(position);
        const auto choice = random.below(10);
        if (line.ply() > 0 && (moves.empty() || line.ply() > 300 || choice < 4)) {
            line.pop();
            evaluator.pop();
        } else if (choice == 4 && !position.in_check()) {
            evaluator.push_null(position);
            line.push_null();
        } else if (!moves.empty()) {
            const Move move = moves[static_cast<int>(random.below(static_cast<std::uint64_t>(moves.size())))];
            evaluator.push(position, move);
            line.push(move);
        }
        if (random.below(3) == 0) {
            ASSERT_EQ(evaluator.value(line.current()), nets::evaluate_plainly(*network, line.current()))
                << to_fen(line.current());
        }
    }
}

TEST_P(EachNetworkEvaluator, GivesTheSamePositionWithColoursTurnedTheSameValue) {
    const auto network = random_network(GetParam());
    NetworkEvaluator evaluator(network);
    const auto white = parse_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    const auto black = parse_fen("r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b KQkq - 0 1");
    ASSERT_TRUE(white && black);
    evaluator.reset(*white);
    const Score value = evaluator.value(*white);
    evaluator.reset(*black);
    EXPECT_EQ(evaluator.value(*black), value);
}

// Kings that walk and castle, so that the way a side sees its board changes often, and back.
TEST_P(EachNetworkEvaluator, IsExactOverGamesInWhichKingsWander) {
    const auto network = random_network(GetParam());
    NetworkEvaluator evaluator(network);
    base::Random random(7);
    int castlings = 0;
    for (const char* fen : {"r3k2r/8/8/3pp3/3PP3/8/8/R3K2R w KQkq - 0 1", "8/2k5/3p4/8/4P3/8/5K2/8 w - - 0 1",
                            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"})
        for (int game = 0; game < 20; ++game) {
            const auto start = parse_fen(fen);
            ASSERT_TRUE(start);
            evaluator.reset(*start);
            tests::play_random_game(
                random, *start, 150, [&](const Position& before, Move move, const Position& after) {
                    castlings += move.is_castling();
                    evaluator.push(before, move);
                    // Not after every move: paths of several steps are to be caught up with too.
                    if (random.below(4) == 0) return;
                    ASSERT_EQ(evaluator.value(after), nets::evaluate_plainly(*network, after))
                        << to_fen(after);
                });
        }
    EXPECT_GT(castlings, 5);
}

INSTANTIATE_TEST_SUITE_P(
    Architectures, EachNetworkEvaluator,
    testing::Values(
        nets::Architecture{.width = 64},
        nets::Architecture{.width = 32, .activation = nets::Activation::Squared},
        nets::Architecture{.width = 64, .activation = nets::Activation::Paired},
        nets::Architecture{.width = 32, .output_buckets = 8},
        nets::Architecture{.features = *nets::find_feature_set("768-mirrored"), .width = 32},
        nets::Architecture{*nets::find_feature_set("768-king10"), 32, nets::Activation::Squared, 8},
        nets::Architecture{*nets::find_feature_set("768-king4"), 192, nets::Activation::Paired, 4},
        nets::Architecture{.features = *nets::find_feature_set("768-threats"), .width = 64},
        nets::Architecture{*nets::find_feature_set("768-king4-threats"), 32, nets::Activation::Squared, 4},
        nets::Architecture{.width = 32, .hidden = {16}},
        nets::Architecture{.width = 32, .activation = nets::Activation::Squared, .hidden = {32, 48, 16}},
        nets::Architecture{
            *nets::find_feature_set("768-king4"), 192, nets::Activation::Paired, 4, {16, 32}}));

}  // namespace
}  // namespace scholar::evaluators
