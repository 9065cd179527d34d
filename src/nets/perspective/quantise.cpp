#include "nets/perspective/quantise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "nets/perspective/first_layer.hpp"
#include "nets/perspective/rounding.hpp"

namespace scholar::nets {

namespace {

constexpr int kInt16 = std::numeric_limits<std::int16_t>::max();

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

}  // namespace

base::Result<QuantisationReport> check_bounds(const Network& network) {
    QuantisationReport report;
    const auto largest = [](const auto& weights) {
        int bound = 0;
        for (const std::int16_t weight : weights) bound = std::max(bound, std::abs(int{weight}));
        return bound;
    };
    report.largest_transformer =
        static_cast<float>(std::max(largest(network.transformer), largest(network.transformer_bias))) /
        Network::kActivationScale;
    report.largest_output =
        static_cast<float>(largest(network.output)) / static_cast<float>(network.output_scale);

    const auto reach = check_first_layer(network.first_layer());
    if (!reach) return std::unexpected(reach.error());
    report.transformer_bound = reach->bound;
    report.zero_rows = reach->zero_rows;
    report.dead_units = reach->dead_units;

    for (std::size_t layer = 0; layer < network.hidden.size(); ++layer) {
        const Layer& hidden = network.hidden[layer];
        const double scale = Network::hidden_scale(network.info.architecture, layer, hidden.shift);
        report.largest_hidden =
            std::max(report.largest_hidden, static_cast<float>(largest(hidden.weight) / scale));
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
