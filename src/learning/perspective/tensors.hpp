#pragma once

#include <ATen/core/Tensor.h>
#include <algorithm>
#include <span>
#include <vector>

// Between arrays of floats and libtorch's tensors. Includes libtorch: for files that implement a model only.

namespace scholar::learning {

inline std::vector<float> to_vector(const at::Tensor& tensor) {
    const at::Tensor here = tensor.detach().cpu().contiguous();
    const auto* values = here.data_ptr<float>();
    return {values, values + here.numel()};
}

// Of one that lies in memory, in one piece.
inline std::span<float> span_of(const at::Tensor& tensor) {
    return {tensor.data_ptr<float>(), static_cast<std::size_t>(tensor.numel())};
}

}  // namespace scholar::learning
