#pragma once

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/pimpl.h>

#include "nets/conv/conv_network.hpp"

// Heads on a trunk: [position][filter][rank][file] to logits. Includes libtorch and its modules.

namespace scholar::learning {

// How many numbers a policy of this form says of a position, and where among them the move of an index
// (nets/conv/policy_moves.hpp) stands.
int policy_size(nets::PolicyForm form);
int policy_place(nets::PolicyForm form, int index);

// Logits of moves [position][policy_size()]. Parts: conv1, norm1, and conv2 or dense.
class PolicyHeadImpl final : public torch::nn::Module {
  public:
    explicit PolicyHeadImpl(const nets::ConvShape& shape);
    at::Tensor forward(const at::Tensor& filters, nets::Precision precision);
    void export_to(nets::ConvNetwork& network) const;

  private:
    nets::ConvActivation activation_;
    torch::nn::Conv2d conv1_;
    torch::nn::BatchNorm2d norm1_;
    torch::nn::Conv2d conv2_{nullptr};  // one of these two
    torch::nn::Linear dense_{nullptr};
};
TORCH_MODULE(PolicyHead);

// Logits of win, draw and loss [position][3]. Parts: conv, norm, hidden, output.
class WdlHeadImpl final : public torch::nn::Module {
  public:
    explicit WdlHeadImpl(const nets::ConvShape& shape);
    at::Tensor forward(const at::Tensor& filters, nets::Precision precision);
    void export_to(nets::ConvNetwork& network) const;

  private:
    nets::ConvActivation activation_;
    torch::nn::Conv2d conv_;
    torch::nn::BatchNorm2d norm_;
    torch::nn::Linear hidden_;
    torch::nn::Linear output_;
};
TORCH_MODULE(WdlHead);

}  // namespace scholar::learning
