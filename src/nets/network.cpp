#include "nets/network.hpp"

#include <algorithm>
#include <cmath>

#include "base/random.hpp"

namespace scholar::nets {

FloatNetwork FloatNetwork::random(int width, std::uint64_t seed) {
    FloatNetwork network;
    network.info.width = width;
    base::Random random(seed);
    const auto fill = [&random](std::vector<float>& weights, std::size_t count, double range) {
        weights.resize(count);
        for (float& weight : weights) weight = static_cast<float>((2 * random.unit() - 1) * range);
    };
    const auto w = static_cast<std::size_t>(width);
    // About thirty features are active at once; the clipped layer should start in its linear part.
    fill(network.transformer, Features768::kSize * w, 0.1);
    fill(network.output, 2 * w, 1 / std::sqrt(2.0 * width));
    network.transformer_bias.assign(w, 0.25F);
    network.output_bias = 0;
    return network;
}

float FloatNetwork::logit(const chess::Position& position) const {
    float sum = output_bias;
    const chess::Color us = position.side_to_move();
    const auto width = static_cast<std::size_t>(info.width);
    std::vector<float> hidden(width);
    for (const chess::Color viewpoint : {us, ~us}) {
        ActiveFeatures active;
        Features768::encode(position, viewpoint, active);
        hidden = transformer_bias;
        for (const std::uint16_t feature : active)
            for (std::size_t i = 0; i < width; ++i) hidden[i] += transformer[feature * width + i];
        const float* weights = output.data() + (viewpoint == us ? 0 : width);
        for (std::size_t i = 0; i < width; ++i) sum += std::clamp(hidden[i], 0.0F, 1.0F) * weights[i];
    }
    return sum;
}

chess::Score Network::to_score(std::int32_t sum) const {
    constexpr std::int64_t unit = kActivationScale * kOutputScale;
    const std::int64_t scaled = static_cast<std::int64_t>(sum) * chess::Score::kScale;
    const std::int64_t rounded = (scaled + (scaled >= 0 ? unit / 2 : -unit / 2)) / unit;
    constexpr std::int64_t bound = chess::Score::kEvaluationBound;
    return chess::Score(static_cast<int>(std::clamp(rounded, -bound, bound)));
}

chess::Score evaluate_plainly(const Network& network, const chess::Position& position) {
    const chess::Color us = position.side_to_move();
    std::int32_t sum = network.output_bias;
    for (const chess::Color viewpoint : {us, ~us}) {
        ActiveFeatures active;
        Features768::encode(position, viewpoint, active);
        const std::int16_t* weights = network.output.data() + (viewpoint == us ? 0 : network.width());
        for (int i = 0; i < network.width(); ++i) {
            int hidden = network.transformer_bias[static_cast<std::size_t>(i)];
            for (const std::uint16_t feature : active) hidden += network.row(feature)[i];
            sum += std::clamp(hidden, 0, Network::kActivationScale) * weights[i];
        }
    }
    return network.to_score(sum);
}

}  // namespace scholar::nets
