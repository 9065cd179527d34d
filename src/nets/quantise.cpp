#include "nets/quantise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scholar::nets {

namespace {

constexpr int kInt16 = std::numeric_limits<std::int16_t>::max();

float largest(const std::vector<float>& weights) {
    float bound = 0;
    for (const float weight : weights) bound = std::max(bound, std::abs(weight));
    return bound;
}

base::Status round_into(const std::vector<float>& weights, int scale, const char* what,
                        AlignedVector<std::int16_t>& out) {
    out.resize(weights.size());
    std::size_t outside = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const float scaled = std::round(weights[i] * static_cast<float>(scale));
        if (!(std::abs(scaled) <= kInt16)) {
            ++outside;
            continue;
        }
        out[i] = static_cast<std::int16_t>(scaled);
    }
    if (outside > 0)
        return base::fail("{}: {} of {} weights do not fit in 16 bits: range {:.2f}, expected at most {:.2f}",
                          what, outside, weights.size(), largest(weights),
                          static_cast<double>(kInt16) / scale);
    return {};
}

// The largest positive and negative sums that any board could give one unit: on each square at most one
// piece, at most 32 pieces in all, each counting as much as the worst piece there.
struct Reach {
    int up;
    int down;
};
Reach reach_of_unit(const Network& network, int unit) {
    std::array<int, 64> up{};
    std::array<int, 64> down{};
    for (int feature = 0; feature < Features768::kSize; ++feature) {
        const int weight = network.row(feature)[unit];
        up[feature % 64] = std::max(up[feature % 64], weight);
        down[feature % 64] = std::min(down[feature % 64], weight);
    }
    std::ranges::sort(up, std::greater{});
    std::ranges::sort(down);
    Reach reach{network.transformer_bias[static_cast<std::size_t>(unit)],
                network.transformer_bias[static_cast<std::size_t>(unit)]};
    for (int i = 0; i < Features768::kMaxActive; ++i) {
        reach.up += up[static_cast<std::size_t>(i)];
        reach.down += down[static_cast<std::size_t>(i)];
    }
    return reach;
}

}  // namespace

base::Result<Quantised> quantise(const FloatNetwork& source) {
    Quantised result;
    Network& network = result.network;
    QuantisationReport& report = result.report;
    network.info = source.info;
    report.largest_transformer = std::max(largest(source.transformer), largest(source.transformer_bias));
    report.largest_output = largest(source.output);

    for (const auto& status :
         {round_into(source.transformer, Network::kActivationScale, "transformer", network.transformer),
          round_into(source.transformer_bias, Network::kActivationScale, "transformer bias",
                     network.transformer_bias),
          round_into(source.output, Network::kOutputScale, "output", network.output)})
        if (!status) return std::unexpected(status.error());

    for (int unit = 0; unit < network.width(); ++unit) {
        const Reach reach = reach_of_unit(network, unit);
        report.transformer_bound = std::max({report.transformer_bound, reach.up, -reach.down});
        if (reach.up <= 0) ++report.dead_units;
    }
    if (report.transformer_bound > kInt16)
        return base::fail("transformer: a board could sum to {}, expected at most {}",
                          report.transformer_bound, kInt16);

    for (int feature = 0; feature < Features768::kSize; ++feature) {
        const std::int16_t* row = network.row(feature);
        if (std::all_of(row, row + network.width(), [](std::int16_t weight) { return weight == 0; }))
            ++report.zero_rows;
    }

    constexpr std::int64_t bound = std::numeric_limits<std::int32_t>::max();
    const double bias = std::round(static_cast<double>(source.output_bias) * Network::kActivationScale *
                                   Network::kOutputScale);
    if (!(std::abs(bias) <= static_cast<double>(bound)))
        return base::fail("output bias {:.2f} does not fit in 32 bits", source.output_bias);
    network.output_bias = static_cast<std::int32_t>(bias);
    report.output_bound = std::abs(static_cast<std::int64_t>(network.output_bias));
    for (const std::int16_t weight : network.output)
        report.output_bound += static_cast<std::int64_t>(std::abs(weight)) * Network::kActivationScale;
    if (report.output_bound > bound)
        return base::fail("output: a board could sum to {}, expected at most {}", report.output_bound, bound);
    return result;
}

}  // namespace scholar::nets
