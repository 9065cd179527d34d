#include "nets/network.hpp"

#include <algorithm>
#include <cmath>

#include "base/random.hpp"

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
    fill(network.output, 2 * w, 1 / std::sqrt(2.0 * architecture.width));
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
    const auto bucket =
        static_cast<std::size_t>(info.architecture.output_bucket(chess::popcount(position.occupied())));
    float sum = output_bias[bucket];
    const chess::Color us = position.side_to_move();
    const auto width = static_cast<std::size_t>(info.architecture.width);
    std::vector<float> hidden(width);
    for (const chess::Color viewpoint : {us, ~us}) {
        ActiveFeatures active;
        info.architecture.features->encode(position, viewpoint, active);
        hidden = transformer_bias;
        for (const std::uint16_t feature : active)
            for (std::size_t i = 0; i < width; ++i) hidden[i] += transformer[feature * width + i];
        const float* weights = output.data() + (2 * bucket + (viewpoint == us ? 0 : 1)) * width;
        for (std::size_t i = 0; i < width; ++i)
            sum += activate(info.architecture.activation, std::clamp(hidden[i], 0.0F, 1.0F)) * weights[i];
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
    const int bucket = network.info.architecture.output_bucket(chess::popcount(position.occupied()));
    std::int32_t sum = network.output_bias[static_cast<std::size_t>(bucket)];
    for (const chess::Color viewpoint : {us, ~us}) {
        ActiveFeatures active;
        network.info.architecture.features->encode(position, viewpoint, active);
        const std::int16_t* weights =
            network.output_weights(bucket) + (viewpoint == us ? 0 : network.width());
        for (int i = 0; i < network.width(); ++i) {
            int hidden = network.transformer_bias[static_cast<std::size_t>(i)];
            for (const std::uint16_t feature : active) hidden += network.row(feature)[i];
            sum += activate(network.info.architecture.activation,
                            std::clamp(hidden, 0, Network::kActivationScale)) *
                   weights[i];
        }
    }
    return network.to_score(sum);
}

}  // namespace scholar::nets
