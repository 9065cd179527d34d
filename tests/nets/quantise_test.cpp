#include "nets/quantise.hpp"

#include <cmath>
#include <gtest/gtest.h>

#include "chess/fen.hpp"
#include "support/random_games.hpp"

namespace scholar::nets {
namespace {

TEST(Quantise, FollowsTheFloatNetworkWithinItsBound) {
    const FloatNetwork network = FloatNetwork::random(64, 7);
    const auto quantised = quantise(network);
    ASSERT_TRUE(quantised) << quantised.error().message;
    base::Random random(3);
    double worst = 0;
    for (int game = 0; game < 20; ++game) {
        tests::play_random_game(
            random, chess::Position(), 150, [&](const auto&, auto, const chess::Position& position) {
                const double exact = chess::Score::kScale * static_cast<double>(network.logit(position));
                worst =
                    std::max(worst, std::abs(exact - evaluate_plainly(quantised->network, position).value()));
            });
    }
    EXPECT_LT(worst, 8);  // of 400 · logit: some thirty rounded weights a unit, 128 units
    EXPECT_GT(worst, 0);
}

TEST(Quantise, RefusesWeightsThatDoNotFit) {
    FloatNetwork network = FloatNetwork::random(32, 1);
    network.output[5] = 40;  // × 1024 > 32,767
    const auto refused = quantise(network);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("output: 1 of 64 weights do not fit"), std::string::npos)
        << refused.error().message;
    network.output[5] = std::nanf("");
    EXPECT_FALSE(quantise(network));
}

TEST(Quantise, RefusesSumsThatCouldOverflowOnSomeBoard) {
    FloatNetwork network = FloatNetwork::random(32, 1);
    // 5 on each square for one piece: 32 of them sum to 160, and 160 × 255 does not fit in 16 bits.
    for (std::size_t square = 0; square < 64; ++square) network.transformer[square * 32] = 5;
    const auto refused = quantise(network);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("a board could sum to"), std::string::npos)
        << refused.error().message;
}

TEST(Quantise, CountsDeadUnitsAndEmptyRows) {
    FloatNetwork network = FloatNetwork::random(32, 1);
    for (std::size_t feature = 0; feature < 768; ++feature) network.transformer[feature * 32 + 3] = -0.01F;
    network.transformer_bias[3] = -1;
    for (std::size_t unit = 0; unit < 32; ++unit) network.transformer[100 * 32 + unit] = 0;
    const auto quantised = quantise(network);
    ASSERT_TRUE(quantised);
    EXPECT_EQ(quantised->report.dead_units, 1);
    EXPECT_EQ(quantised->report.zero_rows, 1);
}

}  // namespace
}  // namespace scholar::nets
