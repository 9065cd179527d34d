#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "chess/position.hpp"
#include "nets/aligned.hpp"
#include "nets/container/abilities.hpp"
#include "nets/container/history.hpp"
#include "nets/container/piece_values.hpp"
#include "nets/perspective/architecture.hpp"
#include "nets/perspective/first_layer.hpp"
#include "nets/perspective/network.hpp"
#include "nets/sparse_policy/move_rows.hpp"

// Architecture "sparse-policy": how likely each legal move is, cheaply enough for every node of a search.
//
//   active features, viewpoint of the side to move → transformer → clip 0…1 → activation → units
//
//   logit of a move = Σ over its rows of (units · weights of the row + bias of the row)
//
// The sums of the transformer follow a search's moves as those of a perspective network do; a move costs a
// dot product, or three. Probabilities are the softmax of the logits over the legal moves.

namespace scholar::nets {

// What such a network is apart from its weights.
struct SparsePolicyInfo {
    // Feature set, width and activation; one output bucket and no hidden layers.
    Architecture architecture;
    PolicyRows rows = PolicyRows::Exchanges;
    // Those by which exchanges are judged.
    PieceValues piece_values = kEqualPieceValues;
    History history;

    int units() const { return architecture.outputs(); }
};

// Weights as the trainer has them.
struct FloatSparsePolicy {
    SparsePolicyInfo info;
    std::vector<float> transformer;       // [feature][width]
    std::vector<float> transformer_bias;  // [width]
    std::vector<float> output;            // [row][unit]
    std::vector<float> output_bias;       // [row]

    // Small random weights, the start of every training. The same seed gives the same network everywhere.
    static FloatSparsePolicy random(const SparsePolicyInfo& info, std::uint64_t seed);
    // The logits of all legal moves, by the book: the reference for everything faster.
    std::vector<float> logits(const chess::Position& position, const chess::MoveList& moves) const;
};

// Quantised weights, immutable, shared by all who ask.
//   transformer: value × Network::kActivationScale in 16 bits, its sums clipped to
//   0…Network::kActivationScale units:       of activations that multiply, Network::kProductShift bits are
//   lost, rounded output:      value × output_scale in 8 bits, times units in 16, summed in 32 bits
struct SparsePolicyNetwork {
    static constexpr int kFinestScale = 128;
    static constexpr int kCoarsestScale = 16;  // a power of 2 below the finest
    static constexpr int kLargestWeight = 127;

    SparsePolicyInfo info;
    AlignedVector<std::int16_t> transformer;       // [feature][width]
    AlignedVector<std::int16_t> transformer_bias;  // [width]
    AlignedVector<std::int8_t> output;             // [row][unit]
    std::vector<std::int32_t> output_bias;         // [row], × logit_unit()
    int output_scale = 0;                          // the finest at which the weights fit

    FirstLayer first_layer() const {
        return {info.architecture.features, info.architecture.width, transformer.data(),
                transformer_bias.data()};
    }
    // A logit of 1.
    double logit_unit() const {
        const Architecture& architecture = info.architecture;
        return static_cast<double>(Network::activation_unit(architecture)) * output_scale /
               (1 << Network::output_shift(architecture));
    }
};

// Calls each(name, shape, array) for all arrays of weights, by the names and shapes that files give them.
template <class Net, class Each>
    requires requires(Net& network) { network.info.rows; }
void for_each_weights(Net& network, Each each) {
    using Shape = std::vector<std::int64_t>;
    const Architecture& architecture = network.info.architecture;
    const std::int64_t rows = row_count(network.info.rows);
    each("transformer.weight", Shape{architecture.features->size(), architecture.width}, network.transformer);
    each("transformer.bias", Shape{architecture.width}, network.transformer_bias);
    each("output.weight", Shape{rows, network.info.units()}, network.output);
    each("output.bias", Shape{rows}, network.output_bias);
}

// The largest sum, of either sign, that the logit of a move could reach, of 2,147,483,647.
struct SparsePolicyBounds {
    FirstLayerReach transformer;
    std::int64_t output = 0;
};
// Refuses weights whose sums could overflow on any board of at most 32 pieces.
base::Result<SparsePolicyBounds> check_bounds(const SparsePolicyNetwork& network);

// Rounds to integers. Refuses, with count and range, weights that do not fit, and what check_bounds()
// refuses.
base::Result<SparsePolicyNetwork> quantise(const FloatSparsePolicy& source);

// The floats that these integers stand for, from which training can go on: quantise() makes the same of them.
FloatSparsePolicy to_floats(const SparsePolicyNetwork& source);

// The logits of all legal moves × logit_unit(), with integer arithmetic and no vectors: what every kernel
// must agree with, exactly.
std::vector<std::int32_t> logits_plainly(const SparsePolicyNetwork& network, const chess::Position& position,
                                         const chess::MoveList& moves);

// What AnyNetwork asks (nets/container/any_network.hpp).
std::string describe(const SparsePolicyInfo& info);
std::string describe(const SparsePolicyNetwork& network);
std::string content_name(const SparsePolicyNetwork& network);
constexpr Abilities abilities(const SparsePolicyNetwork&) {
    return {Ability::Policy};
}
constexpr Reads reads(const SparsePolicyNetwork&) {
    return {};
}

}  // namespace scholar::nets
