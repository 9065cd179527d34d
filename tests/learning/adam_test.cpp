#include "learning/optimise/adam.hpp"

#include <array>
#include <cmath>
#include <gtest/gtest.h>

namespace scholar::learning {
namespace {

TEST(Adam, AgreesWithThePublishedAlgorithm) {
    // Worked by hand from Kingma and Ba's algorithm 1 in double precision.
    const std::array<float, 3> gradients{0.5F, -0.2F, 0.1F};
    double weight = 1;
    double first = 0;
    double second = 0;
    std::array<float, 1> ours{1.0F};
    AdamMoments moments(1);
    const AdamOptions options;
    for (std::uint64_t step = 1; step <= gradients.size(); ++step) {
        const auto g = static_cast<double>(gradients[step - 1]);
        first = 0.9 * first + 0.1 * g;
        second = 0.999 * second + 0.001 * g * g;
        const double first_hat = first / (1 - std::pow(0.9, static_cast<double>(step)));
        const double second_hat = second / (1 - std::pow(0.999, static_cast<double>(step)));
        weight -= 0.1 * first_hat / (std::sqrt(second_hat) + 1e-8);
        adam_update(options, 0.1, step, 100, ours, std::span(&gradients[step - 1], 1), moments);
        EXPECT_NEAR(ours[0], weight, 1e-5) << "step " << step;
    }
}

TEST(Adam, FirstStepIsTheLearningRateWhateverTheGradient) {
    for (const float gradient : {1e-3F, 1.0F, 250.0F}) {
        std::array<float, 1> weight{0.0F};
        AdamMoments moments(1);
        adam_update({}, 0.01, 1, 100, weight, std::span(&gradient, 1), moments);
        EXPECT_NEAR(weight[0], -0.01, 1e-5);
    }
}

TEST(Adam, DecouplesWeightDecayOnlyInAdamW) {
    AdamOptions options;
    options.kind = AdamKind::AdamW;
    options.weight_decay = 0.5;
    const float gradient = 0;
    std::array<float, 1> weight{2.0F};
    AdamMoments moments(1);
    adam_update(options, 0.1, 1, 100, weight, std::span(&gradient, 1), moments);
    EXPECT_NEAR(weight[0], 2.0 * (1 - 0.1 * 0.5), 1e-6);

    // As part of the gradient the decay is normalised away: the step is the learning rate.
    options.kind = AdamKind::Adam;
    std::array<float, 1> coupled{2.0F};
    AdamMoments others(1);
    adam_update(options, 0.1, 1, 100, coupled, std::span(&gradient, 1), others);
    EXPECT_NEAR(coupled[0], 1.9, 1e-5);
}

TEST(Adam, ClipsAndCounts) {
    const std::array<float, 3> gradients{-1, 1, -1};
    std::array<float, 3> weights{0.95F, -0.95F, 0.0F};
    AdamMoments moments(3);
    EXPECT_EQ(adam_update({}, 0.1, 1, 1.0F, weights, gradients, moments), 2U);
    EXPECT_FLOAT_EQ(weights[0], 1.0F);
    EXPECT_FLOAT_EQ(weights[1], -1.0F);
    EXPECT_NEAR(weights[2], 0.1, 1e-5);
}

}  // namespace
}  // namespace scholar::learning
