#include "learning/optimise/adam.hpp"

#include <algorithm>
#include <cmath>

namespace scholar::learning {

std::size_t adam_update(const AdamOptions& options, double learning_rate, std::uint64_t step, float clip,
                        std::span<float> weights, std::span<const float> gradient, MomentSpans moments) {
    const auto steps = static_cast<double>(step);
    const auto beta1 = static_cast<float>(options.beta1);
    const auto beta2 = static_cast<float>(options.beta2);
    // Both moments start at 0; these undo the pull towards it.
    const auto rate = static_cast<float>(learning_rate / (1 - std::pow(options.beta1, steps)));
    const auto second_scale = static_cast<float>(1 / (1 - std::pow(options.beta2, steps)));
    const auto epsilon = static_cast<float>(options.epsilon);
    const bool apart = options.kind == AdamKind::AdamW;
    const auto coupled = static_cast<float>(apart ? 0 : options.weight_decay);
    const auto kept = static_cast<float>(apart ? 1 - learning_rate * options.weight_decay : 1);

    float* w = weights.data();
    const float* g = gradient.data();
    float* first = moments.first.data();
    float* second = moments.second.data();
    std::uint32_t clipped = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const float slope = g[i] + coupled * w[i];
        first[i] = beta1 * first[i] + (1 - beta1) * slope;
        second[i] = beta2 * second[i] + (1 - beta2) * slope * slope;
        const float moved = kept * w[i] - rate * first[i] / (std::sqrt(second[i] * second_scale) + epsilon);
        clipped += std::abs(moved) > clip ? 1U : 0U;
        w[i] = std::min(std::max(moved, -clip), clip);
    }
    return clipped;
}

}  // namespace scholar::learning
