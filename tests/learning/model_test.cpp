#include "learning/model.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <numeric>

#include "base/random.hpp"
#include "learning/losses.hpp"
#include "random_batch.hpp"
#include "support/random_games.hpp"

namespace scholar::learning {
namespace {

const nets::Architecture kRich{*nets::find_feature_set("768-king4"), 64, nets::Activation::Squared, 4};

Batch batch_with_targets(std::size_t positions, std::uint64_t seed) {
    Batch batch = random_batch(positions, seed, kRich.features->size());
    base::Random random(seed);
    for (float& target : batch.targets) target = static_cast<float>(random.unit());
    return batch;
}

class EachModel : public testing::TestWithParam<nets::Architecture> {};

INSTANTIATE_TEST_SUITE_P(Architectures, EachModel,
                         testing::Values(kRich, nets::Architecture{kRich.features, 128,
                                                                   nets::Activation::Paired, 4}));

TEST_P(EachModel, LearnsTheSameBitsWithAnyNumberOfThreads) {
    std::vector<ModelState> states;
    const int before = torch_threads();
    for (const int threads : {1, 2, 3}) {
        prepare_torch(threads);
        Model model(nets::FloatNetwork::random(GetParam(), 3), true);
        for (std::uint64_t step = 0; step < 4; ++step) {
            model.train(batch_with_targets(5'000, step), {}, 0.01, {10, 10});
        }
        states.push_back(model.state());
    }
    prepare_torch(before);
    for (const std::size_t other : {1U, 2U}) {
        EXPECT_EQ(states[0].network.transformer, states[other].network.transformer);
        EXPECT_EQ(states[0].network.transformer_bias, states[other].network.transformer_bias);
        EXPECT_EQ(states[0].network.output, states[other].network.output);
        EXPECT_EQ(states[0].network.output_bias, states[other].network.output_bias);
        ASSERT_EQ(states[0].factors.size(), 2U);
        for (const std::size_t i : {0U, 1U})
            EXPECT_EQ(states[0].factors[i].rows, states[other].factors[i].rows);
    }
    EXPECT_NE(states[0].network.output, nets::FloatNetwork::random(GetParam(), 3).output);
}

// After the first step the first moment is (1 - beta1) times the gradient.
TEST_P(EachModel, GradientAgreesWithFiniteDifferences) {
    const Batch batch = batch_with_targets(300, 5);
    const ModelState start = ModelState::begin(nets::FloatNetwork::random(GetParam(), 3), true);
    Model model(start);
    AdamOptions options;
    options.beta1 = 0.5;
    model.train(batch, options, 1e-9, {10, 10});
    const ModelState after = model.state();
    const auto loss = [&](const ModelState& state) {
        const std::vector<float> logits = Model(state).logits(batch);
        LossSum sum;
        for (std::size_t i = 0; i < logits.size(); ++i)
            sum.add(static_cast<double>(logits[i]), static_cast<double>(batch.targets[i]));
        return sum.mean().cross_entropy;
    };
    // Those with the steepest slopes of each array.
    const auto check = [&](const char* name, const AdamMoments& moments, auto values_of) {
        std::vector<std::size_t> order(moments.first.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::sort(order, std::greater{}, [&](std::size_t i) { return std::abs(moments.first[i]); });
        order.resize(std::min<std::size_t>(order.size(), 8));
        for (const std::size_t at : order) {
            constexpr float step = 1e-3F;
            ModelState up = start;
            values_of(up)[at] += step;
            ModelState down = start;
            values_of(down)[at] -= step;
            const double slope = (loss(up) - loss(down)) / (2 * static_cast<double>(step));
            const double gradient = 2 * static_cast<double>(moments.first[at]);
            EXPECT_NEAR(gradient, slope, 0.02 * std::abs(slope) + 2e-6) << name << " " << at;
        }
    };
    check("transformer", after.transformer, [](ModelState& of) -> auto& { return of.network.transformer; });
    check("transformer bias", after.transformer_bias,
          [](ModelState& of) -> auto& { return of.network.transformer_bias; });
    check("output", after.output, [](ModelState& of) -> auto& { return of.network.output; });
    check("output bias", after.output_bias, [](ModelState& of) -> auto& { return of.network.output_bias; });
    check("factor by piece", after.factors[0].moments,
          [](ModelState& of) -> auto& { return of.factors[0].rows; });
    check("factor by piece and square", after.factors[1].moments,
          [](ModelState& of) -> auto& { return of.factors[1].rows; });
}

TEST(Model, AddsFactorsToAllRowsThatTheyStandFor) {
    ModelState state = ModelState::begin(nets::FloatNetwork::random(kRich, 3), true);
    const auto width = static_cast<std::size_t>(kRich.width);
    const std::vector<float> before = state.network.transformer;
    state.factors[0].rows[4 * width + 5] = 1;                 // own queen
    state.factors[1].rows[(6 * 64 + 12) * width + 5] = 0.5F;  // enemy pawn on e2
    const std::vector<float> whole = Model(state).network().transformer;
    for (std::size_t i = 0; i < whole.size(); ++i) {
        const std::size_t feature = i / width % 768;
        float expected = before[i];
        if (i % width == 5 && feature / 64 == 4) expected += 1;
        if (i % width == 5 && feature == 6 * 64 + 12) expected += 0.5F;
        ASSERT_EQ(whole[i], expected) << i;
    }
    EXPECT_EQ(Model(state).state().network.transformer, before);
}

// Features of real positions, through the network that training gives out.
TEST_P(EachModel, LogitsAreThoseOfTheNetworkThatItGivesOut) {
    Model model(nets::FloatNetwork::random(GetParam(), 3), true);
    for (std::uint64_t step = 0; step < 4; ++step)
        model.train(batch_with_targets(5'000, step), {}, 0.01, {10, 10});
    const nets::FloatNetwork network = model.network();
    std::vector<games::Sample> samples;
    base::Random random(4);
    for (int game = 0; game < 10; ++game)
        tests::play_random_game(random, chess::Position(), 150,
                                [&](const auto&, auto, const chess::Position& position) {
                                    games::Sample sample;
                                    sample.position = position;
                                    samples.push_back(sample);
                                });
    const std::vector<float> logits = model.logits(encode(samples, *kRich.features, {}));
    for (std::size_t i = 0; i < samples.size(); ++i)
        ASSERT_NEAR(logits[i], network.logit(samples[i].position), 1e-4F);
}

}  // namespace
}  // namespace scholar::learning
