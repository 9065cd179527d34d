#include "learning/targets/target_rule.hpp"

namespace scholar::learning {

float TargetRule::target(const games::Sample& sample) const {
    if (!sample.evaluation) return sample.result;
    const double expected = scales.expected(*sample.evaluation, sample.producer);
    return static_cast<float>(result_weight * static_cast<double>(sample.result) +
                              (1 - result_weight) * expected);
}

}  // namespace scholar::learning
