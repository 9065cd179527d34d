#pragma once

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/pimpl.h>

#include "nets/conv/conv_network.hpp"

// What convolutional networks of libtorch's modules are built of: the layers of nets/conv/conv_network.hpp as
// they are while they are trained, each convolution with the batch norm that is later folded into it.
// Activations are [position][filter][rank][file]. Includes libtorch and its modules.

namespace scholar::learning {

// Of any but Prelu, which has slopes to learn.
at::Tensor activated(nets::ConvActivation activation, const at::Tensor& sums);

// What stands behind a layer of so many filters or units. Part, of Prelu alone: slope [width], 0 at first.
class ActivationImpl final : public torch::nn::Module {
  public:
    ActivationImpl(nets::ConvActivation activation, int width);
    // [position][width], or [position][width][rank][file].
    at::Tensor forward(const at::Tensor& sums);
    // The slopes of the layer before it.
    void export_to(nets::ConvLayer& layer) const;

  private:
    nets::ConvActivation activation_;
    at::Tensor slope_;  // undefined: there is none
};
TORCH_MODULE(Activation);

// `size` squares a side, 1 or 3; around the board stands 0. A bias only where no batch norm follows.
torch::nn::Conv2d make_convolution(int inputs, int outputs, int size, bool bias);

// In bfloat16 inputs, weights and results are rounded, and so are the gradients behind them; sums, and the
// weights that are stored, are floats.
at::Tensor convolved(const torch::nn::Conv2d& convolution, const at::Tensor& inputs,
                     nets::Precision precision);

// Likewise through a dense layer, [position][input] to [position][output].
at::Tensor multiplied(const torch::nn::Linear& layer, const at::Tensor& inputs, nets::Precision precision);

// A convolution and its batch norm, as the engine has them in one. Refuses nothing: both must be of one size.
nets::ConvLayer folded(const torch::nn::Conv2d& convolution, const torch::nn::BatchNorm2d& norm);
// Any layer with weight and bias.
nets::ConvLayer layer_of(const at::Tensor& weight, const at::Tensor& bias);

}  // namespace scholar::learning
