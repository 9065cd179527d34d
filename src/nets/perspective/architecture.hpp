#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "nets/perspective/feature_set.hpp"

// Architecture "perspective":
//
//   active features, own viewpoint   → transformer (shared) → clip 0…1 → activation ┐
//                                                                                   ├→ head → logit of the
//                                                                                   expected result
//   active features, enemy viewpoint → transformer (shared) → clip 0…1 → activation ┘
//
//   head: hidden layer → clip 0…1 → … → output, or the output alone
//
// "Own" is the side to move. The transformer is one row of `width` weights for each feature, plus a bias. The
// first layer of the head gets `outputs` numbers of either viewpoint, own first, each of the others all of
// the one before it. Each has weights and biases for each of some ranges of the number of pieces on the
// board, so that there are as many heads.

namespace scholar::nets {

// What the head gets of the transformer's sums, which are clipped to 0…1 first.
enum class Activation : std::uint8_t {
    Clipped,  // each of them
    Squared,  // the square of each
    Paired,   // products of two: those of unit i and of unit i + width / 2
};

// As recipes name them.
std::string_view to_string(Activation activation);
base::Result<Activation> find_activation(std::string_view name);

// Units that give one number to the head together.
constexpr int group_size(Activation activation) {
    return activation == Activation::Paired ? 2 : 1;
}

// That number, in floats as in integers, of the clipped sums of a unit and its partner
// (Architecture::partner()).
template <class T>
constexpr T activate(Activation activation, T clipped, T partner) {
    return activation == Activation::Clipped ? clipped : clipped * partner;
}

// What a network is apart from its weights.
struct Architecture {
    static constexpr int kWidthMultiple = 32;  // lanes of the widest vector
    static constexpr int kMaxWidth = 4096;
    static constexpr int kMaxPieces = 32;
    static constexpr std::array kOutputBuckets{1, 2, 4, 8};
    static constexpr int kHiddenMultiple = 16;  // sums of a hidden layer in the widest vector
    static constexpr int kMaxHidden = 256;
    static constexpr int kMaxHiddenLayers = 4;

    const FeatureSet* features = &plain_features();  // of those that find_feature_set() knows
    int width = 0;
    Activation activation = Activation::Clipped;
    // Heads are learnt apart for so many ranges of the number of pieces: 1, 2, 4 or 8.
    int output_buckets = 1;
    // Units of each hidden layer, from the first on, at most kMaxHiddenLayers: multiples of kHiddenMultiple
    // up to kMaxHidden.
    std::vector<int> hidden{};

    // Which of them a board with `pieces` pieces, 1 to kMaxPieces, belongs to: the more pieces the higher.
    int output_bucket(int pieces) const { return (pieces - 1) * output_buckets / kMaxPieces; }

    // Numbers that each viewpoint gives to the head.
    int outputs() const { return width / group_size(activation); }
    // The unit that goes into such a number beside the unit of the same index: that itself, or the other of a
    // pair.
    int partner(int output) const { return (output + outputs()) % width; }
    // Of which the width is a multiple, so that `outputs` is one of kWidthMultiple.
    int width_multiple() const { return kWidthMultiple * group_size(activation); }

    // Numbers that a layer of the head gets; layer number hidden.size() is the output.
    int head_inputs(std::size_t layer) const { return layer == 0 ? 2 * outputs() : hidden[layer - 1]; }
    int output_inputs() const { return head_inputs(hidden.size()); }

    bool operator==(const Architecture&) const = default;
};

// "a multiple of 32", and why if it is more: how error messages say which widths there may be.
std::string expected_widths(const Architecture& architecture);

// Why there are no such hidden layers, "is …, expected …"; nothing if there may be.
base::Status check_hidden(const std::vector<int>& hidden);

// For people: "768 → 256 × 2 → 1, clipped"; with output buckets "768 → 256 × 2 → 1 of 8, clipped"; with
// hidden layers "768 → 256 × 2 → 16 → 32 → 1, clipped".
std::string to_string(const Architecture& architecture);

}  // namespace scholar::nets
