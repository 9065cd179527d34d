#include "nets/dense/dense_network.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.hpp"
#include "nets/container/weights.hpp"

namespace scholar::nets {

using namespace chess;

namespace {

base::Status check_layer(const DenseLayerShape& layer, std::size_t number, int below) {
    if (layer.empty() || layer.size() > std::size_t{DenseBounds::kBlocks})
        return base::fail("layer {}: {} blocks, expected 1 to {}", number, layer.size(),
                          DenseBounds::kBlocks);
    int outputs = 0;
    for (const DenseBlockShape& block : layer) {
        if (block.inputs < 1 || block.first_input < 0 || block.first_input > below - block.inputs)
            return base::fail("layer {}: a block of {} inputs from {} on, expected some of 0 to {}", number,
                              block.inputs, block.first_input, below - 1);
        if (block.outputs < 1 || block.outputs > DenseBounds::kUnits - outputs)
            return base::fail("layer {}: a block of {} units, expected 1 to {} in all", number, block.outputs,
                              DenseBounds::kUnits);
        outputs += block.outputs;
    }
    return {};
}

std::int64_t weight_count(const DenseShape& shape) {
    std::int64_t count = 0;
    for (const DenseLayerShape& layer : shape.layers)
        for (const DenseBlockShape& block : layer)
            count += std::int64_t{block.outputs} * (std::int64_t{block.inputs} + 1);
    return count;
}

}  // namespace

std::string_view to_string(DenseOutput output) {
    switch (output) {
        case DenseOutput::Logistic:
            return "logistic";
        case DenseOutput::Softmax:
            return "softmax";
        case DenseOutput::Tanh:
            break;
    }
    return "tanh";
}

int outputs_of(const DenseLayerShape& layer) {
    int outputs = 0;
    for (const DenseBlockShape& block : layer) outputs += block.outputs;
    return outputs;
}

DenseShape dense_shape(const DenseFeatureSet& features, const std::vector<std::vector<int>>& apart,
                       const std::vector<int>& joint, const DenseMoveSet* moves, DenseOutput output) {
    DenseShape shape{&features, moves, {}, output};
    // What each modality has in the layer below.
    std::vector<DenseBlockShape> below;
    for (const DenseModality& modality : features.modalities)
        below.push_back({.first_input = modality.begin, .inputs = modality.size});
    if (moves) below.push_back({.first_input = features.size(), .inputs = moves->size()});
    for (const std::vector<int>& units : apart) {
        DenseLayerShape layer;
        int at = 0;
        for (std::size_t i = 0; i < std::min(units.size(), below.size()); ++i) {
            layer.push_back({below[i].first_input, below[i].inputs, units[i]});
            below[i] = {.first_input = at, .inputs = units[i]};
            at += units[i];
        }
        shape.layers.push_back(std::move(layer));
    }
    int inputs = shape.layers.empty() ? shape.inputs() : outputs_of(shape.layers.back());
    for (const int units : joint) {
        shape.layers.push_back({{0, inputs, units}});
        inputs = units;
    }
    shape.layers.push_back({{0, inputs, 1}});
    return shape;
}

base::Status check_shape(const DenseShape& shape) {
    if ((shape.output == DenseOutput::Tanh) != (shape.moves == nullptr))
        return base::fail(
            "output '{}' of {} inputs of a move, expected 'tanh' of none, 'logistic' or 'softmax' of some",
            to_string(shape.output), shape.move_inputs());
    if (shape.layers.empty() || shape.layers.size() > std::size_t{DenseBounds::kLayers})
        return base::fail("{} layers, expected 1 to {}", shape.layers.size(), DenseBounds::kLayers);
    int below = shape.inputs();
    for (std::size_t i = 0; i < shape.layers.size(); ++i) {
        if (auto status = check_layer(shape.layers[i], i, below); !status) return status;
        below = outputs_of(shape.layers[i]);
    }
    if (below != 1) return base::fail("{} units in the last layer, expected 1", below);
    if (weight_count(shape) > DenseBounds::kWeights)
        return base::fail("{} weights, expected {} at most", weight_count(shape), DenseBounds::kWeights);
    return {};
}

DenseNetwork empty_dense_network(const DenseShape& shape) {
    DenseNetwork network;
    network.info.shape = shape;
    for (const DenseLayerShape& layer : shape.layers) network.layers.emplace_back(layer.size());
    return network;
}

DenseNetwork random_dense_network(const DenseShape& shape, std::uint64_t seed) {
    DenseNetwork network = empty_dense_network(shape);
    base::Random random(seed);
    for_each_weights(network, [&random](const std::string&, const std::vector<std::int64_t>& extents,
                                        std::vector<float>& array) {
        array.resize(elements_of(extents));
        const bool is_bias = extents.size() == 1;
        const double most = is_bias ? 0.1 : std::sqrt(6 / static_cast<double>(extents.back()));
        for (float& number : array) number = static_cast<float>(most * (2 * random.unit() - 1));
    });
    return network;
}

double largest_output(const DenseNetwork& network) {
    const DenseShape& shape = network.info.shape;
    std::vector<double> below(static_cast<std::size_t>(shape.inputs()), DenseFeatureSet::kLargest);
    for (std::size_t layer = 0; layer < network.layers.size(); ++layer) {
        std::vector<double> here;
        for (std::size_t i = 0; i < network.layers[layer].size(); ++i) {
            const DenseBlock& block = network.layers[layer][i];
            const auto inputs =
                std::span(below).subspan(static_cast<std::size_t>(shape.layers[layer][i].first_input),
                                         static_cast<std::size_t>(shape.layers[layer][i].inputs));
            for (std::size_t unit = 0; unit < block.bias.size(); ++unit) {
                double sum = std::abs(double{block.bias[unit]});
                for (std::size_t in = 0; in < inputs.size(); ++in)
                    sum += std::abs(double{block.weight[unit * inputs.size() + in]}) * inputs[in];
                if (!(sum <= DenseBounds::kSum)) return std::numeric_limits<double>::infinity();
                here.push_back(sum);
            }
        }
        below = std::move(here);
    }
    return below.front();
}

base::Status check_network(const DenseNetwork& network) {
    const DenseShape& shape = network.info.shape;
    if (auto status = check_shape(shape); !status) return status;
    const bool has_all_blocks = std::ranges::equal(
        network.layers, shape.layers,
        [](const auto& blocks, const DenseLayerShape& layer) { return blocks.size() == layer.size(); });
    if (!has_all_blocks) return base::fail("layers of weights that are not those of the shape");
    base::Status status = check_weights(network);
    if (status && std::isinf(largest_output(network)))
        return base::fail("weights so large that sums could exceed {}, expected smaller ones",
                          DenseBounds::kSum);
    return status;
}

double dense_output(const DenseNetwork& network, std::span<const float> inputs) {
    std::vector<double> below(inputs.begin(), inputs.end());
    for (std::size_t layer = 0; layer < network.layers.size(); ++layer) {
        const bool is_last = layer + 1 == network.layers.size();
        std::vector<double> here;
        for (std::size_t i = 0; i < network.layers[layer].size(); ++i) {
            const DenseBlock& block = network.layers[layer][i];
            const DenseBlockShape& shape = network.info.shape.layers[layer][i];
            const double* const in = below.data() + shape.first_input;
            const auto count = static_cast<std::size_t>(shape.inputs);
            for (std::size_t unit = 0; unit < block.bias.size(); ++unit) {
                double sum = block.bias[unit];
                for (std::size_t at = 0; at < count; ++at)
                    sum += double{block.weight[unit * count + at]} * in[at];
                here.push_back(is_last ? sum : std::max(sum, 0.0));
            }
        }
        below = std::move(here);
    }
    return below.front();
}

Score dense_score(double z, Color side) {
    constexpr double bound = Score::kEvaluationBound;
    const Score white(static_cast<int>(std::lround(std::clamp(2 * Score::kScale * z, -bound, bound))));
    return side == White ? white : -white;
}

std::string describe(const DenseNetwork& network) {
    const DenseShape& shape = network.info.shape;
    std::string text = fmt::format("dense 1: {}", shape.features->name);
    if (shape.moves) text += fmt::format(" + {}", shape.moves->name);
    for (const DenseLayerShape& layer : shape.layers) {
        std::string units;
        for (const DenseBlockShape& block : layer)
            units += fmt::format("{}{}", units.empty() ? "" : " + ", block.outputs);
        text += " → " + units;
    }
    return text + fmt::format(", {}", to_string(shape.output));
}

std::string content_name(const DenseNetwork& network) {
    return name_of_weights(network);
}

Abilities abilities(const DenseNetwork& network) {
    return {network.info.shape.moves ? Ability::Policy : Ability::Leaf};
}

Reads reads(const DenseNetwork&) {
    return {};
}

}  // namespace scholar::nets
