#pragma once

#include <ATen/core/Tensor.h>

namespace scholar::learning {

// Of each position the sum of weights times slopes, [position], where a position has the entries from its
// place in `begins` to that of the next: indices into `weights` (of any shape, in its order) and slopes.
// indices, begins: of int64. On the CPU, in one thread; the gradient is by `weights` alone. libtorch's own,
// embedding_bag with a slope for each entry, takes twenty times as long for the gradient.
at::Tensor sparse_sums(const at::Tensor& weights, const at::Tensor& indices, const at::Tensor& slopes,
                       const at::Tensor& begins);

}  // namespace scholar::learning
