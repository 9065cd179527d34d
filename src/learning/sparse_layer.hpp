#pragma once

#include <ATen/core/Tensor.h>

#include "learning/batch.hpp"

// Includes libtorch: for model.cpp and tests only.

namespace scholar::learning {

// The batch's features as tensors: own and enemy int16 [positions, stride] (read as unsigned), counts uint8
// [positions, 2]. They refer to the batch's memory.
struct FeatureTensors {
    at::Tensor own;
    at::Tensor enemy;
    at::Tensor counts;
};
FeatureTensors feature_tensors(const Batch& batch);

// Differentiable in `transformer` [features, width] and `bias` [width]: the clipped activations [positions, 2
// × width], own viewpoint first.
at::Tensor sparse_layer(const at::Tensor& transformer, const at::Tensor& bias,
                        const FeatureTensors& features);

}  // namespace scholar::learning
