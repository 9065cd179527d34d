#include "learning/perspective/model.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <numeric>

#include "base/random.hpp"
#include "learning/perspective/model_backend.hpp"
#include "learning/targets/losses.hpp"
#include "nets/container/embedded.hpp"
#include "nets/perspective/network_file.hpp"
#include "nets/perspective/quantise.hpp"
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

INSTANTIATE_TEST_SUITE_P(
    Architectures, EachModel,
    testing::Values(kRich, nets::Architecture{kRich.features, 128, nets::Activation::Paired, 4},
                    nets::Architecture{kRich.features, 64, nets::Activation::Squared, 4, {32}},
                    nets::Architecture{kRich.features, 128, nets::Activation::Paired, 4, {16, 32}}));

std::vector<ModelState> learnt_with_threads(const nets::Architecture& architecture,
                                            std::initializer_list<int> numbers) {
    std::vector<ModelState> states;
    const int before = torch_threads();
    for (const int threads : numbers) {
        prepare_torch(threads);
        Model model(nets::FloatNetwork::random(architecture, 3), true);
        for (std::uint64_t step = 0; step < 4; ++step)
            model.train(batch_with_targets(5'000, step), {}, 0.01, {10, 10, 10});
        states.push_back(model.state());
    }
    prepare_torch(before);
    return states;
}

void expect_same_bits(ModelState a, ModelState b) {
    std::vector<std::vector<float>> all;
    for_each_parameter(a, [&](const auto&, const auto&, const auto& weights, const AdamMoments& moments) {
        all.insert(all.end(), {weights, moments.first, moments.second});
    });
    auto next = all.begin();
    for_each_parameter(
        b, [&](const std::string& name, const auto&, const auto& weights, const AdamMoments& moments) {
            EXPECT_TRUE(*next++ == weights) << name;
            EXPECT_TRUE(*next++ == moments.first) << name;
            EXPECT_TRUE(*next++ == moments.second) << name;
        });
    ASSERT_EQ(a.factors.size(), 2U);
    for (const std::size_t i : {0U, 1U}) EXPECT_TRUE(a.factors[i].rows == b.factors[i].rows) << i;
}

// What is libtorch's own adds up in another order where there are more threads.
TEST_P(EachModel, LearnsTheSameBitsWithTheSameNumberOfThreads) {
    const std::vector<ModelState> states = learnt_with_threads(GetParam(), {2, 2});
    expect_same_bits(states[0], states[1]);
    EXPECT_NE(states[0].network.output, nets::FloatNetwork::random(GetParam(), 3).output);
}

TEST(Model, LearnsTheSameBitsWithAnyNumberOfThreadsWhereThereAreNoHiddenLayers) {
    for (const nets::Architecture& architecture :
         {kRich, nets::Architecture{kRich.features, 128, nets::Activation::Paired, 4}}) {
        const std::vector<ModelState> states = learnt_with_threads(architecture, {1, 2, 3});
        expect_same_bits(states[0], states[1]);
        expect_same_bits(states[0], states[2]);
    }
}

// After the first step the first moment is (1 - beta1) times the gradient.
TEST_P(EachModel, GradientAgreesWithFiniteDifferences) {
    const Batch batch = batch_with_targets(300, 5);
    const ModelState start = ModelState::begin(nets::FloatNetwork::random(GetParam(), 3), true);
    Model model(start);
    AdamOptions options;
    options.beta1 = 0.5;
    model.train(batch, options, 1e-9, {10, 10, 10});
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
    for (std::size_t i = 0; i < after.hidden.size(); ++i) {
        check("hidden", after.hidden[i].weight,
              [&](ModelState& of) -> auto& { return of.network.hidden[i].weight; });
        check("hidden bias", after.hidden[i].bias,
              [&](ModelState& of) -> auto& { return of.network.hidden[i].bias; });
    }
    check("output", after.output, [](ModelState& of) -> auto& { return of.network.output; });
    check("output bias", after.output_bias, [](ModelState& of) -> auto& { return of.network.output_bias; });
    check("factor by piece", after.factors[0].moments,
          [](ModelState& of) -> auto& { return of.factors[0].rows; });
    check("factor by piece and square", after.factors[1].moments,
          [](ModelState& of) -> auto& { return of.factors[1].rows; });
}

// All that training changes, array by array.
std::vector<std::vector<float>> arrays_of(ModelState state) {
    std::vector<std::vector<float>> all;
    for_each_parameter(state, [&](const auto&, const auto&, const auto& weights, const AdamMoments& moments) {
        all.insert(all.end(), {weights, moments.first, moments.second});
    });
    for (const Factor& factor : state.factors)
        all.insert(all.end(), {factor.rows, factor.moments.first, factor.moments.second});
    return all;
}

// |a - b| / |b|, in the Euclidean sense.
double relative_distance(const std::vector<float>& a, const std::vector<float>& b) {
    double difference = 0;
    double size = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        difference += std::pow(static_cast<double>(a[i]) - static_cast<double>(b[i]), 2);
        size += std::pow(static_cast<double>(b[i]), 2);
    }
    return std::sqrt(difference / std::max(size, 1e-30));
}

// Libtorch's operators, as they would run on a GPU, are the reference. What differs are units so near to
// where they are clipped that rounding decides, and slopes so near to nought that Adam makes rounding large.
TEST_P(EachModel, LearnsAsLibtorchDoes) {
    const ModelState start = ModelState::begin(nets::FloatNetwork::random(GetParam(), 3), true);
    for (const AdamKind kind : {AdamKind::Adam, AdamKind::AdamW}) {
        const AdamOptions options{.kind = kind, .beta1 = 0.8, .epsilon = 1e-3, .weight_decay = 0.01};
        Model ours(start);
        const auto theirs = make_torch_model(start, Device::Cpu);
        std::size_t clipped = 0;
        for (std::uint64_t step = 0; step < 3; ++step) {
            const Batch batch = batch_with_targets(2'000, step);
            const StepResult a = ours.train(batch, options, 0.02, {0.11F, 0.2F, 0.15F});
            const StepResult b = theirs->train(batch, options, 0.02, {0.11F, 0.2F, 0.15F});
            EXPECT_NEAR(a.loss, b.loss, 1e-4 * b.loss);
            EXPECT_NEAR(static_cast<double>(a.clipped), static_cast<double>(b.clipped),
                        1 + 0.01 * static_cast<double>(b.clipped));
            clipped += b.clipped;
        }
        EXPECT_GT(clipped, 0U);
        EXPECT_EQ(theirs->steps(), 3U);
        const auto mine = arrays_of(ours.state());
        const auto reference = arrays_of(theirs->state());
        ASSERT_EQ(mine.size(), reference.size());
        for (std::size_t i = 0; i < mine.size(); ++i) {
            ASSERT_EQ(mine[i].size(), reference[i].size()) << i;
            EXPECT_LT(relative_distance(mine[i], reference[i]), 0.01) << i;
        }
        const Batch batch = batch_with_targets(1'000, 9);
        EXPECT_LT(relative_distance(ours.logits(batch), theirs->logits(batch)), 0.01);
        EXPECT_LT(relative_distance(ours.network().transformer, theirs->network().transformer), 0.01);
    }
}

// A run may go on elsewhere than where it began.
TEST_P(EachModel, GoesOnWithLibtorchFromWhereItWas) {
    Model ours(nets::FloatNetwork::random(GetParam(), 3), true);
    ours.train(batch_with_targets(1'000, 1), {}, 0.01, {10, 10, 10});
    const ModelState state = ours.state();
    const auto theirs = make_torch_model(state, Device::Cpu);
    EXPECT_EQ(arrays_of(theirs->state()), arrays_of(state));
    EXPECT_EQ(theirs->steps(), 1U);
    EXPECT_LT(relative_distance(theirs->network().transformer, ours.network().transformer), 1e-6);
}

// More positions than go through the hidden layers at once: the gradients of the parts add up to those of the
// whole, which is the mean of those of its halves.
TEST(Model, TakesBatchesInPartsWhereThereAreHiddenLayers) {
    const nets::Architecture architecture{.width = 32, .output_buckets = 2, .hidden = {16}};
    const auto half = [&](std::uint64_t seed) {
        Batch batch = random_batch(20'000, seed);
        base::Random random(seed);
        for (float& target : batch.targets) target = static_cast<float>(random.unit());
        return batch;
    };
    const Batch first = half(1);
    Batch both = first;
    const Batch second = half(2);
    const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    append(both.own, second.own);
    append(both.enemy, second.enemy);
    append(both.counts, second.counts);
    append(both.targets, second.targets);
    append(both.results, second.results);
    // After the first step the first moment is half the gradient.
    AdamOptions options;
    options.beta1 = 0.5;
    const auto gradient_of = [&](const Batch& batch) {
        Model model(nets::FloatNetwork::random(architecture, 3), false);
        const double loss = model.train(batch, options, 1e-9, {10, 10, 10}).loss;
        std::vector<float> all{static_cast<float>(loss)};
        const ModelState state = model.state();
        for_each_parameter(state, [&](const auto&, const auto&, const auto&, const AdamMoments& moments) {
            append(all, moments.first);
        });
        return all;
    };
    const std::vector<float> whole = gradient_of(both);
    const std::vector<float> a = gradient_of(first);
    const std::vector<float> b = gradient_of(second);
    ASSERT_EQ(whole.size(), a.size());
    float largest = 0;
    for (std::size_t i = 0; i < whole.size(); ++i) {
        ASSERT_NEAR(whole[i], (a[i] + b[i]) / 2, 1e-7F + 1e-4F * std::abs(whole[i])) << i;
        largest = std::max(largest, std::abs(whole[i]));
    }
    EXPECT_GT(largest, 0.01F);
    // And the logits come back in the order of the positions.
    const Model model(nets::FloatNetwork::random(architecture, 3), false);
    const std::vector<float> logits = model.logits(both);
    const std::vector<float> of_second = model.logits(second);
    for (std::size_t i = 0; i < second.size(); ++i)
        ASSERT_NEAR(logits[first.size() + i], of_second[i], 1e-5F) << i;
}

TEST(Model, KeepsHiddenWeightsWhereTheyCanBeQuantised) {
    for (const nets::Architecture& architecture :
         {nets::Architecture{.width = 4096, .hidden = {256, 16}},
          nets::Architecture{.width = 1024, .activation = nets::Activation::Paired, .hidden = {16, 256}}}) {
        const auto bound = static_cast<float>(hidden_bound(architecture));
        nets::FloatNetwork network = nets::FloatNetwork::random(architecture, 1);
        for (nets::FloatLayer& layer : network.hidden) {
            std::ranges::fill(layer.weight, bound);
            std::ranges::fill(layer.bias, bound);
        }
        const auto largest = nets::quantise(network);
        EXPECT_TRUE(largest) << largest.error().message;
        for (nets::FloatLayer& layer : network.hidden) std::ranges::fill(layer.weight, 1.05F * bound);
        EXPECT_FALSE(nets::quantise(network)) << to_string(architecture);
    }
}

// Narrow ones above all, in which the bias is a large part of the sum.
TEST(Model, KeepsTheOtherWeightsWhereTheyCanBeQuantised) {
    for (const nets::Activation activation :
         {nets::Activation::Clipped, nets::Activation::Squared, nets::Activation::Paired})
        for (const std::vector<int>& hidden : {std::vector<int>{}, std::vector<int>{16}})
            for (const int width : {64, 1024}) {
                const nets::Architecture architecture{
                    .width = width, .activation = activation, .hidden = hidden};
                nets::FloatNetwork network = nets::FloatNetwork::random(architecture, 1);
                const auto fill = [&](double transformer, double output) {
                    std::ranges::fill(network.transformer, static_cast<float>(transformer));
                    std::ranges::fill(network.transformer_bias, static_cast<float>(transformer));
                    std::ranges::fill(network.output, static_cast<float>(output));
                    std::ranges::fill(network.output_bias, static_cast<float>(output));
                };
                const double transformer = transformer_bound();
                const double output = output_bound(architecture);
                fill(transformer, output);
                const auto largest = nets::quantise(network);
                EXPECT_TRUE(largest) << to_string(architecture) << ": " << largest.error().message;
                fill(1.01 * transformer, output);
                EXPECT_FALSE(nets::quantise(network)) << to_string(architecture);
                fill(transformer, 1.02 * output);
                EXPECT_FALSE(nets::quantise(network)) << to_string(architecture);
            }
}

// A network that is gone on from comes as sums, with nothing in the factors yet: what is cut is what the sum
// may not be, not what one part of it may.
TEST(Model, GoesOnFromANetworkWithoutCuttingIt) {
    constexpr WeightClip kWidest{3.75F, 2, 0};
    const auto network = nets::parse_network(nets::default_network_file());
    ASSERT_TRUE(network) << network.error().message;
    const nets::FloatNetwork start = nets::dequantise(*network);
    ASSERT_GT(std::ranges::max(start.transformer), 2.4F);
    const Batch batch = random_batch(1'000, 1, start.info.architecture.features->size());
    const ModelState state = ModelState::begin(start, true);
    Model ours(state);
    const auto theirs = make_torch_model(state, Device::Cpu);
    EXPECT_EQ(ours.train(batch, {}, 1e-9, kWidest).clipped, 0U);
    EXPECT_EQ(theirs->train(batch, {}, 1e-9, kWidest).clipped, 0U);
    for (const nets::FloatNetwork& after : {ours.network(), theirs->network()})
        for (std::size_t i = 0; i < start.transformer.size(); ++i)
            ASSERT_NEAR(after.transformer[i], start.transformer[i], 1e-6) << i;
}

TEST(Model, ClipsTheSumOfARowAndItsFactors) {
    ModelState state = ModelState::begin(nets::FloatNetwork::random(kRich, 3), true);
    const std::size_t at =
        (768 + 4 * 64 + 12) * static_cast<std::size_t>(kRich.width) + 5;  // own queen on e2
    state.network.transformer[at] = 3;
    state.factors[0].rows[4 * static_cast<std::size_t>(kRich.width) + 5] = -3;
    state.factors[1].rows[(4 * 64 + 12) * static_cast<std::size_t>(kRich.width) + 5] = -0.5F;
    const WeightClip clip{1, 2, 4};
    const Batch batch = batch_with_targets(100, 1);
    Model ours(state);
    const auto theirs = make_torch_model(state, Device::Cpu);
    EXPECT_EQ(ours.train(batch, {}, 1e-9, clip).clipped, theirs->train(batch, {}, 1e-9, clip).clipped);
    for (const ModelState& after : {ours.state(), theirs->state()}) {
        // A factor may be as large as a sum; the row makes up for what is too much.
        EXPECT_FLOAT_EQ(after.factors[0].rows[4 * static_cast<std::size_t>(kRich.width) + 5], -1);
        EXPECT_NEAR(after.network.transformer[at], 2.5F, 1e-6F);
    }
    for (const nets::FloatNetwork& after : {ours.network(), theirs->network()})
        for (const float weight : after.transformer) ASSERT_LE(std::abs(weight), 1.000001F);
    // What is read back adds up to the same.
    EXPECT_EQ(Model(ours.state()).network().transformer, ours.network().transformer);
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
        model.train(batch_with_targets(5'000, step), {}, 0.01, {10, 10, 10});
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
