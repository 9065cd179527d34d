#pragma once

#include "learning/training/torch_network.hpp"

// Includes libtorch and its modules.

namespace scholar::learning {

// Cross-entropies of two answers, the first or the second of a pair, as means over pairs: scalars. A softmax
// over two outputs depends on their difference z [pair] alone.

// H(y, P): `first_is_better` [pair] is 1 or 0.
at::Tensor comparison_loss(const at::Tensor& z, const at::Tensor& first_is_better);
// H(P_T^τ, P^τ) (G. Hinton et al. 2015): both softmaxes of logits divided by `temperature`.
at::Tensor softened_loss(const at::Tensor& z, const at::Tensor& teacher, double temperature);

}  // namespace scholar::learning
