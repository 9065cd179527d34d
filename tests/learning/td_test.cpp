#include "learning/targets/td.hpp"

#include <array>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>

#include "base/random.hpp"

namespace scholar::learning {
namespace {

// Worked by hand: d = 0.1, −0.2, 0.6 and e = 0.6; −0.2 + 0.3 = 0.1; 0.1 + 0.05 = 0.15.
TEST(TemporalErrors, WorkedByHand) {
    const std::array values{0.5, 0.6, 0.4};
    const auto errors = temporal_errors(values, 1, 0.5);
    ASSERT_EQ(errors.size(), 3U);
    EXPECT_NEAR(errors[0], 0.15, 1e-12);
    EXPECT_NEAR(errors[1], 0.1, 1e-12);
    EXPECT_NEAR(errors[2], 0.6, 1e-12);
    const auto returns = lambda_returns(values, 1, 0.5);
    EXPECT_NEAR(returns[0], 0.65, 1e-12);
    EXPECT_NEAR(returns[1], 0.7, 1e-12);
    EXPECT_NEAR(returns[2], 1.0, 1e-12);
}

// Table 2 of Giraffe's paper, whose total of 4.10 was added up wrongly: 7 − 7.203 + 4.118.
TEST(TemporalErrors, OfTheFirstAreThoseOfGiraffesTable) {
    const std::array<double, 12> scores{10, 20, 20, 20, -10, -10, -10, 40, 40, 40, 40, 40};
    EXPECT_NEAR(error_of_first(scores, 0.7), 3.9147, 1e-4);
    EXPECT_EQ(error_of_first(std::array{5.0}, 0.7), 0);
    EXPECT_EQ(error_of_first(std::array{5.0, 9.0}, 0.25), 1);
}

TEST(TemporalErrors, NothingIsLearntAcrossAMoveByLot) {
    const std::array values{0.5, 0.6, 0.4};
    const std::array<char, 3> cut{0, 1, 0};
    const auto errors = temporal_errors(values, 1, 0.5, cut);
    EXPECT_NEAR(errors[0], 0.1, 1e-12);
    EXPECT_EQ(errors[1], 0);
    EXPECT_NEAR(errors[2], 0.6, 1e-12);
}

std::vector<double> random_values(base::Random& random, std::size_t count) {
    std::vector<double> values(count);
    for (double& value : values) value = random.unit();
    return values;
}

// TD(0): towards the next prediction. TD(1): towards the outcome (the paper's equation 5). Between them the
// sum as the paper prints it, mended.
TEST(TemporalErrors, AgreeWithTheirDefinition) {
    base::Random random(1);
    for (int game = 0; game < 200; ++game) {
        const auto values = random_values(random, 1 + random.below(40));
        const double outcome = static_cast<double>(random.below(3)) / 2;
        const double lambda = random.unit();
        std::vector<double> all = values;
        all.push_back(outcome);
        const auto zero = temporal_errors(values, outcome, 0);
        const auto one = temporal_errors(values, outcome, 1);
        const auto some = temporal_errors(values, outcome, lambda);
        for (std::size_t t = 0; t < values.size(); ++t) {
            EXPECT_NEAR(zero[t], all[t + 1] - all[t], 1e-12);
            EXPECT_NEAR(one[t], outcome - all[t], 1e-12);
            double sum = 0;
            for (std::size_t j = t; j < values.size(); ++j)
                sum += std::pow(lambda, static_cast<double>(j - t)) * (all[j + 1] - all[j]);
            EXPECT_NEAR(some[t], sum, 1e-12);
        }
    }
}

// With λ = 1 the update is gradient descent on ½ Σ (r − v_t)²: against finite differences, for a linear
// evaluation squashed as KnightCap's is.
TEST(TemporalErrors, WithLambdaOneAreAGradient) {
    constexpr std::size_t kWeights = 5;
    base::Random random(2);
    std::array<double, kWeights> weights{};
    for (double& weight : weights) weight = random.unit() - 0.5;
    std::vector<std::array<double, kWeights>> positions(12);
    for (auto& features : positions)
        for (double& feature : features) feature = random.unit() * 4 - 2;
    const auto value = [&](const std::array<double, kWeights>& w, std::size_t t) {
        double sum = 0;
        for (std::size_t i = 0; i < kWeights; ++i) sum += w[i] * positions[t][i];
        return std::tanh(sum);
    };
    const auto loss = [&](const std::array<double, kWeights>& w) {
        double sum = 0;
        for (std::size_t t = 0; t < positions.size(); ++t) sum += std::pow(1 - value(w, t), 2) / 2;
        return sum;
    };
    std::vector<double> values;
    for (std::size_t t = 0; t < positions.size(); ++t) values.push_back(value(weights, t));
    const auto errors = temporal_errors(values, 1, 1);
    for (std::size_t i = 0; i < kWeights; ++i) {
        double update = 0;
        for (std::size_t t = 0; t < positions.size(); ++t)
            update += (1 - values[t] * values[t]) * positions[t][i] * errors[t];
        constexpr double step = 1e-6;
        auto up = weights;
        auto down = weights;
        up[i] += step;
        down[i] -= step;
        EXPECT_NEAR(update, -(loss(up) - loss(down)) / (2 * step), 1e-6);
    }
}

// The tree of the paper's figure 1: A's moves lead to B and C, theirs to D … G, and theirs to the leaves H …
// O, each with a weight of its own as its value.
struct Figure1 {
    std::array<double, 8> leaves{3, -9, -5, -6, 4, 2, -9, 5};  // H I J K L M N O

    // The value of A (who maximises) and the principal leaf.
    std::pair<double, std::size_t> search() const {
        std::pair<double, std::size_t> best{-1e9, 0};
        for (std::size_t b = 0; b < 2; ++b) {  // B, C: the opponent minimises
            std::pair<double, std::size_t> worst{1e9, 0};
            for (std::size_t d = 0; d < 2; ++d) {  // D … G: we maximise
                std::pair<double, std::size_t> most{-1e9, 0};
                for (std::size_t h = 0; h < 2; ++h) {
                    const std::size_t leaf = 4 * b + 2 * d + h;
                    if (leaves[leaf] > most.first) most = {leaves[leaf], leaf};
                }
                if (most.first < worst.first) worst = most;
            }
            if (worst.first > best.first) best = worst;
        }
        return best;
    }
};

TEST(TDLeaf, LearnsAtThePrincipalLeafOfFigure1) {
    Figure1 tree;
    const auto [value, leaf] = tree.search();
    EXPECT_EQ(value, 4);
    EXPECT_EQ(leaf, 4U);  // L
    // A's derivative is that of L's value and of nothing else.
    for (std::size_t i = 0; i < tree.leaves.size(); ++i) {
        Figure1 up = tree;
        Figure1 down = tree;
        up.leaves[i] += 1e-3;
        down.leaves[i] -= 1e-3;
        EXPECT_NEAR((up.search().first - down.search().first) / 2e-3, i == leaf ? 1 : 0, 1e-9);
    }
    // A was followed by a position worth 6, and the game won 10: e = 2 + λ · 4. By hand, α = 0.1 and λ = 0.5:
    // L + 0.4.
    const std::array values{value, 6.0};
    const auto errors = temporal_errors(values, 10, 0.5);
    EXPECT_NEAR(errors[0], 4, 1e-12);
    tree.leaves[leaf] += 0.1 * errors[0];
    EXPECT_NEAR(tree.search().first, 4.4, 1e-12);
}

}  // namespace
}  // namespace scholar::learning
