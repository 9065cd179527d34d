#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "chess/score.hpp"
#include "nets/aligned.hpp"
#include "nets/container/abilities.hpp"
#include "nets/container/history.hpp"
#include "nets/container/piece_values.hpp"
#include "nets/perspective/architecture.hpp"
#include "nets/perspective/first_layer.hpp"

namespace scholar::nets {

// What a network file says of itself beside its weights.
struct NetworkInfo {
    Architecture architecture;
    PieceValues piece_values = kEqualPieceValues;
    History history;
};

// A hidden layer as the trainer has it.
struct FloatLayer {
    std::vector<float> weight;  // [output bucket][unit][input]
    std::vector<float> bias;    // [output bucket][unit]

    static std::vector<std::int64_t> shape(int buckets, int units, int inputs) {
        return {buckets, units, inputs};
    }
};

// Weights as the trainer has them. Inputs of the head's first layer: own first, then enemy.
struct FloatNetwork {
    using Layer = FloatLayer;

    NetworkInfo info;
    std::vector<float> transformer;       // [feature][width]
    std::vector<float> transformer_bias;  // [width]
    std::vector<FloatLayer> hidden;       // none, or from the first on
    std::vector<float> output;            // [output bucket][input]
    std::vector<float> output_bias;       // [output bucket]

    // Small random weights, the start of every training. The same seed gives the same network everywhere.
    static FloatNetwork random(const Architecture& architecture, std::uint64_t seed);
    // The logit of the expected result for the side to move, by the book: the reference for everything
    // faster.
    float logit(const chess::Position& position) const;
};

// A quantised hidden layer. Its sums, in 32 bits, are shifted right and clipped to 0…Network::kHiddenScale.
struct Layer {
    // So far, as its weights allow: the further, the finer these are.
    static constexpr int kLeastShift = 6;
    static constexpr int kMostShift = 13;

    // [output bucket][pair of inputs][unit][2]: products of two are added up at once, and the sums of all
    // units stand side by side.
    AlignedVector<std::int16_t> weight;
    // [output bucket][unit], × Network::kHiddenScale << shift, and half of what the shift throws away: so it
    // rounds.
    AlignedVector<std::int32_t> bias;
    int shift = 0;

    static std::vector<std::int64_t> shape(int buckets, int units, int inputs) {
        return {buckets, inputs / 2, units, 2};
    }
    // Where in `weight` one of them is…
    static std::size_t index(int bucket, int unit, int input, int units, int inputs) {
        const std::ptrdiff_t pair = std::ptrdiff_t{bucket} * (inputs / 2) + input / 2;
        return static_cast<std::size_t>((pair * units + unit) * 2 + input % 2);
    }
    // …and in `bias`.
    static std::size_t bias_index(int bucket, int unit, int units) {
        return static_cast<std::size_t>(std::ptrdiff_t{bucket} * units + unit);
    }
};

// Quantised weights, immutable, shared by all who evaluate.
//   transformer: value × kActivationScale in 16 bits, its sums clipped to 0…kActivationScale
//   hidden:      value × hidden_scale() in 16 bits, times activations in 16 bits, summed in 32 bits
//   output:      value × output_scale in 16 bits, times activations summed in 32 bits
struct Network {
    using Layer = nets::Layer;
    static constexpr int kActivationScale = 255;
    // An activation of 1 behind a hidden layer.
    static constexpr int kHiddenScale = 4096;
    // Products of clipped sums lose so many bits, rounded, to fit in 16 on their way into the head.
    static constexpr int kProductShift = 4;
    static constexpr int kProductHalf = 1 << (kProductShift - 1);

    NetworkInfo info;
    AlignedVector<std::int16_t> transformer;       // [feature][width]
    AlignedVector<std::int16_t> transformer_bias;  // [width]
    std::vector<Layer> hidden;                     // none, or from the first on
    AlignedVector<std::int16_t> output;            // [output bucket][input]
    std::vector<std::int32_t> output_bias;         // [output bucket], × output_unit()
    int output_scale = 0;                          // one that OutputRange allows

    int width() const { return info.architecture.width; }
    FirstLayer first_layer() const {
        return {info.architecture.features, width(), transformer.data(), transformer_bias.data()};
    }
    const std::int16_t* output_weights(int bucket) const {
        return output.data() + static_cast<std::ptrdiff_t>(bucket) * info.architecture.output_inputs();
    }
    // An output of 1: of that the bias is a multiple.
    int output_unit() const { return activation_unit(info.architecture) * output_scale; }
    // What comes into the output, before bits are lost, of an activation of 1, which is also the most there
    // is.
    static int activation_unit(const Architecture& architecture) {
        return architecture.hidden.empty()
                   ? activate(architecture.activation, kActivationScale, kActivationScale)
                   : kHiddenScale;
    }
    // The bits that are lost…
    static int output_shift(const Architecture& architecture) {
        return architecture.hidden.empty() && architecture.activation != Activation::Clipped ? kProductShift
                                                                                             : 0;
    }
    // …and the most that the output gets then.
    static int output_top(const Architecture& architecture) {
        const int shift = output_shift(architecture);
        return (activation_unit(architecture) + (shift > 0 ? kProductHalf : 0)) >> shift;
    }
    // The most that a hidden layer gets…
    static int hidden_top(const Architecture& architecture, std::size_t layer) {
        if (layer > 0) return kHiddenScale;
        return architecture.activation == Activation::Clipped
                   ? kActivationScale
                   : (kActivationScale * kActivationScale + kProductHalf) >> kProductShift;
    }
    // …and the integer of a weight of 1 there: a sum of 1 is then kHiddenScale << shift.
    static double hidden_scale(const Architecture& architecture, std::size_t layer, int shift) {
        double one = kHiddenScale;  // an activation of 1 that the layer gets, before bits are lost
        if (layer == 0)
            one = architecture.activation == Activation::Clipped
                      ? kActivationScale
                      : static_cast<double>(kActivationScale * kActivationScale) / (1 << kProductShift);
        return static_cast<double>(kHiddenScale << shift) / one;
    }
    // Turns the sum of what the output gets, times its weights, into a score; integer arithmetic, the same on
    // every machine.
    chess::Score to_score(std::int32_t sum, int bucket) const;
};

// How output weights may be rounded. Each network takes the finest of the scales at which its own weights,
// and the sum of all, fit.
struct OutputRange {
    int finest_scale;
    int coarsest_scale;  // a power of 2 below the finest

    bool allows(int scale) const {
        return scale <= finest_scale && scale >= coarsest_scale && finest_scale % scale == 0;
    }
};
inline OutputRange output_range(const Architecture& architecture) {
    const bool one_scale = architecture.hidden.empty() && architecture.activation == Activation::Clipped;
    return {1024, one_scale ? 1024 : 16};
}

// Calls each(name, shape, array) for all arrays of weights that a FloatNetwork or a Network has, by the names
// and shapes that files give them.
template <class Net, class Each>
void for_each_weights(Net& network, Each each) {
    using Shape = std::vector<std::int64_t>;
    const Architecture& architecture = network.info.architecture;
    const std::int64_t buckets = architecture.output_buckets;
    each("transformer.weight", Shape{architecture.features->size(), architecture.width}, network.transformer);
    each("transformer.bias", Shape{architecture.width}, network.transformer_bias);
    for (std::size_t i = 0; i < network.hidden.size(); ++i) {
        const int units = architecture.hidden[i];
        each(fmt::format("hidden.{}.weight", i + 1),
             Net::Layer::shape(architecture.output_buckets, units, architecture.head_inputs(i)),
             network.hidden[i].weight);
        each(fmt::format("hidden.{}.bias", i + 1), Shape{buckets, units}, network.hidden[i].bias);
    }
    each("output.weight", Shape{buckets * architecture.output_inputs()}, network.output);
    each("output.bias", Shape{buckets}, network.output_bias);
}

// Fresh evaluation with integer arithmetic and no vectors: what every kernel must agree with, exactly.
chess::Score evaluate_plainly(const Network& network, const chess::Position& position);

// What AnyNetwork asks (nets/container/any_network.hpp).
std::string describe(const Network& network);
// Eight hexadecimal digits of the hash of the weights: the part of a file name that tells networks apart.
std::string content_name(const Network& network);
constexpr Abilities abilities(const Network&) {
    return {Ability::Leaf};
}
constexpr Reads reads(const Network&) {
    return {};
}

}  // namespace scholar::nets
