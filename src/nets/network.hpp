#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "chess/score.hpp"
#include "nets/aligned.hpp"
#include "nets/architecture.hpp"

namespace scholar::nets {

// The value of each kind in Score units, as learnt: by how much the evaluation falls when one is taken off
// the board. Used for exchanges and for ordering captures. All equal before anything has been learnt. The
// king has none.
using PieceValues = std::array<int, 6>;
constexpr PieceValues kEqualPieceValues{100, 100, 100, 100, 100, 0};

// What a network file says of itself beside its weights.
struct NetworkInfo {
    Architecture architecture;
    PieceValues piece_values = kEqualPieceValues;
    // Free text by key: "recipe", "data", "parent", "positions", "validation_loss"…
    std::map<std::string, std::string> history;
};

// Weights as the trainer has them. Viewpoint order in `output`: own first, then enemy.
struct FloatNetwork {
    NetworkInfo info;
    std::vector<float> transformer;       // [feature][width]
    std::vector<float> transformer_bias;  // [width]
    std::vector<float> output;            // [output bucket][2 × outputs]
    std::vector<float> output_bias;       // [output bucket]

    // Small random weights, the start of every training. The same seed gives the same network everywhere.
    static FloatNetwork random(const Architecture& architecture, std::uint64_t seed);
    // The logit of the expected result for the side to move, by the book: the reference for everything
    // faster.
    float logit(const chess::Position& position) const;
};

// Quantised weights, immutable, shared by all who evaluate.
//   transformer: value × kActivationScale in 16 bits, its sums clipped to 0…kActivationScale
//   output:      value × output_scale in 16 bits, times activations summed in 32 bits
struct Network {
    static constexpr int kActivationScale = 255;

    NetworkInfo info;
    AlignedVector<std::int16_t> transformer;       // [feature][width]
    AlignedVector<std::int16_t> transformer_bias;  // [width]
    AlignedVector<std::int16_t> output;            // [output bucket][2 × outputs]
    std::vector<std::int32_t> output_bias;         // [output bucket], × output_unit()
    int output_scale = 0;                          // one that OutputRange allows

    int width() const { return info.architecture.width; }
    const std::int16_t* row(int feature) const {
        return transformer.data() + static_cast<std::ptrdiff_t>(feature) * width();
    }
    const std::int16_t* output_weights(int bucket) const {
        return output.data() + static_cast<std::ptrdiff_t>(bucket) * 2 * info.architecture.outputs();
    }
    // An output sum of 1.
    int output_unit() const {
        return activate(info.architecture.activation, kActivationScale, kActivationScale) * output_scale;
    }
    // Turns the output sum into a score; integer arithmetic, the same on every machine.
    chess::Score to_score(std::int32_t sum) const;
};

// How output weights may be rounded. Products of a weight and two clipped sums are made in two steps, the
// first of which, weight × sum, must fit in 16 bits: what is left of these for the weight is little, and each
// network takes the finest of the scales at which its own weights fit.
struct OutputRange {
    int finest_scale;
    int coarsest_scale;  // a power of 2 below the finest
    int largest_weight;  // as an integer

    bool allows(int scale) const {
        return scale <= finest_scale && scale >= coarsest_scale && finest_scale % scale == 0;
    }
};
constexpr OutputRange output_range(Activation activation) {
    switch (activation) {
        case Activation::Clipped:
            return {1024, 1024, 32'767};
        case Activation::Squared:
        case Activation::Paired:
            return {1024, 16, 32'767 / Network::kActivationScale};
    }
    return {};
}

// Fresh evaluation with integer arithmetic and no vectors: what every kernel must agree with, exactly.
chess::Score evaluate_plainly(const Network& network, const chess::Position& position);

}  // namespace scholar::nets
