#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "nets/aligned.hpp"
#include "nets/comparison/comparison_network.hpp"

namespace scholar::nets {

// The weights of a comparison in the order that kernels want. Immutable and shared.
class PackedComparison {
  public:
    explicit PackedComparison(const ComparisonNetwork& network);

    struct Layer {
        int inputs = 0;
        int units = 0;                 // with those that only fill up vectors
        AlignedVector<float> numbers;  // [inputs][units], after them the biases
        const float* bias() const { return numbers.data() + static_cast<std::ptrdiff_t>(inputs) * units; }
    };
    std::vector<Layer> encoder;
    // What the head's first layer makes of a code that stands first, its biases with it, and, in as many
    // further units, of one that stands second: their sum is what it makes of both. Of form "split" all of
    // the head but the last is `rest`.
    Layer halves;
    std::vector<Layer> rest;
    // Weights of the last layer as one unit, which gives the difference of the two outputs; no inputs where
    // the first layer is the last.
    Layer last;
    int width = 0;  // of the widest layer
};

// Works out a comparison network by the kernels. What it keeps of a position, the embedding, is not the code
// but what the head's first layer makes of it as first and as second: a comparison then costs only the layers
// behind that one. Belongs to one thread; a copy is another's.
class ComparisonRunner {
  public:
    explicit ComparisonRunner(std::shared_ptr<const ComparisonNetwork> network);

    const ComparisonNetwork& network() const { return *network_; }
    // How many numbers an embedding has; one, which is f, of form "split".
    std::size_t embedding_size() const;
    void embed(const chess::Position& position, std::span<float> out);
    // The encoder's code, until the next call of anything.
    std::span<const float> code_of(const chess::Position& position);
    // z of two positions by their embeddings.
    float logit(std::span<const float> a, std::span<const float> b);
    // f; of form "split".
    float value(const chess::Position& position);

  private:
    const float* code(const chess::Position& position);
    float output(const float* first, const float* second);
    float output_of(std::size_t layer, const float* in);
    float* other_than(const float* in) { return between_[in == between_[0].data() ? 1 : 0].data(); }

    std::shared_ptr<const ComparisonNetwork> network_;
    std::shared_ptr<const PackedComparison> packed_;
    // What one layer gives, and what the next makes of it.
    std::array<AlignedVector<float>, 2> between_;
    std::vector<int> scratch_;
};

}  // namespace scholar::nets
