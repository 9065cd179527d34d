#include "nets/quantise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace scholar::nets {

namespace {

constexpr int kInt16 = std::numeric_limits<std::int16_t>::max();
constexpr std::int64_t kInt32 = std::numeric_limits<std::int32_t>::max();

float largest(const std::vector<float>& weights) {
    float bound = 0;
    for (const float weight : weights) bound = std::max(bound, std::abs(weight));
    return bound;
}

// Weights × scale, rounded; `limit`: of the integers.
base::Status round_into(const std::vector<float>& weights, int scale, int limit, const char* what,
                        AlignedVector<std::int16_t>& out) {
    out.resize(weights.size());
    std::size_t outside = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const float scaled = std::round(weights[i] * static_cast<float>(scale));
        if (!(std::abs(scaled) <= static_cast<float>(limit))) {
            ++outside;
            continue;
        }
        out[i] = static_cast<std::int16_t>(scaled);
    }
    if (outside > 0)
        return base::fail("{}: {} of {} weights do not fit: range {:.2f}, expected at most {:.2f}", what,
                          outside, weights.size(), largest(weights), static_cast<double>(limit) / scale);
    return {};
}

// The largest output sum that any board could reach.
std::int64_t output_bound(const Network& network) {
    const int top =
        activate(network.info.architecture.activation, Network::kActivationScale, Network::kActivationScale);
    std::int64_t largest = 0;
    for (int bucket = 0; bucket < network.info.architecture.output_buckets; ++bucket) {
        std::int64_t bound =
            std::abs(static_cast<std::int64_t>(network.output_bias[static_cast<std::size_t>(bucket)]));
        for (const std::int16_t weight :
             std::span(network.output_weights(bucket),
                       2 * static_cast<std::size_t>(network.info.architecture.outputs())))
            bound += static_cast<std::int64_t>(std::abs(weight)) * top;
        largest = std::max(largest, bound);
    }
    return largest;
}

base::Status round_output(const FloatNetwork& source, int scale, Network& network) {
    network.output_scale = scale;
    const int limit = output_range(source.info.architecture.activation).largest_weight;
    if (auto s = round_into(source.output, scale, limit, "output", network.output); !s) return s;
    network.output_bias.clear();
    for (const float exact : source.output_bias) {
        const double bias = std::round(static_cast<double>(exact) * network.output_unit());
        if (!(std::abs(bias) <= static_cast<double>(kInt32)))
            return base::fail("output bias {:.2f} does not fit in 32 bits", exact);
        network.output_bias.push_back(static_cast<std::int32_t>(bias));
    }
    if (const std::int64_t bound = output_bound(network); bound > kInt32)
        return base::fail("output: a board could sum to {}, expected at most {}", bound, kInt32);
    return {};
}

// At the finest scale at which everything fits.
base::Status round_output(const FloatNetwork& source, Network& network) {
    const OutputRange range = output_range(source.info.architecture.activation);
    for (int scale = range.finest_scale; scale > range.coarsest_scale; scale /= 2)
        if (round_output(source, scale, network)) return {};
    return round_output(source, range.coarsest_scale, network);
}

// The largest positive and negative sums that any board could give one unit with the own king in a bucket: on
// each square at most one piece, at most 32 pieces in all, each counting as much as the worst piece there.
struct Reach {
    int up;
    int down;
};
Reach reach_of_unit(const Network& network, int unit, int bucket) {
    std::array<int, FeatureSet::kSquares> up{};
    std::array<int, FeatureSet::kSquares> down{};
    for (int piece = 0; piece < FeatureSet::kPieces; ++piece)
        for (int square = 0; square < FeatureSet::kSquares; ++square) {
            const int weight =
                network.row((bucket * FeatureSet::kPieces + piece) * FeatureSet::kSquares + square)[unit];
            const auto at = static_cast<std::size_t>(square);
            up[at] = std::max(up[at], weight);
            down[at] = std::min(down[at], weight);
        }
    std::ranges::sort(up, std::greater{});
    std::ranges::sort(down);
    Reach reach{network.transformer_bias[static_cast<std::size_t>(unit)],
                network.transformer_bias[static_cast<std::size_t>(unit)]};
    for (int i = 0; i < FeatureSet::kMaxActive; ++i) {
        reach.up += up[static_cast<std::size_t>(i)];
        reach.down += down[static_cast<std::size_t>(i)];
    }
    return reach;
}

}  // namespace

base::Result<QuantisationReport> check_bounds(const Network& network) {
    QuantisationReport report;
    const auto largest_of = [](const auto& weights) {
        int bound = 0;
        for (const std::int16_t weight : weights) bound = std::max(bound, std::abs(int{weight}));
        return bound;
    };
    report.largest_transformer =
        static_cast<float>(std::max(largest_of(network.transformer), largest_of(network.transformer_bias))) /
        Network::kActivationScale;
    const int largest_output = largest_of(network.output);
    report.largest_output = static_cast<float>(largest_output) / static_cast<float>(network.output_scale);
    const int limit = output_range(network.info.architecture.activation).largest_weight;
    if (largest_output > limit)
        return base::fail("output: a weight of {}, expected at most {}", largest_output, limit);

    const FeatureSet& features = *network.info.architecture.features;
    for (int unit = 0; unit < network.width(); ++unit) {
        bool dead = true;
        for (int bucket = 0; bucket < features.buckets; ++bucket) {
            const Reach reach = reach_of_unit(network, unit, bucket);
            report.transformer_bound = std::max({report.transformer_bound, reach.up, -reach.down});
            dead = dead && reach.up <= 0;
        }
        report.dead_units += dead;
    }
    if (report.transformer_bound > kInt16)
        return base::fail("transformer: a board could sum to {}, expected at most {}",
                          report.transformer_bound, kInt16);

    for (int feature = 0; feature < features.size(); ++feature) {
        const std::int16_t* row = network.row(feature);
        if (std::all_of(row, row + network.width(), [](std::int16_t weight) { return weight == 0; }))
            ++report.zero_rows;
    }

    report.output_bound = output_bound(network);
    if (report.output_bound > kInt32)
        return base::fail("output: a board could sum to {}, expected at most {}", report.output_bound,
                          kInt32);
    return report;
}

base::Result<Quantised> quantise(const FloatNetwork& source) {
    Network network;
    network.info = source.info;
    for (const auto& status : {round_into(source.transformer, Network::kActivationScale, kInt16,
                                          "transformer", network.transformer),
                               round_into(source.transformer_bias, Network::kActivationScale, kInt16,
                                          "transformer bias", network.transformer_bias),
                               round_output(source, network)})
        if (!status) return std::unexpected(status.error());
    const auto report = check_bounds(network);
    if (!report) return std::unexpected(report.error());
    return Quantised{std::move(network), *report};
}

FloatNetwork dequantise(const Network& network) {
    FloatNetwork result;
    result.info = network.info;
    const auto widen = [](const auto& from, int scale, std::vector<float>& to) {
        to.reserve(from.size());
        for (const std::int16_t weight : from)
            to.push_back(static_cast<float>(weight) / static_cast<float>(scale));
    };
    widen(network.transformer, Network::kActivationScale, result.transformer);
    widen(network.transformer_bias, Network::kActivationScale, result.transformer_bias);
    widen(network.output, network.output_scale, result.output);
    for (const std::int32_t bias : network.output_bias)
        result.output_bias.push_back(static_cast<float>(static_cast<double>(bias) / network.output_unit()));
    return result;
}

}  // namespace scholar::nets
