#include "learning/dense/dense_modules.hpp"

#include <ATen/ATen.h>
#include <algorithm>
#include <limits>
#include <span>
#include <torch/nn/init.h>

#include "chess/types.hpp"
#include "learning/run/tensors_in_file.hpp"
#include "nets/dense/dense_move_set.hpp"

namespace scholar::learning {

namespace {

constexpr float kNoMove = -std::numeric_limits<float>::infinity();

// The inputs for the places of moves [move][kPlaceInputs], by what was said of them first; `owner` rises.
at::Tensor places_of(const at::Tensor& first, const at::Tensor& owner) {
    const std::vector<float> said = floats_of(first);
    const at::Tensor owners = owner.to(at::kCPU).contiguous();
    const auto* const of = owners.data_ptr<std::int64_t>();
    at::Tensor inputs = at::zeros({first.size(0), nets::kPlaceInputs}, at::kFloat);
    auto* const out = inputs.data_ptr<float>();
    std::vector<int> places;
    for (std::size_t begin = 0; begin < said.size();) {
        std::size_t end = begin;
        while (end < said.size() && of[end] == of[begin]) ++end;
        places.resize(end - begin);
        nets::rank_moves(std::span(said).subspan(begin, end - begin), places);
        for (std::size_t i = begin; i < end; ++i)
            out[i * nets::kPlaceInputs + static_cast<std::size_t>(nets::place_input(places[i - begin]))] = 1;
        begin = end;
    }
    return inputs;
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

DenseLayerImpl::OfMoves DenseLayerImpl::forward(const OfMoves& below, const at::Tensor& owner) {
    const std::int64_t known = below.fixed.size(1);
    Tensors fixed;
    Tensors varying;
    for (std::size_t i = 0; i < shape_.size(); ++i) {
        auto& linear = blocks_->at<torch::nn::LinearImpl>(i);
        const std::int64_t first = shape_[i].first_input;
        const std::int64_t end = first + shape_[i].inputs;
        if (end <= known) {
            fixed.push_back(linear.forward(below.fixed.narrow(1, first, end - first)));
            continue;
        }
        const std::int64_t before = std::max<std::int64_t>(known - first, 0);
        at::Tensor sums = at::linear(
            below.varying.narrow(1, std::max<std::int64_t>(first - known, 0), end - first - before),
            linear.weight.narrow(1, before, end - first - before), linear.bias);
        if (before > 0)
            sums = sums + at::linear(below.fixed.narrow(1, first, before), linear.weight.narrow(1, 0, before))
                              .index_select(0, owner);
        varying.push_back(sums);
    }
    const auto joined = [](const Tensors& parts, const at::Tensor& like) {
        return parts.empty() ? at::empty({like.size(0), 0}, like.options()) : at::cat(parts, 1);
    };
    return {joined(fixed, below.fixed), joined(varying, below.varying)};
}

std::vector<nets::DenseBlock> DenseLayerImpl::exported() const {
    std::vector<nets::DenseBlock> blocks;
    for (std::size_t i = 0; i < shape_.size(); ++i) {
        const auto& linear = blocks_->at<torch::nn::LinearImpl>(i);
        blocks.push_back({floats_of(linear.weight), floats_of(linear.bias)});
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

at::Tensor DenseMoveModules::judge(const at::Tensor& positions, const at::Tensor& moves,
                                   const at::Tensor& owner) {
    DenseLayerImpl::OfMoves numbers{positions, moves};
    for (std::size_t i = 0; i < shape().layers.size(); ++i) {
        numbers = layer(i).forward(numbers, owner);
        if (i + 1 < shape().layers.size()) numbers = {at::relu(numbers.fixed), at::relu(numbers.varying)};
    }
    return numbers.varying.squeeze(1);
}

Tensors DenseMoveModules::forward(const Tensors& inputs) {
    const at::Tensor& positions = inputs.at(0);
    const at::Tensor& moves = inputs.at(1);
    const at::Tensor& owner = inputs.at(2);
    const at::Tensor slots = owner * chess::kMaxMoves + inputs.at(3);
    const auto by_position = [&](const at::Tensor& z) {
        return at::full({positions.size(0) * chess::kMaxMoves}, kNoMove, z.options())
            .index_put({slots}, z)
            .reshape({positions.size(0), chess::kMaxMoves});
    };
    const auto judge_at = [&](const at::Tensor& places) {
        return judge(positions, at::cat({moves, places}, 1), owner);
    };
    const at::Tensor first = judge_at(at::zeros({moves.size(0), nets::kPlaceInputs}, moves.options()));
    const at::Tensor second = judge_at(places_of(first, owner).to(moves.options()));
    return {by_position(first), by_position(second)};
}

nets::DenseNetwork DenseModules::exported() const {
    nets::DenseNetwork network;
    network.info.shape = shape_;
    for (std::size_t i = 0; i < shape_.layers.size(); ++i)
        network.layers.push_back(layers_->at<DenseLayerImpl>(i).exported());
    return network;
}

}  // namespace scholar::learning
