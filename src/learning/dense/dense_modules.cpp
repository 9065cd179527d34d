#include "learning/dense/dense_modules.hpp"

#include <ATen/ATen.h>
#include <torch/nn/init.h>

namespace scholar::learning {

namespace {

std::vector<float> floats_in(const at::Tensor& tensor) {
    const at::Tensor plain = tensor.detach().to(at::kCPU).contiguous();
    const float* const begin = plain.data_ptr<float>();
    return {begin, begin + plain.numel()};
}

}  // namespace

DenseLayerImpl::DenseLayerImpl(const nets::DenseLayerShape& shape)
    : shape_(shape), blocks_(register_module("block", torch::nn::ModuleList())) {
    for (const nets::DenseBlockShape& block : shape) {
        torch::nn::Linear linear(block.inputs, block.outputs);
        torch::nn::init::kaiming_uniform_(linear->weight, 0, torch::kFanIn, torch::kReLU);
        torch::nn::init::zeros_(linear->bias);
        blocks_->push_back(linear);
    }
}

at::Tensor DenseLayerImpl::forward(const at::Tensor& below) {
    Tensors sums;
    for (std::size_t i = 0; i < shape_.size(); ++i)
        sums.push_back(blocks_->at<torch::nn::LinearImpl>(i).forward(
            below.narrow(1, shape_[i].first_input, shape_[i].inputs)));
    return sums.size() == 1 ? sums.front() : at::cat(sums, 1);
}

std::vector<nets::DenseBlock> DenseLayerImpl::exported() const {
    std::vector<nets::DenseBlock> blocks;
    for (std::size_t i = 0; i < shape_.size(); ++i) {
        const auto& linear = blocks_->at<torch::nn::LinearImpl>(i);
        blocks.push_back({floats_in(linear.weight), floats_in(linear.bias)});
    }
    return blocks;
}

DenseModules::DenseModules(const nets::DenseShape& shape)
    : shape_(shape), layers_(register_module("layer", torch::nn::ModuleList())) {
    for (const nets::DenseLayerShape& layer : shape.layers) layers_->push_back(DenseLayer(layer));
}

Tensors DenseModules::forward(const Tensors& inputs) {
    at::Tensor numbers = inputs.at(0);
    for (std::size_t i = 0; i < shape_.layers.size(); ++i) {
        numbers = layers_->at<DenseLayerImpl>(i).forward(numbers);
        if (i + 1 < shape_.layers.size()) numbers = at::relu(numbers);
    }
    return {numbers.squeeze(1)};
}

nets::DenseNetwork DenseModules::exported() const {
    nets::DenseNetwork network;
    network.info.shape = shape_;
    for (std::size_t i = 0; i < shape_.layers.size(); ++i)
        network.layers.push_back(layers_->at<DenseLayerImpl>(i).exported());
    return network;
}

}  // namespace scholar::learning
