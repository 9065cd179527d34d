#pragma once

#include "learning/conv/conv_heads.hpp"
#include "learning/conv/residual_trunk.hpp"
#include "learning/training/torch_network.hpp"
#include "nets/conv/conv_network.hpp"

// Includes libtorch and its modules.

namespace scholar::learning {

// The architecture of nets/conv/conv_network.hpp while it is trained. Parts: trunk (trunk.conv, trunk.norm,
// trunk.block.0 …), policy, of either kind, value.
class ResidualNetwork final : public TorchNetwork {
  public:
    // With random weights. Of value heads only win/draw/loss, or none; no moves left. `precision` is that of
    // the convolutions in training: what is measured, and written, is worked out in floats.
    ResidualNetwork(const nets::ConvShape& shape, nets::Precision precision);

    // Planes [position][plane][8][8] to logits of moves [position][policy_size()] and, with a value head, of
    // win, draw and loss [position][3].
    Tensors forward(const Tensors& inputs) override;

    // What the engine reads: batch norm, with its running statistics, folded into the convolutions.
    nets::ConvNetwork exported() const;

  private:
    nets::ConvShape shape_;
    nets::Precision precision_;
    ResidualTrunk trunk_;
    PolicyHead policy_{nullptr};  // one of these two
    SquaresHead squares_{nullptr};
    WdlHead value_{nullptr};  // null: none
};

}  // namespace scholar::learning
