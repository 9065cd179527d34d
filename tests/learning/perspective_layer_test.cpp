#include "learning/perspective/perspective_layer.hpp"

#include <ATen/ATen.h>
#include <atomic>
#include <cmath>
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "learning/perspective/bucket_order.hpp"
#include "learning/perspective/head.hpp"
#include "learning/perspective/panels.hpp"
#include "learning/perspective/perspective_kernels.hpp"
#include "learning/perspective/perspective_units.hpp"
#include "random_batch.hpp"

namespace scholar::learning {
namespace {

using nets::Activation;
using nets::Architecture;

Batch batch_with_targets(std::size_t positions, const Architecture& architecture) {
    Batch batch = random_batch(positions, 5, architecture.features->size());
    base::Random random(6);
    for (float& target : batch.targets) target = static_cast<float>(random.unit());
    return batch;
}

// Every other target is no more than a lower bound, or lies between two ends.
void loosen(Batch& batch) {
    base::Random random(7);
    batch.highs = batch.targets;
    for (std::size_t i = 0; i < batch.size(); i += 2)
        batch.highs[i] += static_cast<float>(random.unit()) * (1 - batch.highs[i]);
}

PerspectiveTensors weights_for(const Architecture& architecture) {
    at::manual_seed(3);
    const std::int64_t width = architecture.width;
    const std::int64_t buckets = architecture.output_buckets;
    const auto leaf = [](const at::Tensor& from) { return from.clone().requires_grad_(); };
    return {leaf(at::randn({architecture.features->size(), width}) * 0.1), leaf(at::rand({width})),
            leaf(at::randn({buckets, 2 * architecture.outputs()}) * 0.2), leaf(at::randn({buckets}))};
}

// Back and forth between [features, width] and panels.
at::Tensor panels_of(const at::Tensor& rows) {
    return rows.reshape({rows.size(0), -1, std::int64_t{kPanel}}).transpose(0, 1).contiguous();
}

at::Tensor rows_of(const at::Tensor& panels) {
    return panels.transpose(0, 1).reshape({panels.size(1), -1});
}

PerspectiveTensors ours_for(const Architecture& architecture) {
    PerspectiveTensors weights = weights_for(architecture);
    weights.transformer = panels_of(weights.transformer.detach()).requires_grad_();
    return weights;
}

// What the first layer sums up for one viewpoint, before it is clipped, by libtorch's own operators.
at::Tensor reference_sums(const PerspectiveTensors& weights, const Batch& batch,
                          const std::vector<std::uint16_t>& indices, std::size_t which) {
    std::vector<std::int64_t> flat;
    std::vector<std::int64_t> offsets;
    for (std::size_t position = 0; position < batch.size(); ++position) {
        offsets.push_back(static_cast<std::int64_t>(flat.size()));
        for (std::size_t i = 0; i < batch.counts[2 * position + which]; ++i)
            flat.push_back(indices[position * 32 + i]);
    }
    const at::Tensor sums = std::get<0>(
        at::embedding_bag(weights.transformer, at::tensor(flat, at::kLong), at::tensor(offsets, at::kLong)));
    return at::add(sums, weights.transformer_bias);
}

// What the head gets.
at::Tensor reference_units(const PerspectiveTensors& weights, const Architecture& architecture,
                           const Batch& batch) {
    const auto side = [&](const std::vector<std::uint16_t>& indices, std::size_t which) {
        const at::Tensor clipped = at::clamp(reference_sums(weights, batch, indices, which), 0, 1);
        if (architecture.activation != Activation::Paired) return clipped;
        const std::vector<at::Tensor> halves = clipped.chunk(2, 1);
        return halves[0] * halves[1];
    };
    const at::Tensor units = at::cat({side(batch.own, 0), side(batch.enemy, 1)}, 1);
    return architecture.activation == Activation::Squared ? units.square() : units;
}

// Which positions have no unit so near to where it is clipped that rounding decides on which side it is, and
// with it whether its gradient is nought. [positions]
at::Tensor away_from_the_kinks(const at::Tensor& sums) {
    const at::Tensor distance = at::minimum(sums.detach().abs(), (sums.detach() - 1).abs());
    return std::get<0>(distance.min(1)) > 1e-5;
}

// The same logits by libtorch's own operators.
at::Tensor reference_logits(const PerspectiveTensors& weights, const Architecture& architecture,
                            const Batch& batch) {
    const at::Tensor units = reference_units(weights, architecture, batch);
    // All buckets for all positions, of which each takes its own.
    const at::Tensor all = at::add(at::mm(units, weights.output.t()), weights.output_bias);
    std::vector<std::int64_t> buckets;
    for (std::size_t position = 0; position < batch.size(); ++position)
        buckets.push_back(architecture.output_bucket(batch.counts[2 * position]));
    return all.gather(1, at::tensor(buckets, at::kLong).unsqueeze(1)).squeeze(1);
}

double relative_difference(const at::Tensor& a, const at::Tensor& b) {
    return ((a - b).abs().max() / b.abs().max()).item<double>();
}

// The positions of a batch that are sure.
Batch only(const Batch& batch, const at::Tensor& sure) {
    Batch kept;
    kept.stride = batch.stride;
    const auto stride = static_cast<std::ptrdiff_t>(batch.stride);
    for (std::size_t position = 0; position < batch.size(); ++position) {
        if (!sure[static_cast<std::int64_t>(position)].item<bool>()) continue;
        const auto first = static_cast<std::ptrdiff_t>(position) * stride;
        kept.own.insert(kept.own.end(), batch.own.begin() + first, batch.own.begin() + first + stride);
        kept.enemy.insert(kept.enemy.end(), batch.enemy.begin() + first,
                          batch.enemy.begin() + first + stride);
        for (const std::size_t which : {0, 1}) kept.counts.push_back(batch.counts[2 * position + which]);
        kept.targets.push_back(batch.targets[position]);
        if (!batch.highs.empty()) kept.highs.push_back(batch.highs[position]);
        kept.results.push_back(batch.results[position]);
    }
    return kept;
}

class PerspectiveLayer : public testing::TestWithParam<Architecture> {};

// More than two blocks, and no multiple of one; panels, those of pairs too, one at a time and two.
TEST_P(PerspectiveLayer, AgreesWithLibtorchForwardAndBackward) {
    const Architecture& architecture = GetParam();
    Batch all = batch_with_targets(static_cast<std::size_t>(2 * kBlock + 700), architecture);
    loosen(all);
    Team team(2);
    const PerspectiveTensors ours = ours_for(architecture);
    const PerspectiveTensors theirs = weights_for(architecture);
    const Batch batch = only(all, away_from_the_kinks(reference_sums(theirs, all, all.own, 0)) &
                                      away_from_the_kinks(reference_sums(theirs, all, all.enemy, 1)));
    ASSERT_GT(batch.size(), static_cast<std::size_t>(2 * kBlock));
    const at::Tensor logits = reference_logits(theirs, architecture, batch);
    EXPECT_LT(
        relative_difference(at::tensor(perspective_logits(team, ours, architecture, batch)), logits.detach()),
        1e-4);
    // What is right as it is has no gradient.
    const at::Tensor said = at::sigmoid(logits.detach());
    const at::Tensor lows = at::tensor(batch.targets);
    const at::Tensor highs = at::tensor(batch.highs);
    const at::Tensor targets = at::where(said < lows, lows, at::where(said > highs, highs, said));
    ASSERT_GT((targets == said).sum().item<std::int64_t>(), 100);
    const at::Tensor expected = at::binary_cross_entropy_with_logits(logits, targets);
    EXPECT_TRUE(at::equal(wanted_targets(batch, logits), targets));
    const at::Tensor loss = perspective_loss(team, ours, architecture, batch);
    EXPECT_NEAR(loss.item<double>(), expected.item<double>(), 1e-5);
    // Times something, as in a sum of losses.
    (loss * 3).backward();
    (expected * 3).backward();
    EXPECT_LT(relative_difference(rows_of(ours.transformer.grad()), theirs.transformer.grad()), 1e-4);
    EXPECT_LT(relative_difference(ours.transformer_bias.grad(), theirs.transformer_bias.grad()), 1e-4);
    EXPECT_LT(relative_difference(ours.output.grad(), theirs.output.grad()), 1e-4);
    EXPECT_LT(relative_difference(ours.output_bias.grad(), theirs.output_bias.grad()), 1e-4);
}

INSTANTIATE_TEST_SUITE_P(
    Architectures, PerspectiveLayer,
    testing::Values(Architecture{.width = 32}, Architecture{.width = 64}, Architecture{.width = 160},
                    Architecture{.width = 256, .output_buckets = 8},
                    Architecture{.width = 96, .activation = Activation::Squared},
                    Architecture{*nets::find_feature_set("768-king4"), 128, Activation::Squared, 4},
                    Architecture{.width = 64, .activation = Activation::Paired},
                    Architecture{.width = 192, .activation = Activation::Paired},
                    Architecture{*nets::find_feature_set("768-king4"), 256, Activation::Paired, 4}));

// The parts of a network with hidden layers, against the same by other operators of libtorch's: all heads for
// all positions, which are in the order that they come in, and of which each takes its own.
class HiddenLayers : public testing::TestWithParam<Architecture> {};

TEST_P(HiddenLayers, AgreeWithLibtorchForwardAndBackward) {
    const Architecture& architecture = GetParam();
    const std::int64_t buckets = architecture.output_buckets;
    const Batch batch = batch_with_targets(static_cast<std::size_t>(2 * kBlock + 700), architecture);
    const PerspectiveTensors ours = ours_for(architecture);
    const PerspectiveTensors theirs = weights_for(architecture);
    const auto layers = [&] {
        at::manual_seed(9);
        std::vector<LayerTensors> made;
        std::int64_t inputs = 2 * architecture.outputs();
        std::vector<int> sizes = architecture.hidden;
        sizes.push_back(1);
        for (const int units : sizes) {
            const double range = 2 / std::sqrt(static_cast<double>(inputs));
            made.push_back({(at::randn({buckets, units, inputs}) * range).requires_grad_(),
                            at::rand({buckets, units}).requires_grad_()});
            inputs = units;
        }
        return made;
    };
    const std::vector<LayerTensors> our_layers = layers();
    const std::vector<LayerTensors> their_layers = layers();

    at::Tensor sure = away_from_the_kinks(reference_sums(theirs, batch, batch.own, 0)) &
                      away_from_the_kinks(reference_sums(theirs, batch, batch.enemy, 1));
    at::Tensor values = reference_units(theirs, architecture, batch).unsqueeze(0);  // [bucket, position, …]
    for (std::size_t i = 0; i < their_layers.size(); ++i) {
        values =
            at::matmul(values, their_layers[i].weight.transpose(1, 2)) + their_layers[i].bias.unsqueeze(1);
        if (i + 1 < their_layers.size()) {
            for (const at::Tensor& sums : values.unbind(0)) sure = sure & away_from_the_kinks(sums);
            values = values.clamp(0, 1);
        }
    }
    ASSERT_GT(sure.sum().item<std::int64_t>(), static_cast<std::int64_t>(batch.size() / 2));
    std::vector<std::int64_t> bucket_of;
    for (std::size_t position = 0; position < batch.size(); ++position)
        bucket_of.push_back(architecture.output_bucket(batch.counts[2 * position]));
    const at::Tensor expected =
        values.squeeze(2).gather(0, at::tensor(bucket_of, at::kLong).unsqueeze(0)).squeeze(0);

    const BucketOrder order = in_bucket_order(batch, 0, batch.size(), architecture);
    const std::vector<std::int64_t> places(order.places.begin(), order.places.end());
    Team team(2);
    const at::Tensor units =
        perspective_units(team, ours.transformer, ours.transformer_bias, architecture, order.batch);
    const at::Tensor logits = head_logits(our_layers, units, order.counts);
    EXPECT_LT(relative_difference(logits.detach(), expected.detach().index_select(0, at::tensor(places))),
              1e-4);

    const auto loss = [](const at::Tensor& of, const std::vector<float>& targets, const at::Tensor& counted) {
        return at::binary_cross_entropy_with_logits(of, at::tensor(targets), counted.to(at::kFloat)) * 3;
    };
    loss(logits, order.batch.targets, sure.index_select(0, at::tensor(places))).backward();
    loss(expected, batch.targets, sure).backward();
    EXPECT_LT(relative_difference(rows_of(ours.transformer.grad()), theirs.transformer.grad()), 1e-4);
    EXPECT_LT(relative_difference(ours.transformer_bias.grad(), theirs.transformer_bias.grad()), 1e-4);
    for (std::size_t i = 0; i < our_layers.size(); ++i) {
        EXPECT_LT(relative_difference(our_layers[i].weight.grad(), their_layers[i].weight.grad()), 1e-4) << i;
        EXPECT_LT(relative_difference(our_layers[i].bias.grad(), their_layers[i].bias.grad()), 1e-4) << i;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Architectures, HiddenLayers,
    testing::Values(Architecture{.width = 32, .hidden = {16}},
                    Architecture{.width = 96, .activation = Activation::Squared, .hidden = {32, 16}},
                    Architecture{.width = 128, .output_buckets = 8, .hidden = {48}},
                    Architecture{
                        *nets::find_feature_set("768-king4"), 256, Activation::Paired, 4, {16, 32}}));

TEST(BucketOrder, PutsPositionsOfABucketTogetherAndKeepsTheirOrder) {
    const Architecture architecture{.width = 32, .output_buckets = 4, .hidden = {16}};
    const Batch batch = batch_with_targets(300, architecture);
    const BucketOrder order = in_bucket_order(batch, 100, 300, architecture);
    ASSERT_EQ(order.batch.size(), 200U);
    std::size_t at = 0;
    for (int bucket = 0; bucket < 4; ++bucket) {
        std::size_t before = 0;
        for (std::int64_t i = 0; i < order.counts[static_cast<std::size_t>(bucket)]; ++i, ++at) {
            const std::size_t place = order.places[at];
            EXPECT_EQ(architecture.output_bucket(batch.counts[2 * place]), bucket);
            EXPECT_GE(place, std::max<std::size_t>(before, 100));
            before = place;
            EXPECT_EQ(order.batch.targets[at], batch.targets[place]);
            EXPECT_EQ(order.batch.counts[2 * at + 1], batch.counts[2 * place + 1]);
            for (std::size_t j = 0; j < 32; ++j) {
                EXPECT_EQ(order.batch.own[at * 32 + j], batch.own[place * 32 + j]);
                EXPECT_EQ(order.batch.enemy[at * 32 + j], batch.enemy[place * 32 + j]);
            }
        }
    }
    EXPECT_EQ(at, 200U);
}

TEST(Panels, AreTheSameValuesInAnotherOrder) {
    const at::Tensor rows = at::randn({7, 96});
    const std::span<const float> values(rows.data_ptr<float>(), 7 * 96);
    const std::vector<float> panels = to_panels(values, 96);
    EXPECT_TRUE(at::tensor(panels).equal(panels_of(rows).flatten()));
    EXPECT_TRUE(std::ranges::equal(from_panels(panels, 96), values));
}

class PerspectiveLayerThreads : public testing::TestWithParam<Architecture> {};

TEST_P(PerspectiveLayerThreads, GiveTheSameBits) {
    const Architecture& architecture = GetParam();
    const Batch batch = batch_with_targets(3'000, architecture);
    std::vector<std::vector<at::Tensor>> all;
    for (const int threads : {1, 2, 3, 5}) {
        Team team(threads);
        const PerspectiveTensors weights = ours_for(architecture);
        const at::Tensor loss = perspective_loss(team, weights, architecture, batch);
        loss.backward();
        all.push_back({loss.detach(), weights.transformer.grad(), weights.transformer_bias.grad(),
                       weights.output.grad(), weights.output_bias.grad()});
    }
    for (std::size_t other = 1; other < all.size(); ++other)
        for (std::size_t i = 0; i < all[0].size(); ++i) EXPECT_TRUE(all[0][i].equal(all[other][i])) << i;
}

TEST_P(PerspectiveLayerThreads, GiveHiddenLayersTheSameBits) {
    const Architecture& architecture = GetParam();
    const Batch batch = batch_with_targets(3'000, architecture);
    std::vector<std::vector<at::Tensor>> all;
    for (const int threads : {1, 2, 3, 5}) {
        Team team(threads);
        const PerspectiveTensors weights = ours_for(architecture);
        const at::Tensor units =
            perspective_units(team, weights.transformer, weights.transformer_bias, architecture, batch);
        (units * units).sum().backward();
        all.push_back({units.detach(), weights.transformer.grad(), weights.transformer_bias.grad()});
    }
    for (std::size_t other = 1; other < all.size(); ++other)
        for (std::size_t i = 0; i < all[0].size(); ++i) EXPECT_TRUE(all[0][i].equal(all[other][i])) << i;
}

// Panels that are an odd number, and an even one, which go two at a time or one as the threads are many.
INSTANTIATE_TEST_SUITE_P(
    Architectures, PerspectiveLayerThreads,
    testing::Values(Architecture{.width = 160, .output_buckets = 4},
                    Architecture{.width = 256, .activation = Activation::Paired, .output_buckets = 4}));

TEST(Team, MeetsInTheMiddleOfItsWork) {
    for (const int size : {1, 2, 4}) {
        Team team(size);
        EXPECT_EQ(team.size(), size);
        for (int round = 0; round < 100; ++round) {
            std::atomic<int> came{0};
            std::atomic<int> early{0};
            std::vector<int> members(static_cast<std::size_t>(size));
            team.run([&](int member) {
                ++members[static_cast<std::size_t>(member)];
                ++came;
                team.meet();
                if (came != size) ++early;
            });
            EXPECT_EQ(early, 0);
            EXPECT_EQ(members, std::vector<int>(static_cast<std::size_t>(size), 1));
        }
    }
}

}  // namespace
}  // namespace scholar::learning
