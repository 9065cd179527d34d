#include "learning/optimise/weight_average.hpp"

#include <gtest/gtest.h>

namespace scholar::learning {
namespace {

// Every weight is the number of its step.
nets::FloatNetwork after(std::uint64_t steps) {
    nets::FloatNetwork network = nets::FloatNetwork::random({.width = 32}, 1);
    nets::for_each_weights(network, [&](const auto&, const auto&, std::vector<float>& weights) {
        std::ranges::fill(weights, static_cast<float>(steps));
    });
    return network;
}

TEST(WeightAverage, IsOfTheLastFifthWhileThereAreFewSteps) {
    WeightAverage average(0.99999);
    EXPECT_TRUE(average.empty());
    for (std::uint64_t step = 4; step <= 4'000; step += 4) average.add(after(step), 4, step);
    // What is kept after n of them all is n to the power of five in relation: ∫ 5 x⁵ dx from 0 to 1 is 5/6.
    EXPECT_NEAR(average.network().output.front(), 4'000 * 5.0 / 6, 10);
    EXPECT_EQ(average.network().output.front(), average.network().transformer.back());
}

TEST(WeightAverage, ForgetsAsItsDecaySaysWhenThereAreMany) {
    WeightAverage average(0.99);
    for (std::uint64_t step = 4; step <= 10'000; step += 4) average.add(after(step), 4, step);
    // Of numbers that grow by 4, each 0.99⁴ as much as the next: 4 · q / (1 − q) behind.
    const double q = std::pow(0.99, 4);
    EXPECT_NEAR(average.network().output.front(), 10'000 - 4 * q / (1 - q), 0.1);
}

TEST(WeightAverage, BeginsWithTheFirst) {
    WeightAverage average(0.9);
    average.add(after(7), 4, 4);
    EXPECT_EQ(average.network().output.front(), 7);
    average.add(after(9), 4, 8);  // four of eight steps: more than the last fifth
    EXPECT_EQ(average.network().output.front(), 9);
}

}  // namespace
}  // namespace scholar::learning
