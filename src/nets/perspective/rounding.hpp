#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "base/error.hpp"
#include "nets/aligned.hpp"

// From floats to integers, for networks that are quantised.

namespace scholar::nets {

inline float largest_of(std::span<const float> weights) {
    float bound = 0;
    for (const float weight : weights) bound = std::max(bound, std::abs(weight));
    return bound;
}

// Weights × scale, rounded; `limit`: of the integers. Refuses, with count and range, those that do not fit.
template <class T>
base::Status round_into(std::span<const float> weights, double scale, int limit, std::string_view what,
                        AlignedVector<T>& out) {
    out.resize(weights.size());
    std::size_t outside = 0;
    std::size_t not_finite = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const float scaled = std::round(weights[i] * static_cast<float>(scale));
        if (!(std::abs(scaled) <= static_cast<float>(limit))) {
            ++(std::isfinite(weights[i]) ? outside : not_finite);
            continue;
        }
        out[i] = static_cast<T>(scaled);
    }
    if (not_finite > 0)
        return base::fail("{}: {} of {} weights are no finite numbers", what, not_finite, weights.size());
    if (outside > 0)
        return base::fail("{}: {} of {} weights do not fit: range {:.2f}, expected at most {:.2f}", what,
                          outside, weights.size(), largest_of(weights), limit / scale);
    return {};
}

// Biases × unit, rounded, and `more`.
template <class Biases>
base::Status round_biases(std::span<const float> biases, std::int64_t unit, int more, std::string_view what,
                          Biases& out) {
    out.clear();
    for (const float exact : biases) {
        const double bias = std::round(static_cast<double>(exact) * static_cast<double>(unit)) + more;
        if (!(std::abs(bias) <= static_cast<double>(std::numeric_limits<std::int32_t>::max())))
            return base::fail("{} bias {:.2f} does not fit in 32 bits", what, exact);
        out.push_back(static_cast<std::int32_t>(bias));
    }
    return {};
}

// Of the largest sum that any board could reach.
inline base::Status expect_within_32_bits(std::int64_t bound, std::string_view what) {
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    if (bound <= most) return {};
    return base::fail("{}: a board could sum to {}, expected at most {}", what, bound, most);
}

}  // namespace scholar::nets
