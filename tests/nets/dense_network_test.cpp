// Dense networks: kernels and plain loops against full matrices, files, and what is refused.

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "nets/container/any_network.hpp"
#include "nets/dense/dense_file.hpp"
#include "nets/dense/dense_path.hpp"
#include "nets/dense/dense_runner.hpp"
#include "support/random_games.hpp"

namespace scholar::nets {
namespace {

using namespace chess;

const DenseFeatureSet& features(const char* name) {
    return **find_dense_feature_set(name);
}

// Of several depths and of widths that fill no vector.
std::vector<DenseShape> some_shapes() {
    return {
        dense_shape(features("giraffe-363"), {{32, 64, 32}}, {64}),
        dense_shape(features("giraffe-363-mobility"), {{19, 11, 7}, {5, 3, 1}}, {}),
        dense_shape(features("giraffe-no-maps"), {{1, 100}}, {33, 17}),
        dense_shape(features("giraffe-pieces"), {}, {}),
        dense_shape(features("bits-773"), {}, {70, 2}),
        dense_shape(features("giraffe-363"), {{3, 4, 5, 6}}, {7}, &dense_move_sets().front(),
                    DenseOutput::Logistic),
        dense_shape(features("giraffe-pieces"), {}, {20}, &dense_move_sets().front(), DenseOutput::Softmax)};
}

// z by matrices with all the zeros that blocks leave out.
double by_full_matrices(const DenseNetwork& network, std::span<const float> inputs) {
    std::vector<double> now(inputs.begin(), inputs.end());
    for (std::size_t layer = 0; layer < network.layers.size(); ++layer) {
        const DenseLayerShape& shape = network.info.shape.layers[layer];
        std::vector<std::vector<double>> matrix;
        std::vector<double> bias;
        for (std::size_t i = 0; i < shape.size(); ++i)
            for (int unit = 0; unit < shape[i].outputs; ++unit) {
                std::vector<double> row(now.size());
                for (int in = 0; in < shape[i].inputs; ++in)
                    row[static_cast<std::size_t>(shape[i].first_input + in)] =
                        network.layers[layer][i]
                            .weight[static_cast<std::size_t>(unit * shape[i].inputs + in)];
                matrix.push_back(row);
                bias.push_back(network.layers[layer][i].bias[static_cast<std::size_t>(unit)]);
            }
        std::vector<double> next = bias;
        for (std::size_t unit = 0; unit < next.size(); ++unit)
            for (std::size_t in = 0; in < now.size(); ++in) next[unit] += matrix[unit][in] * now[in];
        if (layer + 1 < network.layers.size())
            for (double& number : next) number = std::max(number, 0.0);
        now = next;
    }
    EXPECT_EQ(now.size(), 1U);
    return now.front();
}

TEST(DenseNetworkTest, ShapesOfModalities) {
    const DenseShape shape = dense_shape(features("giraffe-363"), {{32, 64, 16}, {8, 9, 10}}, {5});
    const std::vector<DenseLayerShape> expected{{{0, 19, 32}, {19, 216, 64}, {235, 128, 16}},
                                                {{0, 32, 8}, {32, 64, 9}, {96, 16, 10}},
                                                {{0, 27, 5}},
                                                {{0, 5, 1}}};
    EXPECT_EQ(shape.layers, expected);
    EXPECT_EQ(describe(random_dense_network(shape, 1)),
              "dense 1: giraffe-363 → 32 + 64 + 16 → 8 + 9 + 10 → 5 → 1, tanh");
    EXPECT_EQ(describe(random_dense_network(some_shapes().back(), 1)),
              "dense 1: giraffe-pieces + giraffe-moves → 20 → 1, softmax");
}

// By hand: who is to move goes through one unit that ReLU lets through and one that it does not.
TEST(DenseNetworkTest, ScoresByHand) {
    DenseNetwork network = empty_dense_network(dense_shape(features("giraffe-pieces"), {}, {2}));
    network.layers[0][0].weight.assign(std::size_t{2} * 155, 0);
    network.layers[0][0].weight[0] = 1;
    network.layers[0][0].weight[155] = -1;
    network.layers[0][0].bias = {0.5F, 0};
    network.layers[1][0] = {{0.25F, 100}, {-0.5F}};
    ASSERT_TRUE(check_network(network));
    // White to move: 0.25 · 1.5 − 0.5 = −0.125. Black to move: 0.25 · 0.5 − 0.5 = −0.375, White's.
    EXPECT_EQ(evaluate_plainly(network, Position()), Score(-100));
    EXPECT_EQ(evaluate_plainly(network, Position().after(Move(E2, E4))), Score(300));
    // Expected result: (1 + tanh z) / 2.
    EXPECT_NEAR(Score(-100).expected(), (1 + std::tanh(-0.125)) / 2, 1e-12);
    EXPECT_EQ(dense_score(1e9, White), Score(Score::kEvaluationBound));
    EXPECT_EQ(dense_score(1e9, Black), Score(-Score::kEvaluationBound));
    // 9 each for the 155 inputs is what the bound reckons with.
    EXPECT_DOUBLE_EQ(largest_output(network), 0.5 + 0.25 * 9.5 + 100 * 9);
}

TEST(DenseNetworkTest, KernelsAndPlainLoopsAreFullMatrices) {
    base::Random random(5);
    for (const DenseShape& shape : some_shapes()) {
        const auto network = std::make_shared<const DenseNetwork>(random_dense_network(shape, random.next()));
        DenseRunner runner(network);
        DenseRunner other = runner;
        double least = 1e9;
        double most = -1e9;
        tests::play_random_game(random, Position(), 30, [&](const Position&, Move, const Position& position) {
            const auto inputs = runner.inputs();
            const auto board = static_cast<std::size_t>(shape.features->size());
            shape.features->encode(position, inputs.first(board));
            for (float& number : inputs.subspan(board))
                number = random.below(2) == 0 ? 0 : static_cast<float>(random.unit());
            const double expected = by_full_matrices(*network, inputs);
            EXPECT_NEAR(dense_output(*network, inputs), expected, 1e-9);
            EXPECT_NEAR(runner.run(), expected, 2e-5) << describe(*network);
            // Nothing is left over from one input to the next, and the inputs are as they were.
            std::ranges::copy(inputs, other.inputs().begin());
            EXPECT_EQ(other.run(), runner.run());
            EXPECT_LE(std::abs(expected), largest_output(*network));
            least = std::min(least, expected);
            most = std::max(most, expected);
        });
        EXPECT_GT(most - least, 0.01) << describe(*network);
    }
}

// Up and down a tree of moves, some of whose positions nobody asks for: as from nothing, and as in double
// precision but for rounding.
TEST(DensePathTest, IsTheSameWhateverThePathWas) {
    base::Random random(11);
    for (const DenseShape& shape : some_shapes()) {
        if (shape.moves) continue;
        const auto network = std::make_shared<const DenseNetwork>(random_dense_network(shape, random.next()));
        DensePath path(network);
        std::vector<float> inputs(static_cast<std::size_t>(shape.inputs()));
        int asked = 0;
        int differ = 0;
        const auto ask = [&](const Position& position) {
            const Score value = path.value(position);
            EXPECT_EQ(value, evaluate_plainly(*network, position));
            shape.features->encode(position, inputs);
            const Score plain = dense_score(dense_output(*network, inputs), position.side_to_move());
            EXPECT_NEAR(value.value(), plain.value(), 1);
            ++asked;
            differ += value == plain ? 0 : 1;
        };
        for (int game = 0; game < 5; ++game) {
            path.reset();
            int plies = 0;
            tests::play_random_game(random, Position(), 60,
                                    [&](const Position& before, Move, const Position& position) {
                                        // Another move, and back.
                                        const MoveList moves = legal_moves(before);
                                        path.push();
                                        ask(before.after(moves[0]));
                                        path.pop();
                                        path.push();
                                        ++plies;
                                        if (random.below(3) > 0) ask(position);
                                    });
            for (; plies > 0; --plies) path.pop();
            ask(Position());
        }
        EXPECT_LE(differ, asked / 10) << describe(*network);
    }
}

// Large and small weights: no sum of whole numbers overflows, and so the score is that of double
// precision.
TEST(DensePathTest, TakesWeightsOfAnySize) {
    for (const float size : {1e-30F, 1e-3F, 1e3F, 1e8F}) {
        DenseNetwork network = empty_dense_network(dense_shape(features("giraffe-pieces"), {}, {2}));
        network.layers[0][0].weight.assign(std::size_t{2} * 155, size);
        network.layers[0][0].bias = {0, -size};
        network.layers[1][0] = {{1 / size, -1 / size}, {0.125F}};
        ASSERT_TRUE(check_network(network));
        // Their difference is what the bias says.
        EXPECT_NEAR(evaluate_plainly(network, Position())->value(), 900, 1) << size;
    }
}

TEST(DenseFile, IsReadAsItWasWritten) {
    for (const DenseShape& shape : some_shapes()) {
        DenseNetwork network = random_dense_network(shape, 8);
        network.info.history["recipe"] = "test";
        network.info.piece_values = {80, 300, 310, 480, 900, 0};
        const auto file = to_tensor_file(network);
        ASSERT_TRUE(file) << file.error().message;
        const auto read = parse_any_network(serialise_tensors(*file));
        ASSERT_TRUE(read) << read.error().message;
        const auto known = read->as<DenseNetwork>();
        ASSERT_TRUE(known);
        EXPECT_EQ(known->info.shape, shape);
        for (std::size_t layer = 0; layer < network.layers.size(); ++layer)
            for (std::size_t block = 0; block < network.layers[layer].size(); ++block) {
                EXPECT_EQ(known->layers[layer][block].weight, network.layers[layer][block].weight);
                EXPECT_EQ(known->layers[layer][block].bias, network.layers[layer][block].bias);
            }
        EXPECT_EQ(read->description(), describe(network));
        EXPECT_EQ(read->content_name(), content_name(network));
        EXPECT_EQ(read->history(), network.info.history);
        EXPECT_EQ(*read->piece_values(), network.info.piece_values);
        EXPECT_EQ(read->evaluate(Position()), evaluate_plainly(network, Position()));
        EXPECT_EQ(read->evaluate(Position()).has_value(), shape.moves == nullptr);
        EXPECT_EQ(read->abilities(), Abilities{shape.moves ? Ability::Policy : Ability::Leaf});
    }
}

TEST(DenseFile, RefusesInOneLine) {
    const TensorFile good =
        *to_tensor_file(random_dense_network(dense_shape(features("giraffe-363"), {{3, 4, 5}}, {6}), 1));
    ASSERT_TRUE(to_dense_network(good));
    EXPECT_EQ(good.metadata.at("layer.0"), "0 19 3 19 216 4 235 128 5");
    const auto expect_refused = [&good](const std::string& key, const std::string& value,
                                        const std::string& part) {
        TensorFile file = good;
        file.metadata[key] = value;
        if (value.empty()) file.metadata.erase(key);
        const auto network = to_dense_network(file);
        ASSERT_FALSE(network) << key << " " << value;
        EXPECT_NE(network.error().message.find(part), std::string::npos) << network.error().message;
        EXPECT_EQ(network.error().message.find('\n'), std::string::npos);
    };
    for (const auto& [key, entry] : good.metadata)
        if (!key.starts_with("history.")) expect_refused(key, "", key);
    expect_refused("version", "2", "version '2', expected '1'");
    expect_refused("features", "giraffe", "'giraffe' is not known, expected one of: giraffe-363,");
    expect_refused("inputs", "362", "inputs '362', expected '363'");
    expect_refused("activation", "tanh", "activation 'tanh', expected 'relu'");
    expect_refused("output", "linear", "output 'linear', expected one of: tanh, logistic, softmax");
    expect_refused("output", "logistic", "output 'logistic' of 0 inputs of a move");
    expect_refused("output", "softmax", "output 'softmax' of 0 inputs of a move");
    expect_refused("move_inputs", "5", "moves");
    expect_refused("move_inputs", "-1", "moves");
    const TensorFile of_moves =
        *to_tensor_file(random_dense_network(dense_shape(features("giraffe-363"), {{3, 4, 5, 6}}, {6},
                                                         &dense_move_sets().front(), DenseOutput::Logistic),
                                             1));
    ASSERT_TRUE(to_dense_network(of_moves));
    for (const auto& [key, value, part] :
         {std::tuple("output", "tanh", "output 'tanh' of 152 inputs of a move"),
          {"move_inputs", "151", "move_inputs '151', expected '152'"},
          {"moves", "giraffe", "'giraffe' is not known, expected one of: giraffe-moves"}}) {
        TensorFile file = of_moves;
        file.metadata[key] = value;
        const auto network = to_dense_network(file);
        ASSERT_FALSE(network) << key;
        EXPECT_NE(network.error().message.find(part), std::string::npos) << network.error().message;
    }
    expect_refused("layers", "0", "layers 0, expected a number from 1 to 8");
    expect_refused("layers", "2000000000", "layers 2000000000, expected a number from 1 to 8");
    expect_refused("layers", "2", "6 units in the last layer, expected 1");
    expect_refused("layer.0", "0 19 3 19", "layer.0: 4 numbers, expected three for each block");
    expect_refused("layer.0", "0 364 3",
                   "layer 0: a block of 364 inputs from 0 on, expected some of 0 to 362");
    expect_refused("layer.0", "-1 5 3", "layer 0: a block of 5 inputs from -1 on");
    expect_refused("layer.0", "2147483647 5 3", "layer 0: a block of 5 inputs from 2147483647 on");
    expect_refused("layer.0", "0 363 4097", "layer 0: a block of 4097 units, expected 1 to 4096 in all");
    expect_refused("layer.0", "0 363 4000 0 363 97", "layer 0: a block of 97 units");
    expect_refused("layer.0", "0 363 2147483647 0 363 2147483647", "layer 0: a block of 2147483647 units");
    expect_refused("layer.1", "0 0 6", "layer 1: a block of 0 inputs");
    expect_refused("layer.1", "", "layer.1");
    expect_refused("layer.1", " ", "layer 1: 0 blocks, expected 1 to 64");
    expect_refused("layer.0", "0 363 12", "layer.0.block.0.weight");
    // Each layer might be: all of them are not.
    DenseShape bomb = dense_shape(features("giraffe-363"), {}, {4096, 4096, 4096});
    EXPECT_EQ(check_shape(bomb).error().message, "35057665 weights, expected 16777216 at most");

    const auto expect_weights_refused = [](float weight, const std::string& part) {
        DenseNetwork network = random_dense_network(dense_shape(features("giraffe-363"), {}, {6, 6, 6}), 1);
        for (auto& layer : network.layers) layer.front().weight.front() = weight;
        const auto status = check_network(network);
        ASSERT_FALSE(status);
        EXPECT_NE(status.error().message.find(part), std::string::npos) << status.error().message;
        EXPECT_FALSE(to_tensor_file(network));
    };
    expect_weights_refused(std::nanf(""), "layer.0.block.0.weight: number 0 is nan, expected a finite one");
    expect_weights_refused(1e10F, "weights so large that sums could exceed 1e+30");
    DenseNetwork short_one = random_dense_network(dense_shape(features("giraffe-363"), {}, {6}), 1);
    short_one.layers[1][0].bias.clear();
    EXPECT_EQ(check_network(short_one).error().message, "layer.1.block.0.bias: 0 numbers, expected 1");
    short_one.layers.pop_back();
    EXPECT_FALSE(check_network(short_one));
}

}  // namespace
}  // namespace scholar::nets
