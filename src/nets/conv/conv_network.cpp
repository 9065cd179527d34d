#include "nets/conv/conv_network.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.hpp"
#include "nets/container/weights.hpp"

namespace scholar::nets {

std::string_view to_string(ConvActivation activation) {
    switch (activation) {
        case ConvActivation::Relu:
            return "relu";
        case ConvActivation::Mish:
            return "mish";
        case ConvActivation::Tanh:
            return "tanh";
        case ConvActivation::Prelu:
            return "prelu";
    }
    return "";
}

std::string_view to_string(Precision precision) {
    return precision == Precision::F32 ? "f32" : "bf16";
}

std::string_view to_string(PolicyForm form) {
    switch (form) {
        case PolicyForm::None:
            return "none";
        case PolicyForm::Convolutional:
            return "convolutional";
        case PolicyForm::Dense:
            return "dense";
        case PolicyForm::Squares:
            return "squares";
        case PolicyForm::SourceTarget:
            return "source-target";
    }
    return "";
}

std::string_view to_string(ValueForm form) {
    switch (form) {
        case ValueForm::None:
            return "none";
        case ValueForm::Expected:
            return "expected";
        case ValueForm::Wdl:
            return "wdl";
    }
    return "";
}

base::Status check_shape(const ConvShape& shape) {
    struct Bound {
        std::string_view name;
        int value;
        int least;
        int most;
    };
    if (shape.input.layers.piece)
        return base::fail("input {}, expected one without the layer of the piece that moves",
                          to_string(shape.input));
    const int has_policy = shape.policy == PolicyForm::None ? 0 : 1;
    const int has_value = shape.value == ValueForm::None ? 0 : 1;
    const int has_moves_left = shape.moves_left_filters == 0 ? 0 : 1;
    const bool is_in_two = shape.policy == PolicyForm::SourceTarget;
    for (const Bound& bound :
         {Bound{"filters", shape.filters, 1, ConvBounds::kFilters},
          Bound{"blocks", shape.blocks, 0, ConvBounds::kBlocks},
          Bound{"squeeze", shape.squeeze, 0, ConvBounds::kFilters},
          Bound{"policy_filters", shape.policy_filters, has_policy, ConvBounds::kFilters},
          Bound{"policy_units", shape.policy_units, is_in_two ? 1 : 0, is_in_two ? ConvBounds::kUnits : 0},
          Bound{"source_blocks", shape.source_blocks, 0, is_in_two ? shape.blocks : 0},
          Bound{"value_filters", shape.value_filters, has_value, ConvBounds::kFilters},
          Bound{"value_units", shape.value_units, has_value, ConvBounds::kUnits},
          Bound{"value_second_units", shape.value_second_units, 0, has_value * ConvBounds::kUnits},
          Bound{"moves_left_filters", shape.moves_left_filters, 0, ConvBounds::kFilters},
          Bound{"moves_left_units", shape.moves_left_units, has_moves_left, ConvBounds::kUnits}})
        if (bound.value < bound.least || bound.value > bound.most)
            return base::fail("{} {}, expected a number from {} to {}", bound.name, bound.value, bound.least,
                              bound.most);
    if (has_policy == 0 && has_value == 0)
        return base::fail("neither policy nor value, expected one of them at least");
    if (shape.squeeze > 0 && shape.activation == ConvActivation::Prelu)
        return base::fail("squeeze {} beside the activation prelu, expected only one of them", shape.squeeze);
    return check_input(shape.input);
}

int version_of(const ConvShape& shape) {
    const bool is_older = shape.policy != PolicyForm::SourceTarget && shape.value_second_units == 0 &&
                          shape.activation != ConvActivation::Prelu;
    return is_older ? 1 : 2;
}

ConvNetwork random_conv_network(const ConvShape& shape, std::uint64_t seed) {
    ConvNetwork network;
    network.info.shape = shape;
    network.blocks.resize(static_cast<std::size_t>(shape.blocks));
    fill_by_lot(network, seed);
    return network;
}

void fold_batch_norm(ConvLayer& layer, std::span<const float> mean, std::span<const float> variance,
                     std::span<const float> gamma, std::span<const float> beta, float epsilon) {
    const std::size_t outputs = mean.size();
    const std::size_t inputs = layer.weight.size() / outputs;
    layer.bias.resize(outputs);
    for (std::size_t out = 0; out < outputs; ++out) {
        const float factor = gamma[out] / std::sqrt(variance[out] + epsilon);
        for (std::size_t in = 0; in < inputs; ++in) layer.weight[out * inputs + in] *= factor;
        layer.bias[out] = (layer.bias[out] - mean[out]) * factor + beta[out];
    }
}

base::Status check_network(const ConvNetwork& network) {
    if (auto status = check_shape(network.info.shape); !status) return status;
    if (network.blocks.size() != static_cast<std::size_t>(network.info.shape.blocks))
        return base::fail("{} blocks of weights, expected {}", network.blocks.size(),
                          network.info.shape.blocks);
    return check_weights(network);
}

std::string describe(const ConvNetwork& network) {
    const ConvShape& shape = network.info.shape;
    std::string text = fmt::format("residual {}: {} → {} filters × {} blocks", version_of(shape),
                                   to_string(shape.input), shape.filters, shape.blocks);
    if (shape.squeeze > 0) text += fmt::format(", squeeze-excitation {}", shape.squeeze);
    text += fmt::format(", {}", to_string(shape.activation));
    if (shape.policy != PolicyForm::None) text += fmt::format(", {} policy", to_string(shape.policy));
    if (shape.policy == PolicyForm::SourceTarget)
        text += fmt::format(", the source behind {}", base::counted(shape.source_blocks, "block"));
    if (shape.value == ValueForm::Expected) text += ", expected result";
    if (shape.value == ValueForm::Wdl) text += ", win/draw/loss";
    if (shape.moves_left_filters > 0) text += ", moves left";
    if (network.info.precision == Precision::Bf16) text += ", in bf16";
    if (!network.info.origin.empty()) text += fmt::format(" ({})", network.info.origin);
    return text;
}

std::string content_name(const ConvNetwork& network) {
    return name_of_weights(network);
}

Abilities abilities(const ConvNetwork& network) {
    const ConvShape& shape = network.info.shape;
    Abilities can;
    if (shape.value != ValueForm::None) can.add(Ability::Value);
    if (shape.value == ValueForm::Wdl) can.add(Ability::Wdl);
    if (shape.policy != PolicyForm::None) can.add(Ability::Policy);
    if (shape.moves_left_filters > 0) can.add(Ability::MovesLeft);
    return can;
}

Reads reads(const ConvNetwork& network) {
    return reads_of(network.info.shape.input);
}

const PieceValues* piece_values(const ConvNetwork& network) {
    return network.info.learnt_piece_values ? &*network.info.learnt_piece_values : nullptr;
}

}  // namespace scholar::nets
