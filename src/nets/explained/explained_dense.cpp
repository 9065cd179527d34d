#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "nets/comparison/comparison_bits.hpp"
#include "nets/dense/dense_move_runner.hpp"
#include "nets/explained/explained.hpp"
#include "nets/explained/policy_slopes.hpp"

namespace scholar::nets {

namespace {

LayerTape::Point rectified(double sum, std::size_t /*index*/) {
    return {std::max(sum, 0.0), sum > 0 ? 1.0 : 0.0};
}

// z (dense_network.hpp).
LayerTape::Place dense_layers(LayerTape& tape, const DenseNetwork& network, LayerTape::Place numbers) {
    for (std::size_t layer = 0; layer < network.layers.size(); ++layer) {
        std::vector<LayerTape::Place> blocks;
        for (std::size_t i = 0; i < network.layers[layer].size(); ++i) {
            const DenseBlockShape& shape = network.info.shape.layers[layer][i];
            const DenseBlock& block = network.layers[layer][i];
            const LayerTape::Place seen = tape.part(numbers, static_cast<std::size_t>(shape.first_input),
                                                    static_cast<std::size_t>(shape.inputs));
            blocks.push_back(tape.dense(seen, block.weight, block.bias));
        }
        numbers = tape.joined(blocks);
        if (layer + 1 < network.layers.size()) numbers = tape.each(numbers, rectified);
    }
    return numbers;
}

Numbers numbers_of(const DenseFeatureSet& features, const chess::Position& position) {
    std::vector<float> numbers(static_cast<std::size_t>(features.size()));
    features.encode(position, numbers);
    return {numbers.begin(), numbers.end()};
}

// Of a move among others by z, and its slopes by each z.
ProbabilitySlopes move_slopes(DenseOutput output, const Numbers& z, std::size_t index) {
    // As to_probabilities() has it: where all are very small, logistic shares are those of a softmax.
    constexpr double kVerySmall = -20;
    if (output == DenseOutput::Softmax || std::ranges::max(z) < kVerySmall) return softmax_slopes(z, index);
    const auto logistic = [](double x) { return 1 / (1 + std::exp(-x)); };
    double sum = 0;
    for (const double each : z) sum += logistic(each);
    ProbabilitySlopes result{logistic(z[index]) / sum, Numbers(z.size())};
    for (std::size_t i = 0; i < z.size(); ++i) {
        const double share = logistic(z[i]);
        result.slopes[i] = result.probability * (1 - share) * ((i == index ? 1 : 0) - share / sum);
    }
    return result;
}

}  // namespace

Explained explain_value(std::shared_ptr<const DenseNetwork> network, const chess::Position& position) {
    const DenseFeatureSet& features = *network->info.shape.features;
    Explained explained{numbers_of(features, position), dense_owners(features, position), {}};
    explained.at = [network = std::move(network)](std::span<const double> inputs) {
        constexpr double scale = 2 * chess::Score::kScale;
        LayerTape tape;
        const LayerTape::Place in = tape.put({inputs.begin(), inputs.end()});
        const LayerTape::Place z = dense_layers(tape, *network, in);
        return Tangent{scale * tape.at(z).front(), tape.slopes({{z, {scale}}}, in)};
    };
    return explained;
}

Explained explain_move(std::shared_ptr<const DenseNetwork> network, const chess::Position& position,
                       const chess::MoveList& moves, int index) {
    const DenseShape& shape = network->info.shape;
    const MoveView view(*shape.moves, position);
    const auto count = static_cast<std::size_t>(moves.size());
    // What is said of each, behind the numbers of the position.
    std::vector<std::vector<float>> described(
        count, std::vector<float>(static_cast<std::size_t>(shape.moves->size())));
    DenseMoveRunner runner(network);
    runner.begin(position);
    std::vector<float> said(count);
    for (std::size_t i = 0; i < count; ++i) said[i] = runner.judge(moves[static_cast<int>(i)], kNoPlace);
    std::vector<int> places(count);
    rank_moves(said, places);
    for (std::size_t i = 0; i < count; ++i) {
        shape.moves->encode_to(view.position(), view.of(moves[static_cast<int>(i)]), described[i].data());
        float* const place_inputs = described[i].data() + shape.moves->described;
        place_inputs[place_input(places[i])] = 1;
    }

    Explained explained{
        numbers_of(*shape.features, view.position()), dense_owners(*shape.features, view.position()), {}};
    if (view.position() != position)
        for (chess::Bitboard& owners : explained.owners) owners = __builtin_bswap64(owners);
    explained.at = [network = std::move(network), described = std::move(described),
                    index](std::span<const double> inputs) {
        const DenseOutput output = network->info.shape.output;
        std::vector<std::unique_ptr<LayerTape>> tapes;
        Numbers z;
        for (const std::vector<float>& move : described) {
            LayerTape& tape = *tapes.emplace_back(std::make_unique<LayerTape>());
            Numbers numbers(inputs.begin(), inputs.end());
            numbers.insert(numbers.end(), move.begin(), move.end());
            z.push_back(tape.at(dense_layers(tape, *network, tape.put(std::move(numbers)))).front());
        }
        const ProbabilitySlopes by_z = move_slopes(output, z, static_cast<std::size_t>(index));
        Tangent tangent{by_z.probability, Numbers(inputs.size())};
        for (std::size_t move = 0; move < tapes.size(); ++move) {
            const LayerTape& tape = *tapes[move];
            const Numbers slopes = tape.slopes({{tape.last(), {by_z.slopes[move]}}}, 0);
            for (std::size_t i = 0; i < inputs.size(); ++i) tangent.slopes[i] += slopes[i];
        }
        return tangent;
    };
    return explained;
}

Explained explain_value(std::shared_ptr<const ComparisonNetwork> network, const chess::Position& position) {
    Explained explained{Numbers(kComparisonBits), std::vector<chess::Bitboard>(kComparisonBits), {}};
    const ComparisonOnes ones(position);
    for (const int one : ones.all()) {
        const auto number = static_cast<std::size_t>(one);
        explained.inputs[number] = 1;
        if (number < 12 * 64) explained.owners[number] = 1ULL << number % 64;
    }
    explained.at = [network = std::move(network)](std::span<const double> inputs) {
        LayerTape tape;
        const LayerTape::Place in = tape.put({inputs.begin(), inputs.end()});
        LayerTape::Place numbers = in;
        for (const ComparisonLayer& layer : network->encoder)
            numbers = tape.each(tape.dense(numbers, layer.weight, layer.bias), rectified);
        for (std::size_t i = 0; i < network->head.size(); ++i) {
            numbers = tape.dense(numbers, network->head[i].weight, network->head[i].bias);
            if (i + 1 < network->head.size()) numbers = tape.each(numbers, rectified);
        }
        constexpr double scale = chess::Score::kScale;
        return Tangent{scale * tape.at(numbers).front(), tape.slopes({{numbers, {scale}}}, in)};
    };
    return explained;
}

}  // namespace scholar::nets
