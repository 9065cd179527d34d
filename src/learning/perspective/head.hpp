#pragma once

#include <ATen/core/Tensor.h>
#include <vector>

#include "learning/perspective/batch.hpp"

// Includes libtorch: for files that implement a model, and tests only.

namespace scholar::learning {

// A layer of the head: weights [buckets, units, inputs], biases [buckets, units].
struct LayerTensors {
    at::Tensor weight;
    at::Tensor bias;
};

// The logits, [position], of what the head gets, [position, inputs], by libtorch's operators; differentiable.
// The last layer is the output, of one unit; what the others give is clipped to 0…1. Positions are in the
// order of their buckets (learning/perspective/bucket_order.hpp), `counts` of each.
at::Tensor head_logits(const std::vector<LayerTensors>& layers, const at::Tensor& inputs,
                       at::IntArrayRef counts);

// What each position of a batch should have been said to be, [position], by who said these logits.
at::Tensor wanted_targets(const Batch& batch, const at::Tensor& logits);

}  // namespace scholar::learning
