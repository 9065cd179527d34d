#include <algorithm>
#include <cassert>
#include <utility>

#include "nets/explained/explained.hpp"
#include "nets/explained/policy_slopes.hpp"
#include "nets/sparse_policy/move_rows.hpp"

namespace scholar::nets {

namespace {

std::vector<chess::Bitboard> each_man(const chess::Position& position) {
    std::vector<chess::Bitboard> men;
    for (const chess::Square square : chess::squares(position.occupied())) men.push_back(chess::bit(square));
    return men;
}

// What the head gets of one viewpoint's sums.
LayerTape::Place activated(LayerTape& tape, LayerTape::Place sums, const Architecture& architecture) {
    const LayerTape::Place clipped = tape.each(sums, [](double sum, std::size_t) {
        return LayerTape::Point{std::clamp(sum, 0.0, 1.0), sum > 0 && sum < 1 ? 1.0 : 0.0};
    });
    const auto outputs = static_cast<std::size_t>(architecture.outputs());
    switch (architecture.activation) {
        case Activation::Clipped:
            break;
        case Activation::Squared:
            return tape.products(clipped, clipped);
        case Activation::Paired:
            return tape.products(tape.part(clipped, 0, outputs), tape.part(clipped, outputs, outputs));
    }
    return clipped;
}

// The layers of a head as floats, of one output bucket.
struct FloatHead {
    std::vector<FloatLayer> hidden;
    FloatLayer output;
};
FloatHead head_of(const Network& network, int bucket) {
    const Architecture& architecture = network.info.architecture;
    FloatHead head;
    for (std::size_t i = 0; i < network.hidden.size(); ++i) {
        const Layer& from = network.hidden[i];
        const int units = architecture.hidden[i];
        const int inputs = architecture.head_inputs(i);
        const double scale = Network::hidden_scale(architecture, i, from.shift);
        FloatLayer& to = head.hidden.emplace_back();
        for (int unit = 0; unit < units; ++unit) {
            for (int input = 0; input < inputs; ++input)
                to.weight.push_back(static_cast<float>(
                    from.weight[Layer::index(bucket, unit, input, units, inputs)] / scale));
            // Without what rounds it.
            const std::int32_t bias =
                from.bias[Layer::bias_index(bucket, unit, units)] - (1 << (from.shift - 1));
            to.bias.push_back(
                static_cast<float>(static_cast<double>(bias) / (Network::kHiddenScale << from.shift)));
        }
    }
    const std::int16_t* const weights = network.output_weights(bucket);
    for (int input = 0; input < architecture.output_inputs(); ++input)
        head.output.weight.push_back(static_cast<float>(weights[input]) /
                                     static_cast<float>(network.output_scale));
    head.output.bias.push_back(static_cast<float>(
        static_cast<double>(network.output_bias[static_cast<std::size_t>(bucket)]) / network.output_unit()));
    return head;
}

// How steeply something rises with each man's presence, from how steeply it does with the sums of a view.
void add_presence_slopes(const FirstLayer& layer, const chess::Position& position, chess::Color viewpoint,
                         const Numbers& by_sums, Numbers& slopes) {
    ActiveFeatures active;
    layer.features->encode(position, viewpoint, active);
    for (std::size_t man = 0; man < slopes.size(); ++man) {
        const std::int16_t* const row = layer.row(active.indices.at(man));
        for (std::size_t unit = 0; unit < by_sums.size(); ++unit)
            slopes[man] += by_sums[unit] * row[unit] / Network::kActivationScale;
    }
}

Tangent value_tangent(const Network& network, const FloatHead& head, const chess::Position& position,
                      std::span<const double> presence) {
    const Architecture& architecture = network.info.architecture;
    const chess::Color us = position.side_to_move();
    LayerTape tape;
    const LayerTape::Place own = tape.put(first_layer_sums(network.first_layer(), position, us, presence));
    const LayerTape::Place enemy = tape.put(first_layer_sums(network.first_layer(), position, ~us, presence));
    LayerTape::Place numbers =
        tape.joined({activated(tape, own, architecture), activated(tape, enemy, architecture)});
    for (const FloatLayer& layer : head.hidden)
        numbers = tape.each(tape.dense(numbers, layer.weight, layer.bias), [](double sum, std::size_t) {
            return LayerTape::Point{std::clamp(sum, 0.0, 1.0), sum > 0 && sum < 1 ? 1.0 : 0.0};
        });
    const LayerTape::Place logit = tape.dense(numbers, head.output.weight, head.output.bias);
    const double white = (us == chess::White ? 1.0 : -1.0) * chess::Score::kScale;
    Tangent tangent{white * tape.at(logit).front(), Numbers(presence.size())};
    for (const auto& [view, place] : {std::pair{us, own}, std::pair{~us, enemy}})
        add_presence_slopes(network.first_layer(), position, view, tape.slopes({{logit, {white}}}, place),
                            tangent.slopes);
    return tangent;
}

}  // namespace

Numbers first_layer_sums(const FirstLayer& layer, const chess::Position& position, chess::Color viewpoint,
                         std::span<const double> presence) {
    ActiveFeatures active;
    layer.features->encode(position, viewpoint, active);
    assert(presence.size() == static_cast<std::size_t>(active.count));
    Numbers sums(layer.bias, layer.bias + layer.width);
    for (std::size_t man = 0; man < presence.size(); ++man) {
        const std::int16_t* const row = layer.row(active.indices.at(man));
        for (std::size_t unit = 0; unit < sums.size(); ++unit) sums[unit] += presence[man] * row[unit];
    }
    for (double& sum : sums) sum /= Network::kActivationScale;
    return sums;
}

Explained explain_value(std::shared_ptr<const Network> network, const chess::Position& position) {
    const int bucket = network->info.architecture.output_bucket(chess::popcount(position.occupied()));
    Explained explained{{}, each_man(position), {}};
    explained.inputs.assign(explained.owners.size(), 1);
    FloatHead head = head_of(*network, bucket);
    explained.at = [network = std::move(network), head = std::move(head),
                    position](std::span<const double> presence) {
        return value_tangent(*network, head, position, presence);
    };
    return explained;
}

Explained explain_move(std::shared_ptr<const SparsePolicyNetwork> network, const chess::Position& position,
                       const chess::MoveList& moves, int index) {
    Explained explained{{}, each_man(position), {}};
    explained.inputs.assign(explained.owners.size(), 1);
    explained.at = [network = std::move(network), position, moves, index](std::span<const double> presence) {
        const SparsePolicyInfo& info = network->info;
        const chess::Color us = position.side_to_move();
        LayerTape tape;
        const LayerTape::Place sums =
            tape.put(first_layer_sums(network->first_layer(), position, us, presence));
        const LayerTape::Place units = activated(tape, sums, info.architecture);
        const auto width = static_cast<std::size_t>(info.units());
        const auto rows_each = static_cast<std::size_t>(rows_of_a_move(info.rows));
        std::vector<std::uint16_t> rows(rows_each * static_cast<std::size_t>(moves.size()));
        find_move_rows(info.rows, info.piece_values, position,
                       info.architecture.features->view(us, position.king(us)), moves, rows);
        const auto weight = [&](std::size_t row, std::size_t unit) {
            return static_cast<double>(network->output[row * width + unit]) / network->output_scale;
        };
        Numbers logits(static_cast<std::size_t>(moves.size()));
        for (std::size_t i = 0; i < rows.size(); ++i) {
            double& logit = logits[i / rows_each];
            logit += network->output_bias[rows[i]] / network->logit_unit();
            for (std::size_t unit = 0; unit < width; ++unit)
                logit += weight(rows[i], unit) * tape.at(units)[unit];
        }
        const ProbabilitySlopes by_logits = softmax_slopes(logits, static_cast<std::size_t>(index));
        Numbers by_units(width);
        for (std::size_t i = 0; i < rows.size(); ++i)
            for (std::size_t unit = 0; unit < width; ++unit)
                by_units[unit] += by_logits.slopes[i / rows_each] * weight(rows[i], unit);
        Tangent tangent{by_logits.probability, Numbers(presence.size())};
        add_presence_slopes(network->first_layer(), position, us, tape.slopes({{units, by_units}}, sums),
                            tangent.slopes);
        return tangent;
    };
    return explained;
}

}  // namespace scholar::nets
