#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/error.hpp"
#include "chess/score.hpp"
#include "nets/container/abilities.hpp"
#include "nets/container/history.hpp"
#include "nets/container/piece_values.hpp"
#include "nets/dense/dense_feature_set.hpp"
#include "nets/dense/dense_move_set.hpp"

// Architecture "dense": layers of units over the numbers of a feature set, as Giraffe's evaluation (section
// 4.2) and its network for moves (section 6) are. A layer is a row of blocks, each of which sees a range of
// what the layer below gives: modalities stay apart where their blocks do, and no weight that is always 0 is
// kept. Every layer but the last goes through ReLU, max(0, x).
//
//   position  19 ──block──▶ 32 ─┐
//   pieces   216 ──block──▶ 64 ─┼──block──▶ 64 ──block──▶ 1 = z
//   squares  128 ──block──▶ 32 ─┘
//
// Output "tanh": tanh z is twice the expected result of White less 1, so that White's score is 800 · z (the
// logit of (1 + tanh z) / 2 is 2 z, and a score is 400 times a logit). Of networks that judge a move: output
// "logistic": 1 / (1 + e^−z) is how likely the move that the inputs describe is to be best, and these are
// divided by their sum over the legal moves; output "softmax": e^z is, likewise.

namespace scholar::nets {

enum class DenseOutput : std::uint8_t { Tanh, Logistic, Softmax };
std::string_view to_string(DenseOutput output);

// Units that see `inputs` numbers of the layer below, from `first_input` on.
struct DenseBlockShape {
    int first_input = 0;
    int inputs = 0;
    int outputs = 0;

    bool operator==(const DenseBlockShape&) const = default;
};
// What the layer gives is that of its blocks, one after another.
using DenseLayerShape = std::vector<DenseBlockShape>;
int outputs_of(const DenseLayerShape& layer);

struct DenseShape {
    const DenseFeatureSet* features = nullptr;
    // What numbers describe a move, after those of the position; null: positions alone are judged. None is
    // negative or larger than DenseFeatureSet::kLargest.
    const DenseMoveSet* moves = nullptr;
    std::vector<DenseLayerShape> layers;
    DenseOutput output = DenseOutput::Tanh;

    int move_inputs() const { return moves ? moves->size() : 0; }
    int inputs() const { return features->size() + move_inputs(); }
    bool operator==(const DenseShape&) const = default;
};

// Layers `apart` in which each modality has a block of so many units, one number for each modality (and one
// for the move, if there are inputs of one, last), then full layers of `joint` units, then one unit.
// check_shape() says whether there is such a network.
DenseShape dense_shape(const DenseFeatureSet& features, const std::vector<std::vector<int>>& apart,
                       const std::vector<int>& joint, const DenseMoveSet* moves = nullptr,
                       DenseOutput output = DenseOutput::Tanh);

// Beyond these there is no such network, and the memory that it would take is a slip or an attack.
struct DenseBounds {
    static constexpr int kLayers = 8;
    static constexpr int kBlocks = 64;    // of a layer
    static constexpr int kUnits = 4'096;  // of a layer
    static constexpr std::int64_t kWeights = 1 << 24;
    static constexpr double kSum = 1e30;  // what sums could reach
};

// Refuses sizes that are 0 or beyond the bounds, blocks that see what is not there, a last layer of more than
// one unit, an output that does not go with the inputs.
base::Status check_shape(const DenseShape& shape);

struct DenseBlock {
    std::vector<float> weight;  // [outputs][inputs]
    std::vector<float> bias;    // [outputs]
};

struct DenseInfo {
    DenseShape shape;
    PieceValues piece_values = kEqualPieceValues;
    History history;
};

// Immutable and shared once it is loaded.
struct DenseNetwork {
    DenseInfo info;
    std::vector<std::vector<DenseBlock>> layers;  // as many, of as many blocks, as the shape says
};

// Calls visit(name, shape, array) with each array of a network, in the order of evaluation, by the names of
// files: "layer.0.block.2.weight" [outputs][inputs], "layer.0.block.2.bias" [outputs], both counted from 0.
// The network must have as many layers and blocks as its shape says.
template <class Net, class Visit>
    requires std::same_as<std::remove_const_t<Net>, DenseNetwork>
void for_each_weights(Net& network, Visit visit) {
    using Extents = std::vector<std::int64_t>;
    for (std::size_t layer = 0; layer < network.layers.size(); ++layer)
        for (std::size_t block = 0; block < network.layers[layer].size(); ++block) {
            const DenseBlockShape& shape = network.info.shape.layers[layer][block];
            auto& of = network.layers[layer][block];
            const std::string name = "layer." + std::to_string(layer) + ".block." + std::to_string(block);
            visit(name + ".weight", Extents{shape.outputs, shape.inputs}, of.weight);
            visit(name + ".bias", Extents{shape.outputs}, of.bias);
        }
}

// Layers and blocks of a shape, their arrays still empty.
DenseNetwork empty_dense_network(const DenseShape& shape);
// All weights by lot, of a size that keeps activations in bounds (He et al. 2015): for tests, and to measure
// speed. The same seed gives the same network everywhere.
DenseNetwork random_dense_network(const DenseShape& shape, std::uint64_t seed);

// What |z| cannot exceed, whatever the position; infinite if a sum on the way could exceed DenseBounds::kSum.
double largest_output(const DenseNetwork& network);
// Refuses a network whose arrays have not the sizes of its shape, hold what is no number, or whose sums could
// overflow.
base::Status check_network(const DenseNetwork& network);

// z for inputs(), by plain loops in double precision: what kernels agree with, but for what float32 rounds.
double dense_output(const DenseNetwork& network, std::span<const float> inputs);
// White's score by z of output "tanh", from the viewpoint of `side`.
chess::Score dense_score(double z, chess::Color side);

// What AnyNetwork asks (nets/container/any_network.hpp).
std::string describe(const DenseNetwork& network);
std::string content_name(const DenseNetwork& network);
// Of a network that judges moves: probabilities; it can nothing for a position alone.
Abilities abilities(const DenseNetwork& network);
Reads reads(const DenseNetwork& network);
// By the kernels, as the leaves of a search are, so that both are the same number.
std::optional<chess::Score> evaluate_plainly(const DenseNetwork& network, const chess::Position& position);

}  // namespace scholar::nets
