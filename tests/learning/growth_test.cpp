#include "learning/growth.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "learning/model.hpp"
#include "random_batch.hpp"

namespace scholar::learning {
namespace {

Batch with_targets(std::uint64_t seed) {
    Batch batch = random_batch(500, seed);
    base::Random random(seed);
    for (float& target : batch.targets) target = static_cast<float>(random.unit());
    return batch;
}

class Growth : public testing::TestWithParam<bool> {};

TEST_P(Growth, KeepsTheFunctionAndLearnsWithTheNewUnits) {
    Model narrow(nets::FloatNetwork::random({.width = 32}, 1), GetParam());
    for (std::uint64_t step = 0; step < 5; ++step) narrow.train(with_targets(step), {}, 0.01, {1, 1});
    Model wide(widened(narrow.state(), 96, 2));
    EXPECT_EQ(wide.steps(), narrow.steps());
    const Batch batch = with_targets(100);
    const std::vector<float> before = narrow.logits(batch);
    const std::vector<float> after = wide.logits(batch);
    for (std::size_t i = 0; i < before.size(); ++i) EXPECT_NEAR(after[i], before[i], 1e-5);

    const nets::FloatNetwork grown = wide.network();
    for (std::uint64_t step = 0; step < 5; ++step) wide.train(with_targets(step), {}, 0.01, {1, 1});
    const nets::FloatNetwork taught = wide.network();
    for (std::size_t unit = 32; unit < 96; ++unit) {
        EXPECT_NE(taught.output[unit], 0) << unit;
        double moved = 0;
        for (std::size_t feature = 0; feature < 768; ++feature)
            moved += std::abs(static_cast<double>(taught.transformer[feature * 96 + unit] -
                                                  grown.transformer[feature * 96 + unit]));
        EXPECT_GT(moved, 0) << unit;
    }
}

INSTANTIATE_TEST_SUITE_P(Factorised, Growth, testing::Bool());

TEST(Growth, TheSameWidthChangesNothing) {
    const nets::FloatNetwork network = nets::FloatNetwork::random({.width = 64}, 1);
    const nets::FloatNetwork same = widened(network, 64, 9);
    EXPECT_EQ(same.transformer, network.transformer);
    EXPECT_EQ(same.output, network.output);
}

}  // namespace
}  // namespace scholar::learning
