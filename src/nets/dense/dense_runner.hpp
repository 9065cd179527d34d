#pragma once

#include <array>
#include <memory>
#include <span>

#include "nets/aligned.hpp"
#include "nets/dense/dense_network.hpp"

namespace scholar::nets {

// The weights of a network in the order that kernels want. Immutable and shared.
class PackedDense {
  public:
    explicit PackedDense(const DenseNetwork& network);

    struct Block {
        int first_input;
        int inputs;
        int first_output;
        int units;            // with those that only fill up vectors
        std::size_t weights;  // where they begin: [inputs][units], after them the biases
    };
    const std::vector<std::vector<Block>>& layers() const { return layers_; }
    const float* weights(const Block& block) const { return numbers_.data() + block.weights; }
    const float* bias(const Block& block) const {
        return weights(block) + static_cast<std::ptrdiff_t>(block.inputs) * block.units;
    }
    // Of the widest layer, its inputs included.
    int width() const { return width_; }

  private:
    std::vector<std::vector<Block>> layers_;
    AlignedVector<float> numbers_;
    int width_ = 0;
};

// Works out a network for one input at a time, by the kernels, from nothing (dense_path.hpp goes from
// position to position). Belongs to one thread; a copy is another's.
class DenseRunner {
  public:
    explicit DenseRunner(std::shared_ptr<const DenseNetwork> network);

    const DenseNetwork& network() const { return *network_; }
    // Where the inputs go: the position's, then the move's.
    std::span<float> inputs() { return {inputs_.data(), static_cast<std::size_t>(input_count_)}; }
    // z (dense_network.hpp) of what is there.
    float run();
    // Where what the first layer gives goes, if it is worked out elsewhere, with kDenseMultiple numbers of
    // room behind it; and z of that.
    float* first_layer() { return between_[0].data(); }
    float run_from_first_layer();

  private:
    // z of what goes into a layer.
    float run_from(std::size_t layer, const float* in);

    std::shared_ptr<const DenseNetwork> network_;
    std::shared_ptr<const PackedDense> packed_;
    int input_count_;
    AlignedVector<float> inputs_;
    // What even layers give, and odd ones.
    std::array<AlignedVector<float>, 2> between_;
    std::vector<int> scratch_;
};

}  // namespace scholar::nets
