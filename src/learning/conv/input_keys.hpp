#pragma once

#include "base/strict_toml.hpp"
#include "nets/conv/conv_network.hpp"

// The keys of [network] that recipes of all convolutional networks have. Does not include libtorch.

namespace scholar::learning {

// `input`, `rating_least`, `rating_most`; where there is no `input`, it stays as it is. Refuses inputs that
// samples do not know: positions before this one, and who moves before a move is asked for.
void read_input_keys(base::StrictToml::Section& network, nets::PlanesInput& input);
// `precision`: "f32" or "bf16". Where the processor does not multiply bfloat16 it is float32 in both cases:
// what oneDNN does in its place is some seventy times slower than that.
nets::Precision read_precision(base::StrictToml::Section& network);

}  // namespace scholar::learning
