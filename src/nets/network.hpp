#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "chess/score.hpp"
#include "nets/aligned.hpp"
#include "nets/feature_set.hpp"

// Architecture "perspective" version 1:
//
//   active features, own viewpoint   → transformer (shared) → clip 0…1 ┐
//                                                                      ├→ output → logit of the expected
//                                                                      result
//   active features, enemy viewpoint → transformer (shared) → clip 0…1 ┘
//
// "Own" is the side to move. The transformer is one row of `width` weights for each feature, plus a bias.

namespace scholar::nets {

// The value of each kind in Score units, as learnt: by how much the evaluation falls when one is taken off
// the board. Used for exchanges and for ordering captures. All equal before anything has been learnt. The
// king has none.
using PieceValues = std::array<int, 6>;
constexpr PieceValues kEqualPieceValues{100, 100, 100, 100, 100, 0};

// What a network file says of itself beside its weights.
struct NetworkInfo {
    std::string feature_set{Features768::kName};
    int width = 0;
    PieceValues piece_values = kEqualPieceValues;
    // Free text by key: "recipe", "data", "parent", "positions", "validation_loss"…
    std::map<std::string, std::string> history;
};

// Weights as the trainer has them. Viewpoint order in `output`: own first, then enemy.
struct FloatNetwork {
    NetworkInfo info;
    std::vector<float> transformer;       // [feature][width]
    std::vector<float> transformer_bias;  // [width]
    std::vector<float> output;            // [2 × width]
    float output_bias = 0;

    // Small random weights, the start of every training. The same seed gives the same network everywhere.
    static FloatNetwork random(int width, std::uint64_t seed);
    // The logit of the expected result for the side to move, by the book: the reference for everything
    // faster.
    float logit(const chess::Position& position) const;
};

// Quantised weights, immutable, shared by all who evaluate.
//   transformer and activation: value × kActivationScale in 16 bits, clipped to 0…kActivationScale
//   output:                     value × kOutputScale in 16 bits, summed in 32 bits
struct Network {
    static constexpr int kActivationScale = 255;
    static constexpr int kOutputScale = 1024;
    static constexpr int kWidthMultiple = 32;  // lanes of the widest vector
    static constexpr int kMaxWidth = 4096;

    NetworkInfo info;
    AlignedVector<std::int16_t> transformer;       // [feature][width]
    AlignedVector<std::int16_t> transformer_bias;  // [width]
    AlignedVector<std::int16_t> output;            // [2 × width]
    std::int32_t output_bias = 0;                  // × kActivationScale × kOutputScale

    int width() const { return info.width; }
    const std::int16_t* row(int feature) const {
        return transformer.data() + static_cast<std::ptrdiff_t>(feature) * info.width;
    }
    // Turns the output sum into a score; integer arithmetic, the same on every machine.
    chess::Score to_score(std::int32_t sum) const;
};

// Fresh evaluation with integer arithmetic and no vectors: what every kernel must agree with, exactly.
chess::Score evaluate_plainly(const Network& network, const chess::Position& position);

}  // namespace scholar::nets
