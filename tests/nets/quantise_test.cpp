#include "nets/perspective/quantise.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "chess/fen.hpp"
#include "support/random_games.hpp"

namespace scholar::nets {
namespace {

class Quantise : public testing::TestWithParam<Architecture> {};

TEST_P(Quantise, FollowsTheFloatNetworkWithinItsBound) {
    const FloatNetwork network = FloatNetwork::random(GetParam(), 7);
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

INSTANTIATE_TEST_SUITE_P(
    Architectures, Quantise,
    testing::Values(Architecture{.width = 64}, Architecture{.width = 64, .activation = Activation::Squared},
                    Architecture{.width = 128, .activation = Activation::Paired},
                    Architecture{.width = 64, .output_buckets = 8},
                    Architecture{*find_feature_set("768-king10"), 32, Activation::Squared, 8},
                    Architecture{*find_feature_set("768-king4"), 64, Activation::Paired, 4},
                    Architecture{.width = 64, .hidden = {16, 32}},
                    Architecture{.width = 64, .activation = Activation::Squared, .hidden = {32}},
                    Architecture{*find_feature_set("768-king4"), 128, Activation::Paired, 4, {16, 32, 16}}));

TEST(QuantiseRefusals, NameWeightsThatAreNoNumbers) {
    FloatNetwork network = FloatNetwork::random({.width = 32}, 1);
    network.output.at(3) = std::numeric_limits<float>::quiet_NaN();
    const auto refused = quantise(network);
    ASSERT_FALSE(refused);
    EXPECT_TRUE(refused.error().message.ends_with("1 of 64 weights are no finite numbers"))
        << refused.error().message;
}

TEST(OutputBuckets, DivideTheNumbersOfPiecesEvenly) {
    const Architecture eight{.width = 32, .output_buckets = 8};
    const Architecture two{.width = 32, .output_buckets = 2};
    for (int pieces = 1; pieces <= 32; ++pieces) {
        EXPECT_EQ(eight.output_bucket(pieces), (pieces - 1) / 4);
        EXPECT_EQ(two.output_bucket(pieces), pieces > 16 ? 1 : 0);
        EXPECT_EQ(Architecture{}.output_bucket(pieces), 0);
    }
}

TEST(OutputBuckets, EachHaveTheirOwnWeights) {
    // Each says a constant of its own, half of it by its bias, and half by a unit that is always on.
    FloatNetwork network = FloatNetwork::random({.width = 32, .output_buckets = 4}, 1);
    std::ranges::fill(network.transformer, 0.0F);
    std::ranges::fill(network.transformer_bias, 1.0F);
    std::ranges::fill(network.output, 0.0F);
    for (std::size_t bucket = 0; bucket < 4; ++bucket) {
        network.output_bias[bucket] = 0.25F * static_cast<float>(bucket);
        network.output[bucket * 64 + 3] = 0.25F * static_cast<float>(bucket);
    }
    const auto quantised = quantise(network);
    ASSERT_TRUE(quantised) << quantised.error().message;
    for (const auto& [fen, bucket] : {std::pair{"8/8/8/8/8/8/3K4/7k w - - 0 1", 0},
                                      {"4k3/pppppppp/8/8/8/8/8/4K3 b - - 0 1", 1},
                                      {"rnbqkbnr/pppppppp/8/8/8/8/8/4K3 w - - 0 1", 2},
                                      {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 3}}) {
        const chess::Position position = *chess::parse_fen(fen);
        EXPECT_EQ(network.logit(position), 0.5F * static_cast<float>(bucket)) << fen;
        EXPECT_EQ(evaluate_plainly(quantised->network, position).value(), 200 * bucket) << fen;
    }
}

TEST(OutputBuckets, AreEachBounded) {
    FloatNetwork network = FloatNetwork::random({.width = 4096, .output_buckets = 2}, 1);
    std::ranges::fill(network.output, 1.0F);
    ASSERT_TRUE(quantise(network));
    std::fill(network.output.begin() + 8192, network.output.end(), 2.0F);
    const auto refused = quantise(network);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("output: a board could sum to 4278"), std::string::npos)
        << refused.error().message;
}

TEST(OutputBuckets, EachHaveTheirOwnHiddenLayers) {
    // One unit of the hidden layer says the bucket's number in eighths; the output gives it on.
    const Architecture architecture{.width = 32, .output_buckets = 4, .hidden = {16}};
    FloatNetwork network = FloatNetwork::random(architecture, 1);
    for_each_weights(network, [](const auto&, const auto&, auto& array) { std::ranges::fill(array, 0.0F); });
    std::ranges::fill(network.transformer_bias, 1.0F);
    for (std::size_t bucket = 0; bucket < 4; ++bucket) {
        network.hidden[0].weight[(bucket * 16 + 3) * 64 + 5] = 0.125F * static_cast<float>(bucket);
        network.hidden[0].bias[bucket * 16 + 7] = 0.25F;
        network.output[bucket * 16 + 3] = 2;
        network.output[bucket * 16 + 7] = static_cast<float>(bucket);
    }
    const auto quantised = quantise(network);
    ASSERT_TRUE(quantised) << quantised.error().message;
    for (const auto& [fen, bucket] : {std::pair{"8/8/8/8/8/8/3K4/7k w - - 0 1", 0},
                                      {"4k3/pppppppp/8/8/8/8/8/4K3 b - - 0 1", 1},
                                      {"rnbqkbnr/pppppppp/8/8/8/8/8/4K3 w - - 0 1", 2},
                                      {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 3}}) {
        const chess::Position position = *chess::parse_fen(fen);
        EXPECT_EQ(network.logit(position), 0.5F * static_cast<float>(bucket)) << fen;
        EXPECT_EQ(evaluate_plainly(quantised->network, position).value(), 200 * bucket) << fen;
    }
}

// What a trained network looks like more than a random one: hidden units all over their range, and beyond.
TEST(QuantiseHidden, IsExactToAFewScoreUnits) {
    FloatNetwork network = FloatNetwork::random(
        {.width = 256, .activation = Activation::Paired, .output_buckets = 2, .hidden = {16, 32}}, 5);
    base::Random random(9);
    for (FloatLayer& layer : network.hidden)
        for (float& weight : layer.weight) weight *= 4;
    for (float& weight : network.output) weight = static_cast<float>(4 * random.unit() - 2);
    const auto quantised = quantise(network);
    ASSERT_TRUE(quantised) << quantised.error().message;
    FloatNetwork rounded = dequantise(quantised->network);
    double worst = 0;
    double largest = 0;
    for (int game = 0; game < 10; ++game) {
        tests::play_random_game(
            random, chess::Position(), 150, [&](const auto&, auto, const chess::Position& position) {
                const double exact = chess::Score::kScale * static_cast<double>(rounded.logit(position));
                largest = std::max(largest, std::abs(exact));
                worst =
                    std::max(worst, std::abs(exact - evaluate_plainly(quantised->network, position).value()));
            });
    }
    EXPECT_GT(largest, 100);
    // Of 4096ths of an activation, and bits that products lose; the score itself is rounded to a whole
    // number.
    EXPECT_LT(worst, 3);
}

TEST(QuantiseHidden, TakesTheFinestShiftThatFits) {
    FloatNetwork network = FloatNetwork::random({.width = 32, .hidden = {16, 32}}, 1);
    const auto shifts = [&] {
        const auto quantised = quantise(network);
        EXPECT_TRUE(quantised) << quantised.error().message;
        return quantised ? std::pair(quantised->network.hidden[0].shift, quantised->network.hidden[1].shift)
                         : std::pair(0, 0);
    };
    // 4096 << 10 of 255ths: a weight of 1 is 16,448, and twice that does not fit.
    network.hidden[0].weight[5] = 1;
    network.hidden[1].weight[5] = -3.9F;  // 8192 to 1
    EXPECT_EQ(shifts(), std::pair(10, 13));
    network.hidden[0].weight[5] = -2;
    network.hidden[1].weight[5] = 4;
    EXPECT_EQ(shifts(), std::pair(9, 12));
    network.hidden[0].weight[5] = 32;
    const auto refused = quantise(network);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message,
              "hidden layer 1: 1 of 1024 weights do not fit: range 32.00, expected at most 31.87");
    // No weight is large, but all of them together are.
    network = FloatNetwork::random({.width = 4096, .hidden = {16}}, 1);
    std::ranges::fill(network.hidden[0].weight, 0.5F);
    const auto wide = quantise(network);
    ASSERT_TRUE(wide) << wide.error().message;
    // 8192 × ½ × 4096 × 2⁷ would be 2³¹, and the bias is ½.
    EXPECT_EQ(wide->network.hidden[0].shift, 6);
    EXPECT_EQ(wide->report.hidden_bound, 8192 * 514 * 255 + 2048 * 64 + 32);
    std::ranges::fill(network.hidden[0].weight, 2.0F);
    const auto overflows = quantise(network);
    ASSERT_FALSE(overflows);
    EXPECT_NE(overflows.error().message.find("hidden layer 1: a board could sum to 4"), std::string::npos)
        << overflows.error().message;
}

class QuantiseProducts : public testing::TestWithParam<Activation> {};

// Widths with the same output weights, 64 and 2048, whatever the activation.
TEST_P(QuantiseProducts, TakesTheFinestScaleThatFits) {
    const int group = group_size(GetParam());
    FloatNetwork network = FloatNetwork::random({.width = 32 * group, .activation = GetParam()}, 1);
    const auto scale_with = [&](float weight) {
        network.output[5] = weight;
        const auto quantised = quantise(network);
        EXPECT_TRUE(quantised) << quantised.error().message;
        return quantised ? quantised->network.output_scale : 0;
    };
    EXPECT_EQ(scale_with(-0.25F), 1024);
    EXPECT_EQ(scale_with(31.9F), 1024);
    EXPECT_EQ(scale_with(32.1F), 512);
    EXPECT_EQ(scale_with(2000), 16);
    network.output[5] = 2050;
    const auto refused = quantise(network);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message,
              "output: 1 of 64 weights do not fit: range 2050.00, expected at most 2047.94");
    // No weight is large, but all of them together are: 2 × 1024 × 1 × 512 × 4064 is more than 2³¹.
    network = FloatNetwork::random({.width = 1024 * group, .activation = GetParam()}, 1);
    std::ranges::fill(network.output, 1.0F);
    const auto wide = quantise(network);
    ASSERT_TRUE(wide) << wide.error().message;
    EXPECT_EQ(wide->network.output_scale, 256);
    EXPECT_EQ(wide->report.output_bound, std::int64_t{2048} * 256 * 4064);
}

INSTANTIATE_TEST_SUITE_P(Activations, QuantiseProducts,
                         testing::Values(Activation::Squared, Activation::Paired),
                         [](const auto& each) { return std::string(to_string(each.param)); });

TEST(QuantiseClipped, RefusesWeightsThatDoNotFit) {
    FloatNetwork network = FloatNetwork::random({.width = 32}, 1);
    network.output[5] = 40;  // × 1024 > 32,767
    const auto refused = quantise(network);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("output: 1 of 64 weights do not fit"), std::string::npos)
        << refused.error().message;
    network.output[5] = std::nanf("");
    EXPECT_FALSE(quantise(network));
}

TEST(QuantiseClipped, RefusesSumsThatCouldOverflowOnSomeBoard) {
    FloatNetwork network = FloatNetwork::random({.width = 32}, 1);
    // 5 on each square for one piece: 32 of them sum to 160, and 160 × 255 does not fit in 16 bits.
    for (std::size_t square = 0; square < 64; ++square) network.transformer[square * 32] = 5;
    const auto refused = quantise(network);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("a board could sum to"), std::string::npos)
        << refused.error().message;
}

TEST(QuantiseKing, BoundsAndCountsByBucket) {
    // A unit that only boards of the last bucket can switch on, and another that none can.
    FloatNetwork network = FloatNetwork::random({.features = *find_feature_set("768-king4"), .width = 32}, 1);
    const std::size_t last = std::size_t{3} * 768;
    for (std::size_t feature = 0; feature < std::size_t{4} * 768; ++feature) {
        network.transformer[feature * 32 + 3] = feature < last ? -0.01F : 0.1F;
        network.transformer[feature * 32 + 4] = -0.01F;
    }
    network.transformer_bias[3] = network.transformer_bias[4] = -1;
    const auto quantised = quantise(network);
    ASSERT_TRUE(quantised) << quantised.error().message;
    EXPECT_EQ(quantised->report.dead_units, 1);
    for (std::size_t square = 0; square < 64; ++square) network.transformer[(last + square) * 32] = 5;
    const auto refused = quantise(network);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("a board could sum to"), std::string::npos);
}

TEST(QuantiseClipped, CountsDeadUnitsAndEmptyRows) {
    FloatNetwork network = FloatNetwork::random({.width = 32}, 1);
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
