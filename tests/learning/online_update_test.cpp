#include "learning/linear/online_update.hpp"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "learning/targets/td.hpp"

namespace scholar::learning {
namespace {

OnlinePrediction said(double value, bool reply_expected) {
    return {value, {}, reply_expected};
}

// Differences +0.2 (expected), +0.3 (a blunder), −0.4, +0.6 to the result (a resignation, not expected).
const std::vector<OnlinePrediction> kGame{said(0.1, true), said(0.3, false), said(0.8, false),
                                          said(0.4, false)};

// Worked by hand, λ = ½.
TEST(OnlineErrors, UnexpectedGainsAreIgnored) {
    const auto errors = online_errors(kGame, {.value = 1}, {.lambda = 0.5});
    ASSERT_EQ(errors.size(), 4U);
    EXPECT_NEAR(errors[3], 0, 1e-12);
    EXPECT_NEAR(errors[2], -0.4, 1e-12);
    EXPECT_NEAR(errors[1], -0.2, 1e-12);
    EXPECT_NEAR(errors[0], 0.1, 1e-12);
}

TEST(OnlineErrors, ALossIsLearntFromExpectedOrNot) {
    const auto errors = online_errors(kGame, {.value = -1}, {.lambda = 0});
    EXPECT_NEAR(errors[3], -1.4, 1e-12);
}

TEST(OnlineErrors, FromTheStrongerOnRequest) {
    const OnlineUpdate how{.lambda = 0, .windfall = Windfall::FromWeakerOnly};
    EXPECT_NEAR(online_errors(kGame, {.value = 1, .opponent_is_weaker = false}, how)[1], 0.5, 1e-12);
    EXPECT_NEAR(online_errors(kGame, {.value = 1, .opponent_is_weaker = true}, how)[1], 0, 1e-12);
}

TEST(OnlineErrors, AClockTellsNothing) {
    const OnlineUpdate how{.lambda = 0, .windfall = Windfall::Learn};
    EXPECT_NEAR(online_errors(kGame, {.value = -1, .tells = false}, how)[3], 0, 1e-12);
}

TEST(OnlineErrors, WithNothingIgnoredAreTheTemporalErrors) {
    base::Random random(3);
    for (int round = 0; round < 100; ++round) {
        std::vector<OnlinePrediction> game(1 + random.below(40));
        std::vector<double> values;
        for (OnlinePrediction& prediction : game) {
            prediction.value = 2 * random.unit() - 1;
            values.push_back(prediction.value);
        }
        const double lambda = random.unit();
        const double outcome = static_cast<double>(random.below(3)) - 1;
        const auto errors =
            online_errors(game, {.value = outcome}, {.lambda = lambda, .windfall = Windfall::Learn});
        const auto expected = temporal_errors(values, outcome, lambda);
        for (std::size_t t = 0; t < game.size(); ++t) EXPECT_NEAR(errors[t], expected[t], 1e-12);
    }
}

// That `learnt` is `weights` after a step of size alpha downhill on the loss, against finite differences.
void expect_downhill(const std::vector<double>& weights, const std::vector<double>& learnt, double alpha,
                     const std::function<double(const std::vector<double>&)>& loss) {
    for (std::size_t i = 0; i < weights.size(); ++i) {
        constexpr double step = 1e-3;  // pawns
        auto up = weights;
        auto down = weights;
        up[i] += step * nets::kPawnScore;
        down[i] -= step * nets::kPawnScore;
        EXPECT_NEAR((learnt[i] - weights[i]) / nets::kPawnScore,
                    -alpha * (loss(up) - loss(down)) / (2 * step), 1e-6);
    }
}

// With λ = 1 and nothing ignored the update is α times the gradient of ½ Σ (v_t − r)², downhill: against
// finite differences.
TEST(OnlineUpdate, IsAGradientStepWithLambdaOne) {
    constexpr std::size_t kWeights = 6;
    base::Random random(4);
    std::vector<double> weights(kWeights);
    for (double& weight : weights) weight = nets::kPawnScore * (random.unit() - 0.5);
    std::vector<std::vector<nets::Slope>> features(15);
    for (auto& active : features)
        for (std::uint32_t i = 0; i < kWeights; ++i)
            if (random.below(2) == 0) active.push_back({i, static_cast<float>(random.unit() * 4 - 2)});
    const OnlineUpdate how{.lambda = 1, .alpha = 0.5, .windfall = Windfall::Learn};
    const auto value = [&](const std::vector<double>& w, std::size_t t) {
        double sum = 0;
        for (const nets::Slope& slope : features[t]) sum += w[slope.weight] * slope.slope;
        return std::tanh(sum / 800);
    };
    const auto loss = [&](const std::vector<double>& w) {
        double sum = 0;
        for (std::size_t t = 0; t < features.size(); ++t) sum += std::pow(1 - value(w, t), 2) / 2;
        return sum;
    };
    std::vector<OnlinePrediction> game;
    for (std::size_t t = 0; t < features.size(); ++t)
        game.push_back({value(weights, t), {{value(weights, t), features[t]}}, true});
    std::vector<double> learnt = weights;
    add_online_update(game, {.value = 1}, how, learnt);
    expect_downhill(weights, learnt, how.alpha, loss);
}

// A lesson whose own value is another than the search's is moved towards what the search, and the rest of the
// game, made of it: downhill on half of the squared error, against finite differences.
TEST(OnlineUpdate, MovesOtherPositionsTowardsTheLambdaReturn) {
    std::vector<double> weights{nets::kPawnScore, -nets::kPawnScore / 2};
    const std::vector<nets::Slope> features{{0, 2}, {1, -1}};
    const OnlineUpdate how{.lambda = 0.5, .alpha = 0.5, .windfall = Windfall::Learn};
    std::vector<OnlinePrediction> game{said(0.1, true), said(0.4, true)};
    const auto value = [&](const std::vector<double>& w) { return std::tanh((2 * w[0] - w[1]) / 800); };
    game[0].lessons.push_back({value(weights), features});
    std::vector<double> learnt = weights;
    add_online_update(game, {.value = 1}, how, learnt);
    // Of two lessons each counts half.
    game[0].lessons.push_back(game[0].lessons[0]);
    std::vector<double> same = weights;
    add_online_update(game, {.value = 1}, how, same);
    for (std::size_t i = 0; i < weights.size(); ++i) EXPECT_NEAR(same[i], learnt[i], 1e-12);
    const double lambda_return = 0.1 + 0.3 + 0.5 * 0.6;
    const auto loss = [&](const std::vector<double>& w) { return std::pow(lambda_return - value(w), 2) / 2; };
    expect_downhill(weights, learnt, how.alpha, loss);
}

// TreeStrap: the search's own interval is the target, whatever the rest of the game says: downhill on half of
// the squared distance to its nearest end, and nowhere inside it.
TEST(OnlineUpdate, MovesNodesToWhatTheSearchFound) {
    std::vector<double> weights{nets::kPawnScore, -nets::kPawnScore / 2};
    const std::vector<nets::Slope> features{{0, 2}, {1, -1}};
    const OnlineUpdate how{.lambda = 0.5, .alpha = 0.5, .windfall = Windfall::Learn};
    const auto value = [&](const std::vector<double>& w) { return std::tanh((2 * w[0] - w[1]) / 800); };
    const auto learnt = [&](const selfplay::Interval& found) {
        std::vector<OnlinePrediction> game{said(0.1, true), said(0.4, true)};
        game[0].lessons.push_back({value(weights), features, found});
        std::vector<double> changed = weights;
        add_online_update(game, {.value = -1}, how, changed);
        return changed;
    };
    const double expected = (1 + value(weights)) / 2;
    for (const double low : {expected - 0.2, expected + 0.1})
        for (const double high : {low, low + 0.05, 1.0}) {
            const double nearest = 2 * std::clamp(expected, low, high) - 1;
            const auto loss = [&](const std::vector<double>& w) {
                return std::pow(nearest - value(w), 2) / 2;
            };
            expect_downhill(weights, learnt({low, high}), how.alpha, loss);
        }
    EXPECT_EQ(learnt({expected - 0.1, 1}), weights);
}

// Where the paper puts it: a pawn ahead is a quarter.
TEST(OnlineUpdate, APawnIsAQuarter) {
    EXPECT_NEAR(std::tanh(nets::kPawnScore / 800), 0.25, 1e-9);
    EXPECT_NEAR(2 * chess::Score(204).expected() - 1, 0.25, 0.001);
}

}  // namespace
}  // namespace scholar::learning
