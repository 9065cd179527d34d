#pragma once

#include <string>

#include "base/strict_toml.hpp"
#include "nets/conv/conv_network.hpp"

// The keys of [network] that recipes of all convolutional networks have. Does not include libtorch.

namespace scholar::learning {

// `input`, `rating_least`, `rating_most`; where there is no `input`, it stays as it is. Refuses inputs that
// samples do not know: positions before this one, and who moves before a move is asked for.
void read_input_keys(base::StrictToml::Section& network, nets::PlanesInput& input);
// `precision`: "f32" or "bf16".
nets::Precision read_precision(base::StrictToml::Section& network);
// In which it is trained on this processor: where it does not multiply bfloat16, what oneDNN does in its
// place is some forty times slower than floats.
nets::Precision precision_here(nets::Precision wanted);
// ", trained in bf16", or what is done in its place; "" where nothing was wanted.
std::string describe_precision(nets::Precision wanted);

}  // namespace scholar::learning
