#pragma once

#include <vector>

#include "base/strict_toml.hpp"

namespace scholar::learning {

// Units of the layers of an encoder of positions, `encoder` in [network]; none where that was refused.
std::vector<int> read_encoder(base::StrictToml::Section& network);

}  // namespace scholar::learning
