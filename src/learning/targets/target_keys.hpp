#pragma once

#include "base/strict_toml.hpp"
#include "learning/targets/target_rule.hpp"

namespace scholar::learning {

// result_weight, and fit_evaluations or scale, of a recipe's [target].
TargetPlan read_target_keys(base::StrictToml::Section& keys);

}  // namespace scholar::learning
