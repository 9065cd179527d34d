// Convolutional networks worked out through oneDNN against plain loops in double precision, their files, and
// the numbering of their moves.

#include "nets/conv/conv_network.hpp"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "chess/movegen.hpp"
#include "nets/container/any_network.hpp"
#include "nets/conv/chess_net_runner.hpp"
#include "nets/conv/conv_file.hpp"
#include "nets/conv/conv_runner.hpp"
#include "support/test_data.hpp"

namespace scholar::nets {
namespace {

using Numbers = std::vector<double>;
constexpr int kSide = 8;
constexpr std::size_t kAllSquares = 64;

// [filter][square] each.
Numbers convolve(const Numbers& input, const ConvLayer& layer, int size) {
    const std::size_t inputs = input.size() / kAllSquares;
    Numbers output(layer.bias.size() * kAllSquares);
    for (std::size_t out = 0; out < layer.bias.size(); ++out)
        for (int rank = 0; rank < kSide; ++rank)
            for (int file = 0; file < kSide; ++file) {
                double sum = layer.bias[out];
                for (std::size_t in = 0; in < inputs; ++in)
                    for (int up = 0; up < size; ++up)
                        for (int right = 0; right < size; ++right) {
                            const int from_rank = rank + up - size / 2;
                            const int from_file = file + right - size / 2;
                            if (from_rank < 0 || from_rank >= kSide || from_file < 0 || from_file >= kSide)
                                continue;
                            const auto weight = ((out * inputs + in) * static_cast<std::size_t>(size) +
                                                 static_cast<std::size_t>(up)) *
                                                    static_cast<std::size_t>(size) +
                                                static_cast<std::size_t>(right);
                            sum += layer.weight[weight] *
                                   input[in * kAllSquares +
                                         static_cast<std::size_t>(from_rank * kSide + from_file)];
                        }
                output[out * kAllSquares + static_cast<std::size_t>(rank * kSide + file)] = sum;
            }
    return output;
}
Numbers dense(const Numbers& input, const ConvLayer& layer) {
    Numbers output(layer.bias.begin(), layer.bias.end());
    for (std::size_t out = 0; out < output.size(); ++out)
        for (std::size_t in = 0; in < input.size(); ++in)
            output[out] += input[in] * layer.weight[out * input.size() + in];
    return output;
}
// What the layer has made, or what was added to it.
Numbers active(Numbers numbers, ConvActivation activation, const ConvLayer& layer) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        double& x = numbers[i];
        if (activation == ConvActivation::Prelu)
            x = x > 0 ? x : x * layer.slope[i / (numbers.size() / layer.slope.size())];
        else
            x = activation == ConvActivation::Relu   ? std::max(x, 0.0)
                : activation == ConvActivation::Mish ? x * std::tanh(std::log1p(std::exp(x)))
                                                     : std::tanh(x);
    }
    return numbers;
}
Numbers active_convolution(const Numbers& input, const ConvLayer& layer, int size,
                           ConvActivation activation) {
    return active(convolve(input, layer, size), activation, layer);
}
Numbers active_dense(const Numbers& input, const ConvLayer& layer, ConvActivation activation) {
    return active(dense(input, layer), activation, layer);
}
Numbers squeeze_excite(Numbers sums, const ResidualBlock& block, ConvActivation activation) {
    const std::size_t filters = sums.size() / kAllSquares;
    Numbers means(filters);
    for (std::size_t i = 0; i < sums.size(); ++i) means[i / kAllSquares] += sums[i] / kAllSquares;
    const Numbers factors = dense(active_dense(means, block.squeeze, activation), block.excite);
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const std::size_t filter = i / kAllSquares;
        sums[i] = sums[i] / (1 + std::exp(-factors[filter])) + factors[filters + filter];
    }
    return sums;
}
Numbers head(const Numbers& body, const ConvHead& of, ConvActivation activation) {
    Numbers units = active_dense(active_convolution(body, of.planes, 1, activation), of.hidden, activation);
    if (!of.second.bias.empty()) units = active_dense(units, of.second, activation);
    return dense(units, of.output);
}

// All logits of a policy of squares, by place.
Numbers squares(const Numbers& body, const ConvNetwork& network) {
    const auto width = static_cast<std::size_t>(network.info.shape.policy_filters);
    const Numbers planes = convolve(body, network.policy_first, 1);
    Numbers logits;
    for (std::size_t from = 0; from < kAllSquares; ++from)
        logits.push_back(planes[2 * width * kAllSquares + from] + network.policy_second.bias[from]);
    for (std::size_t from = 0; from < kAllSquares; ++from)
        for (std::size_t to = 0; to < kAllSquares; ++to) {
            double product = 0;
            for (std::size_t i = 0; i < width; ++i)
                product += planes[i * kAllSquares + from] * planes[(width + i) * kAllSquares + to];
            logits.push_back(product / std::sqrt(width) +
                             network.policy_second.weight[from * kAllSquares + to]);
        }
    for (std::size_t kind = 1; kind <= 3; ++kind)
        for (std::size_t file = 0; file < 8; ++file)
            logits.push_back(planes[(2 * width + kind) * kAllSquares + 56 + file]);
    return logits;
}

struct Outputs {
    Numbers policy;
    Numbers source;
    Numbers target;
    Numbers value;
    Numbers moves_left;
};
Outputs work_out(const ConvNetwork& network, const Numbers& planes) {
    const ConvShape& shape = network.info.shape;
    Numbers body = active_convolution(planes, network.input, 3, shape.activation);
    Outputs outputs;
    const auto read_source = [&](std::size_t blocks) {
        if (shape.policy == PolicyForm::SourceTarget &&
            blocks == static_cast<std::size_t>(shape.source_blocks))
            outputs.source = head(body, network.source, shape.activation);
    };
    read_source(0);
    std::size_t blocks = 0;
    for (const ResidualBlock& block : network.blocks) {
        Numbers sums = convolve(active_convolution(body, block.first, 3, shape.activation), block.second, 3);
        if (shape.squeeze > 0) sums = squeeze_excite(std::move(sums), block, shape.activation);
        for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += body[i];
        body = active(std::move(sums), shape.activation, block.second);
        read_source(++blocks);
    }
    if (shape.policy == PolicyForm::Convolutional) {
        const Numbers all = convolve(active_convolution(body, network.policy_first, 3, shape.activation),
                                     network.policy_second, 3);
        for (const std::uint16_t index : policy_plane_indices()) outputs.policy.push_back(all[index]);
    } else if (shape.policy == PolicyForm::Dense) {
        outputs.policy =
            dense(active_convolution(body, network.policy_first, 1, shape.activation), network.policy_second);
    } else if (shape.policy == PolicyForm::Squares) {
        outputs.policy = squares(body, network);
    } else if (shape.policy == PolicyForm::SourceTarget) {
        outputs.target = head(body, network.target, shape.activation);
    }
    if (shape.value != ValueForm::None) outputs.value = head(body, network.value, shape.activation);
    if (shape.moves_left_filters > 0) outputs.moves_left = head(body, network.moves_left, shape.activation);
    return outputs;
}

std::vector<chess::Line> lines_of_random_games(int count) {
    base::Random random(5);
    std::vector<chess::Line> lines;
    while (lines.size() < static_cast<std::size_t>(count)) {
        chess::Line line;
        for (std::uint64_t plies = random.below(80); plies > 0; --plies) {
            const chess::MoveList moves = chess::legal_moves(line.current());
            if (moves.empty()) break;
            line.push(moves[static_cast<int>(random.below(static_cast<std::uint64_t>(moves.size())))]);
        }
        lines.push_back(line);
    }
    return lines;
}

// Forms of networks that differ in what is done: widths that vectors like and that they don't.
std::vector<ConvShape> some_shapes() {
    ConvShape shape;
    shape.filters = 32;
    shape.blocks = 2;
    shape.policy_filters = 16;
    shape.value_filters = 4;
    shape.value_units = 8;
    std::vector<ConvShape> shapes(11, shape);
    shapes[1].squeeze = 4;
    shapes[1].input = PlanesLayout::Lc0Classical112;
    shapes[2].filters = 20;
    shapes[2].squeeze = 3;
    shapes[2].policy = PolicyForm::Dense;
    shapes[2].policy_filters = 5;
    shapes[2].value = ValueForm::Expected;
    shapes[3].filters = 17;
    shapes[3].activation = ConvActivation::Mish;
    shapes[3].policy_filters = 10;
    shapes[3].moves_left_filters = 3;
    shapes[3].moves_left_units = 5;
    shapes[4].activation = ConvActivation::Mish;
    shapes[4].squeeze = 2;
    shapes[4].policy = PolicyForm::Dense;
    shapes[4].value = ValueForm::None;
    shapes[5].blocks = 0;
    shapes[5].policy = PolicyForm::None;
    shapes[6].policy = PolicyForm::Squares;
    shapes[6].input.layers = {.last_move = true, .attacks = true, .threats = true, .rating = true};
    shapes[6].input.rating_least = 1'000;
    shapes[6].input.rating_most = 2'000;
    shapes[7].filters = 20;
    shapes[7].activation = ConvActivation::Tanh;
    shapes[7].input = PlanesLayout::Board6;
    shapes[7].policy = PolicyForm::Squares;
    shapes[7].policy_filters = 5;
    // As in "Reinforcement learning in chess", and with widths that vectors like less.
    shapes[8].input = PlanesLayout::Board13;
    shapes[8].activation = ConvActivation::Prelu;
    shapes[8].policy = PolicyForm::SourceTarget;
    shapes[8].policy_filters = 2;
    shapes[8].policy_units = 64;
    shapes[8].source_blocks = 1;
    shapes[8].value = ValueForm::Expected;
    shapes[8].value_filters = 1;
    shapes[8].value_units = 64;
    shapes[8].value_second_units = 64;
    shapes[9] = shapes[8];
    shapes[9].filters = 17;
    shapes[9].policy_units = 9;
    shapes[9].source_blocks = 0;
    shapes[9].value = ValueForm::Wdl;
    shapes[9].value_second_units = 7;
    shapes[9].moves_left_filters = 3;
    shapes[9].moves_left_units = 5;
    shapes[10].activation = ConvActivation::Prelu;
    return shapes;
}

double largest(const Numbers& numbers) {
    double most = 0;
    for (const double number : numbers) most = std::max(most, std::abs(number));
    return most;
}

// Every output for every position of batches of some sizes.
void expect_as_worked_out(const ConvNetwork& network, double tolerance) {
    const ConvShape& shape = network.info.shape;
    auto runner = ConvRunner::make(std::make_shared<const ConvNetwork>(network));
    ASSERT_TRUE(runner) << runner.error().message;
    const auto lines = lines_of_random_games(5);
    std::vector<Outputs> expected;
    for (const chess::Line& line : lines) {
        std::vector<float> planes(static_cast<std::size_t>(plane_count(shape.input)) * kAllSquares);
        encode_planes(shape.input, line, {}, std::span(planes));
        expected.push_back(work_out(network, Numbers(planes.begin(), planes.end())));
    }
    for (const int batch : {1, 2, 7, 100}) {
        for (int i = 0; i < batch; ++i)
            encode_planes(shape.input, lines[static_cast<std::size_t>(i) % lines.size()], {},
                          runner->planes(i));
        ASSERT_TRUE(runner->run(batch));
        for (int i = 0; i < batch; ++i) {
            const Outputs& wanted = expected[static_cast<std::size_t>(i) % lines.size()];
            const double scale = std::max({1.0, largest(wanted.policy), largest(wanted.source),
                                           largest(wanted.target), largest(wanted.value)});
            for (int move = 0; move < static_cast<int>(wanted.policy.size()); ++move)
                ASSERT_NEAR(shape.policy == PolicyForm::Squares ? runner->square_logit(i, move)
                                                                : runner->policy(i, move),
                            wanted.policy[static_cast<std::size_t>(move)], tolerance * scale)
                    << describe(network) << ", batch " << batch << ", position " << i << ", move " << move;
            for (const auto& [said, worked_out] : {std::pair{runner->value(i), &wanted.value},
                                                   {runner->source(i), &wanted.source},
                                                   {runner->target(i), &wanted.target}}) {
                ASSERT_EQ(said.size(), worked_out->size());
                for (std::size_t j = 0; j < said.size(); ++j)
                    ASSERT_NEAR(said[j], (*worked_out)[j], tolerance * scale) << describe(network);
            }
            for (const double plies : wanted.moves_left)
                ASSERT_NEAR(runner->moves_left(i), plies, tolerance * std::max(1.0, std::abs(plies)));
        }
    }
}

TEST(ConvRunnerTest, GivesWhatPlainLoopsGive) {
    for (const ConvShape& shape : some_shapes()) expect_as_worked_out(random_conv_network(shape, 11), 1e-4);
}

TEST(ConvRunnerTest, GivesNearlyTheSameInBf16) {
    if (!processor_has_bf16()) GTEST_SKIP() << "this processor does not multiply bfloat16";
    for (const ConvShape& shape : some_shapes()) {
        ConvNetwork network = random_conv_network(shape, 12);
        network.info.precision = Precision::Bf16;
        expect_as_worked_out(network, 0.03);
    }
}

// ChessNet's networks by the same plain loops.
Numbers work_out(const ChessNets& networks, ChessNetRole role, const Numbers& planes) {
    const ChessNet& network = *networks.of(role);
    const ConvActivation activation = networks.info.shape.activation;
    Numbers body = planes;
    for (const ConvLayer& layer : network.convolutions) body = active_convolution(body, layer, 3, activation);
    return dense(active_dense(body, network.hidden, activation), network.output);
}

std::vector<ChessNetShape> some_chess_nets() {
    ChessNetShape shape;
    shape.filters = {16, 24, 32};
    shape.units = 48;
    std::vector<ChessNetShape> shapes(2, shape);
    shapes[1].filters = {17};
    shapes[1].input = PlanesInput(PlanesLayout::Board12, {.rating = true, .outcome = true});
    shapes[1].input.rating_least = 1'000;
    shapes[1].input.rating_most = 2'000;
    shapes[1].piece_layer = true;
    shapes[1].activation = ConvActivation::Tanh;
    return shapes;
}
const std::vector<ChessNetRole> kEveryRole(kChessNetRoles.begin(), kChessNetRoles.end());

void expect_chess_nets_as_worked_out(Precision precision, double tolerance) {
    const auto lines = lines_of_random_games(3);
    PlaneContext context;
    context.rating = 0.7F;
    context.piece = chess::E2;
    for (const ChessNetShape& shape : some_chess_nets()) {
        ChessNets made = random_chess_nets(shape, kEveryRole, 3);
        made.info.precision = precision;
        const auto networks = std::make_shared<const ChessNets>(std::move(made));
        for (const ChessNetRole role :
             {ChessNetRole::Piece, ChessNetRole::Pawn, ChessNetRole::King, ChessNetRole::Value}) {
            auto runner = ChessNetRunner::make(networks, role);
            ASSERT_TRUE(runner) << runner.error().message;
            const PlanesInput input = input_of(shape, role);
            std::vector<Numbers> wanted;
            for (const chess::Line& line : lines) {
                std::vector<float> planes(static_cast<std::size_t>(plane_count(input)) * kAllSquares);
                encode_planes(input, line, context, std::span(planes));
                wanted.push_back(work_out(*networks, role, Numbers(planes.begin(), planes.end())));
            }
            for (const int batch : {1, 7, 70}) {
                for (int i = 0; i < batch; ++i)
                    encode_planes(input, lines[static_cast<std::size_t>(i) % lines.size()], context,
                                  runner->planes(i));
                ASSERT_TRUE(runner->run(batch));
                for (int i = 0; i < batch; ++i) {
                    const Numbers& expected = wanted[static_cast<std::size_t>(i) % lines.size()];
                    ASSERT_EQ(runner->outputs(i).size(), expected.size());
                    for (std::size_t k = 0; k < expected.size(); ++k)
                        ASSERT_NEAR(runner->outputs(i)[k], expected[k],
                                    tolerance * std::max(1.0, largest(expected)))
                            << to_string(role);
                }
            }
        }
    }
}

TEST(ChessNetsTest, GiveWhatPlainLoopsGive) {
    expect_chess_nets_as_worked_out(Precision::F32, 1e-4);
}

TEST(ChessNetsTest, GiveNearlyTheSameInBf16) {
    if (!processor_has_bf16()) GTEST_SKIP() << "this processor does not multiply bfloat16";
    expect_chess_nets_as_worked_out(Precision::Bf16, 0.03);
}

TEST(ChessNetsTest, AreReadAsTheyWereWritten) {
    const tests::TemporaryFolder folder;
    for (const ChessNetShape& shape : some_chess_nets()) {
        ChessNets networks =
            random_chess_nets(shape, {ChessNetRole::Piece, ChessNetRole::Rook, ChessNetRole::Value}, 4);
        networks.info.history["recipe"] = "test";
        ASSERT_TRUE(save_network(folder / "nets.safetensors", networks));
        const auto read = load_any_network(folder / "nets.safetensors");
        ASSERT_TRUE(read) << read.error().message;
        const auto known = read->as<ChessNets>();
        ASSERT_TRUE(known);
        EXPECT_EQ(known->info.shape, shape);
        EXPECT_EQ(known->info.history, networks.info.history);
        EXPECT_EQ(content_name(*known), content_name(networks));
        EXPECT_EQ(abilities(*known), Abilities{Ability::Value});
        EXPECT_EQ(abilities(random_chess_nets(shape, kEveryRole, 1)),
                  (Abilities{Ability::Value, Ability::Policy}));
    }
    const TensorFile good = *to_tensor_file(random_chess_nets(some_chess_nets()[0], kEveryRole, 5));
    const auto with = [&](const std::string& key, const std::string& value) {
        TensorFile file = good;
        file.metadata[key] = value;
        const auto networks = to_chess_nets(file);
        return networks ? std::string("accepted") : networks.error().message;
    };
    EXPECT_EQ(with("networks", "rook piece"),
              "networks 'rook piece', expected some of: piece pawn knight bishop rook queen king value, in "
              "this order");
    EXPECT_EQ(with("networks", ""), "no network, expected one at least");
    EXPECT_EQ(with("filters", "16 0 32"), "filters 0, expected a number from 1 to 1024");
    EXPECT_EQ(with("units", "47"), "tensor 'piece.hidden.weight' is F32 [48, 2048], expected F32 [47, 2048]");
    EXPECT_EQ(with("input", "board-6+piece"),
              "input board-6+piece, expected one board without the layer of the piece that moves");
}

TEST(ConvFile, IsReadAsItWasWritten) {
    for (const ConvShape& shape : some_shapes()) {
        ConvNetwork network = random_conv_network(shape, 13);
        network.info.history["recipe"] = "test";
        network.info.learnt_piece_values = PieceValues{90, 310, 320, 480, 950, 0};
        const auto file = to_tensor_file(network);
        ASSERT_TRUE(file) << file.error().message;
        const auto bytes = serialise_tensors(*file);
        const auto read = parse_any_network(bytes);
        ASSERT_TRUE(read) << read.error().message;
        const auto known = read->as<ConvNetwork>();
        ASSERT_TRUE(known);
        EXPECT_EQ(known->info.shape, shape);
        EXPECT_EQ(known->info.history, network.info.history);
        EXPECT_EQ(known->info.learnt_piece_values, network.info.learnt_piece_values);
        EXPECT_EQ(content_name(*known), content_name(network));
        EXPECT_EQ(serialise_tensors(*to_tensor_file(*known)), bytes);
        const tests::TemporaryFolder folder;
        ASSERT_TRUE(save_network(folder / "a.safetensors", network));
        EXPECT_EQ(load_any_network(folder / "a.safetensors")->content_name(), content_name(network));
    }
}

TEST(ConvFile, RefusesWhatIsWrongByName) {
    const TensorFile good = *to_tensor_file(random_conv_network(some_shapes()[1], 14));
    const auto refusal = [&](auto change) {
        TensorFile file = good;
        change(file);
        const auto network = to_conv_network(file);
        return network ? std::string("accepted") : network.error().message;
    };
    const auto with = [&](const std::string& key, const std::string& value) {
        return refusal([&](TensorFile& file) { file.metadata[key] = value; });
    };
    EXPECT_EQ(with("version", "3"), "version '3', expected '1' or '2'");
    EXPECT_EQ(with("version", "2"), "no 'policy_units' in the metadata");
    EXPECT_EQ(with("activation", "prelu"),
              "squeeze 4 beside the activation prelu, expected only one of them");
    EXPECT_EQ(with("input", "board-9"), "input 'board-9', expected one of: " + planes_input_names());
    EXPECT_EQ(with("input", "board-18+rating"), "no 'rating_least' in the metadata");
    EXPECT_EQ(with("activation", "gelu"), "activation 'gelu', expected one of: relu, mish, tanh, prelu");
    EXPECT_EQ(with("policy", "attention"),
              "policy 'attention', expected one of: none, convolutional, dense, squares, source-target");
    EXPECT_EQ(with("value", "q"), "value 'q', expected one of: none, expected, wdl");
    EXPECT_EQ(with("filters", "0"), "filters 0, expected a number from 1 to 1024");
    EXPECT_EQ(with("blocks", "1000000000"), "blocks 1000000000, expected a number from 0 to 128");
    EXPECT_EQ(with("filters", "48"),
              "tensor 'input.weight' is F32 [32, 112, 3, 3], expected F32 [48, 112, 3, 3]");
    EXPECT_EQ(with("blocks", "3"), "no tensor 'block.2.conv1.weight'");
    EXPECT_EQ(refusal([](TensorFile& file) { file.metadata.erase("squeeze"); }),
              "no 'squeeze' in the metadata");
    EXPECT_EQ(refusal([](TensorFile& file) { file.tensors.erase("value.output.bias"); }),
              "no tensor 'value.output.bias'");
    EXPECT_THAT(refusal([](TensorFile& file) {
                    std::vector<float> bias(32);
                    bias[3] = std::numeric_limits<float>::quiet_NaN();
                    file.tensors["input.bias"] =
                        Tensor::from<float>(Dtype::F32, {32}, std::span<const float>(bias));
                }),
                testing::StartsWith("input.bias: number 3 is nan"));
    // What older programs know is written as they know it.
    EXPECT_EQ(good.metadata.at("version"), "1");
    EXPECT_FALSE(good.metadata.contains("source_blocks"));
    TensorFile in_two = *to_tensor_file(random_conv_network(some_shapes()[8], 15));
    EXPECT_EQ(in_two.metadata.at("version"), "2");
    in_two.metadata["source_blocks"] = "3";
    EXPECT_EQ(to_conv_network(in_two).error().message, "source_blocks 3, expected a number from 0 to 2");
    in_two.metadata["source_blocks"] = "1";
    in_two.tensors.erase("block.1.conv2.slope");
    EXPECT_EQ(to_conv_network(in_two).error().message, "no tensor 'block.1.conv2.slope'");
    ConvNetwork short_one = random_conv_network(some_shapes()[0], 1);
    short_one.input.bias.pop_back();
    EXPECT_EQ(to_tensor_file(short_one).error().message, "input.bias: 31 numbers, expected 32");
}

// The ends of the list and some of its middle, as lc0 numbers them (its src/neural/encoder.cc).
TEST(PolicyMoves, AreNumberedAsInLc0) {
    using namespace chess;
    EXPECT_EQ(policy_index(Move(A1, B1), White), 0);
    EXPECT_EQ(policy_index(Move(A1, A2), White), 7);
    EXPECT_EQ(policy_index(Move(A1, H8), White), 22);
    EXPECT_EQ(policy_index(Move(B1, A1), White), 23);
    EXPECT_EQ(policy_index(Move(C1, C8), White), 71);
    EXPECT_EQ(policy_index(Move(H8, G8), White), 1'791);
    EXPECT_EQ(policy_index(Move(A8, B8), Black), 0);
    EXPECT_EQ(policy_index(Move::promotion(A7, A8, Knight), White), policy_index(Move(A7, A8), White));
    EXPECT_EQ(policy_index(Move::promotion(A7, A8, Queen), White), 1'792);
    EXPECT_EQ(policy_index(Move::promotion(A2, A1, Rook), Black), 1'793);
    EXPECT_EQ(policy_index(Move::promotion(A7, B8, Bishop), White), 1'797);
    EXPECT_EQ(policy_index(Move::promotion(H7, H8, Bishop), White), 1'857);
    EXPECT_EQ(policy_index(Move(E1, H1, Move::Castling), White), policy_index(Move(E8, H8), Black));
    // Its map from planes (src/neural/tables/policy_map.h): some entries of each part.
    const auto planes = policy_plane_indices();
    const auto at = [&](int plane, Square square) { return plane * 64 + square; };
    EXPECT_EQ(planes[7], at(0, A1));
    EXPECT_EQ(planes[10], at(1, A1));
    EXPECT_EQ(planes[static_cast<std::size_t>(policy_index(Move(D4, H4), White))], at(17, D4));
    EXPECT_EQ(planes[static_cast<std::size_t>(policy_index(Move(H1, G2), White))], at(49, H1));
    EXPECT_EQ(planes[static_cast<std::size_t>(policy_index(Move(G1, F3), White))], at(63, G1));
    EXPECT_EQ(planes[1'792], at(69, A7));
    EXPECT_EQ(planes[1'793], at(67, A7));
    EXPECT_EQ(planes[1'794], at(68, A7));
}

// All moves of random games have a number of their own, and a place of their own among the planes.
TEST(PolicyMoves, AreAllDifferent) {
    for (const chess::Line& line : lines_of_random_games(200)) {
        std::vector<int> indices;
        for (const chess::Move move : chess::legal_moves(line.current()))
            indices.push_back(policy_index(move, line.current().side_to_move()));
        std::ranges::sort(indices);
        EXPECT_TRUE(std::ranges::adjacent_find(indices) == indices.end());
        EXPECT_TRUE(indices.empty() || indices.back() < kPolicyMoves);
    }
    auto planes = policy_plane_indices();
    std::vector<std::uint16_t> places(planes.begin(), planes.end());
    std::ranges::sort(places);
    EXPECT_TRUE(std::ranges::adjacent_find(places) == places.end());
    EXPECT_LT(places.back(), kPolicyPlanes * 64);
}

}  // namespace
}  // namespace scholar::nets
