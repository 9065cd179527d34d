#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "chess/position.hpp"
#include "chess/score.hpp"
#include "nets/aligned.hpp"
#include "nets/dense/dense_network.hpp"
#include "nets/dense/dense_runner.hpp"

namespace scholar::nets {

// The first layer of an evaluation in whole numbers: inputs times DenseFeatureSet::kDenominator, weights
// times a power of two, as large as 32 bits allow. What sums come to then does not depend on the order in
// which they were added up, nor on the instruction set. Immutable and shared.
class WholeFirstLayer {
  public:
    explicit WholeFirstLayer(const DenseNetwork& network);

    struct Block {
        int first_input;
        int inputs;
        int first_sum;
        int units;  // with those that only fill up vectors
        int first_output;
        std::size_t weights;  // where they begin: [inputs][units]
        float scale;          // from sums to what the layer gives
    };
    const std::vector<Block>& blocks() const { return blocks_; }
    const std::int32_t* weights(const Block& block) const { return numbers_.data() + block.weights; }
    // The sums where all inputs are 0.
    const AlignedVector<std::int32_t>& biases() const { return biases_; }

  private:
    std::vector<Block> blocks_;
    AlignedVector<std::int32_t> numbers_;
    AlignedVector<std::int32_t> biases_;
};

// Evaluates positions along the path of a search. A move changes some 20 of the 200 numbers of giraffe-363
// that are not 0, so that the sums of the first layer are kept by half-move and only what changed is added
// (Giraffe's section 7.1.2). The value is the same whatever path led to the position. Of networks without
// inputs of a move and with output "tanh". Belongs to one thread; a copy is another's.
class DensePath {
  public:
    explicit DensePath(std::shared_ptr<const DenseNetwork> network);

    const DenseNetwork& network() const { return runner_.network(); }
    // Back to the beginning of a path, and a move further and back, whatever the move is.
    void reset();
    void push();
    void pop() { --ply_; }
    // Of the position at the path's end, for its side to move.
    chess::Score value(const chess::Position& position);

  private:
    // What was worked out at a place of the path, if it was.
    struct Place {
        bool is_known = false;
        AlignedVector<std::int32_t> inputs;
        AlignedVector<std::int32_t> sums;
    };
    Place new_place() const;
    const Place& nearest_before() const;

    DenseRunner runner_;
    std::shared_ptr<const WholeFirstLayer> first_layer_;
    Place nothing_;  // all inputs 0
    std::vector<Place> places_;
    std::size_t ply_ = 0;
    std::vector<int> changed_;
};

}  // namespace scholar::nets
