#pragma once

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/container/modulelist.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/pimpl.h>

#include "learning/conv/conv_modules.hpp"
#include "nets/conv/conv_network.hpp"

// Includes libtorch and its modules.

namespace scholar::learning {

// One block: convolution, batch norm, activation, convolution, batch norm, squeeze-excitation where the shape
// has it, what came in added, activation. Parts: conv1, norm1, conv2, norm2, active1, active2, squeeze,
// excite.
class ResidualBlockImpl final : public torch::nn::Module {
  public:
    explicit ResidualBlockImpl(const nets::ConvShape& shape);
    at::Tensor forward(const at::Tensor& inputs, nets::Precision precision);
    nets::ResidualBlock exported() const;

  private:
    nets::ConvActivation activation_;
    torch::nn::Conv2d conv1_;
    torch::nn::BatchNorm2d norm1_;
    torch::nn::Conv2d conv2_;
    torch::nn::BatchNorm2d norm2_;
    Activation active1_;
    Activation active2_;
    torch::nn::Linear squeeze_{nullptr};  // null: none
    torch::nn::Linear excite_{nullptr};
};
TORCH_MODULE(ResidualBlock);

// [position][filter][rank][file] each.
struct TrunkFilters {
    at::Tensor source;  // what the head of the source reads; undefined where the policy has none
    at::Tensor last;
};

// From planes to what heads read: the input's convolution, then the blocks. Parts: conv, norm, active,
// block.0, block.1, …
class ResidualTrunkImpl final : public torch::nn::Module {
  public:
    explicit ResidualTrunkImpl(const nets::ConvShape& shape);
    // Of [position][plane][rank][file].
    TrunkFilters forward(const at::Tensor& planes, nets::Precision precision);
    // Into the network's input and blocks.
    void export_to(nets::ConvNetwork& network) const;

  private:
    int source_blocks_;  // −1: no such head
    torch::nn::Conv2d conv_;
    torch::nn::BatchNorm2d norm_;
    Activation active_;
    torch::nn::ModuleList blocks_;
};
TORCH_MODULE(ResidualTrunk);

}  // namespace scholar::learning
