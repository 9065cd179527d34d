#pragma once

#include "base/strict_toml.hpp"
#include "nets/dense/dense_network.hpp"

namespace scholar::learning {

// The keys of [network] that say what shape a dense network has: features, apart, joint. `moves`: what
// numbers of a move it has beside those of the position; null: none. What is wrong is refused by the section.
nets::DenseShape read_dense_shape(base::StrictToml::Section& network, const nets::DenseMoveSet* moves,
                                  nets::DenseOutput output);

}  // namespace scholar::learning
