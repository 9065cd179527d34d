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

// Logits of moves [position][policy_size()] (policy_logits.hpp). Parts: conv1, norm1, and conv2 or dense.
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

// A policy of squares (nets/conv/square_policy.hpp), [position][policy_size()]. Parts: planes, pairs, left.
class SquaresHeadImpl final : public torch::nn::Module {
  public:
    explicit SquaresHeadImpl(const nets::ConvShape& shape);
    at::Tensor forward(const at::Tensor& filters, nets::Precision precision);
    void export_to(nets::ConvNetwork& network) const;

  private:
    int width_;
    torch::nn::Conv2d planes_;
    at::Tensor pairs_;  // [from][to]
    at::Tensor left_;   // [from]
};
TORCH_MODULE(SquaresHead);

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
