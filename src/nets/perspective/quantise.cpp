#include "nets/perspective/quantise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace scholar::nets {

namespace {

constexpr int kInt16 = std::numeric_limits<std::int16_t>::max();
constexpr std::int64_t kInt32 = std::numeric_limits<std::int32_t>::max();

float largest(std::span<const float> weights) {
    float bound = 0;
    for (const float weight : weights) bound = std::max(bound, std::abs(weight));
    return bound;
}

// Weights × scale, rounded; `limit`: of the integers.
base::Status round_into(std::span<const float> weights, double scale, int limit, std::string_view what,
                        AlignedVector<std::int16_t>& out) {
    out.resize(weights.size());
    std::size_t outside = 0;
    std::size_t not_finite = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const float scaled = std::round(weights[i] * static_cast<float>(scale));
        if (!(std::abs(scaled) <= static_cast<float>(limit))) {
            ++(std::isfinite(weights[i]) ? outside : not_finite);
            continue;
        }
        out[i] = static_cast<std::int16_t>(scaled);
    }
    if (not_finite > 0)
        return base::fail("{}: {} of {} weights are no finite numbers", what, not_finite, weights.size());
    if (outside > 0)
        return base::fail("{}: {} of {} weights do not fit: range {:.2f}, expected at most {:.2f}", what,
                          outside, weights.size(), largest(weights), limit / scale);
    return {};
}

// Biases × unit, rounded, and `more`.
template <class Biases>
base::Status round_biases(std::span<const float> biases, std::int64_t unit, int more, std::string_view what,
                          Biases& out) {
    out.clear();
    for (const float exact : biases) {
        const double bias = std::round(static_cast<double>(exact) * static_cast<double>(unit)) + more;
        if (!(std::abs(bias) <= static_cast<double>(kInt32)))
            return base::fail("{} bias {:.2f} does not fit in 32 bits", what, exact);
        out.push_back(static_cast<std::int32_t>(bias));
    }
    return {};
}

base::Status expect_within_32_bits(std::int64_t bound, std::string_view what) {
    if (bound <= kInt32) return {};
    return base::fail("{}: a board could sum to {}, expected at most {}", what, bound, kInt32);
}

// Of what a shift throws away.
int half_of(int shift) {
    return 1 << (shift - 1);
}

std::string name_of_hidden(std::size_t layer) {
    return fmt::format("hidden layer {}", layer + 1);
}

// The largest sum that any unit of a hidden layer could reach.
std::int64_t hidden_bound(const Network& network, std::size_t layer) {
    const Architecture& architecture = network.info.architecture;
    const Layer& hidden = network.hidden[layer];
    const int units = architecture.hidden[layer];
    const int inputs = architecture.head_inputs(layer);
    const std::int64_t top = Network::hidden_top(architecture, layer);
    std::int64_t largest = 0;
    for (int bucket = 0; bucket < architecture.output_buckets; ++bucket)
        for (int unit = 0; unit < units; ++unit) {
            const auto bias = hidden.bias[Layer::bias_index(bucket, unit, units)];
            std::int64_t bound = std::abs(std::int64_t{bias});
            for (int i = 0; i < inputs; ++i)
                bound += std::abs(int{hidden.weight[Layer::index(bucket, unit, i, units, inputs)]}) * top;
            largest = std::max(largest, bound);
        }
    return largest;
}

// From the order that the trainer has weights in to that of the kernels, or back.
template <class From, class To>
void reorder(const Architecture& architecture, std::size_t layer, const From& from, To& to, bool back) {
    const int units = architecture.hidden[layer];
    const int inputs = architecture.head_inputs(layer);
    to.resize(from.size());
    std::size_t plain = 0;
    for (int bucket = 0; bucket < architecture.output_buckets; ++bucket)
        for (int unit = 0; unit < units; ++unit)
            for (int i = 0; i < inputs; ++i, ++plain) {
                const std::size_t paired = Layer::index(bucket, unit, i, units, inputs);
                to[back ? plain : paired] = from[back ? paired : plain];
            }
}

base::Status round_hidden(const FloatNetwork& source, std::size_t layer, int shift, Network& network) {
    const std::string what = name_of_hidden(layer);
    Layer& rounded = network.hidden[layer];
    rounded.shift = shift;
    const double scale = Network::hidden_scale(source.info.architecture, layer, shift);
    AlignedVector<std::int16_t> weight;
    if (auto s = round_into(source.hidden[layer].weight, scale, kInt16, what, weight); !s) return s;
    reorder(source.info.architecture, layer, weight, rounded.weight, false);
    const std::int64_t unit = std::int64_t{Network::kHiddenScale} << shift;
    if (auto s = round_biases(source.hidden[layer].bias, unit, half_of(shift), what, rounded.bias); !s)
        return s;
    return expect_within_32_bits(hidden_bound(network, layer), what);
}

// Each layer at the finest scale at which everything fits.
base::Status round_hidden(const FloatNetwork& source, Network& network) {
    network.hidden.resize(source.hidden.size());
    for (std::size_t layer = 0; layer < source.hidden.size(); ++layer) {
        int shift = Layer::kMostShift;
        while (shift > Layer::kLeastShift && !round_hidden(source, layer, shift, network)) --shift;
        if (auto s = round_hidden(source, layer, shift, network); !s) return s;
    }
    return {};
}

// The largest output sum that any board could reach.
std::int64_t output_bound(const Network& network) {
    const int top = Network::output_top(network.info.architecture);
    std::int64_t largest = 0;
    for (int bucket = 0; bucket < network.info.architecture.output_buckets; ++bucket) {
        std::int64_t bound =
            std::abs(static_cast<std::int64_t>(network.output_bias[static_cast<std::size_t>(bucket)])) >>
            Network::output_shift(network.info.architecture);
        for (const std::int16_t weight :
             std::span(network.output_weights(bucket),
                       static_cast<std::size_t>(network.info.architecture.output_inputs())))
            bound += static_cast<std::int64_t>(std::abs(weight)) * top;
        largest = std::max(largest, bound);
    }
    return largest;
}

base::Status round_output(const FloatNetwork& source, int scale, Network& network) {
    network.output_scale = scale;
    if (auto s = round_into(source.output, scale, kInt16, "output", network.output); !s) return s;
    if (auto s = round_biases(source.output_bias, network.output_unit(), 0, "output", network.output_bias);
        !s)
        return s;
    return expect_within_32_bits(output_bound(network), "output");
}

// At the finest scale at which everything fits.
base::Status round_output(const FloatNetwork& source, Network& network) {
    const OutputRange range = output_range(source.info.architecture);
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
    report.largest_output =
        static_cast<float>(largest_of(network.output)) / static_cast<float>(network.output_scale);

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

    for (std::size_t layer = 0; layer < network.hidden.size(); ++layer) {
        const Layer& hidden = network.hidden[layer];
        const double scale = Network::hidden_scale(network.info.architecture, layer, hidden.shift);
        report.largest_hidden =
            std::max(report.largest_hidden, static_cast<float>(largest_of(hidden.weight) / scale));
        const std::int64_t bound = hidden_bound(network, layer);
        report.hidden_bound = std::max(report.hidden_bound, bound);
        if (auto s = expect_within_32_bits(bound, name_of_hidden(layer)); !s)
            return std::unexpected(s.error());
    }
    report.output_bound = output_bound(network);
    if (auto s = expect_within_32_bits(report.output_bound, "output"); !s) return std::unexpected(s.error());
    return report;
}

base::Result<Quantised> quantise(const FloatNetwork& source) {
    Network network;
    network.info = source.info;
    for (const auto& status : {round_into(source.transformer, Network::kActivationScale, kInt16,
                                          "transformer", network.transformer),
                               round_into(source.transformer_bias, Network::kActivationScale, kInt16,
                                          "transformer bias", network.transformer_bias),
                               round_hidden(source, network), round_output(source, network)})
        if (!status) return std::unexpected(status.error());
    const auto report = check_bounds(network);
    if (!report) return std::unexpected(report.error());
    return Quantised{std::move(network), *report};
}

FloatNetwork dequantise(const Network& network) {
    FloatNetwork result;
    result.info = network.info;
    const auto widen = [](const auto& from, double scale, std::vector<float>& to) {
        to.reserve(from.size());
        for (const auto weight : from) to.push_back(static_cast<float>(weight / scale));
    };
    widen(network.transformer, Network::kActivationScale, result.transformer);
    widen(network.transformer_bias, Network::kActivationScale, result.transformer_bias);
    const Architecture& architecture = network.info.architecture;
    for (std::size_t layer = 0; layer < network.hidden.size(); ++layer) {
        const Layer& hidden = network.hidden[layer];
        FloatLayer& exact = result.hidden.emplace_back();
        AlignedVector<std::int16_t> weight;
        reorder(architecture, layer, hidden.weight, weight, true);
        widen(weight, Network::hidden_scale(architecture, layer, hidden.shift), exact.weight);
        const std::int64_t unit = std::int64_t{Network::kHiddenScale} << hidden.shift;
        for (const std::int32_t bias : hidden.bias)
            exact.bias.push_back(static_cast<float>(
                static_cast<double>(std::int64_t{bias} - half_of(hidden.shift)) / static_cast<double>(unit)));
    }
    widen(network.output, network.output_scale, result.output);
    widen(network.output_bias, network.output_unit(), result.output_bias);
    return result;
}

}  // namespace scholar::nets
