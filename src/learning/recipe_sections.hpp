#pragma once

#include <optional>
#include <string>

#include "base/strict_toml.hpp"
#include "learning/adam.hpp"
#include "learning/model.hpp"

// The keys that recipes for training and for learning have in common.

namespace scholar::learning {

struct NetworkKeys {
    std::string feature_set;
    int width = 0;
    bool factorise = false;
    std::string initial;  // "": a random network
};
// `width`: where the recipe says none; nothing: it must.
NetworkKeys read_network_keys(base::StrictToml::Section& network, std::optional<std::int64_t> width);

// Optimiser without its learning rate.
AdamOptions read_adam_keys(base::StrictToml::Section& optimiser);
// `width`: of the network, on which the bounds depend.
WeightClip read_clip_keys(base::StrictToml::Section& optimiser, int width);

}  // namespace scholar::learning
