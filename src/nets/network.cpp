#include "nets/network.hpp"

#include <algorithm>
#include <cmath>

#include "base/random.hpp"

namespace scholar::nets {

namespace {

// What the output gets as number i of the clipped sums of a viewpoint.
template <class T>
T given(const Architecture& architecture, const std::vector<T>& clipped, int i) {
    return activate(architecture.activation, clipped[static_cast<std::size_t>(i)],
                    clipped[static_cast<std::size_t>(architecture.partner(i))]);
}

}  // namespace

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
    const int inputs = 2 * architecture.outputs();
    fill(network.output, static_cast<std::size_t>(inputs), 1 / std::sqrt(static_cast<double>(inputs)));
    network.transformer_bias.assign(w, 0.25F);
    // All buckets begin with the same weights.
    const auto repeat = [](std::vector<float>& weights, int times) {
        const std::size_t count = weights.size();
        weights.resize(count * static_cast<std::size_t>(times));
        for (std::size_t i = count; i < weights.size(); ++i) weights[i] = weights[i - count];
    };
    repeat(network.transformer, architecture.features->buckets);
    repeat(network.output, architecture.output_buckets);
    network.output_bias.assign(static_cast<std::size_t>(architecture.output_buckets), 0);
    return network;
}

float FloatNetwork::logit(const chess::Position& position) const {
    const Architecture& architecture = info.architecture;
    const auto bucket =
        static_cast<std::size_t>(architecture.output_bucket(chess::popcount(position.occupied())));
    float sum = output_bias[bucket];
    const chess::Color us = position.side_to_move();
    const auto width = static_cast<std::size_t>(architecture.width);
    const auto outputs = static_cast<std::size_t>(architecture.outputs());
    std::vector<float> hidden(width);
    for (const chess::Color viewpoint : {us, ~us}) {
        ActiveFeatures active;
        architecture.features->encode(position, viewpoint, active);
        hidden = transformer_bias;
        for (const std::uint16_t feature : active)
            for (std::size_t i = 0; i < width; ++i) hidden[i] += transformer[feature * width + i];
        for (float& value : hidden) value = std::clamp(value, 0.0F, 1.0F);
        const float* weights = output.data() + (2 * bucket + (viewpoint == us ? 0 : 1)) * outputs;
        for (int i = 0; i < architecture.outputs(); ++i) sum += given(architecture, hidden, i) * weights[i];
    }
    return sum;
}

chess::Score Network::to_score(std::int32_t sum) const {
    const std::int64_t unit = output_unit();
    const std::int64_t scaled = static_cast<std::int64_t>(sum) * chess::Score::kScale;
    const std::int64_t rounded = (scaled + (scaled >= 0 ? unit / 2 : -unit / 2)) / unit;
    constexpr std::int64_t bound = chess::Score::kEvaluationBound;
    return chess::Score(static_cast<int>(std::clamp(rounded, -bound, bound)));
}

chess::Score evaluate_plainly(const Network& network, const chess::Position& position) {
    const chess::Color us = position.side_to_move();
    const Architecture& architecture = network.info.architecture;
    const int bucket = architecture.output_bucket(chess::popcount(position.occupied()));
    std::int32_t sum = network.output_bias[static_cast<std::size_t>(bucket)];
    std::vector<int> hidden(static_cast<std::size_t>(network.width()));
    for (const chess::Color viewpoint : {us, ~us}) {
        ActiveFeatures active;
        architecture.features->encode(position, viewpoint, active);
        hidden.assign(network.transformer_bias.begin(), network.transformer_bias.end());
        for (const std::uint16_t feature : active)
            for (std::size_t i = 0; i < hidden.size(); ++i) hidden[i] += network.row(feature)[i];
        for (int& value : hidden) value = std::clamp(value, 0, Network::kActivationScale);
        const std::int16_t* weights =
            network.output_weights(bucket) + (viewpoint == us ? 0 : architecture.outputs());
        for (int i = 0; i < architecture.outputs(); ++i) sum += given(architecture, hidden, i) * weights[i];
    }
    return network.to_score(sum);
}

}  // namespace scholar::nets
