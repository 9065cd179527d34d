#include "learning/perspective/growth.hpp"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <stdexcept>
#include <tuple>

#include "base/random.hpp"
#include "learning/perspective/model.hpp"
#include "nets/perspective/quantise.hpp"
#include "random_batch.hpp"
#include "support/mirror.hpp"
#include "support/random_games.hpp"

namespace scholar::learning {
namespace {

Batch with_targets(std::uint64_t seed) {
    Batch batch = random_batch(500, seed);
    base::Random random(seed);
    for (float& target : batch.targets) target = static_cast<float>(random.unit());
    return batch;
}

class Growth : public testing::TestWithParam<std::tuple<bool, nets::Activation>> {};

TEST_P(Growth, KeepsTheFunctionAndLearnsWithTheNewUnits) {
    const auto [factorised, activation] = GetParam();
    const int group = nets::group_size(activation);
    Model narrow(nets::FloatNetwork::random({.width = 32 * group, .activation = activation}, 1), factorised);
    for (std::uint64_t step = 0; step < 5; ++step) narrow.train(with_targets(step), {}, 0.01, {1, 1});
    Model wide(widened(narrow.state(), 96 * group, 2));
    EXPECT_EQ(wide.steps(), narrow.steps());
    const Batch batch = with_targets(100);
    const std::vector<float> before = narrow.logits(batch);
    const std::vector<float> after = wide.logits(batch);
    for (std::size_t i = 0; i < before.size(); ++i) EXPECT_NEAR(after[i], before[i], 1e-5);

    const nets::FloatNetwork grown = wide.network();
    for (std::uint64_t step = 0; step < 5; ++step) wide.train(with_targets(step), {}, 0.01, {1, 1});
    const nets::FloatNetwork taught = wide.network();
    const auto width = static_cast<std::size_t>(96 * group);
    for (std::size_t unit = 0; unit < width; ++unit) {
        if (unit % 96 < 32) continue;
        if (unit < 96) {
            EXPECT_NE(taught.output[unit], 0) << unit;
        }
        double moved = 0;
        for (std::size_t feature = 0; feature < 768; ++feature)
            moved += std::abs(static_cast<double>(taught.transformer[feature * width + unit] -
                                                  grown.transformer[feature * width + unit]));
        EXPECT_GT(moved, 0) << unit;
    }
}

// A new weight's first steps are about as long as an old one's: the learning rate each, while gradients keep
// their sign.
TEST(Growth, NewUnitsBeginWithStepsLikeTheOthers) {
    Model narrow(nets::FloatNetwork::random({.width = 64}, 1), false);
    for (std::uint64_t step = 0; step < 300; ++step) narrow.train(with_targets(step), {}, 0.001, {1, 1});
    Model wide(widened(narrow.state(), 128, 2));
    const nets::FloatNetwork grown = wide.network();
    for (std::uint64_t step = 300; step < 310; ++step) wide.train(with_targets(step), {}, 0.001, {1, 1});
    const nets::FloatNetwork taught = wide.network();
    std::array<double, 2> moved{};  // of the old and of the new output weights
    for (std::size_t unit = 0; unit < 2 * 128; ++unit)
        moved[unit % 128 < 64 ? 0 : 1] +=
            std::abs(static_cast<double>(taught.output[unit] - grown.output[unit])) / 128;
    EXPECT_GT(moved[1], moved[0] / 3);
    EXPECT_LT(moved[1], moved[0] * 3);
}

INSTANTIATE_TEST_SUITE_P(Activations, Growth,
                         testing::Combine(testing::Bool(), testing::Values(nets::Activation::Clipped,
                                                                           nets::Activation::Paired)));

// 64 units in pairs become 128: each half of them begins a half of the new ones.
TEST(Growth, PutsNewUnitsAtTheEndOfEachHalfOfPairs) {
    const nets::FloatNetwork network =
        nets::FloatNetwork::random({.width = 64, .activation = nets::Activation::Paired}, 1);
    const nets::FloatNetwork wide = widened(network, 128, 9);
    const nets::FloatNetwork fresh = nets::FloatNetwork::random(wide.info.architecture, 9);
    for (std::size_t feature = 0; feature < 768; ++feature)
        for (std::size_t unit = 0; unit < 128; ++unit)
            ASSERT_EQ(wide.transformer[feature * 128 + unit],
                      unit % 64 < 32 ? network.transformer[feature * 64 + unit / 64 * 32 + unit % 64]
                                     : fresh.transformer[feature * 128 + unit])
                << feature << " " << unit;
    for (std::size_t i = 0; i < 128; ++i)
        EXPECT_EQ(wide.output[i], i % 64 < 32 ? network.output[i / 64 * 32 + i % 64] : 0.0F) << i;
}

TEST(Growth, KeepsTheFunctionOfHiddenLayersAndTeachesThemTheNewUnits) {
    Model narrow(
        nets::FloatNetwork::random(
            {.width = 64, .activation = nets::Activation::Paired, .output_buckets = 2, .hidden = {16, 32}},
            1),
        true);
    constexpr WeightClip clip{1, 1, 1};
    for (std::uint64_t step = 0; step < 5; ++step) narrow.train(with_targets(step), {}, 0.01, clip);
    Model wide(widened(narrow.state(), 192, 2));
    const Batch batch = with_targets(100);
    const std::vector<float> before = narrow.logits(batch);
    const std::vector<float> after = wide.logits(batch);
    for (std::size_t i = 0; i < before.size(); ++i) EXPECT_NEAR(after[i], before[i], 1e-5);

    const nets::FloatNetwork grown = wide.network();
    for (std::uint64_t step = 0; step < 5; ++step) wide.train(with_targets(step), {}, 0.01, clip);
    const nets::FloatNetwork taught = wide.network();
    // Of the first hidden layer, [bucket][unit][own 96, enemy 96]: the first 32 of either side were there.
    std::size_t learnt = 0;
    for (std::size_t i = 0; i < taught.hidden[0].weight.size(); ++i) {
        if (i % 96 < 32) continue;
        EXPECT_EQ(grown.hidden[0].weight[i], 0) << i;
        learnt += taught.hidden[0].weight[i] != 0;
    }
    EXPECT_GT(learnt, 2'000U);  // of 4,096, less those of hidden units that are clipped
}

// Who won, learnt by heart: so that logits are large, of either sign.
Batch of_results(std::uint64_t seed) {
    Batch batch = with_targets(seed);
    for (float& target : batch.targets) target = target < 0.5F ? 0 : 1;
    return batch;
}

class Deepening : public testing::TestWithParam<std::tuple<int, nets::Activation, bool>> {
  protected:
    // With logits beyond the range that is kept, of either sign.
    Model flat() const {
        const auto [buckets, activation, factorised] = GetParam();
        Model model(
            nets::FloatNetwork::random({.width = 64, .activation = activation, .output_buckets = buckets}, 1),
            factorised);
        for (int step = 0; step < 100; ++step) model.train(of_results(0), {}, 0.01, {3, 6});
        ModelState state = model.state();
        const std::vector<float> logits = model.logits(of_results(0));
        const auto [least, most] = std::ranges::minmax(logits);
        const float by = 15 / std::min(-least, most);
        for (float& weight : state.network.output) weight *= by;
        for (float& bias : state.network.output_bias) bias *= by;
        return Model(state);
    }
};

TEST_P(Deepening, KeepsTheFunctionAndTeachesHeadsAndUnitsApart) {
    const int buckets = std::get<0>(GetParam());
    const Model before = flat();
    const ModelState grown = deepened(bucketed(before.state(), 8), {16, 32}, 5);
    Model deep(grown);
    EXPECT_EQ(deep.steps(), before.steps());
    EXPECT_EQ(deep.architecture().output_buckets, 8);
    EXPECT_EQ(deep.architecture().hidden, (std::vector<int>{16, 32}));
    const Batch batch = of_results(0);
    const std::vector<float> was = before.logits(batch);
    const auto expect_the_same = [&](float within) {
        const std::vector<float> is = deep.logits(batch);
        for (std::size_t i = 0; i < was.size(); ++i)
            EXPECT_NEAR(is[i], std::clamp(was[i], -kDeepenedRange, kDeepenedRange), within) << i;
    };
    expect_the_same(5e-5F);
    EXPECT_GT(std::ranges::count_if(was, [](float logit) { return std::abs(logit) > kDeepenedRange; }), 0);
    ASSERT_TRUE(nets::quantise(deepened(bucketed(before.network(), 8), {16, 32}, 5)));

    // The next step cuts nothing.
    constexpr WeightClip clip{3.75F, 6, 4};
    EXPECT_EQ(deep.train(batch, {}, 1e-9, clip).clipped, 0U);
    expect_the_same(2e-4F);

    // Heads that were one are alike, and what was to be learnt of each is from there on its own.
    const auto first_layer = [](const nets::FloatNetwork& network, std::size_t head) {
        const std::vector<float>& all = network.hidden[0].weight;
        const std::size_t of_a_head = all.size() / 8;
        const auto from = all.begin() + static_cast<std::ptrdiff_t>(head * of_a_head);
        return std::vector<float>(from, from + static_cast<std::ptrdiff_t>(of_a_head));
    };
    for (std::size_t head = 1; head < 8; ++head) {
        if (head == 4 && buckets == 2) {
            EXPECT_NE(first_layer(grown.network, 4), first_layer(grown.network, 0));
            continue;
        }
        EXPECT_EQ(first_layer(grown.network, head), first_layer(grown.network, head - 1)) << head;
    }
    deep.train(of_results(1), {}, 0.001, clip);
    const nets::FloatNetwork taught = deep.network();
    EXPECT_NE(first_layer(taught, 1), first_layer(taught, 0));
    std::size_t moved = 0;
    for (std::size_t i = 0; i < taught.output.size(); ++i)
        moved += taught.output[i] != grown.network.output[i];
    EXPECT_GT(moved, taught.output.size() / 2);
}

INSTANTIATE_TEST_SUITE_P(Heads, Deepening,
                         testing::Combine(testing::Values(1, 2),
                                          testing::Values(nets::Activation::Clipped,
                                                          nets::Activation::Squared,
                                                          nets::Activation::Paired),
                                          testing::Bool()));

// The gradient of a weight of the flat output is that of the logit times the input; of one that hands on
// times the share of the logit as well.
TEST(Growth, OptimiserRemembersOfNewLayersWhatTheLogitsGradientWas) {
    Model model(nets::FloatNetwork::random({.width = 32}, 1), false);
    for (std::uint64_t step = 0; step < 5; ++step) model.train(with_targets(step), {}, 0.01, {3, 6});
    const ModelState flat = bucketed(model.state(), 2);
    const ModelState deep = deepened(flat, {16, 16}, 5);
    constexpr std::array shares{2.0F, 2.0F, 3.0F, 3.0F, 4.0F, 4.0F, 4.0F, 4.0F, 1.0F, 1.0F};
    for (std::size_t head = 0; head < 2; ++head) {
        EXPECT_GT(flat.output_bias.second[head], 0);
        for (std::size_t unit = 0; unit < shares.size(); ++unit) {
            const float square = shares[unit] * shares[unit];
            const std::size_t row = head * 16 + unit;
            EXPECT_EQ(deep.hidden[0].weight.second[row * 64 + 7], square * flat.output.second[head * 64 + 7]);
            EXPECT_EQ(deep.hidden[0].bias.second[row], square * flat.output_bias.second[head]);
            EXPECT_EQ(deep.hidden[1].weight.second[row * 16 + 3], square * flat.output_bias.second[head]);
            EXPECT_EQ(deep.output.second[row], flat.output_bias.second[head]);
        }
    }
    EXPECT_EQ(deep.hidden[0].weight.first, std::vector<float>(std::size_t{2} * 16 * 64));
}

TEST(Growth, HeadsBecomeMoreInAnyNumberOfSteps) {
    Model model(nets::FloatNetwork::random({.width = 32, .hidden = {16}}, 1), true);
    for (std::uint64_t step = 0; step < 5; ++step) model.train(with_targets(step), {}, 0.01, {3, 6});
    const ModelState one = model.state();
    const ModelState at_once = bucketed(one, 8);
    const ModelState by_two = bucketed(bucketed(one, 2), 8);
    EXPECT_EQ(at_once.network.hidden[0].weight, by_two.network.hidden[0].weight);
    EXPECT_EQ(at_once.network.output, by_two.network.output);
    EXPECT_EQ(at_once.output.second, by_two.output.second);
    EXPECT_EQ(at_once.output.second[0], one.output.second[0] / 8);
    EXPECT_EQ(bucketed(one, 1).output.second, one.output.second);
    const Batch batch = with_targets(100);
    const std::vector<float> was = model.logits(batch);
    const std::vector<float> is = Model(at_once).logits(batch);
    for (std::size_t i = 0; i < was.size(); ++i) EXPECT_NEAR(is[i], was[i], 1e-6) << i;
    EXPECT_THROW(bucketed(at_once, 4), std::invalid_argument);
}

TEST(Growth, HiddenLayersMustFitWithinTheClip) {
    nets::Architecture deep{.width = 1024, .activation = nets::Activation::Squared, .hidden = {16, 32}};
    EXPECT_TRUE(check_deepening(deep, {3.75F, 6, 4}));
    EXPECT_FALSE(check_deepening(deep, {3.75F, 3.9F, 4}));
    EXPECT_FALSE(check_deepening(deep, {3.75F, 6, 3.7F}));
    EXPECT_FALSE(check_deepening(deep, {3.75F, 7, 4}));
    deep.width = 2048;
    EXPECT_FALSE(check_deepening(deep, {3.75F, 6, 4}));
}

TEST(Growth, WhatIsDeepAlreadyGetsNoHiddenLayers) {
    EXPECT_THROW(deepened(nets::FloatNetwork::random({.width = 32, .hidden = {16}}, 1), {16, 32}, 1),
                 std::invalid_argument);
    EXPECT_THROW(deepened(nets::FloatNetwork::random({.width = 32}, 1), {}, 1), std::invalid_argument);
}

TEST(Growth, TheSameWidthChangesNothing) {
    const nets::FloatNetwork network = nets::FloatNetwork::random({.width = 64}, 1);
    const nets::FloatNetwork same = widened(network, 64, 9);
    EXPECT_EQ(same.transformer, network.transformer);
    EXPECT_EQ(same.output, network.output);
}

const nets::FeatureSet& features(const char* name) {
    return **nets::find_feature_set(name);
}

std::vector<chess::Position> positions_of_games() {
    base::Random random(3);
    std::vector<chess::Position> positions;
    while (positions.size() < 2'000)
        tests::play_random_game(
            random, chess::Position(), 120,
            [&](const auto&, const auto&, const chess::Position& after) { positions.push_back(after); });
    return positions;
}

Batch encoded(const std::vector<chess::Position>& positions, const nets::FeatureSet& set) {
    base::Random random(9);
    Batch batch;
    batch.resize(positions.size(), nets::FeatureSet::kMaxActive);
    for (std::size_t i = 0; i < positions.size(); ++i)
        batch.put(i, set, positions[i], positions[i].side_to_move(), static_cast<float>(random.unit()), 0);
    return batch;
}

bool kings_stand_right(const chess::Position& position) {
    return position.king(chess::White) % 8 >= 4 && position.king(chess::Black) % 8 >= 4;
}

class Refinement : public testing::TestWithParam<std::tuple<const char*, const char*, bool>> {};

TEST_P(Refinement, KeepsTheFunctionAndTeachesFeaturesApart) {
    const auto [coarse_name, fine_name, factorised] = GetParam();
    const nets::FeatureSet& coarse = features(coarse_name);
    const nets::FeatureSet& fine = features(fine_name);
    std::vector<chess::Position> positions = positions_of_games();
    // Where boards become mirrored it is kept for kings on e to h.
    if (&coarse == &nets::plain_features())
        std::erase_if(positions, [](const auto& position) { return !kings_stand_right(position); });
    ASSERT_GT(positions.size(), 500U);
    Model before(nets::FloatNetwork::random({.features = &coarse, .width = 32}, 1), factorised);
    for (int step = 0; step < 20; ++step) before.train(encoded(positions, coarse), {}, 0.003, {3, 3});
    Model after(refined(before.state(), fine));
    EXPECT_EQ(after.architecture().features, &fine);
    EXPECT_EQ(after.steps(), before.steps());
    const std::vector<float> was = before.logits(encoded(positions, coarse));
    const std::vector<float> is = after.logits(encoded(positions, fine));
    for (std::size_t i = 0; i < was.size(); ++i) EXPECT_NEAR(is[i], was[i], 1e-5) << i;

    // The optimiser goes on with what it remembers of the same feature; of rows that are shared from now on,
    // with what it remembers of the rows that were.
    const auto source = *coarser_features(coarse, fine);
    const ModelState old = before.state();
    const ModelState grown = after.state();
    const auto expect_rows = [&](const AdamMoments& moments, std::size_t rows) {
        ASSERT_EQ(moments.second.size(), rows * 32);
        for (std::size_t i = 0; i < rows * 32; ++i) {
            const std::size_t from = source[i / 32] * 32 + i % 32;
            ASSERT_EQ(moments.first[i], old.transformer.first[from]) << i;
            ASSERT_EQ(moments.second[i], old.transformer.second[from]) << i;
        }
    };
    expect_rows(grown.transformer, source.size());
    for (const Factor& factor : grown.factors) {
        const auto was_there = std::ranges::find(old.factors, factor.kind, &Factor::kind);
        if (was_there == old.factors.end()) {
            EXPECT_EQ(factor.rows, std::vector<float>(nets::FeatureSet::kBoard * 32));
            expect_rows(factor.moments, nets::FeatureSet::kBoard);
        } else {
            EXPECT_EQ(factor.rows, was_there->rows);
            EXPECT_EQ(factor.moments.second, was_there->moments.second);
        }
    }
    EXPECT_EQ(grown.factors.size(), !factorised ? 0U : fine.size() > nets::FeatureSet::kBoard ? 2U : 1U);

    after.train(encoded(positions, fine), {}, 0.001, {3, 3});
    const nets::FloatNetwork apart = after.network();
    std::size_t moved = 0;
    for (std::size_t i = 0; i < source.size(); ++i) {
        const auto first = static_cast<std::size_t>(std::ranges::find(source, source[i]) - source.begin());
        for (std::size_t unit = 0; unit < 32; ++unit)
            moved += apart.transformer[i * 32 + unit] != apart.transformer[first * 32 + unit];
    }
    if (fine.size() > coarse.size()) {
        EXPECT_GT(moved, 500U);
    }
}

INSTANTIATE_TEST_SUITE_P(FeatureSets, Refinement,
                         testing::Combine(testing::Values("768"),
                                          testing::Values("768-mirrored", "768-king4", "768-king10"),
                                          testing::Bool()));
INSTANTIATE_TEST_SUITE_P(MirroredFeatureSets, Refinement,
                         testing::Combine(testing::Values("768-mirrored"),
                                          testing::Values("768-king4", "768-king6"), testing::Bool()));
INSTANTIATE_TEST_SUITE_P(BucketedFeatureSets, Refinement,
                         testing::Combine(testing::Values("768-king4"),
                                          testing::Values("768-king6", "768-king10"), testing::Bool()));
INSTANTIATE_TEST_SUITE_P(FeatureSetsThatReadAttacks, Refinement,
                         testing::Combine(testing::Values("768", "768-mirrored", "768-mirrored-threats"),
                                          testing::Values("768-king4-threats"), testing::Bool()));

// Rows and factors that together are as large as may be stay so when there is one factor more.
TEST(Growth, TheNextStepCutsNothing) {
    ModelState coarse =
        ModelState::begin(nets::FloatNetwork::random({.features = &features("768"), .width = 32}, 1), true);
    for (std::size_t i = 0; i < coarse.network.transformer.size(); i += 7)
        coarse.network.transformer[i] = 1.8F;
    for (std::size_t i = 0; i < coarse.factors[0].rows.size(); i += 5) coarse.factors[0].rows[i] = 1.9F;
    Model model(refined(coarse, features("768-king4")));
    const Batch batch = encoded(positions_of_games(), features("768-king4"));
    const std::vector<float> before = model.logits(batch);
    EXPECT_EQ(model.train(batch, {}, 1e-9, {3.75F, 2, 0}).clipped, 0U);
    const std::vector<float> after = model.logits(batch);
    for (std::size_t i = 0; i < before.size(); ++i) EXPECT_NEAR(after[i], before[i], 1e-4) << i;
}

// With both kings on a to d the board is what a mirror shows.
TEST(Growth, MirroredFeaturesSeeTheOtherWingAsTheFirst) {
    const nets::FloatNetwork network = nets::FloatNetwork::random({.width = 32}, 1);
    std::vector<chess::Position> positions;
    std::vector<chess::Position> images;
    for (const chess::Position& position : positions_of_games()) {
        if (position.king(chess::White) % 8 >= 4 || position.king(chess::Black) % 8 >= 4) continue;
        positions.push_back(position);
        images.push_back(tests::mirrored_by_files(tests::without_castling(position)));
    }
    ASSERT_GT(positions.size(), 20U);
    const std::vector<float> was = Model(network, false).logits(encoded(images, features("768")));
    for (const char* fine : {"768-mirrored", "768-king6"}) {
        const std::vector<float> is =
            Model(refined(network, features(fine)), false).logits(encoded(positions, features(fine)));
        for (std::size_t i = 0; i < was.size(); ++i) EXPECT_NEAR(is[i], was[i], 1e-5) << fine << " " << i;
    }
}

TEST(Growth, FeaturesDoNotBecomeCoarser) {
    for (const auto& [coarse, fine] :
         {std::pair{"768-mirrored", "768"}, std::pair{"768-king6", "768-king4"},
          std::pair{"768-king4", "768-mirrored"}, std::pair{"768-threats", "768-king4"}}) {
        EXPECT_FALSE(coarser_features(features(coarse), features(fine))) << coarse << " " << fine;
        EXPECT_THROW(refined(nets::FloatNetwork::random({.features = &features(coarse), .width = 32}, 1),
                             features(fine)),
                     std::invalid_argument);
    }
    const nets::FloatNetwork network =
        nets::FloatNetwork::random({.features = &features("768-king4"), .width = 32}, 1);
    EXPECT_EQ(refined(network, features("768-king4")).transformer, network.transformer);
}

}  // namespace
}  // namespace scholar::learning
