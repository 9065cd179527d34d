#include "learning/conv/conv_heads.hpp"

#include <ATen/ATen.h>
#include <cmath>
#include <torch/types.h>

namespace scholar::learning {

namespace {

constexpr int kSquares = static_cast<int>(nets::kPlaneSquares);

// [position][filter · square], in the order in which files have a dense layer's inputs.
at::Tensor in_a_row(const at::Tensor& filters) {
    return filters.to(at::kFloat).contiguous().flatten(1);
}

}  // namespace

PolicyHeadImpl::PolicyHeadImpl(const nets::ConvShape& shape)
    : conv1_(
          register_module("conv1", make_convolution(shape.filters, shape.policy_filters,
                                                    shape.policy == nets::PolicyForm::Dense ? 1 : 3, false))),
      norm1_(register_module("norm1", torch::nn::BatchNorm2d(shape.policy_filters))),
      active1_(register_module("active1", Activation(shape.activation, shape.policy_filters))) {
    if (shape.policy == nets::PolicyForm::Dense)
        dense_ =
            register_module("dense", torch::nn::Linear(shape.policy_filters * kSquares, nets::kPolicyMoves));
    else
        conv2_ =
            register_module("conv2", make_convolution(shape.policy_filters, nets::kPolicyPlanes, 3, true));
}

at::Tensor PolicyHeadImpl::forward(const at::Tensor& filters, nets::Precision precision) {
    const at::Tensor first = active1_(norm1_(convolved(conv1_, filters, precision)));
    return dense_ ? dense_(in_a_row(first)) : in_a_row(convolved(conv2_, first, precision));
}

void PolicyHeadImpl::export_to(nets::ConvNetwork& network) const {
    network.policy_first = folded(conv1_, norm1_);
    active1_->export_to(network.policy_first);
    network.policy_second =
        dense_ ? layer_of(dense_->weight, dense_->bias) : layer_of(conv2_->weight, conv2_->bias);
}

SquaresHeadImpl::SquaresHeadImpl(const nets::ConvShape& shape)
    : width_(shape.policy_filters),
      planes_(
          register_module("planes", make_convolution(shape.filters, nets::square_planes(shape), 1, true))),
      pairs_(register_parameter("pairs", torch::zeros({kSquares, kSquares}))),
      left_(register_parameter("left", torch::zeros({kSquares}))) {}

at::Tensor SquaresHeadImpl::forward(const at::Tensor& filters, nets::Precision precision) {
    // [position][plane][square]
    const at::Tensor planes = convolved(planes_, filters, precision).to(at::kFloat).contiguous().flatten(2);
    const at::Tensor leaving = planes.narrow(1, 0, width_).transpose(1, 2);
    const at::Tensor reaching = planes.narrow(1, width_, width_);
    const at::Tensor pairs = at::bmm(leaving, reaching) / std::sqrt(width_) + pairs_;
    const at::Tensor from = planes.select(1, 2 * width_) + left_;
    const at::Tensor promotions = planes.narrow(1, 2 * width_ + 1, nets::kUnderpromotions).narrow(2, 56, 8);
    return at::cat({from, pairs.flatten(1), promotions.flatten(1)}, 1);
}

void SquaresHeadImpl::export_to(nets::ConvNetwork& network) const {
    network.policy_first = layer_of(planes_->weight, planes_->bias);
    network.policy_second = layer_of(pairs_, left_);
}

DenseHeadImpl::DenseHeadImpl(const nets::ConvShape& shape, const DenseHeadSizes& sizes)
    : conv_(register_module("conv", make_convolution(shape.filters, sizes.filters, 1, false))),
      norm_(register_module("norm", torch::nn::BatchNorm2d(sizes.filters))),
      active_(register_module("active", Activation(shape.activation, sizes.filters))),
      hidden_(register_module("hidden", torch::nn::Linear(sizes.filters * kSquares, sizes.units))),
      hidden_active_(register_module("hidden_active", Activation(shape.activation, sizes.units))) {
    if (sizes.second_units > 0) {
        second_ = register_module("second", torch::nn::Linear(sizes.units, sizes.second_units));
        second_active_ = register_module("second_active", Activation(shape.activation, sizes.second_units));
    }
    output_ = register_module("output",
                              torch::nn::Linear(second_ ? sizes.second_units : sizes.units, sizes.outputs));
}

at::Tensor DenseHeadImpl::forward(const at::Tensor& filters, nets::Precision precision) {
    const at::Tensor planes = active_(norm_(convolved(conv_, filters, precision)));
    at::Tensor units = hidden_active_(hidden_(in_a_row(planes)));
    if (second_) units = second_active_(second_(units));
    return output_(units);
}

nets::ConvHead DenseHeadImpl::exported() const {
    nets::ConvHead head;
    head.planes = folded(conv_, norm_);
    active_->export_to(head.planes);
    head.hidden = layer_of(hidden_->weight, hidden_->bias);
    hidden_active_->export_to(head.hidden);
    if (second_) {
        head.second = layer_of(second_->weight, second_->bias);
        second_active_->export_to(head.second);
    }
    head.output = layer_of(output_->weight, output_->bias);
    return head;
}

}  // namespace scholar::learning
