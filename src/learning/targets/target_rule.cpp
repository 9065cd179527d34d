#include "learning/targets/target_rule.hpp"

#include <utility>

namespace scholar::learning {

float TargetRule::target(const games::Sample& sample) const {
    if (!sample.evaluation) return sample.result;
    const double expected = scales.expected(*sample.evaluation, sample.producer);
    return static_cast<float>(result_weight * static_cast<double>(sample.result) +
                              (1 - result_weight) * expected);
}

TargetRule target_rule(const TargetPlan& plan, EvaluationScales fitted) {
    TargetRule rule{plan.result_weight, std::move(fitted)};
    if (!plan.fit_evaluations || plan.scale) rule.scales.producers.clear();
    if (plan.scale) rule.scales.pooled = {"all", 0, *plan.scale};
    return rule;
}

}  // namespace scholar::learning
