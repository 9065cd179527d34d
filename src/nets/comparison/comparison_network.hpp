#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/error.hpp"
#include "chess/position.hpp"
#include "chess/score.hpp"
#include "nets/comparison/comparison_bits.hpp"
#include "nets/container/abilities.hpp"
#include "nets/container/history.hpp"
#include "nets/container/piece_values.hpp"

// Architecture "comparison": which of two positions is better for White (DeepChess). An encoder makes a code
// of each position's bits, by full layers with ReLU, max(0, x), behind each. A head says of two codes how
// much the first is better; ReLU is behind all of its layers but the last.
//
//   a  773 ──▶ 600 ──▶ 400 ──▶ 200 ──▶ 100 ─┐
//                  (the same weights)        ├──▶ 400 ──▶ 200 ──▶ 100 ──▶ 2
//   b  773 ──▶ 600 ──▶ 400 ──▶ 200 ──▶ 100 ─┘
//
// z(a, b) is the logit of a's being better: P = 1 / (1 + e^−z).
//   pair            two outputs, of which a softmax is taken: z is the first less the second
//   antisymmetric   the same, and what it says with a and b exchanged, half of each: swapping the positions
//                   swaps the answer, z(b, a) = −z(a, b) exactly
//   split           the head sees one code and has one output f: z = f(a) − f(b) (R. Bradley and M. Terry
//   1952).
//                   f is a value, too: the logit of the expected result of White, so that its score is 400 ·
//                   f

namespace scholar::nets {

enum class ComparisonForm : std::uint8_t { Pair, Antisymmetric, Split };
std::string_view to_string(ComparisonForm form);

struct ComparisonShape {
    std::vector<int> encoder;  // units of its layers
    std::vector<int> head;     // units of its layers but the last
    ComparisonForm form = ComparisonForm::Pair;

    bool operator==(const ComparisonShape&) const = default;
};

// Beyond these there is no such network, and the memory that it would take is a slip or an attack.
struct ComparisonBounds {
    static constexpr int kLayers = 8;  // of the encoder, and of the head without its last
    static constexpr int kUnits = 4'096;
    static constexpr std::int64_t kWeights = 1 << 24;
    static constexpr double kSum = 1e30;  // what sums could reach
};

// Refuses an encoder without layers, and what is beyond the bounds.
base::Status check_shape(const ComparisonShape& shape);

struct ComparisonLayerSize {
    int inputs = 0;
    int outputs = 0;
};
std::vector<ComparisonLayerSize> encoder_layers(const ComparisonShape& shape);
// The last one with it. The first sees both codes, a's before b's; of form "split" one.
std::vector<ComparisonLayerSize> head_layers(const ComparisonShape& shape);

struct ComparisonLayer {
    std::vector<float> weight;  // [outputs][inputs]
    std::vector<float> bias;    // [outputs]
};

struct ComparisonInfo {
    ComparisonShape shape;
    PieceValues piece_values = kEqualPieceValues;
    History history;
};

// Immutable and shared once it is loaded.
struct ComparisonNetwork {
    ComparisonInfo info;
    std::vector<ComparisonLayer> encoder;  // as many as the shape says
    std::vector<ComparisonLayer> head;
};

// Calls visit(name, extents, array) with each array of a network, by the names of files: "encoder.0.weight"
// [outputs][inputs], "encoder.0.bias" [outputs], …, "head.0.weight", …. The network must have as many layers
// as its shape says.
template <class Net, class Visit>
    requires std::same_as<std::remove_const_t<Net>, ComparisonNetwork>
void for_each_weights(Net& network, Visit visit) {
    using Extents = std::vector<std::int64_t>;
    const auto visit_part = [&visit](const char* part, const auto& sizes, auto& layers) {
        for (std::size_t i = 0; i < layers.size(); ++i) {
            const std::string name = part + std::to_string(i);
            visit(name + ".weight", Extents{sizes[i].outputs, sizes[i].inputs}, layers[i].weight);
            visit(name + ".bias", Extents{sizes[i].outputs}, layers[i].bias);
        }
    };
    visit_part("encoder.", encoder_layers(network.info.shape), network.encoder);
    visit_part("head.", head_layers(network.info.shape), network.head);
}

// The layers of a shape, their arrays still empty.
ComparisonNetwork empty_comparison_network(const ComparisonShape& shape);
// All weights by lot (fill_by_lot in nets/container/weights.hpp).
ComparisonNetwork random_comparison_network(const ComparisonShape& shape, std::uint64_t seed);

// What no output of the head can exceed, whatever the positions; infinite if a sum on the way could exceed
// ComparisonBounds::kSum.
double largest_output(const ComparisonNetwork& network);
// Refuses a network whose arrays have not the sizes of its shape, hold what is no number, or whose sums could
// overflow.
base::Status check_network(const ComparisonNetwork& network);

// By plain loops in double precision: what kernels agree with, but for what float32 rounds.
std::vector<double> code_plainly(const ComparisonNetwork& network, const chess::Position& position);
// z.
double logit_plainly(const ComparisonNetwork& network, const chess::Position& a, const chess::Position& b);
// White's score by f, from the viewpoint of `side`.
chess::Score comparison_score(double f, chess::Color side);

// What AnyNetwork asks (nets/container/any_network.hpp).
std::string describe(const ComparisonNetwork& network);
std::string content_name(const ComparisonNetwork& network);
Abilities abilities(const ComparisonNetwork& network);
Reads reads(const ComparisonNetwork& network);
// Null but of form "split": nothing else says what pieces are worth.
const PieceValues* piece_values(const ComparisonNetwork& network);
// By the kernels, as the leaves of a search are, so that both are the same number. Nothing but of form
// "split".
std::optional<chess::Score> evaluate_plainly(const ComparisonNetwork& network,
                                             const chess::Position& position);

}  // namespace scholar::nets
