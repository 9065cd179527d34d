#pragma once

#include <optional>

#include "games/sample.hpp"
#include "learning/targets/evaluation_scales.hpp"

namespace scholar::learning {

// What a recipe says of labels.
struct TargetPlan {
    double result_weight = 1;
    bool fit_evaluations = true;  // a scale for each producer of evaluations, not one for all together
    // Centipawns to a logit, whoever's evaluation it is; nothing: it is fitted.
    std::optional<double> scale{};
};

// What a position should be judged as: the expected result of the side to move, 0 to 1.
//   target = λ · result + (1 − λ) · expected(evaluation)    where the game has an evaluation
//   target = result                                          elsewhere
struct TargetRule {
    double result_weight = 1;  // λ
    EvaluationScales scales;
    float target(const games::Sample& sample) const;
};

// With the scales that were fitted, or the one that the plan has in their place.
TargetRule target_rule(const TargetPlan& plan, EvaluationScales fitted);

}  // namespace scholar::learning
