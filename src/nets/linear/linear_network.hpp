#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "chess/score.hpp"
#include "nets/aligned.hpp"
#include "nets/container/abilities.hpp"
#include "nets/container/history.hpp"
#include "nets/container/piece_values.hpp"
#include "nets/linear/linear_counts.hpp"
#include "nets/linear/stages.hpp"

// Architecture "linear": the value of a position for the side to move, in Score units, is
//
//   Σ over features f, stages s:  count of f (linear_feature_table.hpp) · share of s (stages.hpp) · weight f,
//   s
//
// Layout of all weights: [feature][stage].

namespace scholar::nets {

// A pawn where learning begins, in Score units. The paper (section 4.1) has tanh(β · value) = 0.25 for it; an
// expected result of (1 + tanh x) / 2 = 1 / (1 + exp(−2x)) makes that 400 · 2 · atanh(0.25) = 204.33.
constexpr double kPawnScore = 204.330249506;

constexpr std::size_t kLinearWeights = static_cast<std::size_t>(kLinearFeatures) * kStageCount;
constexpr std::size_t weight_index(int feature, Stage stage) {
    return static_cast<std::size_t>(feature) * kStageCount + static_cast<std::size_t>(stage);
}

// What a file says of itself beside its weights.
struct LinearInfo {
    PieceValues piece_values = kEqualPieceValues;
    History history;
};

// One entry of a gradient: the derivative of the value by the weight of this index.
struct Slope {
    std::uint32_t weight;
    float slope;
};

// Weights as learning has them, in Score units.
struct FloatLinearNetwork {
    LinearInfo info;
    std::vector<float> weights = std::vector<float>(kLinearWeights);

    // The paper's start: pawn 1, knight 4, bishop 4, rook 6, queen 12 pawns in all stages, everything else 0.
    static FloatLinearNetwork material_start();
    // The start of the paper's second experiment (section 4.2): every weight is that of a pawn.
    static FloatLinearNetwork all_pawns();

    // For the side to move; not rounded and without bound.
    double value(const chess::Position& position) const;
};

// The gradient of FloatLinearNetwork::value() by the weights, which does not depend on them: counts times
// shares, without those that are 0. Ordered by weight.
std::vector<Slope> gradient(const chess::Position& position);

// The fall of value when a piece of each kind is taken off the board, the mean over positions and pieces of
// both sides; at least 1. A board that would be impossible without the piece (the side not to move in check)
// is left out; a kind that is nowhere gets its material weight, the mean of the stages.
PieceValues measure_piece_values(const FloatLinearNetwork& network,
                                 const std::vector<chess::Position>& positions);

// Weights in fixed point, immutable, shared by all who evaluate: arithmetic with integers, which is the same
// on every machine. A value is off from that of the float weights by at most half a Score unit (rounding) and
// 1/128 for each count.
struct LinearNetwork {
    static constexpr int kUnit = 64;  // 1 Score unit
    // Of a sum of weights times counts times shares.
    static constexpr int kSumUnit = kUnit * StageShares::kWhole;
    static constexpr std::int32_t kLargestWeight = chess::Score::kEvaluationBound * kUnit;

    LinearInfo info;
    AlignedVector<std::int32_t> weights;

    const std::int32_t* row(int feature) const {
        return weights.data() + weight_index(feature, Stage::Opening);
    }
};

// Sums of weights times counts, by stage. 64 bits: no board overflows them whatever the weights.
using StageSums = std::array<std::int64_t, kStageCount>;
inline void accumulate(const LinearNetwork& network, const FeatureCounts& counts, StageSums& sums) {
    for (const auto& [feature, count] : counts) {
        const std::int32_t* const weights = network.row(feature);
        for (std::size_t stage = 0; stage < kStageCount; ++stage)
            sums[stage] += static_cast<std::int64_t>(weights[stage]) * count;
    }
}
// In units of 1 / kSumUnit.
std::int64_t weigh(const StageSums& sums, const StageShares& shares);
// Rounds to whole Score units, halves away from 0, and bounds them.
chess::Score to_score(std::int64_t weighed);

// Refuses weights that are no numbers or beyond the largest evaluation, naming the first.
base::Result<LinearNetwork> quantise(const FloatLinearNetwork& network);
// The rounded weights as floats: rounded again they are the same.
FloatLinearNetwork dequantise(const LinearNetwork& network);

// Fresh evaluation: what every faster one must agree with, exactly.
chess::Score evaluate_plainly(const LinearNetwork& network, const chess::Position& position);

// What AnyNetwork asks (nets/container/any_network.hpp).
std::string describe(const LinearNetwork& network);
// Eight hexadecimal digits of the hash of the weights: the part of a file name that tells networks apart.
std::string content_name(const LinearNetwork& network);
constexpr Abilities abilities(const LinearNetwork&) {
    return {Ability::Leaf};
}
constexpr Reads reads(const LinearNetwork&) {
    return {};
}

}  // namespace scholar::nets
