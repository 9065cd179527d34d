#include "learning/conv/conv_modules.hpp"

#include <ATen/ATen.h>
#include <cassert>
#include <cstdint>
#include <torch/types.h>
#include <vector>

#include "learning/conv/board_convolution.hpp"
#include "learning/run/tensors_in_file.hpp"

namespace scholar::learning {

at::Tensor activated(nets::ConvActivation activation, const at::Tensor& sums) {
    switch (activation) {
        case nets::ConvActivation::Relu:
            return at::relu(sums);
        case nets::ConvActivation::Mish:
            return at::mish(sums);
        case nets::ConvActivation::Tanh:
        case nets::ConvActivation::Prelu:
            break;
    }
    assert(activation == nets::ConvActivation::Tanh);
    return at::tanh(sums);
}

ActivationImpl::ActivationImpl(nets::ConvActivation activation, int width) : activation_(activation) {
    if (activation == nets::ConvActivation::Prelu)
        slope_ = register_parameter("slope", torch::zeros({width}));
}

at::Tensor ActivationImpl::forward(const at::Tensor& sums) {
    return slope_.defined() ? at::prelu(sums, slope_.to(sums.scalar_type())) : activated(activation_, sums);
}

void ActivationImpl::export_to(nets::ConvLayer& layer) const {
    if (slope_.defined()) layer.slope = floats_of(slope_);
}

torch::nn::Conv2d make_convolution(int inputs, int outputs, int size, bool bias) {
    return torch::nn::Conv2d(torch::nn::Conv2dOptions(inputs, outputs, size).padding(size / 2).bias(bias));
}

at::Tensor convolved(const torch::nn::Conv2d& convolution, const at::Tensor& inputs,
                     nets::Precision precision) {
    const std::int64_t padding = convolution->weight.size(2) / 2;
    const auto type = precision == nets::Precision::Bf16 ? at::kBFloat16 : at::kFloat;
    if (type == at::kFloat && is_board_convolution(inputs, convolution->weight)) {
        const at::Tensor sums = board_convolution(inputs, convolution->weight);
        return convolution->bias.defined() ? sums + convolution->bias.view({1, -1, 1, 1}) : sums;
    }
    const at::Tensor bias = convolution->bias.defined() ? convolution->bias.to(type) : at::Tensor();
    return at::conv2d(inputs.to(type), convolution->weight.to(type), bias, 1, padding);
}

at::Tensor multiplied(const torch::nn::Linear& layer, const at::Tensor& inputs, nets::Precision precision) {
    const auto type = precision == nets::Precision::Bf16 ? at::kBFloat16 : at::kFloat;
    return at::linear(inputs.to(type), layer->weight.to(type), layer->bias.to(type));
}

nets::ConvLayer folded(const torch::nn::Conv2d& convolution, const torch::nn::BatchNorm2d& norm) {
    nets::ConvLayer layer{floats_of(convolution->weight), {}};
    nets::fold_batch_norm(layer, floats_of(norm->running_mean), floats_of(norm->running_var),
                          floats_of(norm->weight), floats_of(norm->bias),
                          static_cast<float>(norm->options.eps()));
    return layer;
}

nets::ConvLayer layer_of(const at::Tensor& weight, const at::Tensor& bias) {
    return {floats_of(weight), floats_of(bias)};
}

}  // namespace scholar::learning
