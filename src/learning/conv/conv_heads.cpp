#include "learning/conv/conv_heads.hpp"

#include <ATen/ATen.h>

#include "learning/conv/conv_modules.hpp"

namespace scholar::learning {

namespace {

constexpr int kSquares = static_cast<int>(nets::kPlaneSquares);

// [position][filter · square], in the order in which files have a dense layer's inputs.
at::Tensor in_a_row(const at::Tensor& filters) {
    return filters.to(at::kFloat).contiguous().flatten(1);
}

}  // namespace

int policy_size(nets::PolicyForm form) {
    return form == nets::PolicyForm::Dense ? nets::kPolicyMoves : nets::kPolicyPlanes * kSquares;
}

int policy_place(nets::PolicyForm form, int index) {
    return form == nets::PolicyForm::Dense ? index
                                           : nets::policy_plane_indices()[static_cast<std::size_t>(index)];
}

PolicyHeadImpl::PolicyHeadImpl(const nets::ConvShape& shape)
    : activation_(shape.activation),
      conv1_(
          register_module("conv1", make_convolution(shape.filters, shape.policy_filters,
                                                    shape.policy == nets::PolicyForm::Dense ? 1 : 3, false))),
      norm1_(register_module("norm1", torch::nn::BatchNorm2d(shape.policy_filters))) {
    if (shape.policy == nets::PolicyForm::Dense)
        dense_ =
            register_module("dense", torch::nn::Linear(shape.policy_filters * kSquares, nets::kPolicyMoves));
    else
        conv2_ =
            register_module("conv2", make_convolution(shape.policy_filters, nets::kPolicyPlanes, 3, true));
}

at::Tensor PolicyHeadImpl::forward(const at::Tensor& filters, nets::Precision precision) {
    const at::Tensor first = activated(activation_, norm1_(convolved(conv1_, filters, precision)));
    return dense_ ? dense_(in_a_row(first)) : in_a_row(convolved(conv2_, first, precision));
}

void PolicyHeadImpl::export_to(nets::ConvNetwork& network) const {
    network.policy_first = folded(conv1_, norm1_);
    network.policy_second =
        dense_ ? layer_of(dense_->weight, dense_->bias) : layer_of(conv2_->weight, conv2_->bias);
}

WdlHeadImpl::WdlHeadImpl(const nets::ConvShape& shape)
    : activation_(shape.activation),
      conv_(register_module("conv", make_convolution(shape.filters, shape.value_filters, 1, false))),
      norm_(register_module("norm", torch::nn::BatchNorm2d(shape.value_filters))),
      hidden_(
          register_module("hidden", torch::nn::Linear(shape.value_filters * kSquares, shape.value_units))),
      output_(register_module("output", torch::nn::Linear(shape.value_units, 3))) {}

at::Tensor WdlHeadImpl::forward(const at::Tensor& filters, nets::Precision precision) {
    const at::Tensor planes = activated(activation_, norm_(convolved(conv_, filters, precision)));
    return output_(activated(activation_, hidden_(in_a_row(planes))));
}

void WdlHeadImpl::export_to(nets::ConvNetwork& network) const {
    network.value.planes = folded(conv_, norm_);
    network.value.hidden = layer_of(hidden_->weight, hidden_->bias);
    network.value.output = layer_of(output_->weight, output_->bias);
}

}  // namespace scholar::learning
