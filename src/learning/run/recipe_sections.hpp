#pragma once

#include "base/strict_toml.hpp"
#include "learning/optimise/adam.hpp"
#include "learning/perspective/model.hpp"
#include "learning/perspective/network_plan.hpp"

// The keys that recipes for training and for learning have in common.

namespace scholar::learning {

NetworkPlan read_network_keys(base::StrictToml::Section& network);

// Optimiser without its learning rate.
AdamOptions read_adam_keys(base::StrictToml::Section& optimiser);
// The bounds depend on the architecture.
WeightClip read_clip_keys(base::StrictToml::Section& optimiser, const nets::Architecture& architecture);

}  // namespace scholar::learning
