#include "learning/conv/residual_network.hpp"

#include <ATen/ATen.h>
#include <torch/nn/init.h>

#include "learning/targets/length_targets.hpp"

namespace scholar::learning {

namespace {

constexpr int kBoardOutputs = static_cast<int>(nets::kPlaneSquares);

void begin_as_glorot(const torch::nn::Module& network) {
    for (const auto& item : network.named_parameters())
        if (item.value().dim() > 1) torch::nn::init::xavier_uniform_(item.value());
}

}  // namespace

ResidualNetwork::ResidualNetwork(const nets::ConvShape& shape, nets::Precision precision)
    : shape_(shape), precision_(precision), trunk_(register_module("trunk", ResidualTrunk(shape))) {
    const auto squares_head = [&](const char* name) {
        return register_module(name, DenseHead(shape, DenseHeadSizes{shape.policy_filters, shape.policy_units,
                                                                     0, kBoardOutputs}));
    };
    if (shape.policy == nets::PolicyForm::SourceTarget) {
        source_ = squares_head("source");
        target_ = squares_head("target");
    } else if (shape.policy == nets::PolicyForm::Squares) {
        squares_ = register_module("policy", SquaresHead(shape));
    } else {
        policy_ = register_module("policy", PolicyHead(shape));
    }
    if (shape.value != nets::ValueForm::None)
        value_ = register_module(
            "value",
            DenseHead(shape, DenseHeadSizes{shape.value_filters, shape.value_units, shape.value_second_units,
                                            shape.value == nets::ValueForm::Wdl ? 3 : 1}));
    if (shape.moves_left_filters > 0)
        moves_left_ = register_module(
            "moves_left",
            DenseHead(shape, DenseHeadSizes{shape.moves_left_filters, shape.moves_left_units, 0, 1}));
    if (source_) begin_as_glorot(*this);
}

at::Tensor ResidualNetwork::policy_of(const TrunkFilters& filters, nets::Precision precision) {
    if (source_)
        return at::cat(
            {source_->forward(filters.source, precision), target_->forward(filters.last, precision)}, 1);
    return squares_ ? squares_->forward(filters.last, precision) : policy_->forward(filters.last, precision);
}

Tensors ResidualNetwork::forward(const Tensors& inputs) {
    const nets::Precision precision = is_training() ? precision_ : nets::Precision::F32;
    const TrunkFilters filters = trunk_->forward(inputs.at(0), precision);
    Tensors said{policy_of(filters, precision)};
    if (value_) said.push_back(value_->forward(filters.last, precision));
    if (moves_left_) said.push_back(moves_left_->forward(filters.last, precision));
    return said;
}

nets::ConvNetwork ResidualNetwork::exported() const {
    nets::ConvNetwork network;
    network.info.shape = shape_;
    trunk_->export_to(network);
    if (source_) {
        network.source = source_->exported();
        network.target = target_->exported();
    } else if (squares_) {
        squares_->export_to(network);
    } else {
        policy_->export_to(network);
    }
    if (value_) network.value = value_->exported();
    if (moves_left_) {
        network.moves_left = moves_left_->exported();
        for (auto* numbers : {&network.moves_left.output.weight, &network.moves_left.output.bias})
            for (float& number : *numbers) number *= static_cast<float>(kLengthUnit);
    }
    return network;
}

}  // namespace scholar::learning
