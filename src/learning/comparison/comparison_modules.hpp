#pragma once

#include <torch/nn/modules/container/modulelist.h>
#include <vector>

#include "learning/training/torch_network.hpp"
#include "nets/comparison/comparison_network.hpp"

// Includes libtorch and its modules. Parameters of all of these networks have the names that files have
// (nets/comparison/comparison_network.hpp), so that one can begin with another's encoder. Random weights are
// those of He et al. (2015), as libtorch's initialisers have them, biases 0.

namespace scholar::learning {

// Positions [position][773] to codes [position][units of the last layer].
class EncoderModules final : public TorchNetwork {
  public:
    explicit EncoderModules(const std::vector<int>& units);
    Tensors forward(const Tensors& inputs) override;

  private:
    torch::nn::ModuleList encoder_;
};

// Pos2Vec: an encoder with decoders, "decoder.2" what makes the numbers that go into encoder layer 2 of those
// that come out of it. What learns is the layers whose parameters want gradients (all, if none does), from
// the lowest to the highest: they are to give again what goes into the lowest. One layer by itself is an
// autoencoder on the codes of those below; several are a stack.
class AutoencoderModules final : public TorchNetwork {
  public:
    explicit AutoencoderModules(const std::vector<int>& units);
    // Bits [position][773] to what they leave unexplained of what is to be learnt [position]; and, while it
    // is not trained, for each layer the Reconstruction of the bits from its code.
    Tensors forward(const Tensors& inputs) override;

  private:
    struct Range {
        std::size_t first;
        std::size_t last;
    };
    Range learning() const;
    // Through the layers from `range.first` to `range.last` and back.
    at::Tensor there_and_back(at::Tensor numbers, Range range);

    torch::nn::ModuleList encoder_;
    torch::nn::ModuleList decoder_;
};

// The architecture of nets/comparison/comparison_network.hpp while it is trained.
class ComparisonModules final : public TorchNetwork {
  public:
    explicit ComparisonModules(const nets::ComparisonShape& shape);
    // First and second positions, [pair][773] each, to z [pair]; and, while it is not trained, z of the same
    // with first and second exchanged.
    Tensors forward(const Tensors& inputs) override;

    // f of positions [position][773], of form "split".
    at::Tensor values(const at::Tensor& bits);
    // What the engine reads.
    nets::ComparisonNetwork exported() const;

  private:
    // The first output less the second, of codes.
    at::Tensor difference(const at::Tensor& first, const at::Tensor& second);

    nets::ComparisonShape shape_;
    torch::nn::ModuleList encoder_;
    torch::nn::ModuleList head_;
};

// Units of the encoder whose weights a file has, layer by layer; none: it has none.
std::vector<int> encoder_units_in(const nets::TensorFile& file);

}  // namespace scholar::learning
