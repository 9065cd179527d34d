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
    // In the order of blocks.
    std::vector<nets::DenseBlock> exported() const;

  private:
    nets::DenseLayerShape shape_;
    torch::nn::ModuleList blocks_;
};
TORCH_MODULE(DenseLayer);

// The architecture of nets/dense/dense_network.hpp while it is trained. Its parameters have the names that
// its file has: "layer.0.block.2.weight".
class DenseModules final : public TorchNetwork {
  public:
    // With random weights (He et al. 2015, as libtorch's initialisers have it), biases 0.
    explicit DenseModules(const nets::DenseShape& shape);

    // Inputs [position][shape.inputs()] to z [position].
    Tensors forward(const Tensors& inputs) override;

    // What the engine reads.
    nets::DenseNetwork exported() const;

  private:
    nets::DenseShape shape_;
    torch::nn::ModuleList layers_;
};

}  // namespace scholar::learning
