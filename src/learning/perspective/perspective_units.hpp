#pragma once

#include <ATen/core/Tensor.h>

#include "learning/perspective/batch.hpp"
#include "learning/perspective/team.hpp"
#include "nets/perspective/architecture.hpp"

// Includes libtorch: for cpu_model.cpp and tests only.

namespace scholar::learning {

// What the head of a perspective network gets, [position, 2 × outputs], differentiable in the transformer
// [panels, features, columns of a panel] (learning/perspective/panels.hpp) and its bias [width]. Team,
// architecture and batch must be there until libtorch has asked for the gradients. The same bits whatever the
// size of the team.
at::Tensor perspective_units(Team& team, const at::Tensor& transformer, const at::Tensor& transformer_bias,
                             const nets::Architecture& architecture, const Batch& batch);

}  // namespace scholar::learning
