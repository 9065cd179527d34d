#pragma once

#include <torch/nn/modules/container/modulelist.h>
#include <torch/nn/modules/linear.h>

#include "learning/training/torch_network.hpp"
#include "nets/dense/dense_network.hpp"

// Includes libtorch and its modules.

namespace scholar::learning {

// A row of blocks, each a linear layer of its own: "block.0", "block.1", …
class DenseLayerImpl final : public torch::nn::Module {
  public:
    explicit DenseLayerImpl(const nets::DenseLayerShape& shape);
    // [position][numbers below] to the sums [position][outputs_of(shape)].
    at::Tensor forward(const at::Tensor& below);
    // The same for moves of positions: `fixed` [position][…], what the layer below gives of the position
    // alone, stands before `varying` [move][…] in its numbers. `owner` [move] says which position's move it
    // is. Blocks that see nothing but the former come first, and are worked out once a position.
    struct OfMoves {
        at::Tensor fixed;
        at::Tensor varying;
    };
    OfMoves forward(const OfMoves& below, const at::Tensor& owner);
    // In the order of blocks.
    std::vector<nets::DenseBlock> exported() const;

  private:
    nets::DenseLayerShape shape_;
    torch::nn::ModuleList blocks_;
};
TORCH_MODULE(DenseLayer);

// The architecture of nets/dense/dense_network.hpp while it is trained. Its parameters have the names that
// its file has: "layer.0.block.2.weight".
class DenseModules : public TorchNetwork {
  public:
    // With random weights (He et al. 2015, as libtorch's initialisers have it), biases 0.
    explicit DenseModules(const nets::DenseShape& shape);

    // Inputs [position][shape.inputs()] to z [position].
    Tensors forward(const Tensors& inputs) override;

    // What the engine reads.
    nets::DenseNetwork exported() const;

  protected:
    const nets::DenseShape& shape() const { return shape_; }
    DenseLayerImpl& layer(std::size_t number) { return layers_->at<DenseLayerImpl>(number); }

  private:
    nets::DenseShape shape_;
    torch::nn::ModuleList layers_;
};

// The same of a network that judges moves, by two judgements (nets/dense/dense_move_set.hpp).
class DenseMoveModules final : public DenseModules {
  public:
    using DenseModules::DenseModules;

    // Inputs: positions [position][features]; moves [move][described], those of a position one behind the
    // other and in the order of positions; owner [move], of int64, which position's; place in its list
    // [move], of int64. Gives z by the first judgement and by the second, each [position][kMaxMoves], −∞
    // where there is no move.
    Tensors forward(const Tensors& inputs) override;

  private:
    at::Tensor judge(const at::Tensor& positions, const at::Tensor& moves, const at::Tensor& owner);
};

}  // namespace scholar::learning
