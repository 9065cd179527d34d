#pragma once

#include <ATen/core/Tensor.h>
#include <span>

#include "games/sample.hpp"
#include "nets/conv/planes.hpp"

// Includes libtorch.

namespace scholar::learning {

// What layers show of what is known of a sample's game: the move that led there, the mover's rating, the
// outcome and the man that moved.
nets::PlaneContext plane_context(const nets::PlanesInput& input, const games::Sample& sample);

// What the engine would see of these positions (nets::encode_planes), [sample][plane][8][8]. Only of layouts
// for which a position is enough: samples come without those before them.
at::Tensor plane_tensor(const nets::PlanesInput& input, std::span<const games::Sample> samples);

}  // namespace scholar::learning
