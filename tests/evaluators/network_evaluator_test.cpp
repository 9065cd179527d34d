#include "evaluators/network_evaluator.hpp"

#include <filesystem>
#include <gtest/gtest.h>

#include "chess/fen.hpp"
#include "chess/line.hpp"
#include "games/pgn.hpp"
#include "nets/embedded.hpp"
#include "nets/network_file.hpp"
#include "nets/quantise.hpp"
#include "support/random_games.hpp"
#include "support/test_data.hpp"

namespace scholar::evaluators {
namespace {

using namespace chess;

std::shared_ptr<const nets::Network> random_network(int width) {
    return std::make_shared<const nets::Network>(
        nets::quantise(nets::FloatNetwork::random(width, 11))->network);
}

// A thousand games of masters, each move pushed in turn: the value must be that of a fresh evaluation.
TEST(NetworkEvaluator, StepwiseEqualsFreshAfterEveryMoveOfAThousandGames) {
    const auto network =
        std::make_shared<const nets::Network>(*nets::parse_network(nets::default_network_file()));
    auto reader =
        games::PgnReader::open(std::filesystem::path(SCHOLAR_SOURCE_DIR) / "games" / "master-games.pgn.zst");
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
TEST(NetworkEvaluator, AnyPathThroughATreeIsExact) {
    const auto network = random_network(64);
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

TEST(NetworkEvaluator, TheSamePositionWithColoursTurnedHasTheSameValue) {
    const auto network = random_network(32);
    NetworkEvaluator evaluator(network);
    const auto white = parse_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    const auto black = parse_fen("r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b KQkq - 0 1");
    ASSERT_TRUE(white && black);
    evaluator.reset(*white);
    const Score value = evaluator.value(*white);
    evaluator.reset(*black);
    EXPECT_EQ(evaluator.value(*black), value);
}

}  // namespace
}  // namespace scholar::evaluators
