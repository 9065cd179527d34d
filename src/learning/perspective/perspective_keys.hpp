#pragma once

#include "base/strict_toml.hpp"
#include "learning/perspective/model.hpp"
#include "learning/perspective/network_plan.hpp"

// The keys of a perspective network that recipes for training and for learning from oneself have in common.

namespace scholar::learning {

// `feature_set`, `width` and `activation`: all that networks have in common that begin with such a layer.
void read_first_layer_keys(base::StrictToml::Section& network, nets::Architecture& architecture);
NetworkPlan read_network_keys(base::StrictToml::Section& network);

// The bounds depend on the architecture, those of hidden layers on what the network is when it has grown.
WeightClip read_clip_keys(base::StrictToml::Section& optimiser, const nets::Architecture& architecture,
                          const nets::Architecture& grown);

}  // namespace scholar::learning
