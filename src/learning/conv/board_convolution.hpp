#pragma once

#include <ATen/core/Tensor.h>

// Convolutions of 3 × 3 on boards, as they are trained: by nets/conv/winograd.hpp in place of libtorch's own,
// which multiplies four times as often. Includes libtorch.

namespace scholar::learning {

// Whether it can be asked of these: floats on the processor, boards of 8 × 8, weights of 3 × 3, outputs in
// multiples of nets::kWinogradMultiple.
bool is_board_convolution(const at::Tensor& inputs, const at::Tensor& weight);

// Inputs [position][filter][rank][file] and weight [output][input][rank][file] to
// [position][output][rank][file], in channels last; around the board stands 0. With both gradients. On
// libtorch's threads: the same number of them gives the same bits.
at::Tensor board_convolution(const at::Tensor& inputs, const at::Tensor& weight);

}  // namespace scholar::learning
