#include "learning/targets/target_keys.hpp"

namespace scholar::learning {

TargetPlan read_target_keys(base::StrictToml::Section& keys) {
    TargetPlan plan;
    plan.result_weight = keys.real("result_weight", 1, 0, 1);
    plan.fit_evaluations = keys.flag("fit_evaluations", true);
    if (!keys.has("scale")) {
        keys.pass_over("scale");  // runs that began when there was no such key go on
        return plan;
    }
    if (keys.has("fit_evaluations"))
        keys.refuse("scale", "stands beside 'fit_evaluations', expected only one of them");
    plan.scale = keys.real("scale", std::nullopt, 1, 10'000);
    return plan;
}

}  // namespace scholar::learning
