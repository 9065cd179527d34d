#include "learning/perspective_layer.hpp"

#include <ATen/ATen.h>
#include <atomic>
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "learning/panels.hpp"
#include "learning/perspective_kernels.hpp"
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

// The same logits by libtorch's own operators.
at::Tensor reference_logits(const PerspectiveTensors& weights, const Architecture& architecture,
                            const Batch& batch) {
    const auto side = [&](const std::vector<std::uint16_t>& indices, std::size_t which) {
        std::vector<std::int64_t> flat;
        std::vector<std::int64_t> offsets;
        for (std::size_t position = 0; position < batch.size(); ++position) {
            offsets.push_back(static_cast<std::int64_t>(flat.size()));
            for (std::size_t i = 0; i < batch.counts[2 * position + which]; ++i)
                flat.push_back(indices[position * 32 + i]);
        }
        const at::Tensor sums = std::get<0>(at::embedding_bag(
            weights.transformer, at::tensor(flat, at::kLong), at::tensor(offsets, at::kLong)));
        const at::Tensor clipped = at::clamp(at::add(sums, weights.transformer_bias), 0, 1);
        if (architecture.activation != Activation::Paired) return clipped;
        const std::vector<at::Tensor> halves = clipped.chunk(2, 1);
        return halves[0] * halves[1];
    };
    at::Tensor units = at::cat({side(batch.own, 0), side(batch.enemy, 1)}, 1);
    if (architecture.activation == Activation::Squared) units = units.square();
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

class PerspectiveLayer : public testing::TestWithParam<Architecture> {};

// More than two blocks, and no multiple of one; panels, those of pairs too, one at a time and two.
TEST_P(PerspectiveLayer, AgreesWithLibtorchForwardAndBackward) {
    const Architecture& architecture = GetParam();
    const Batch batch = batch_with_targets(static_cast<std::size_t>(2 * kBlock + 700), architecture);
    Team team(2);
    const PerspectiveTensors ours = ours_for(architecture);
    const PerspectiveTensors theirs = weights_for(architecture);
    const at::Tensor logits = reference_logits(theirs, architecture, batch);
    EXPECT_LT(
        relative_difference(at::tensor(perspective_logits(team, ours, architecture, batch)), logits.detach()),
        1e-4);
    const at::Tensor targets = at::tensor(batch.targets);
    const at::Tensor expected = at::binary_cross_entropy_with_logits(logits, targets);
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
