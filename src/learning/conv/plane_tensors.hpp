#pragma once

#include <ATen/core/Tensor.h>
#include <span>

#include "games/sample.hpp"
#include "nets/conv/planes.hpp"

// Includes libtorch.

namespace scholar::learning {

// What the engine would see of these positions (nets::encode_planes), [sample][plane][8][8]. Only of layouts
// for which a position is enough: samples come without those before them.
at::Tensor plane_tensor(nets::PlanesLayout layout, std::span<const games::Sample> samples);

}  // namespace scholar::learning
