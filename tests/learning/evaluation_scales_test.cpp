#include "learning/targets/evaluation_scales.hpp"

#include <cmath>
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "learning/targets/target_rule.hpp"

namespace scholar::learning {
namespace {

games::Evaluation centipawns(int value) {
    games::Evaluation evaluation;
    evaluation.centipawns = static_cast<std::int16_t>(value);
    return evaluation;
}

// Games as an engine of scale `scale` would see them; a third of the drawn ones half a point each.
EvaluationCounts synthetic(double scale, int positions, std::uint64_t seed) {
    base::Random random(seed);
    EvaluationCounts counts;
    for (int i = 0; i < positions; ++i) {
        const int value = static_cast<int>(random.below(801)) - 400;
        const double expected = 1 / (1 + std::exp(-value / scale));
        // Expected result the same with draws: the part of the distance to a certain result is shared.
        const double draw = std::min(expected, 1 - expected);
        const double dice = random.unit();
        counts.add(centipawns(value), dice < expected - draw / 2 ? 1 : dice < expected + draw / 2 ? 0.5 : 0);
    }
    return counts;
}

TEST(EvaluationScales, RecoversTheScalesThatMadeTheResults) {
    const std::vector<std::string> producers{"Modest", "Boastful"};
    const EvaluationScales scales =
        fit_scales(producers, {synthetic(90, 400'000, 1), synthetic(260, 400'000, 2)});
    ASSERT_EQ(scales.producers.size(), 2U);
    EXPECT_NEAR(scales.producers[0].scale, 90, 4);
    EXPECT_NEAR(scales.producers[1].scale, 260, 12);
    EXPECT_GT(scales.pooled.scale, 90);
    EXPECT_LT(scales.pooled.scale, 260);
    EXPECT_EQ(scales.producers[0].positions, 400'000);
}

TEST(EvaluationScales, FallsBackOnAllProducersWhereThereIsLittle) {
    // Twenty positions that say nothing can be further from the truth: every one ahead lost.
    EvaluationCounts absurd;
    for (int i = 0; i < 20; ++i) absurd.add(centipawns(300), 0);
    const EvaluationScales scales = fit_scales({"Known", "New"}, {synthetic(120, 300'000, 3), absurd});
    EXPECT_NEAR(scales.producers[1].scale, scales.pooled.scale, 5);
}

TEST(EvaluationScales, MatesAreCertainAndNeverFitted) {
    EvaluationScales scales;
    games::Evaluation mate;
    mate.mate = 3;
    EXPECT_EQ(scales.expected(mate, 0), 1);
    mate.mate = -5;
    EXPECT_EQ(scales.expected(mate, 0), 0);
    EvaluationCounts counts;
    counts.add(mate, 0);
    EXPECT_EQ(counts.positions(), 0);
}

TEST(EvaluationScales, ExpectedIsTheFormula) {
    EvaluationScales scales;
    scales.producers = {{"One", 1, 100}, {"Two", 1, 200}};
    EXPECT_NEAR(scales.expected(centipawns(100), 0), 1 / (1 + std::exp(-1.0)), 1e-12);
    EXPECT_NEAR(scales.expected(centipawns(100), 1), 1 / (1 + std::exp(-0.5)), 1e-12);
    EXPECT_NEAR(scales.expected(centipawns(-100), 7), 1 / (1 + std::exp(100 / scales.pooled.scale)), 1e-12);
}

TEST(TargetRule, TakesTheScaleThatThePlanHas) {
    EvaluationScales fitted{{"all", 9, 150}, {{"One", 1, 100}, {"Two", 1, 200}}};
    games::Sample sample;
    sample.result = 1;
    sample.evaluation = centipawns(100);
    sample.producer = 1;
    const auto target = [&](const TargetPlan& plan) {
        return static_cast<double>(target_rule(plan, fitted).target(sample));
    };
    const auto expected = [](double scale) { return 1 / (1 + std::exp(-100 / scale)); };
    EXPECT_NEAR(target({.result_weight = 0.25}), 0.25 + 0.75 * expected(200), 1e-6);
    EXPECT_NEAR(target({.result_weight = 0, .fit_evaluations = false}), expected(150), 1e-6);
    EXPECT_NEAR(target({.result_weight = 0, .scale = 400}), expected(400), 1e-6);
}

}  // namespace
}  // namespace scholar::learning
