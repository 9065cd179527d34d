#pragma once

#include <ATen/core/Tensor.h>
#include <vector>

#include "learning/perspective/batch.hpp"
#include "learning/perspective/team.hpp"
#include "nets/perspective/architecture.hpp"

// Includes libtorch: for cpu_model.cpp and tests only.

namespace scholar::learning {

// A perspective network's weights: transformer [panels, features, columns of a panel]
// (learning/perspective/panels.hpp), its bias [width], output [buckets, 2 × outputs], its bias [buckets], all
// floats and contiguous.
struct PerspectiveTensors {
    at::Tensor transformer;
    at::Tensor transformer_bias;
    at::Tensor output;
    at::Tensor output_bias;
};

// The mean binary cross-entropy between σ(logit) and the batch's targets, a scalar, differentiable in all
// four weights. Each block of positions goes forward and back while it is in the cache; the gradients are
// there before libtorch asks for them. The same bits whatever the size of the team.
at::Tensor perspective_loss(Team& team, const PerspectiveTensors& weights,
                            const nets::Architecture& architecture, const Batch& batch);

// The logits alone, [position].
std::vector<float> perspective_logits(Team& team, const PerspectiveTensors& weights,
                                      const nets::Architecture& architecture, const Batch& batch);

}  // namespace scholar::learning
