#include "nets/perspective/network.hpp"

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "nets/perspective/head_values.hpp"

namespace scholar::nets {

FloatNetwork FloatNetwork::random(const Architecture& architecture, std::uint64_t seed) {
    FloatNetwork network;
    network.info.architecture = architecture;
    base::Random random(seed);
    const auto fill = [&random](std::vector<float>& weights, std::size_t count, double range) {
        weights.resize(count);
        for (float& weight : weights) weight = static_cast<float>((2 * random.unit() - 1) * range);
    };
    const auto w = static_cast<std::size_t>(architecture.width);
    // About thirty features are active at once; the clipped layer should start in its linear part.
    fill(network.transformer, FeatureSet::kBoard * w, 0.1);
    network.transformer_bias.assign(w, 0.25F);
    const auto fill_layer = [&](std::vector<float>& weights, int units, int inputs) {
        fill(weights, static_cast<std::size_t>(units) * static_cast<std::size_t>(inputs),
             1 / std::sqrt(static_cast<double>(inputs)));
    };
    network.hidden.resize(architecture.hidden.size());
    for (std::size_t i = 0; i < network.hidden.size(); ++i) {
        const int units = architecture.hidden[i];
        fill_layer(network.hidden[i].weight, units, architecture.head_inputs(i));
        // Their inputs are never negative, and their weights as often as not: they should start in the middle
        // of the linear part.
        network.hidden[i].bias.assign(static_cast<std::size_t>(units), 0.5F);
    }
    fill_layer(network.output, 1, architecture.output_inputs());
    // All buckets begin with the same weights.
    const auto repeat = [](std::vector<float>& weights, int times) {
        const std::size_t count = weights.size();
        weights.resize(count * static_cast<std::size_t>(times));
        for (std::size_t i = count; i < weights.size(); ++i) weights[i] = weights[i - count];
    };
    repeat(network.transformer, architecture.features->size() / FeatureSet::kBoard);
    for (FloatLayer& layer : network.hidden) {
        repeat(layer.weight, architecture.output_buckets);
        repeat(layer.bias, architecture.output_buckets);
    }
    repeat(network.output, architecture.output_buckets);
    network.output_bias.assign(static_cast<std::size_t>(architecture.output_buckets), 0);
    return network;
}

float FloatNetwork::logit(const chess::Position& position) const {
    const Architecture& architecture = info.architecture;
    const auto bucket =
        static_cast<std::size_t>(architecture.output_bucket(chess::popcount(position.occupied())));
    std::vector<float> inputs = head_inputs(*this, position, 1.0F);
    for (std::size_t layer = 0; layer < hidden.size(); ++layer) {
        const auto units = static_cast<std::size_t>(architecture.hidden[layer]);
        const float* weight = hidden[layer].weight.data() + bucket * units * inputs.size();
        std::vector<float> sums(
            hidden[layer].bias.begin() + static_cast<std::ptrdiff_t>(bucket * units),
            hidden[layer].bias.begin() + static_cast<std::ptrdiff_t>((bucket + 1) * units));
        for (float& sum : sums) {
            for (const float input : inputs) sum += input * *weight++;
            sum = std::clamp(sum, 0.0F, 1.0F);
        }
        inputs = std::move(sums);
    }
    float sum = output_bias[bucket];
    const float* weights = output.data() + bucket * inputs.size();
    for (std::size_t i = 0; i < inputs.size(); ++i) sum += inputs[i] * weights[i];
    return sum;
}

chess::Score Network::to_score(std::int32_t sum, int bucket) const {
    const std::int64_t unit = output_unit();
    const std::int64_t whole = std::int64_t{sum} * (1 << output_shift(info.architecture)) +
                               output_bias[static_cast<std::size_t>(bucket)];
    const std::int64_t scaled = whole * chess::Score::kScale;
    const std::int64_t rounded = (scaled + (scaled >= 0 ? unit / 2 : -unit / 2)) / unit;
    constexpr std::int64_t bound = chess::Score::kEvaluationBound;
    return chess::Score(static_cast<int>(std::clamp(rounded, -bound, bound)));
}

chess::Score evaluate_plainly(const Network& network, const chess::Position& position) {
    const int bucket = network.info.architecture.output_bucket(chess::popcount(position.occupied()));
    std::int32_t sum = 0;
    const std::int16_t* weights = network.output_weights(bucket);
    const auto values = head_values(network, position);
    for (const int input : values.back()) sum += input * *weights++;
    return network.to_score(sum, bucket);
}

}  // namespace scholar::nets
