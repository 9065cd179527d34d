#pragma once

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>
#include <torch/nn/modules/container/modulelist.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/pimpl.h>
#include <vector>

#include "learning/training/torch_network.hpp"
#include "nets/conv/chess_nets.hpp"

// Includes libtorch and its modules.

namespace scholar::learning {

// One network of nets/conv/chess_nets.hpp. Parts: conv.0, conv.1, …, hidden, output.
class OneChessNetImpl final : public torch::nn::Module {
  public:
    OneChessNetImpl(const nets::ChessNetShape& shape, nets::ChessNetRole role);
    // Planes [position][plane][8][8] to [position][outputs].
    at::Tensor forward(const at::Tensor& planes, nets::Precision precision);
    nets::ChessNet exported() const;

  private:
    nets::ConvActivation activation_;
    torch::nn::ModuleList convolutions_;
    torch::nn::Linear hidden_{nullptr};
    torch::nn::Linear output_{nullptr};
};
TORCH_MODULE(OneChessNet);

// Several of them; parts are called as their roles: "piece", "pawn" …
class ChessNetsNetwork final : public TorchNetwork {
  public:
    ChessNetsNetwork(const nets::ChessNetShape& shape, const std::vector<nets::ChessNetRole>& roles,
                     nets::Precision precision);

    // Planes [position][plane][8][8], those of a network with the piece's layer, which stands behind all
    // others, if the shape has it; and the kind of man that moves [position], 0 a pawn, 5 a king. To logits
    // of the square that is left [position][64], of the one that is reached [position][64], by the network of
    // that kind, and the value before its hyperbolic tangent [position][1]; zeros where there is no such
    // network.
    Tensors forward(const Tensors& inputs) override;

    nets::ChessNets exported() const;

  private:
    nets::ChessNetShape shape_;
    nets::Precision precision_;
    std::array<OneChessNet, nets::kChessNetRoles.size()> networks_;  // null: not one of the roles
};

}  // namespace scholar::learning
