#pragma once

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/pimpl.h>

#include "learning/conv/conv_modules.hpp"
#include "nets/conv/conv_network.hpp"

// Heads on a trunk: [position][filter][rank][file] to logits. Includes libtorch and its modules.

namespace scholar::learning {

// Logits of moves [position][policy_size()] (policy_logits.hpp). Parts: conv1, norm1, active1, and conv2
// or dense.
class PolicyHeadImpl final : public torch::nn::Module {
  public:
    explicit PolicyHeadImpl(const nets::ConvShape& shape);
    at::Tensor forward(const at::Tensor& filters, nets::Precision precision);
    void export_to(nets::ConvNetwork& network) const;

  private:
    torch::nn::Conv2d conv1_;
    torch::nn::BatchNorm2d norm1_;
    Activation active1_;
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

// How large a head with dense layers is; `second_units` 0: no such layer.
struct DenseHeadSizes {
    int filters;
    int units;
    int second_units;
    int outputs;
};

// Of a value, or of squares that moves leave or reach: [position][outputs]. Parts: conv, norm, active,
// hidden, hidden_active, second, second_active, output.
class DenseHeadImpl final : public torch::nn::Module {
  public:
    DenseHeadImpl(const nets::ConvShape& shape, const DenseHeadSizes& sizes);
    at::Tensor forward(const at::Tensor& filters, nets::Precision precision);
    nets::ConvHead exported() const;

  private:
    torch::nn::Conv2d conv_;
    torch::nn::BatchNorm2d norm_;
    Activation active_;
    torch::nn::Linear hidden_;
    Activation hidden_active_;
    torch::nn::Linear second_{nullptr};  // null: none
    Activation second_active_{nullptr};
    torch::nn::Linear output_{nullptr};
};
TORCH_MODULE(DenseHead);

}  // namespace scholar::learning
