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
#include "nets/container/abilities.hpp"
#include "nets/container/history.hpp"
#include "nets/container/piece_values.hpp"
#include "nets/conv/planes.hpp"
#include "nets/conv/policy_moves.hpp"
#include "nets/conv/square_policy.hpp"

// Architecture "residual": convolutions over the board, as AlphaZero and lc0 have them.
//
//   input       3×3 convolution of the planes (planes.hpp) to `filters`, activation
//   blocks      each: 3×3 convolution, activation, 3×3 convolution, squeeze-excitation where there is
//               one, the block's input added, activation
//   squeeze-    the mean of each filter over the board → dense to `squeeze` units, activation → dense to
//   excitation  2 · filters: sigmoid of the first half is what each filter is multiplied by, the second half
//               is added to it (Hu et al. 2017, with lc0's offsets)
//   policy      convolutional: 3×3 convolution to `policy_filters`, activation, 3×3 convolution to 73 planes,
//               which are moves (policy_moves.hpp). Dense: 1×1 convolution to `policy_filters`, activation,
//               dense to 1,858 moves. Softmax over the legal moves. Squares: 1×1 convolution to
//               2 · policy_filters + 4 planes: a vector of policy_filters numbers for each square as the one
//               that a move leaves, one as the one that it reaches, a logit for the first, and three for
//               promotions; the logit of a pair of squares is the product of their vectors, divided by
//               √policy_filters, and a weight of that pair; a square that is left has a weight, too
//               (square_policy.hpp). Source and target: two heads, each 1×1 convolution to `policy_filters`,
//               activation, dense to `policy_units`, activation, dense to 64 logits: of the square that the
//               move leaves, behind the first `source_blocks` blocks, and of the one that it reaches, behind
//               all; that of a move is the sum of both (source_target_logit())
//   value       1×1 convolution to `value_filters`, activation, dense to `value_units`, activation, where
//               there are any dense to `value_second_units`, activation, dense to one number, whose
//               hyperbolic tangent is twice the expected result less 1; or to three, whose softmax are the
//               chances to win, draw and lose
//   moves left  likewise to one number, at least 0: half-moves to the end of the game
//
// Convolutions are those of the field (cross-correlation, 0 beyond the edges), dense layers read
// [filter][rank][file]. Batch norm is folded into the convolution before it (fold_batch_norm()). Results are
// those of the side to move.

namespace scholar::nets {

enum class ConvActivation : std::uint8_t {
    Relu,
    Mish,  // x · tanh(ln(1 + eˣ)) (Misra 2019)
    Tanh,
    Prelu,  // x, or slope · x where that is negative, with a slope of each filter or unit (He et al. 2015)
};
// The numbers of the body's layers: their inputs, outputs and weights. Sums are in float32 in both.
enum class Precision : std::uint8_t {
    F32,
    Bf16,  // 8 bits of exponent, 8 of mantissa: faster where the processor multiplies them
};
enum class PolicyForm : std::uint8_t { None, Convolutional, Dense, Squares, SourceTarget };
enum class ValueForm : std::uint8_t {
    None,
    Expected,  // "classical" in lc0
    Wdl,
};
std::string_view to_string(ConvActivation activation);
std::string_view to_string(Precision precision);
std::string_view to_string(PolicyForm form);
std::string_view to_string(ValueForm form);

struct ConvShape {
    PlanesInput input{};
    int filters = 64;
    int blocks = 6;
    int squeeze = 0;  // 0: no squeeze-excitation
    ConvActivation activation = ConvActivation::Relu;
    PolicyForm policy = PolicyForm::Convolutional;
    int policy_filters = 64;
    int policy_units = 0;   // of source and target, as the next; 0 of any other policy
    int source_blocks = 0;  // 0 to `blocks`
    ValueForm value = ValueForm::Wdl;
    int value_filters = 32;
    int value_units = 128;
    int value_second_units = 0;  // 0: no such layer
    int moves_left_filters = 0;  // 0: no such head
    int moves_left_units = 0;

    bool operator==(const ConvShape&) const = default;
};

// Beyond these there is no such network, and the memory that it would take is a slip or an attack.
struct ConvBounds {
    static constexpr int kFilters = 1'024;
    static constexpr int kBlocks = 128;
    static constexpr int kUnits = 4'096;
};

// How many planes the 1×1 convolution of a policy of squares has.
constexpr int square_planes(const ConvShape& shape) {
    return 2 * shape.policy_filters + 1 + kUnderpromotions;
}

// Refuses sizes that are 0, or beyond what any such network has.
base::Status check_shape(const ConvShape& shape);
// Of the architecture: 2 with source and target, slopes or a second layer of the value, which older programs
// do not know; 1 with none of them.
int version_of(const ConvShape& shape);

// Weights [outputs][inputs][rank][file] of a convolution or [outputs][inputs] of a dense layer, and biases
// [outputs].
struct ConvLayer {
    std::vector<float> weight;
    std::vector<float> bias;
    // [outputs], of the activation behind it, where that is Prelu: behind a block's second convolution it
    // comes after the sum. Empty otherwise.
    std::vector<float> slope{};
};

struct ResidualBlock {
    ConvLayer first;
    ConvLayer second;
    ConvLayer squeeze;  // both empty without squeeze-excitation
    ConvLayer excite;
};

// The layers of a value head, of moves left, of source or of target.
struct ConvHead {
    ConvLayer planes;
    ConvLayer hidden;
    ConvLayer second;  // empty: there is none
    ConvLayer output;
};

struct ConvInfo {
    ConvShape shape;
    History history;
    // For exchanges, where it plays at the leaves of alpha-beta; nothing where none were measured.
    std::optional<PieceValues> learnt_piece_values;
    // Whose moves it is asked for, where its input has ratings: a matter of who opened it, not of the file.
    // 0: of those of rating_most.
    int asked_rating = 0;
    // In what it is to be worked out: a matter of who opened it, not of the file.
    Precision precision = Precision::F32;
    // Whose file it was, for people: "lc0"; "" of our own.
    std::string origin;
};

// Immutable and shared once it is loaded.
struct ConvNetwork {
    ConvInfo info;
    ConvLayer input;
    std::vector<ResidualBlock> blocks;
    ConvLayer policy_first;   // 3×3, or 1×1 where the policy is dense or of squares
    ConvLayer policy_second;  // to 73 planes, dense to 1,858 moves, or weights of [from][to] and of [from]
    ConvHead source;          // of source and target, in place of these two
    ConvHead target;
    ConvHead value;
    ConvHead moves_left;
};

// Calls visit(name, shape, array) with each array that a network of this shape has, in the order of
// evaluation. The names are those of files: "input.weight" [filters][planes][3][3], "input.bias" [filters],
// "block.0.conv1.weight", "block.0.conv2.weight", "block.0.squeeze.weight" [squeeze][filters],
// "block.0.excite.weight" [2 · filters][squeeze], "policy.conv1.weight" and "policy.conv2.weight", or
// "policy.conv1.weight" [policy_filters][filters][1][1] and "policy.dense.weight", or "policy.planes.weight"
// [square_planes()][filters][1][1] and "policy.squares.weight" [64][64], "source.conv.weight" and
// "target.conv.weight", "value.conv.weight", "value.hidden.weight", "value.second.weight",
// "value.output.weight", "moves_left.conv.weight", …; each with its "….bias", and with its "….slope" where
// Prelu is behind it. The network must have as many blocks as its shape says.
template <class Net, class Visit>
    requires std::same_as<std::remove_const_t<Net>, ConvNetwork>
void for_each_weights(Net& network, Visit visit) {
    using Extents = std::vector<std::int64_t>;
    const ConvShape& shape = network.info.shape;
    const auto layer = [&visit](const std::string& name, auto& of, const Extents& extents) {
        visit(name + ".weight", extents, of.weight);
        visit(name + ".bias", Extents{extents.front()}, of.bias);
    };
    const auto active = [&](const std::string& name, auto& of, const Extents& extents) {
        layer(name, of, extents);
        if (shape.activation == ConvActivation::Prelu)
            visit(name + ".slope", Extents{extents.front()}, of.slope);
    };
    const auto convolution = [&active](const std::string& name, auto& of, int outputs, int inputs, int size) {
        active(name, of, {outputs, inputs, size, size});
    };
    constexpr int squares = kPlaneSquares;

    convolution("input", network.input, shape.filters, plane_count(shape.input), 3);
    for (std::size_t i = 0; i < network.blocks.size(); ++i) {
        auto& block = network.blocks[i];
        const std::string name = "block." + std::to_string(i);
        convolution(name + ".conv1", block.first, shape.filters, shape.filters, 3);
        convolution(name + ".conv2", block.second, shape.filters, shape.filters, 3);
        if (shape.squeeze == 0) continue;
        layer(name + ".squeeze", block.squeeze, {shape.squeeze, shape.filters});
        layer(name + ".excite", block.excite, {2 * shape.filters, shape.squeeze});
    }
    const auto head = [&](const std::string& name, auto& of, int filters, int units, int second,
                          int outputs) {
        convolution(name + ".conv", of.planes, filters, shape.filters, 1);
        active(name + ".hidden", of.hidden, {units, filters * squares});
        if (second > 0) active(name + ".second", of.second, {second, units});
        layer(name + ".output", of.output, {outputs, second > 0 ? second : units});
    };
    if (shape.policy == PolicyForm::Convolutional) {
        convolution("policy.conv1", network.policy_first, shape.policy_filters, shape.filters, 3);
        layer("policy.conv2", network.policy_second, {kPolicyPlanes, shape.policy_filters, 3, 3});
    } else if (shape.policy == PolicyForm::Dense) {
        convolution("policy.conv1", network.policy_first, shape.policy_filters, shape.filters, 1);
        layer("policy.dense", network.policy_second, {kPolicyMoves, shape.policy_filters * squares});
    } else if (shape.policy == PolicyForm::Squares) {
        layer("policy.planes", network.policy_first, {square_planes(shape), shape.filters, 1, 1});
        layer("policy.squares", network.policy_second, {squares, squares});
    } else if (shape.policy == PolicyForm::SourceTarget) {
        head("source", network.source, shape.policy_filters, shape.policy_units, 0, squares);
        head("target", network.target, shape.policy_filters, shape.policy_units, 0, squares);
    }
    if (shape.value != ValueForm::None)
        head("value", network.value, shape.value_filters, shape.value_units, shape.value_second_units,
             shape.value == ValueForm::Wdl ? 3 : 1);
    if (shape.moves_left_filters > 0)
        head("moves_left", network.moves_left, shape.moves_left_filters, shape.moves_left_units, 0, 1);
}

// All weights by lot, of a size that keeps activations in bounds (He et al. 2015): for tests, and to measure
// speed. The same seed gives the same network everywhere.
ConvNetwork random_conv_network(const ConvShape& shape, std::uint64_t seed);

// Folds y = gamma · (conv(x) − mean) / √(variance + epsilon) + beta into the convolution, one entry of each
// an output. A bias it already has belongs to conv(x).
void fold_batch_norm(ConvLayer& layer, std::span<const float> mean, std::span<const float> variance,
                     std::span<const float> gamma, std::span<const float> beta, float epsilon);

// Refuses a network whose arrays have not the sizes of its shape, or hold what is no number.
base::Status check_network(const ConvNetwork& network);

// What AnyNetwork asks (nets/container/any_network.hpp).
std::string describe(const ConvNetwork& network);
std::string content_name(const ConvNetwork& network);
Abilities abilities(const ConvNetwork& network);
Reads reads(const ConvNetwork& network);
const PieceValues* piece_values(const ConvNetwork& network);

}  // namespace scholar::nets
