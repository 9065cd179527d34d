#pragma once

#include "learning/conv/conv_heads.hpp"
#include "learning/conv/residual_trunk.hpp"
#include "learning/training/torch_network.hpp"
#include "nets/conv/conv_network.hpp"

// Includes libtorch and its modules.

namespace scholar::learning {

// The architecture of nets/conv/conv_network.hpp while it is trained. Parts: trunk (trunk.conv, trunk.norm,
// trunk.block.0 …), policy, or source and target, value, moves_left.
class ResidualNetwork final : public TorchNetwork {
  public:
    // With random weights: of source and target by X. Glorot and Y. Bengio ("Understanding the difficulty of
    // training deep feedforward neural networks", 2010), as that paper begins. `precision` is that of the
    // convolutions in training: what is measured, and written, is worked out in floats.
    ResidualNetwork(const nets::ConvShape& shape, nets::Precision precision);

    // Planes [position][plane][8][8] to logits of moves [position][policy_size()] and, with a value head,
    // those of win, draw and loss [position][3], or the value before its hyperbolic tangent [position][1];
    // then, if it has such a head, how many half-moves are left, of kLengthUnit [position][1].
    Tensors forward(const Tensors& inputs) override;

    // What the engine reads: batch norm, with its running statistics, folded into the convolutions.
    nets::ConvNetwork exported() const;

  private:
    at::Tensor policy_of(const TrunkFilters& filters, nets::Precision precision);

    nets::ConvShape shape_;
    nets::Precision precision_;
    ResidualTrunk trunk_;
    PolicyHead policy_{nullptr};  // one of these two, or of the two behind them both
    SquaresHead squares_{nullptr};
    DenseHead source_{nullptr};
    DenseHead target_{nullptr};
    DenseHead value_{nullptr};  // null: none
    DenseHead moves_left_{nullptr};
};

}  // namespace scholar::learning
