#include "onnx_networks.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>

#include "chess/movegen.hpp"
#include "games/pgn.hpp"
#include "nets/comparison/comparison_runner.hpp"
#include "nets/conv/chess_net_runner.hpp"
#include "nets/conv/conv_runner.hpp"
#include "nets/dense/dense_move_set.hpp"
#include "nets/dense/dense_network.hpp"
#include "nets/dense/dense_runner.hpp"
#include "support/test_data.hpp"

namespace scholar::tests {

namespace {

using namespace nets;
using Outputs = std::map<std::string, std::vector<float>>;

void append(std::vector<float>& to, std::span<const float> numbers) {
    to.insert(to.end(), numbers.begin(), numbers.end());
}

std::vector<float> softmax(std::span<const float> logits) {
    std::vector<float> shares;
    float sum = 0;
    for (const float logit : logits) sum += shares.emplace_back(std::exp(logit - logits.front()));
    for (float& share : shares) share /= sum;
    return shares;
}

// Squares and ratings that differ between positions, where planes show them.
PlaneContext some_context(const PlanesInput& input, const chess::Line& line) {
    PlaneContext context = play_context(input, 0, line);
    context.rating = input.layers.rating ? static_cast<float>(line.ply() % 10) / 10 : -1;
    const chess::MoveList moves = chess::legal_moves(line.current());
    if (!moves.empty()) context.piece = moves[line.ply() % moves.size()].from();
    return context;
}

void put_policy(const ConvRunner& runner, int position, const ConvShape& shape, Outputs& outputs) {
    if (shape.policy == PolicyForm::Dense) {
        for (int i = 0; i < kPolicyMoves; ++i) outputs["policy"].push_back(runner.policy(position, i));
    } else if (shape.policy == PolicyForm::Convolutional) {
        // Planes of no move, which the runner has not, are no numbers here.
        std::vector<float> planes(kPolicyPlanes * kPlaneSquares, std::nanf(""));
        for (int i = 0; i < kPolicyMoves; ++i)
            planes[policy_plane_indices()[static_cast<std::size_t>(i)]] = runner.policy(position, i);
        append(outputs["policy"], planes);
    } else if (shape.policy == PolicyForm::Squares) {
        for (int place = 0; place < kSquarePolicySize; ++place)
            outputs[place < kSquaresFrom                ? "policy_from"
                    : place < kSquaresFrom + kSquaresTo ? "policy_to"
                                                        : "policy_promotion"]
                .push_back(runner.square_logit(position, place));
    } else if (shape.policy == PolicyForm::SourceTarget) {
        append(outputs["policy_source"], runner.source(position));
        append(outputs["policy_target"], runner.target(position));
    }
}

EngineOutputs ask(const std::shared_ptr<const ConvNetwork>& network, const std::vector<chess::Line>& lines) {
    const ConvShape& shape = network->info.shape;
    EngineOutputs all;
    auto runner = ConvRunner::make(network);
    EXPECT_TRUE(runner);
    for (const chess::Line& line : lines) {
        const PlaneContext context = some_context(shape.input, line);
        std::vector<float> planes(static_cast<std::size_t>(plane_count(shape.input)) * kPlaneSquares);
        encode_planes(shape.input, line, context, std::span(planes));
        append(all.inputs, planes);
        encode_planes(shape.input, line, context, runner->planes(0));
        EXPECT_TRUE(runner->run(1));
        put_policy(*runner, 0, shape, all.outputs);
        if (shape.value == ValueForm::Wdl) append(all.outputs["wdl"], softmax(runner->value(0)));
        if (shape.value == ValueForm::Expected)
            all.outputs["value"].push_back(std::tanh(runner->value(0).front()));
        if (shape.moves_left_filters > 0)
            all.outputs["moves_left"].push_back(std::max(0.0F, runner->moves_left(0)));
    }
    return all;
}

EngineOutputs ask(const std::shared_ptr<const ChessNets>& networks, const std::vector<chess::Line>& lines) {
    const ChessNetShape& shape = networks->info.shape;
    const PlanesInput widest = input_of(shape, ChessNetRole::Pawn);
    EngineOutputs all;
    for (const chess::Line& line : lines) {
        std::vector<float> planes(static_cast<std::size_t>(plane_count(widest)) * kPlaneSquares);
        encode_planes(widest, line, some_context(widest, line), std::span(planes));
        append(all.inputs, planes);
    }
    for (const ChessNetRole role : kChessNetRoles) {
        if (!networks->of(role)) continue;
        auto runner = ChessNetRunner::make(networks, role);
        EXPECT_TRUE(runner);
        for (const chess::Line& line : lines) {
            encode_planes(input_of(shape, role), line, some_context(widest, line), runner->planes(0));
            EXPECT_TRUE(runner->run(1));
            const auto outputs = runner->outputs(0);
            if (role == ChessNetRole::Value)
                all.outputs["value"].push_back(std::tanh(outputs.front()));
            else
                append(all.outputs[std::string(to_string(role))], outputs);
        }
    }
    return all;
}

EngineOutputs ask(const std::shared_ptr<const DenseNetwork>& network, const std::vector<chess::Line>& lines) {
    const DenseShape& shape = network->info.shape;
    EngineOutputs all;
    DenseRunner runner(network);
    const auto run = [&] {
        append(all.inputs, runner.inputs());
        const float z = runner.run();
        all.outputs["z"].push_back(z);
        if (shape.output == DenseOutput::Tanh) all.outputs["value"].push_back(std::tanh(z));
        if (shape.output == DenseOutput::Logistic) all.outputs["chance"].push_back(1 / (1 + std::exp(-z)));
    };
    for (const chess::Line& line : lines) {
        const std::span<float> inputs = runner.inputs();
        if (!shape.moves) {
            shape.features->encode(line.current(), inputs);
            run();
            continue;
        }
        // The first legal move, as if it were the third best.
        const MoveView view(*shape.moves, line.current());
        const auto described = static_cast<std::size_t>(shape.features->size());
        shape.features->encode(view.position(), inputs.first(described));
        float* const move = inputs.data() + described;
        shape.moves->encode_to(view.position(), view.of(chess::legal_moves(line.current())[0]), move);
        std::fill_n(move + shape.moves->described, kPlaceInputs, 0.0F);
        move[shape.moves->described + place_input(2)] = 1;
        run();
    }
    return all;
}

// Each position with the one of the next line.
EngineOutputs ask(const std::shared_ptr<const ComparisonNetwork>& network,
                  const std::vector<chess::Line>& lines) {
    const bool is_split = network->info.shape.form == ComparisonForm::Split;
    EngineOutputs all;
    ComparisonRunner runner(network);
    std::vector<float> first(runner.embedding_size());
    std::vector<float> second(runner.embedding_size());
    const auto put_bits = [&all](const chess::Position& position) {
        std::vector<float> bits(kComparisonBits);
        (*find_dense_feature_set("bits-773"))->encode(position, bits);
        append(all.inputs, bits);
    };
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const chess::Position& position = lines[i].current();
        const chess::Position& next = lines[(i + 1) % lines.size()].current();
        put_bits(position);
        if (is_split) {
            all.outputs["f"].push_back(runner.value(position));
            continue;
        }
        put_bits(next);
        runner.embed(position, first);
        runner.embed(next, second);
        const float z = runner.logit(first, second);
        all.outputs["z"].push_back(z);
        all.outputs["chance"].push_back(1 / (1 + std::exp(-z)));
    }
    return all;
}

template <class Known>
void add(std::vector<NamedNetwork>& networks, Known network) {
    const std::string description = describe(network);
    networks.push_back({description, AnyNetwork(std::make_shared<const Known>(std::move(network)))});
}

void add_convolutional(std::vector<NamedNetwork>& networks) {
    ConvShape shape;
    shape.filters = 32;
    shape.blocks = 2;
    shape.policy_filters = 16;
    shape.value_filters = 4;
    shape.value_units = 8;
    std::uint64_t seed = 0;
    const PlanesInput rated = [] {
        PlanesInput input(PlanesLayout::Board6,
                          {.last_move = true, .attacks = true, .threats = true, .rating = true});
        input.rating_least = 1'000;
        input.rating_most = 2'000;
        return input;
    }();
    for (const ConvActivation activation :
         {ConvActivation::Relu, ConvActivation::Mish, ConvActivation::Tanh, ConvActivation::Prelu})
        for (const PolicyForm policy : {PolicyForm::Convolutional, PolicyForm::Dense, PolicyForm::Squares,
                                        PolicyForm::None, PolicyForm::SourceTarget}) {
            ++seed;
            shape.activation = activation;
            shape.policy = policy;
            shape.squeeze = seed % 2 == 0 && activation != ConvActivation::Prelu ? 5 : 0;
            shape.filters = seed % 3 == 0 ? 17 : 32;
            shape.policy_filters = seed % 3 == 1 ? 5 : 16;
            shape.input = seed % 4 == 0   ? PlanesInput(PlanesLayout::Lc0Classical112)
                          : seed % 4 == 3 ? rated
                                          : PlanesInput(PlanesLayout::Board18, {.last_move = seed % 4 == 1});
            shape.value = policy == PolicyForm::None || seed % 2 == 0 ? ValueForm::Wdl
                          : seed == 5                                 ? ValueForm::None
                                                                      : ValueForm::Expected;
            shape.moves_left_filters = seed % 3 == 2 ? 3 : 0;
            shape.moves_left_units = shape.moves_left_filters > 0 ? 7 : 0;
            shape.blocks = seed == 7 ? 0 : 2;
            const bool is_in_two = policy == PolicyForm::SourceTarget;
            shape.policy_units = is_in_two ? 9 : 0;
            shape.source_blocks = is_in_two ? static_cast<int>(seed / 5) % 3 : 0;
            shape.value_second_units = is_in_two && shape.value != ValueForm::None ? 7 : 0;
            add(networks, random_conv_network(shape, seed));
        }
}

void add_dense(std::vector<NamedNetwork>& networks) {
    const auto features = [](const char* name) { return *find_dense_feature_set(name); };
    const auto moves = [](const char* name) { return *find_dense_move_set(name); };
    add(networks,
        random_dense_network(dense_shape(*features("giraffe-363"), {{19, 44, 26}, {8, 8, 8}}, {64}), 1));
    add(networks, random_dense_network(dense_shape(*features("bits-773"), {}, {32}), 2));
    for (const DenseOutput output : {DenseOutput::Logistic, DenseOutput::Softmax})
        add(networks, random_dense_network(dense_shape(*features("giraffe-pieces"), {{8, 8, 8}}, {16},
                                                       moves("giraffe-moves-turned"), output),
                                           3));
}

void add_comparisons(std::vector<NamedNetwork>& networks) {
    for (const ComparisonForm form :
         {ComparisonForm::Pair, ComparisonForm::Antisymmetric, ComparisonForm::Split}) {
        add(networks, random_comparison_network({{40, 24}, {16, 8}, form}, 1));
        add(networks, random_comparison_network({{20}, {}, form}, 2));
    }
}

}  // namespace

std::vector<NamedNetwork> onnx_networks() {
    std::vector<NamedNetwork> networks;
    add_convolutional(networks);
    ChessNetShape shape;
    shape.filters = {16, 17};
    shape.units = 24;
    const std::vector<ChessNetRole> all(kChessNetRoles.begin(), kChessNetRoles.end());
    add(networks, random_chess_nets(shape, all, 1));
    shape.piece_layer = true;
    shape.activation = ConvActivation::Tanh;
    add(networks, random_chess_nets(shape, all, 2));
    add_dense(networks);
    add_comparisons(networks);
    for (const char* file : {"policy-7ead2a29.safetensors", "giraffe-aa4b4078.safetensors"}) {
        auto network = load_any_network(tests::source_dir() / "nets" / file);
        EXPECT_TRUE(network) << network.error().message;
        if (network) networks.push_back({file, *network});
    }
    return networks;
}

std::vector<chess::Line> positions_of_games(std::size_t count) {
    std::vector<chess::Line> lines;
    auto reader = games::PgnReader::open(tests::source_dir() / "games/master-games.pgn.zst");
    EXPECT_TRUE(reader);
    while (lines.size() < count) {
        const auto item = reader->next();
        EXPECT_TRUE(item && *item == games::PgnItem::Game);
        const games::Game& game = reader->game();
        chess::Line line(game.start);
        // One position of each game, a little later each time.
        const std::size_t last = game.moves.empty() ? 0 : lines.size() % game.moves.size();
        for (std::size_t ply = 0; ply < last; ++ply) line.push(game.moves[ply]);
        lines.push_back(std::move(line));
    }
    return lines;
}

EngineOutputs ask_engine(const AnyNetwork& network, const std::vector<chess::Line>& lines) {
    if (const auto convolutional = network.as<ConvNetwork>()) return ask(convolutional, lines);
    if (const auto squares = network.as<ChessNets>()) return ask(squares, lines);
    if (const auto comparison = network.as<ComparisonNetwork>()) return ask(comparison, lines);
    return ask(network.as<DenseNetwork>(), lines);
}

}  // namespace scholar::tests
