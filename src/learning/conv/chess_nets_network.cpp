#include "learning/conv/chess_nets_network.hpp"

#include <ATen/ATen.h>
#include <string>

#include "learning/conv/conv_modules.hpp"

namespace scholar::learning {

namespace {

constexpr int kBoard = static_cast<int>(nets::kPlaneSquares);

template <std::size_t... index>
std::array<OneChessNet, sizeof...(index)> no_networks(std::index_sequence<index...>) {
    return {((void)index, OneChessNet(nullptr))...};
}

}  // namespace

OneChessNetImpl::OneChessNetImpl(const nets::ChessNetShape& shape, nets::ChessNetRole role)
    : activation_(shape.activation), convolutions_(register_module("conv", torch::nn::ModuleList())) {
    int inputs = nets::plane_count(nets::input_of(shape, role));
    for (const int filters : shape.filters) {
        convolutions_->push_back(make_convolution(inputs, filters, 3, true));
        inputs = filters;
    }
    hidden_ = register_module("hidden", torch::nn::Linear(inputs * kBoard, shape.units));
    output_ = register_module("output", torch::nn::Linear(shape.units, nets::outputs_of(role)));
}

at::Tensor OneChessNetImpl::forward(const at::Tensor& planes, nets::Precision precision) {
    at::Tensor filters = planes.contiguous(at::MemoryFormat::ChannelsLast);
    for (const auto& each : *convolutions_)
        filters = activated(
            activation_, convolved(torch::nn::Conv2d(std::dynamic_pointer_cast<torch::nn::Conv2dImpl>(each)),
                                   filters, precision));
    const at::Tensor units = multiplied(hidden_, filters.contiguous().flatten(1), precision);
    return output_(activated(activation_, units.to(at::kFloat)));
}

nets::ChessNet OneChessNetImpl::exported() const {
    nets::ChessNet network;
    for (const auto& each : *convolutions_) {
        const auto* convolution = each->as<torch::nn::Conv2dImpl>();
        network.convolutions.push_back(layer_of(convolution->weight, convolution->bias));
    }
    network.hidden = layer_of(hidden_->weight, hidden_->bias);
    network.output = layer_of(output_->weight, output_->bias);
    return network;
}

ChessNetsNetwork::ChessNetsNetwork(const nets::ChessNetShape& shape,
                                   const std::vector<nets::ChessNetRole>& roles, nets::Precision precision)
    : shape_(shape),
      precision_(precision),
      networks_(no_networks(std::make_index_sequence<nets::kChessNetRoles.size()>())) {
    for (const nets::ChessNetRole role : roles)
        networks_.at(static_cast<std::size_t>(role)) =
            register_module(std::string(to_string(role)), OneChessNet(shape, role));
}

Tensors ChessNetsNetwork::forward(const Tensors& inputs) {
    const nets::Precision precision = is_training() ? precision_ : nets::Precision::F32;
    const at::Tensor& planes = inputs.at(0);
    const at::Tensor& kinds = inputs.at(1);
    const at::Tensor before_choice = planes.narrow(1, 0, planes.size(1) - (shape_.piece_layer ? 1 : 0));
    const auto answer = [&](nets::ChessNetRole role, int outputs) {
        OneChessNet& network = networks_.at(static_cast<std::size_t>(role));
        return network ? network->forward(before_choice, precision)
                       : at::zeros({planes.size(0), outputs}, planes.options());
    };
    at::Tensor reached = at::zeros({planes.size(0), kBoard}, planes.options());
    for (int kind = chess::Pawn; kind <= chess::King; ++kind) {
        OneChessNet& network =
            networks_.at(static_cast<std::size_t>(nets::role_of(static_cast<chess::PieceKind>(kind))));
        const at::Tensor rows = (kinds == kind).nonzero().flatten();
        if (!network || rows.size(0) == 0) continue;
        reached = reached.index_copy(0, rows, network->forward(planes.index_select(0, rows), precision));
    }
    return {answer(nets::ChessNetRole::Piece, kBoard), reached, answer(nets::ChessNetRole::Value, 1)};
}

nets::ChessNets ChessNetsNetwork::exported() const {
    nets::ChessNets networks;
    networks.info.shape = shape_;
    for (std::size_t i = 0; i < networks_.size(); ++i)
        if (networks_[i]) networks.by_role[i] = networks_[i]->exported();
    return networks;
}

}  // namespace scholar::learning
