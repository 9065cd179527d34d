#include "learning/sparse_layer.hpp"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "learning/sparse_kernels.hpp"

namespace scholar::learning {
namespace {

constexpr int kFeatures = 768;

// Random distinct features, 2 to 32 a position and viewpoint.
Batch random_batch(std::size_t positions, std::uint64_t seed) {
    base::Random random(seed);
    Batch batch;
    batch.resize(positions, 32);
    std::vector<std::uint16_t> all(kFeatures);
    for (int i = 0; i < kFeatures; ++i) all[static_cast<std::size_t>(i)] = static_cast<std::uint16_t>(i);
    for (std::size_t position = 0; position < positions; ++position)
        for (std::size_t side = 0; side < 2; ++side) {
            random.shuffle(all);
            const auto count = static_cast<std::uint8_t>(2 + random.below(31));
            batch.counts[2 * position + side] = count;
            auto& indices = side == 0 ? batch.own : batch.enemy;
            for (std::size_t i = 0; i < 32; ++i) indices[position * 32 + i] = i < count ? all[i] : 65'535;
        }
    return batch;
}

// The same by libtorch's own operators.
at::Tensor reference(const at::Tensor& transformer, const at::Tensor& bias, const Batch& batch) {
    const auto side = [&](const std::vector<std::uint16_t>& indices, std::size_t which) {
        std::vector<std::int64_t> flat;
        std::vector<std::int64_t> offsets;
        for (std::size_t position = 0; position < batch.size(); ++position) {
            offsets.push_back(static_cast<std::int64_t>(flat.size()));
            for (std::size_t i = 0; i < batch.counts[2 * position + which]; ++i)
                flat.push_back(indices[position * 32 + i]);
        }
        const at::Tensor sums = std::get<0>(
            at::embedding_bag(transformer, at::tensor(flat, at::kLong), at::tensor(offsets, at::kLong)));
        return at::clamp(at::add(sums, bias), 0, 1);
    };
    return at::cat({side(batch.own, 0), side(batch.enemy, 1)}, 1);
}

double relative_difference(const at::Tensor& a, const at::Tensor& b) {
    return ((a - b).abs().max() / b.abs().max()).item<double>();
}

class SparseLayer : public testing::TestWithParam<int> {};

TEST_P(SparseLayer, AgreesWithEmbeddingBagForwardAndBackward) {
    const int width = GetParam();
    at::manual_seed(3);
    const Batch batch = random_batch(700, 5);
    const at::Tensor weights = at::randn({kFeatures, width}) * 0.1;
    const at::Tensor biases = at::rand({width});
    const at::Tensor outer = at::randn({700, 2 * width});
    const auto leaf = [](const at::Tensor& from) { return from.clone().requires_grad_(); };

    const at::Tensor w1 = leaf(weights);
    const at::Tensor b1 = leaf(biases);
    const at::Tensor ours = sparse_layer(w1, b1, feature_tensors(batch));
    const at::Tensor w2 = leaf(weights);
    const at::Tensor b2 = leaf(biases);
    const at::Tensor theirs = reference(w2, b2, batch);
    EXPECT_LT(relative_difference(ours.detach(), theirs.detach()), 1e-4);
    // A good part of the units must be open, and a good part clipped, for the test to say anything.
    const double open =
        at::logical_and(ours.detach() > 0, ours.detach() < 1).to(at::kFloat).mean().item<double>();
    EXPECT_GT(open, 0.2);
    EXPECT_LT(open, 0.98);

    (ours * outer).sum().backward();
    (theirs * outer).sum().backward();
    EXPECT_LT(relative_difference(w1.grad(), w2.grad()), 1e-4);
    EXPECT_LT(relative_difference(b1.grad(), b2.grad()), 1e-4);
}

// Widths of one narrow block, of wide blocks, of both.
INSTANTIATE_TEST_SUITE_P(Widths, SparseLayer, testing::Values(32, 64, 160, 256, 288));

TEST(SparseLayerGradient, AgreesWithFiniteDifferences) {
    at::manual_seed(4);
    constexpr int width = 32;
    const Batch batch = random_batch(40, 6);
    const at::Tensor bias = at::rand({width});
    const at::Tensor outer = at::randn({40, 2 * width});
    at::Tensor weights = at::randn({kFeatures, width}) * 0.05;
    const auto value = [&](const at::Tensor& w) {
        return (sparse_layer(w, bias, feature_tensors(batch)) * outer).to(at::kDouble).sum().item<double>();
    };
    const at::Tensor leaf = weights.clone().requires_grad_();
    (sparse_layer(leaf, bias, feature_tensors(batch)) * outer).sum().backward();
    base::Random random(8);
    int checked = 0;
    for (int i = 0; i < 200; ++i) {
        const auto row = static_cast<std::int64_t>(batch.own[32 * random.below(40)]);
        const auto column = static_cast<std::int64_t>(random.below(width));
        constexpr double step = 2e-3;
        at::Tensor moved = weights.clone();
        moved[row][column] += step;
        const double up = value(moved);
        moved[row][column] -= 2 * step;
        const double down = value(moved);
        // A unit that crosses its clip within the step has no one slope.
        const double middle = value(weights);
        if (std::abs(up + down - 2 * middle) > 1e-4) continue;
        ++checked;
        EXPECT_NEAR(leaf.grad()[row][column].item<double>(), (up - down) / (2 * step), 2e-2);
    }
    EXPECT_GT(checked, 100);
}

TEST(SparseLayerThreads, GiveTheSameBits) {
    at::manual_seed(5);
    const Batch batch = random_batch(3000, 9);
    const at::Tensor weights = at::randn({kFeatures, 96}) * 0.1;
    const at::Tensor bias = at::rand({96});
    const int before = at::get_num_threads();
    std::vector<at::Tensor> outputs;
    std::vector<at::Tensor> gradients;
    for (const int threads : {1, 2, 3}) {
        at::set_num_threads(threads);
        const at::Tensor leaf = weights.clone().requires_grad_();
        const at::Tensor out = sparse_layer(leaf, bias, feature_tensors(batch));
        out.pow(2).sum().backward();
        outputs.push_back(out.detach());
        gradients.push_back(leaf.grad());
    }
    at::set_num_threads(before);
    for (const std::size_t other : {1U, 2U}) {
        EXPECT_TRUE(outputs[0].equal(outputs[other]));
        EXPECT_TRUE(gradients[0].equal(gradients[other]));
    }
}

}  // namespace
}  // namespace scholar::learning
