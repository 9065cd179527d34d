#include "nets/comparison/comparison_network.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/ranges.h>
#include <limits>
#include <memory>
#include <span>

#include "nets/comparison/comparison_runner.hpp"
#include "nets/container/weights.hpp"

namespace scholar::nets {

using namespace chess;

namespace {

base::Status check_units(std::string_view part, const std::vector<int>& units) {
    if (units.size() > std::size_t{ComparisonBounds::kLayers})
        return base::fail("{}: {} layers, expected {} at most", part, units.size(),
                          ComparisonBounds::kLayers);
    for (const int each : units)
        if (each < 1 || each > ComparisonBounds::kUnits)
            return base::fail("{}: a layer of {} units, expected 1 to {}", part, each,
                              ComparisonBounds::kUnits);
    return {};
}

std::vector<ComparisonLayerSize> layers_of(int inputs, const std::vector<int>& units) {
    std::vector<ComparisonLayerSize> layers;
    for (const int each : units) {
        layers.push_back({inputs, each});
        inputs = each;
    }
    return layers;
}

// What layers make of numbers, ReLU behind each but the last of a head.
std::vector<double> pass_through(const std::vector<ComparisonLayer>& layers, std::vector<double> below,
                                 bool rectify_last) {
    for (std::size_t layer = 0; layer < layers.size(); ++layer) {
        const bool rectify = rectify_last || layer + 1 < layers.size();
        std::vector<double> here;
        for (std::size_t unit = 0; unit < layers[layer].bias.size(); ++unit) {
            double sum = layers[layer].bias[unit];
            for (std::size_t in = 0; in < below.size(); ++in)
                sum += double{layers[layer].weight[unit * below.size() + in]} * below[in];
            here.push_back(rectify ? std::max(sum, 0.0) : sum);
        }
        below = std::move(here);
    }
    return below;
}

// What each number cannot exceed, if those that go in do not exceed `below`; infinite from where a sum could
// exceed the bound.
std::vector<double> largest_of(const std::vector<ComparisonLayer>& layers, std::vector<double> below) {
    for (const ComparisonLayer& layer : layers) {
        std::vector<double> here;
        for (std::size_t unit = 0; unit < layer.bias.size(); ++unit) {
            double sum = std::abs(double{layer.bias[unit]});
            for (std::size_t in = 0; in < below.size(); ++in)
                sum += std::abs(double{layer.weight[unit * below.size() + in]}) * below[in];
            // What is no number, infinity times a weight of 0, is beyond the bound.
            here.push_back(sum <= ComparisonBounds::kSum ? sum : std::numeric_limits<double>::infinity());
        }
        below = std::move(here);
    }
    return below;
}

// Of two codes, one behind the other.
double pair_output(const ComparisonNetwork& network, const std::vector<double>& first,
                   const std::vector<double>& second) {
    std::vector<double> both = first;
    both.insert(both.end(), second.begin(), second.end());
    const std::vector<double> logits = pass_through(network.head, std::move(both), false);
    return logits[0] - logits[1];
}

}  // namespace

std::string_view to_string(ComparisonForm form) {
    switch (form) {
        case ComparisonForm::Antisymmetric:
            return "antisymmetric";
        case ComparisonForm::Split:
            return "split";
        case ComparisonForm::Pair:
            break;
    }
    return "pair";
}

std::vector<ComparisonLayerSize> encoder_layers(const ComparisonShape& shape) {
    return layers_of(kComparisonBits, shape.encoder);
}

std::vector<ComparisonLayerSize> head_layers(const ComparisonShape& shape) {
    const bool is_split = shape.form == ComparisonForm::Split;
    std::vector<int> units = shape.head;
    units.push_back(is_split ? 1 : 2);
    return layers_of(shape.encoder.back() * (is_split ? 1 : 2), units);
}

base::Status check_shape(const ComparisonShape& shape) {
    if (shape.encoder.empty()) return base::fail("encoder: 0 layers, expected at least 1");
    if (auto status = check_units("encoder", shape.encoder); !status) return status;
    if (auto status = check_units("head", shape.head); !status) return status;
    std::int64_t weights = 0;
    for (const auto& layers : {encoder_layers(shape), head_layers(shape)})
        for (const ComparisonLayerSize& layer : layers)
            weights += std::int64_t{layer.outputs} * (std::int64_t{layer.inputs} + 1);
    if (weights > ComparisonBounds::kWeights)
        return base::fail("{} weights, expected {} at most", weights, ComparisonBounds::kWeights);
    return {};
}

ComparisonNetwork empty_comparison_network(const ComparisonShape& shape) {
    ComparisonNetwork network;
    network.info.shape = shape;
    network.encoder.resize(encoder_layers(shape).size());
    network.head.resize(head_layers(shape).size());
    return network;
}

ComparisonNetwork random_comparison_network(const ComparisonShape& shape, std::uint64_t seed) {
    ComparisonNetwork network = empty_comparison_network(shape);
    fill_by_lot(network, seed);
    return network;
}

double largest_output(const ComparisonNetwork& network) {
    std::vector<double> seen = largest_of(network.encoder, std::vector<double>(kComparisonBits, 1));
    const std::vector<double> code = seen;
    if (network.info.shape.form != ComparisonForm::Split) seen.insert(seen.end(), code.begin(), code.end());
    return std::ranges::max(largest_of(network.head, std::move(seen)));
}

base::Status check_network(const ComparisonNetwork& network) {
    const ComparisonShape& shape = network.info.shape;
    if (auto status = check_shape(shape); !status) return status;
    if (network.encoder.size() != encoder_layers(shape).size() ||
        network.head.size() != head_layers(shape).size())
        return base::fail("layers of weights that are not those of the shape");
    base::Status status = check_weights(network);
    if (status && std::isinf(largest_output(network)))
        return base::fail("weights so large that sums could exceed {}, expected smaller ones",
                          ComparisonBounds::kSum);
    return status;
}

std::vector<double> code_plainly(const ComparisonNetwork& network, const Position& position) {
    std::vector<double> bits(kComparisonBits);
    const ComparisonOnes ones(position);
    for (const int one : ones.all()) bits[static_cast<std::size_t>(one)] = 1;
    return pass_through(network.encoder, std::move(bits), true);
}

double logit_plainly(const ComparisonNetwork& network, const Position& a, const Position& b) {
    const std::vector<double> first = code_plainly(network, a);
    const std::vector<double> second = code_plainly(network, b);
    switch (network.info.shape.form) {
        case ComparisonForm::Antisymmetric:
            return (pair_output(network, first, second) - pair_output(network, second, first)) / 2;
        case ComparisonForm::Split:
            return pass_through(network.head, first, false).front() -
                   pass_through(network.head, second, false).front();
        case ComparisonForm::Pair:
            break;
    }
    return pair_output(network, first, second);
}

Score comparison_score(double f, Color side) {
    constexpr double bound = Score::kEvaluationBound;
    const Score white(static_cast<int>(std::lround(std::clamp(Score::kScale * f, -bound, bound))));
    return side == White ? white : -white;
}

std::string describe(const ComparisonNetwork& network) {
    const ComparisonShape& shape = network.info.shape;
    std::string text = fmt::format("comparison 1: {} → {}", kComparisonBits, fmt::join(shape.encoder, " → "));
    const std::vector<ComparisonLayerSize> head = head_layers(shape);
    if (shape.form != ComparisonForm::Split) text += " × 2";
    for (const ComparisonLayerSize& layer : head) text += fmt::format(" → {}", layer.outputs);
    return text + fmt::format(", {}", to_string(shape.form));
}

std::string content_name(const ComparisonNetwork& network) {
    return name_of_weights(network);
}

Abilities abilities(const ComparisonNetwork& network) {
    if (network.info.shape.form == ComparisonForm::Split) return {Ability::Leaf, Ability::Order};
    return {Ability::Order};
}

Reads reads(const ComparisonNetwork&) {
    return {};
}

const PieceValues* piece_values(const ComparisonNetwork& network) {
    return network.info.shape.form == ComparisonForm::Split ? &network.info.piece_values : nullptr;
}

std::optional<Score> evaluate_plainly(const ComparisonNetwork& network, const Position& position) {
    if (network.info.shape.form != ComparisonForm::Split) return std::nullopt;
    // The runner lives no longer than this call.
    ComparisonRunner runner(
        std::shared_ptr<const ComparisonNetwork>(std::shared_ptr<const ComparisonNetwork>(), &network));
    return comparison_score(runner.value(position), position.side_to_move());
}

}  // namespace scholar::nets
