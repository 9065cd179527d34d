#include "nets/sparse_policy/sparse_policy_network.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "base/random.hpp"
#include "nets/container/weights.hpp"
#include "nets/perspective/head_values.hpp"
#include "nets/perspective/rounding.hpp"
#include "nets/sparse_policy/sparse_policy_file.hpp"

namespace scholar::nets {

namespace {

std::vector<std::uint16_t> rows_of(const SparsePolicyInfo& info, const chess::Position& position,
                                   const chess::MoveList& moves) {
    const chess::Color us = position.side_to_move();
    std::vector<std::uint16_t> rows(static_cast<std::size_t>(moves.size() * rows_of_a_move(info.rows)));
    find_move_rows(info.rows, info.piece_values, position,
                   info.architecture.features->view(us, position.king(us)), moves, rows);
    return rows;
}

// Of each move; T: of units and of logits.
template <class T, class Net>
std::vector<T> logits_of(const Net& network, const std::vector<T>& units, const chess::Position& position,
                         const chess::MoveList& moves) {
    std::vector<T> logits;
    const std::vector<std::uint16_t> rows = rows_of(network.info, position, moves);
    const std::uint16_t* row = rows.data();
    for (int move = 0; move < moves.size(); ++move) {
        T sum = 0;
        for (int i = 0; i < rows_of_a_move(network.info.rows); ++i, ++row) {
            sum += network.output_bias[*row];
            const auto* weights = network.output.data() + *row * units.size();
            for (const T unit : units) sum += unit * *weights++;
        }
        logits.push_back(sum);
    }
    return logits;
}

base::Status round_output(const FloatSparsePolicy& source, int scale, SparsePolicyNetwork& network) {
    network.output_scale = scale;
    if (auto s =
            round_into(source.output, scale, SparsePolicyNetwork::kLargestWeight, "output", network.output);
        !s)
        return s;
    // A whole number: the scale is a multiple of 1 << Network::kProductShift.
    return round_biases(source.output_bias, std::llround(network.logit_unit()), 0, "output",
                        network.output_bias);
}

// At the finest scale at which everything fits.
base::Status round_output(const FloatSparsePolicy& source, SparsePolicyNetwork& network) {
    for (int scale = SparsePolicyNetwork::kFinestScale; scale > SparsePolicyNetwork::kCoarsestScale;
         scale /= 2)
        if (round_output(source, scale, network)) return {};
    return round_output(source, SparsePolicyNetwork::kCoarsestScale, network);
}

}  // namespace

FloatSparsePolicy FloatSparsePolicy::random(const SparsePolicyInfo& info, std::uint64_t seed) {
    // The first layer begins as that of an evaluation.
    FloatNetwork first = FloatNetwork::random(info.architecture, seed);
    FloatSparsePolicy network;
    network.info = info;
    network.transformer = std::move(first.transformer);
    network.transformer_bias = std::move(first.transformer_bias);
    const auto rows = static_cast<std::size_t>(row_count(info.rows));
    const auto units = static_cast<std::size_t>(info.units());
    base::Random random(seed, 1);
    const double range = 1 / std::sqrt(static_cast<double>(units));
    network.output.resize(rows * units);
    for (float& weight : network.output) weight = static_cast<float>((2 * random.unit() - 1) * range);
    network.output_bias.assign(rows, 0);
    return network;
}

std::vector<float> FloatSparsePolicy::logits(const chess::Position& position,
                                             const chess::MoveList& moves) const {
    return logits_of(*this, viewpoint_inputs(*this, position, position.side_to_move(), 1.0F), position,
                     moves);
}

base::Result<SparsePolicyBounds> check_bounds(const SparsePolicyNetwork& network) {
    const auto reach = check_first_layer(network.first_layer());
    if (!reach) return std::unexpected(reach.error());
    SparsePolicyBounds bounds{*reach};
    const auto units = static_cast<std::size_t>(network.info.units());
    const int top = Network::output_top(network.info.architecture);
    std::int64_t largest = 0;
    for (std::size_t row = 0; row < network.output_bias.size(); ++row) {
        std::int64_t bound = std::abs(std::int64_t{network.output_bias[row]});
        for (const std::int8_t weight : std::span(network.output).subspan(row * units, units))
            bound += std::int64_t{std::abs(int{weight})} * top;
        largest = std::max(largest, bound);
    }
    bounds.output = largest * rows_of_a_move(network.info.rows);
    if (auto s = expect_within_32_bits(bounds.output, "output"); !s) return std::unexpected(s.error());
    return bounds;
}

base::Result<SparsePolicyNetwork> quantise(const FloatSparsePolicy& source) {
    constexpr int most = std::numeric_limits<std::int16_t>::max();
    SparsePolicyNetwork network;
    network.info = source.info;
    for (const auto& status :
         {round_into(source.transformer, Network::kActivationScale, most, "transformer", network.transformer),
          round_into(source.transformer_bias, Network::kActivationScale, most, "transformer bias",
                     network.transformer_bias),
          round_output(source, network)})
        if (!status) return std::unexpected(status.error());
    if (auto bounds = check_bounds(network); !bounds) return std::unexpected(bounds.error());
    return network;
}

FloatSparsePolicy to_floats(const SparsePolicyNetwork& source) {
    FloatSparsePolicy network;
    network.info = source.info;
    const auto restore = [](const auto& integers, double unit, std::vector<float>& into) {
        for (const auto integer : integers) into.push_back(static_cast<float>(integer / unit));
    };
    restore(source.transformer, Network::kActivationScale, network.transformer);
    restore(source.transformer_bias, Network::kActivationScale, network.transformer_bias);
    restore(source.output, source.output_scale, network.output);
    restore(source.output_bias, source.logit_unit(), network.output_bias);
    return network;
}

std::vector<std::int32_t> logits_plainly(const SparsePolicyNetwork& network, const chess::Position& position,
                                         const chess::MoveList& moves) {
    std::vector<int> units =
        viewpoint_inputs(network, position, position.side_to_move(), Network::kActivationScale);
    if (Network::output_shift(network.info.architecture) > 0)
        for (int& product : units) product = (product + Network::kProductHalf) >> Network::kProductShift;
    return logits_of(network, units, position, moves);
}

std::string describe(const SparsePolicyInfo& info) {
    const Architecture& architecture = info.architecture;
    return fmt::format("{} → {} → {} × {}, {}, {}", architecture.features->name, architecture.width,
                       info.units(), row_count(info.rows), to_string(architecture.activation),
                       to_string(info.rows));
}

std::string describe(const SparsePolicyNetwork& network) {
    return fmt::format("{} {}: {}", kSparsePolicy, kSparsePolicyVersion, describe(network.info));
}

std::string content_name(const SparsePolicyNetwork& network) {
    return name_of_weights(network);
}

}  // namespace scholar::nets
