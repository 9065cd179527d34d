#include "learning/conv/residual_trunk.hpp"

#include <ATen/ATen.h>

namespace scholar::learning {

ResidualBlockImpl::ResidualBlockImpl(const nets::ConvShape& shape)
    : activation_(shape.activation),
      conv1_(register_module("conv1", make_convolution(shape.filters, shape.filters, 3, false))),
      norm1_(register_module("norm1", torch::nn::BatchNorm2d(shape.filters))),
      conv2_(register_module("conv2", make_convolution(shape.filters, shape.filters, 3, false))),
      norm2_(register_module("norm2", torch::nn::BatchNorm2d(shape.filters))),
      active1_(register_module("active1", Activation(shape.activation, shape.filters))),
      active2_(register_module("active2", Activation(shape.activation, shape.filters))) {
    if (shape.squeeze == 0) return;
    squeeze_ = register_module("squeeze", torch::nn::Linear(shape.filters, shape.squeeze));
    excite_ = register_module("excite", torch::nn::Linear(shape.squeeze, 2 * shape.filters));
}

at::Tensor ResidualBlockImpl::forward(const at::Tensor& inputs, nets::Precision precision) {
    at::Tensor sums = active1_(norm1_(convolved(conv1_, inputs, precision)));
    sums = norm2_(convolved(conv2_, sums, precision));
    if (squeeze_) {
        // In floats: so few numbers that their precision costs nothing.
        const at::Tensor means = sums.mean({2, 3}, false, at::kFloat);
        const std::vector<at::Tensor> halves = excite_(activated(activation_, squeeze_(means))).chunk(2, 1);
        const auto over_board = [&sums](const at::Tensor& of_filters) {
            return of_filters.to(sums.scalar_type()).unsqueeze(2).unsqueeze(3);
        };
        sums = sums * over_board(at::sigmoid(halves[0])) + over_board(halves[1]);
    }
    return active2_(sums + inputs);
}

nets::ResidualBlock ResidualBlockImpl::exported() const {
    nets::ResidualBlock block;
    block.first = folded(conv1_, norm1_);
    block.second = folded(conv2_, norm2_);
    active1_->export_to(block.first);
    active2_->export_to(block.second);
    if (squeeze_) {
        block.squeeze = layer_of(squeeze_->weight, squeeze_->bias);
        block.excite = layer_of(excite_->weight, excite_->bias);
    }
    return block;
}

ResidualTrunkImpl::ResidualTrunkImpl(const nets::ConvShape& shape)
    : source_blocks_(shape.policy == nets::PolicyForm::SourceTarget ? shape.source_blocks : -1),
      conv_(
          register_module("conv", make_convolution(nets::plane_count(shape.input), shape.filters, 3, false))),
      norm_(register_module("norm", torch::nn::BatchNorm2d(shape.filters))),
      active_(register_module("active", Activation(shape.activation, shape.filters))),
      blocks_(register_module("block", torch::nn::ModuleList())) {
    for (int i = 0; i < shape.blocks; ++i) blocks_->push_back(ResidualBlock(shape));
}

TrunkFilters ResidualTrunkImpl::forward(const at::Tensor& planes, nets::Precision precision) {
    // Filters side by side in memory: oneDNN's kernels are then some tenth faster.
    const at::Tensor inputs = planes.contiguous(at::MemoryFormat::ChannelsLast);
    TrunkFilters filters;
    filters.last = active_(norm_(convolved(conv_, inputs, precision)));
    int behind = 0;
    if (behind == source_blocks_) filters.source = filters.last;
    for (const auto& block : *blocks_) {
        filters.last = block->as<ResidualBlockImpl>()->forward(filters.last, precision);
        if (++behind == source_blocks_) filters.source = filters.last;
    }
    return filters;
}

void ResidualTrunkImpl::export_to(nets::ConvNetwork& network) const {
    network.input = folded(conv_, norm_);
    active_->export_to(network.input);
    network.blocks.clear();
    for (const auto& block : *blocks_) network.blocks.push_back(block->as<ResidualBlockImpl>()->exported());
}

}  // namespace scholar::learning
