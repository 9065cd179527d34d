#pragma once

#include "games/sample.hpp"
#include "learning/targets/evaluation_scales.hpp"

namespace scholar::learning {

// What a position should be judged as: the expected result of the side to move, 0 to 1.
//   target = λ · result + (1 − λ) · expected(evaluation)    where the game has an evaluation
//   target = result                                          elsewhere
struct TargetRule {
    double result_weight = 1;  // λ
    EvaluationScales scales;
    float target(const games::Sample& sample) const;
};

}  // namespace scholar::learning
