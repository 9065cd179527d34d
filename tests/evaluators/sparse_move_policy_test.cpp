#include "evaluators/sparse_move_policy.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

#include "chess/fen.hpp"
#include "chess/line.hpp"
#include "chess/movegen.hpp"
#include "evaluators/adapters/joined_batch.hpp"
#include "evaluators/make.hpp"
#include "nets/container/open_network.hpp"
#include "support/random_games.hpp"

namespace scholar::evaluators {
namespace {

using namespace chess;

std::shared_ptr<const nets::SparsePolicyNetwork> random_policy(const nets::SparsePolicyInfo& info) {
    return std::make_shared<const nets::SparsePolicyNetwork>(
        *nets::quantise(nets::FloatSparsePolicy::random(info, 11)));
}

nets::SparsePolicyInfo info_of(const char* features, int width, nets::Activation activation,
                               nets::PolicyRows rows) {
    nets::SparsePolicyInfo info;
    info.architecture = {
        .features = *nets::find_feature_set(features), .width = width, .activation = activation};
    info.rows = rows;
    return info;
}

class EachSparseMovePolicy : public testing::TestWithParam<nets::SparsePolicyInfo> {};

// Along a tree with passes and returns, asked now and then: the logits are those of a fresh sum by plain
// loops, the probabilities those of their softmax.
TEST_P(EachSparseMovePolicy, IsExactOnAnyPathThroughATree) {
    const auto network = random_policy(GetParam());
    base::Random random(5);
    SparseMovePolicy policy(network);
    Line line;
    policy.reset(line.current());
    std::vector<float> shares;
    for (int step = 0; step < 8'000; ++step) {
        const Position& position = line.current();
        const MoveList moves = legal_moves(position);
        const auto choice = random.below(10);
        if (line.ply() > 0 && (moves.empty() || line.ply() > 300 || choice < 4)) {
            line.pop();
            policy.pop();
        } else if (choice == 4 && !position.in_check()) {
            policy.push_null(position);
            line.push_null();
        } else if (!moves.empty()) {
            const Move move = moves[static_cast<int>(random.below(static_cast<std::uint64_t>(moves.size())))];
            policy.push(position, move);
            line.push(move);
        }
        if (random.below(5) != 0) continue;
        const MoveList now = legal_moves(line.current());
        if (now.empty()) continue;
        const auto plain = nets::logits_plainly(*network, line.current(), now);
        const auto logits = policy.logits(line.current(), now);
        ASSERT_EQ(std::vector(logits.begin(), logits.end()), plain) << to_fen(line.current());
        shares.resize(plain.size());
        policy.judge(line.current(), now, shares);
        EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 1, 1e-5);
        const double best = std::ranges::max(plain);
        double sum = 0;
        for (const std::int32_t logit : plain) sum += std::exp((logit - best) / network->logit_unit());
        for (std::size_t i = 0; i < plain.size(); ++i)
            // The table of powers has 256 steps from one power of e to the next.
            EXPECT_NEAR(shares[i], std::exp((plain[i] - best) / network->logit_unit()) / sum, 0.005);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, EachSparseMovePolicy,
    testing::Values(info_of("768", 32, nets::Activation::Clipped, nets::PolicyRows::Moves),
                    info_of("768-mirrored", 128, nets::Activation::Paired, nets::PolicyRows::Circumstances),
                    info_of("768-king4", 96, nets::Activation::Squared, nets::PolicyRows::Exchanges)));

// Logits as far apart as weights allow: the worst moves keep a share, and all shares are numbers.
TEST(SparseMovePolicy, GivesSharesWhateverTheLogits) {
    auto network = *random_policy(info_of("768", 64, nets::Activation::Clipped, nets::PolicyRows::Exchanges));
    for (std::size_t row = 0; row < network.output_bias.size(); ++row)
        network.output_bias[row] = row % 2 == 0 ? 1'000'000'000 : -1'000'000'000;
    ASSERT_TRUE(nets::check_bounds(network));
    SparseMovePolicy policy(std::make_shared<const nets::SparsePolicyNetwork>(network));
    const MoveList moves = legal_moves(Position());
    std::vector<float> shares(static_cast<std::size_t>(moves.size()));
    policy.reset(Position());
    policy.judge(Position(), moves, shares);
    EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 1, 1e-5);
    EXPECT_GT(std::ranges::min(shares), 0);
    EXPECT_LT(std::ranges::min(shares), 1e-6);
}

// As the policy of a tree search beside the default network's value.
TEST(SparseMovePolicy, GoesWithTheValueOfAnotherNetwork) {
    const nets::AnyNetwork network =
        random_policy(info_of("768", 32, nets::Activation::Clipped, nets::PolicyRows::Exchanges));
    JoinedBatch joined(make_batch(*nets::open_network("")).value(), make_batch(network).value());
    base::Random random(2);
    tests::play_random_game(random, Position(), 60, [&](const Position&, Move, const Position& after) {
        const MoveList moves = legal_moves(after);
        if (moves.empty()) return;
        joined.submit(Line(after), moves);
        std::vector<Opinion> opinions;
        ASSERT_TRUE(joined.collect(opinions));
        std::vector<float> expected(static_cast<std::size_t>(moves.size()));
        const auto policy = make_policy(network).value();
        policy->reset(after);
        policy->judge(after, moves, expected);
        EXPECT_EQ(opinions[0].probabilities, expected);
        EXPECT_EQ(opinions[0].value, nets::open_network("")->evaluate(after));
    });
}

}  // namespace
}  // namespace scholar::evaluators
