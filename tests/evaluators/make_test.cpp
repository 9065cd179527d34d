// The seams between networks and searches: what is made of which network, the adapters between them, the
// fakes, and what is refused.

#include "evaluators/make.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <set>

#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "evaluators/adapters/batch_of_leaf.hpp"
#include "evaluators/adapters/joined_batch.hpp"
#include "evaluators/adapters/leaf_of_batch.hpp"
#include "evaluators/needs.hpp"
#include "nets/comparison/comparison_network.hpp"
#include "nets/container/kinds.hpp"
#include "nets/container/open_network.hpp"
#include "nets/conv/asked_rating.hpp"
#include "nets/conv/chess_net_runner.hpp"
#include "nets/conv/conv_network.hpp"
#include "nets/conv/conv_runner.hpp"
#include "nets/dense/dense_network.hpp"
#include "nets/linear/linear_network.hpp"
#include "nets/sparse_policy/sparse_policy_network.hpp"
#include "support/random_games.hpp"
#include "support/small_conv.hpp"

namespace scholar::evaluators {
namespace {

using namespace chess;
using nets::Ability;

nets::AnyNetwork open(const std::string& name) {
    auto network = nets::open_network(name);
    EXPECT_TRUE(network) << (network ? "" : network.error().message);
    return *network;
}

nets::AnyNetwork linear() {
    return std::make_shared<const nets::LinearNetwork>(
        *nets::quantise(nets::FloatLinearNetwork::material_start()));
}

nets::AnyNetwork dense(const nets::DenseMoveSet* moves = nullptr) {
    const auto features = nets::find_dense_feature_set("giraffe-363");
    const auto output = moves ? nets::DenseOutput::Logistic : nets::DenseOutput::Tanh;
    return std::make_shared<const nets::DenseNetwork>(
        nets::random_dense_network(nets::dense_shape(**features, {{8, 12, 8, 5}}, {16}, moves, output), 3));
}

nets::AnyNetwork comparison(nets::ComparisonForm form) {
    return std::make_shared<const nets::ComparisonNetwork>(
        nets::random_comparison_network({{20, 12}, {8}, form}, 3));
}

// A small network of random weights.
nets::AnyNetwork convolutional(nets::PlanesLayout input) {
    return std::make_shared<const nets::ConvNetwork>(tests::small_conv_network(input));
}

// Likewise, with the heads of source and target.
std::shared_ptr<const nets::ConvNetwork> source_and_target() {
    nets::ConvShape shape = tests::small_conv_network(nets::PlanesLayout::Board13).info.shape;
    shape.activation = nets::ConvActivation::Prelu;
    shape.policy = nets::PolicyForm::SourceTarget;
    shape.policy_filters = 2;
    shape.policy_units = 16;
    shape.value = nets::ValueForm::Expected;
    shape.value_second_units = 8;
    return std::make_shared<const nets::ConvNetwork>(nets::random_conv_network(shape, 4));
}

// All eight, small, with ratings; the six see the man that moves, or not.
nets::AnyNetwork chess_nets(bool piece_layer) {
    nets::ChessNetShape shape;
    shape.input.layers.rating = true;
    shape.input.rating_least = 1'000;
    shape.input.rating_most = 2'000;
    shape.filters = {8};
    shape.units = 16;
    shape.piece_layer = piece_layer;
    return std::make_shared<const nets::ChessNets>(
        nets::random_chess_nets(shape, {nets::kChessNetRoles.begin(), nets::kChessNetRoles.end()}, 5));
}

// Likewise.
nets::AnyNetwork sparse() {
    nets::SparsePolicyInfo info;
    info.architecture.width = 32;
    return std::make_shared<const nets::SparsePolicyNetwork>(
        *nets::quantise(nets::FloatSparsePolicy::random(info, 3)));
}

// Lines along some random games, with a legal move at their ends.
std::vector<Line> some_lines() {
    std::vector<Line> lines;
    base::Random random(9);
    for (int game = 0; game < 20; ++game) {
        Line line;
        for (int ply = 0; ply < 80; ++ply) {
            const MoveList moves = legal_moves(line.current());
            if (moves.empty()) break;
            if (ply % 7 == game % 7) lines.push_back(line);
            line.push(moves[static_cast<int>(random.below(static_cast<std::uint64_t>(moves.size())))]);
        }
    }
    return lines;
}

std::vector<Opinion> opinions_of(BatchEvaluator& batch, const std::vector<Line>& lines) {
    std::vector<Opinion> all;
    std::vector<Opinion> some;
    for (std::size_t i = 0; i < lines.size(); i += batch.capacity()) {
        const std::size_t end = std::min(lines.size(), i + batch.capacity());
        for (std::size_t at = i; at < end; ++at) batch.submit(lines[at], legal_moves(lines[at].current()));
        const auto status = batch.collect(some);
        EXPECT_TRUE(status) << status.error().message;
        all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

// The batch over the default network's leaves says what a fresh evaluation says, in whatever order it is
// asked; so does that over the linear one; and a leaf over the batch again.
TEST(Adapters, ValuesAreThoseOfAFreshEvaluation) {
    for (const nets::AnyNetwork& network : {open(""), linear()}) {
        auto lines = some_lines();
        base::Random(1).shuffle(lines);
        const auto batch = make_batch(network).value();
        EXPECT_EQ(batch->abilities(), nets::Abilities{Ability::Value});
        LeafOfBatch leaf([&] { return std::move(*make_batch(network)); }, nets::kEqualPieceValues);
        const auto opinions = opinions_of(*batch, lines);
        ASSERT_EQ(opinions.size(), lines.size());
        for (std::size_t i = 0; i < lines.size(); ++i) {
            EXPECT_EQ(opinions[i].value, network.evaluate(lines[i].current())) << to_fen(lines[i].current());
            EXPECT_EQ(leaf.value(lines[i].current()), network.evaluate(lines[i].current()));
            EXPECT_TRUE(opinions[i].probabilities.empty());
        }
    }
}

TEST(Adapters, ValueAndPolicyOfTwoNetworksGoTogether) {
    const auto lines = some_lines();
    JoinedBatch joined(make_batch(open("")).value(), make_batch(open("<random:5>")).value());
    EXPECT_EQ(joined.abilities(), (nets::Abilities{Ability::Value, Ability::Policy}));
    const auto policy = make_policy(open("<random:5>")).value();
    const auto opinions = opinions_of(joined, lines);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const MoveList moves = legal_moves(lines[i].current());
        std::vector<float> expected(static_cast<std::size_t>(moves.size()));
        policy->judge(lines[i].current(), moves, expected);
        EXPECT_EQ(opinions[i].probabilities, expected);
        EXPECT_NEAR(std::accumulate(expected.begin(), expected.end(), 0.0), 1, 1e-5);
        EXPECT_EQ(opinions[i].value, open("").evaluate(lines[i].current()));
    }
}

TEST(Fakes, ARandomPolicyIsTheSameForASeedAndAnotherForAnother) {
    const MoveList moves = legal_moves(Position());
    std::array<std::vector<float>, 3> shares;
    const std::array<std::string, 3> names{"<random:1>", "<random:1>", "<random:2>"};
    for (std::size_t i = 0; i < shares.size(); ++i) {
        shares[i].resize(static_cast<std::size_t>(moves.size()));
        make_policy(open(names[i])).value()->judge(Position(), moves, shares[i]);
    }
    EXPECT_EQ(shares[0], shares[1]);
    EXPECT_NE(shares[0], shares[2]);
}

TEST(Fakes, WhatWasRecordedComesAgainAndNothingElseDoes) {
    const std::string file = testing::TempDir() + "make_test_opinions.jsonl";
    for (const std::string name : {"<embedded>", "<random:4>"}) {
        std::filesystem::remove(file);
        const auto lines = some_lines();
        const auto recorded =
            opinions_of(*make_batch(open("<record:" + file + "," + name + ">")).value(), lines);
        const auto network = open("<replay:" + file + ">");
        const auto replay = make_batch(network).value();
        const auto replayed = opinions_of(*replay, lines);
        ASSERT_EQ(replayed.size(), recorded.size());
        for (std::size_t i = 0; i < recorded.size(); ++i) {
            EXPECT_EQ(replayed[i].value, recorded[i].value);
            ASSERT_EQ(replayed[i].probabilities.size(), recorded[i].probabilities.size());
            for (std::size_t move = 0; move < recorded[i].probabilities.size(); ++move)
                EXPECT_FLOAT_EQ(replayed[i].probabilities[move], recorded[i].probabilities[move]);
        }
        const Position unknown = *parse_fen("8/8/4k3/8/8/3QK3/8/8 w - - 0 1");
        replay->submit(Line(unknown), legal_moves(unknown));
        std::vector<Opinion> none;
        const auto status = replay->collect(none);
        ASSERT_FALSE(status);
        EXPECT_NE(status.error().message.find("8/8/4k3/8/8/3QK3/8/8 w"), std::string::npos);
        EXPECT_TRUE(none.empty());
        // Another network's opinions are not written among these.
        EXPECT_FALSE(make_batch(open("<record:" + file + ",<random:99>>")));
    }
    std::ofstream(file, std::ios::app) << "{\"key\": \"zz\"}\n";
    const auto damaged = make_batch(open("<replay:" + file + ">"));
    ASSERT_FALSE(damaged);
    EXPECT_NE(damaged.error().message.find(": line "), std::string::npos) << damaged.error().message;
    std::filesystem::remove(file);
}

TEST(Fakes, AComparisonFailsWhereTheSecondSaysSomethingElse) {
    std::vector<Opinion> opinions;
    const auto ask = [&opinions](const std::string& name) {
        const auto batch = make_batch(open(name)).value();
        batch->submit(Line(), legal_moves(Position()));
        return batch->collect(opinions);
    };
    EXPECT_TRUE(ask("<check:<embedded>,<embedded>,0>"));
    EXPECT_EQ(opinions.size(), 1U);
    const auto differs = ask("<check:<random:1>,<random:2>,0.001>");
    ASSERT_FALSE(differs);
    EXPECT_TRUE(opinions.empty());
    EXPECT_NE(differs.error().message.find("a probability of"), std::string::npos) << differs.error().message;
    EXPECT_TRUE(ask("<check:<random:1>,<random:2>,1>"));
}

// Two lines with one position share a key where the position is all that is read, and no longer.
TEST(BatchEvaluator, KeysCoverWhatIsRead) {
    const auto line_of = [](std::initializer_list<Move> moves) {
        Line line;
        for (const Move move : moves) line.push(move);
        return line;
    };
    const Line one = line_of({Move(G1, F3), Move(G8, F6), Move(B1, C3), Move(B8, C6)});
    const Line other = line_of({Move(B1, C3), Move(G8, F6), Move(G1, F3), Move(B8, C6)});
    const Line again = line_of({Move(G1, F3), Move(G8, F6), Move(F3, G1), Move(F6, G8)});
    ASSERT_EQ(one.current().key(), other.current().key());
    EXPECT_EQ(key_of(one, {}), key_of(other, {}));
    EXPECT_NE(key_of(one, {.boards = 8}), key_of(other, {.boards = 8}));
    EXPECT_EQ(key_of(Line(), {}), key_of(again, {}));
    EXPECT_NE(key_of(Line(), {.repetitions = true}), key_of(again, {.repetitions = true}));
    EXPECT_NE(key_of(Line(), {.halfmove_clock = true}), key_of(again, {.halfmove_clock = true}));
    EXPECT_NE(key_of(Line(), {.boards = 2}), key_of(again, {.boards = 2}));
    // Two boards are read: of the older one too it counts whether it had been there before.
    const nets::Reads two{.boards = 2, .repetitions = true};
    const auto ends = [&](const Line& start) {
        Line line = start;
        line.push(Move(E2, E4));
        return line;
    };
    EXPECT_EQ(key_of(ends(Line()), {.boards = 2}), key_of(ends(again), {.boards = 2}));
    EXPECT_NE(key_of(ends(Line()), two), key_of(ends(again), two));
    // What stands for the boards before the first one is told by en passant, though nobody may take: White's
    // king would be in check along the rank.
    const Line jumped(*parse_fen("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1"));
    const Line stood(*parse_fen("8/8/8/K2pP2r/8/8/8/4k3 w - - 0 1"));
    ASSERT_EQ(jumped.current().key(), stood.current().key());
    EXPECT_EQ(key_of(jumped, {}), key_of(stood, {}));
    EXPECT_NE(key_of(jumped, {.boards = 8}), key_of(stood, {.boards = 8}));
}

// Where keys are the same, so is all that is read, plane by plane: along random games of few moves, in which
// positions come back.
TEST(BatchEvaluatorTest, KeysCoverAllPlanes) {
    std::map<std::uint64_t, std::vector<float>> planes;
    const auto layout = nets::PlanesLayout::Lc0Classical112;
    base::Random random(4);
    for (int game = 0; game < 30; ++game) {
        Line line(*parse_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1"));
        for (int ply = 0; ply < 12; ++ply) {
            std::vector<float> seen(static_cast<std::size_t>(nets::plane_count(layout)) *
                                    nets::kPlaneSquares);
            nets::encode_planes(layout, line, {}, std::span(seen));
            const std::uint64_t key = key_of(line, nets::reads_of(layout));
            // Castling rights of boards before are in the key, but not among the planes: equal keys mean
            // equal planes, not the other way round.
            const auto [entry, is_new] = planes.emplace(key, seen);
            EXPECT_TRUE(is_new || entry->second == seen) << to_fen(line.current());
            const MoveList moves = legal_moves(line.current());
            if (moves.empty()) break;
            line.push(moves[static_cast<int>(random.below(std::min(2, moves.size())))]);
        }
    }
    EXPECT_GT(planes.size(), 50U);
}

// What a kind says it can is what is made of it.
TEST(Make, GivesWhatANetworkSaysItCan) {
    const std::string file = testing::TempDir() + "make_test_can.jsonl";
    std::filesystem::remove(file);
    for (const nets::AnyNetwork& network :
         {open(""), linear(), dense(), dense(&nets::dense_move_sets().front()),
          comparison(nets::ComparisonForm::Pair), comparison(nets::ComparisonForm::Split), open("<random:1>"),
          open("<order:<embedded>>"), open("<record:" + file + ",<embedded>>"),
          open("<check:<random:1>,<random:1>,0>"), convolutional(nets::PlanesLayout::Board18),
          convolutional(nets::PlanesLayout::Lc0Classical112), nets::AnyNetwork(source_and_target()), sparse(),
          chess_nets(false), chess_nets(true),
          nets::AnyNetwork(std::make_shared<const nets::ChessNets>(
              nets::random_chess_nets({}, {nets::ChessNetRole::Piece}, 1)))}) {
        const nets::Abilities can = network.abilities();
        EXPECT_EQ(make_leaf(network).has_value(),
                  can.has(Ability::Leaf) || (can.has(Ability::Value) && network.reads().position_alone()));
        EXPECT_EQ(make_batch(network).has_value(),
                  can.has_any({Ability::Leaf, Ability::Value, Ability::Policy}));
        EXPECT_EQ(make_policy(network).has_value(), can.has(Ability::Policy));
        EXPECT_EQ(make_comparator(network).has_value(), can.has(Ability::Order));
    }
    std::filesystem::remove(file);
}

// By the definition, from what each head says by itself: P(source) · P(target) over all squares, divided by
// their sum over the legal moves.
TEST(ConvBatchTest, MultipliesSourceAndTarget) {
    const auto network = source_and_target();
    const auto batch = make_batch(network).value();
    auto runner = nets::ConvRunner::make(network).value();
    for (const char* fen : {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
                            "8/P6k/8/8/8/8/5p2/K7 b - - 0 1"}) {
        const Line line(*parse_fen(fen));
        const MoveList moves = legal_moves(line.current());
        std::vector<Opinion> opinions;
        batch->submit(line, moves);
        ASSERT_TRUE(batch->collect(opinions));
        nets::encode_planes(network->info.shape.input, line, {}, runner.planes(0));
        ASSERT_TRUE(runner.run(1));
        const auto share = [side = line.current().side_to_move()](std::span<const float> logits,
                                                                  Square square) {
            double sum = 0;
            for (const float logit : logits) sum += std::exp(logit);
            return std::exp(logits[static_cast<std::size_t>(relative_square(side, square))]) / sum;
        };
        std::vector<double> products;
        double sum = 0;
        for (const Move move : moves) {
            const Square to =
                !move.is_castling() ? move.to() : Square(move.from() + (move.to() > move.from() ? 2 : -2));
            const bool is_under = move.is_promotion() && move.promotion_kind() != Queen;
            sum += products.emplace_back(share(runner.source(0), move.from()) * share(runner.target(0), to) *
                                         (is_under ? std::exp(-6) : 1));
        }
        for (std::size_t i = 0; i < products.size(); ++i)
            EXPECT_NEAR(opinions[0].probabilities[i], products[i] / sum, 1e-5) << fen;
    }
}

// ChessNet's networks by the definition, from what each of them says by itself.
TEST(ChessNetsBatchTest, AsksEachKindsNetworkWhereItsMenGo) {
    for (const bool piece_layer : {false, true}) {
        const nets::AnyNetwork network = chess_nets(piece_layer);
        const auto nets = network.as<nets::ChessNets>();
        const auto batch = make_batch(network).value();
        for (const char* fen : {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1"}) {
            const Line line(*parse_fen(fen));
            const MoveList moves = legal_moves(line.current());
            std::vector<Opinion> opinions;
            batch->submit(line, moves);
            ASSERT_TRUE(batch->collect(opinions));
            const auto says = [&](nets::ChessNetRole role, Square man) {
                auto runner = nets::ChessNetRunner::make(nets, role).value();
                nets::PlaneContext context;
                context.rating = 1;
                context.piece = man;
                nets::encode_planes(nets::input_of(nets->info.shape, role), line, context, runner.planes(0));
                EXPECT_TRUE(runner.run(1));
                return std::vector<float>(runner.outputs(0).begin(), runner.outputs(0).end());
            };
            const Color side = line.current().side_to_move();
            const auto weight = [&](const std::vector<float>& logits, Square square) {
                return std::exp(logits.at(static_cast<std::size_t>(relative_square(side, square))));
            };
            const std::vector<float> men = says(nets::ChessNetRole::Piece, NoSquare);
            const auto to = [](Move move) {
                return !move.is_castling() ? move.to()
                                           : Square(move.from() + (move.to() > move.from() ? 2 : -2));
            };
            // Without masks: each step over all squares, and the moves' products made one in sum.
            nets::ChessNets open_nets = *nets;
            open_nets.info.masked = false;
            const nets::AnyNetwork unmasked = std::make_shared<const nets::ChessNets>(std::move(open_nets));
            const auto unmasked_batch = make_batch(unmasked).value();
            std::vector<Opinion> unmasked_opinions;
            unmasked_batch->submit(line, moves);
            ASSERT_TRUE(unmasked_batch->collect(unmasked_opinions));
            std::vector<double> products;

            double all_men = 0;
            std::set<Square> movable;
            for (const Move move : moves)
                if (movable.insert(move.from()).second) all_men += weight(men, move.from());
            for (int i = 0; i < moves.size(); ++i) {
                const Square man = moves[i].from();
                const auto squares = says(nets::role_of(kind_of(line.current().piece_on(man))), man);
                double all_squares = 0;
                for (const Move other : moves)
                    if (other.from() == man) all_squares += weight(squares, to(other));
                EXPECT_NEAR(opinions[0].probabilities[static_cast<std::size_t>(i)],
                            weight(men, man) / all_men * weight(squares, to(moves[i])) / all_squares, 1e-4);
                double every_square = 0;
                for (const float logit : squares) every_square += std::exp(logit);
                products.push_back(weight(men, man) * weight(squares, to(moves[i])) / every_square);
            }
            const double sum = std::accumulate(products.begin(), products.end(), 0.0);
            for (std::size_t i = 0; i < products.size(); ++i)
                EXPECT_NEAR(unmasked_opinions[0].probabilities[i], products[i] / sum, 1e-4);
            const double value = std::tanh(says(nets::ChessNetRole::Value, NoSquare)[0]);
            EXPECT_NEAR(opinions[0].value->expected(), (1 + value) / 2, 0.01);
        }
    }
}

// A pawn becomes a queen as good as always, with masks and without; all moves together have 1.
TEST(ChessNetsBatchTest, PromotesToAQueen) {
    nets::ChessNets networks = *chess_nets(false).as<nets::ChessNets>();
    for (const bool masked : {true, false}) {
        networks.info.masked = masked;
        const nets::AnyNetwork network = std::make_shared<const nets::ChessNets>(networks);
        const auto batch = make_batch(network).value();
        const Line line(*parse_fen("1n6/P3k3/8/8/8/8/8/4K3 w - - 0 1"));
        const MoveList moves = legal_moves(line.current());
        batch->submit(line, moves);
        std::vector<Opinion> opinions;
        ASSERT_TRUE(batch->collect(opinions));
        const std::vector<float>& probabilities = opinions.front().probabilities;
        EXPECT_NEAR(std::accumulate(probabilities.begin(), probabilities.end(), 0.0), 1, 1e-5);
        std::map<std::pair<Square, PieceKind>, float> promotions;
        for (int i = 0; i < moves.size(); ++i)
            if (moves[i].is_promotion())
                promotions[{moves[i].to(), moves[i].promotion_kind()}] =
                    probabilities[static_cast<std::size_t>(i)];
        ASSERT_EQ(promotions.size(), 8U);
        for (const Square to : {make_square(0, 7), make_square(1, 7)})
            for (const PieceKind kind : {Knight, Bishop, Rook})
                EXPECT_NEAR((promotions[{to, Queen}] / promotions[{to, kind}]), std::exp(6), 1);
    }
}

// The hidden layer of each position of a large batch is what its output was made of.
TEST(ChessNetsBatchTest, ShowsTheHiddenLayer) {
    const auto networks = chess_nets(false).as<nets::ChessNets>();
    const nets::ConvLayer& output = networks->of(nets::ChessNetRole::Value)->output;
    auto runner = nets::ChessNetRunner::make(networks, nets::ChessNetRole::Value).value();
    const auto lines = some_lines();
    const int count = std::min(200, static_cast<int>(lines.size()));
    ASSERT_GT(count, 128);
    const nets::PlanesInput input = nets::input_of(networks->info.shape, nets::ChessNetRole::Value);
    for (int i = 0; i < count; ++i)
        nets::encode_planes(input, lines[static_cast<std::size_t>(i)], {}, runner.planes(i));
    ASSERT_TRUE(runner.run(count));
    std::set<float> outputs;
    for (int i = 0; i < count; ++i) {
        double sum = static_cast<double>(output.bias.front());
        for (std::size_t unit = 0; unit < runner.hidden(i).size(); ++unit)
            sum += static_cast<double>(runner.hidden(i)[unit]) * static_cast<double>(output.weight[unit]);
        EXPECT_NEAR(runner.outputs(i).front(), sum, 1e-4);
        outputs.insert(runner.outputs(i).front());
    }
    EXPECT_GT(outputs.size(), 100U);
}

// A file of the value alone: each position of a batch has its own.
TEST(ChessNetsBatchTest, ValuesEachPositionOfABatch) {
    nets::ChessNetShape shape;
    shape.filters = {8};
    shape.units = 16;
    const nets::AnyNetwork network = std::make_shared<const nets::ChessNets>(
        nets::random_chess_nets(shape, {nets::ChessNetRole::Value}, 5));
    const auto batch = make_batch(network).value();
    const std::array lines{Line(), Line(*parse_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"))};
    std::vector<Opinion> together;
    for (const Line& line : lines) batch->submit(line, legal_moves(line.current()));
    ASSERT_TRUE(batch->collect(together));
    EXPECT_NE(together[0].value, together[1].value);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        std::vector<Opinion> alone;
        batch->submit(lines[i], legal_moves(lines[i].current()));
        ASSERT_TRUE(batch->collect(alone));
        EXPECT_NEAR(alone[0].value->expected(), together[i].value->expected(), 1e-3);
        EXPECT_TRUE(alone[0].probabilities.empty());
    }
}

TEST(AskedRating, IsHeededByNetworksThatKnowRatings) {
    nets::ConvNetwork known = tests::small_conv_network(
        nets::PlanesInput(nets::PlanesLayout::Board18, {.rating = true}), 1'000, 2'000);
    const nets::AnyNetwork rated = std::make_shared<const nets::ConvNetwork>(std::move(known));
    const Line line;
    for (const nets::AnyNetwork& network : {rated, chess_nets(false)}) {
        const auto probabilities = [&](int rating) {
            const auto batch = make_batch(nets::with_asked_rating(network, rating)).value();
            std::vector<Opinion> opinions;
            batch->submit(line, legal_moves(line.current()));
            EXPECT_TRUE(batch->collect(opinions));
            return opinions[0].probabilities;
        };
        EXPECT_EQ(probabilities(0), probabilities(2'000));
        EXPECT_NE(probabilities(1'200), probabilities(2'000));
    }
    const nets::AnyNetwork other = convolutional(nets::PlanesLayout::Board18);
    EXPECT_EQ(nets::with_asked_rating(other, 1'200), other);
    EXPECT_FALSE(nets::with_asked_rating(nets::AnyNetwork(), 1'200));
}

TEST(Needs, RefusesInOneLineWithBothNames) {
    Networks networks;
    const std::vector<Need> policy{{Role::Policy, {Ability::Policy}}};
    const auto refusal = [&](const std::vector<Need>& needs) {
        const auto status = check("test", needs, networks);
        EXPECT_EQ(status ? 0 : std::count(status.error().message.begin(), status.error().message.end(), '\n'),
                  0);
        return status ? "" : status.error().message;
    };
    EXPECT_EQ(refusal(policy),
              "Search test needs probabilities of moves: PolicyFile is empty, expected a network "
              "that gives that");
    networks.given(Role::Policy) = open("");
    EXPECT_EQ(refusal(policy), "Search test needs probabilities of moves: PolicyFile is " +
                                   open("").description() + ", which gives a value at leaves");
    networks.given(Role::Value) = linear();
    const auto batch = refusal({{Role::Value, {Ability::Value}}});
    EXPECT_NE(batch.find("needs values in batches: EvalFile is linear 1"), std::string::npos) << batch;
    // One network fills several roles.
    networks = {};
    networks.given(Role::Value) = open("<random:1>");
    EXPECT_EQ(refusal(policy), "");
    networks = {};
    EXPECT_EQ(refusal({{Role::Order, {Ability::Order}, false, true}}), "");
}

// A network that reads the game so far gives no leaf, under any search that keeps answers by position.
TEST(Needs, RefusesNetworksThatReadThePast) {
    const nets::AnyNetwork reader = convolutional(nets::PlanesLayout::Lc0Classical112);
    Networks networks;
    networks.given(Role::Value) = reader;
    const std::vector<Need> leaf{{Role::Value, {Ability::Leaf, Ability::Value}, true}};
    const auto status = check("test", leaf, networks);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().message, "Search test keeps answers by position: EvalFile is " +
                                          reader.description() + ", which reads the position's past too");
    EXPECT_TRUE(check("test", std::vector<Need>{{Role::Value, {Ability::Value}, false}}, networks));
    const auto made = make_leaf(reader);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().message,
              reader.description() +
                  ": reads more than the position, expected a network whose values a table may keep");
    networks.given(Role::Value) = convolutional(nets::PlanesLayout::Board18);
    EXPECT_TRUE(check("test", leaf, networks));
}

// As leaves and as a move policy a convolutional network says what it says in batches; what came before
// counts where it is read, and only there.
TEST(Make, OfConvolutionalNetworksSaysTheSameInEveryWay) {
    auto lines = some_lines();
    for (const auto layout : {nets::PlanesLayout::Board18, nets::PlanesLayout::Lc0Classical112}) {
        const nets::AnyNetwork network = convolutional(layout);
        const auto batch = make_batch(network).value();
        EXPECT_EQ(batch->capacity(), 256U);
        EXPECT_EQ(batch->abilities(), network.abilities());
        const auto opinions = opinions_of(*batch, lines);
        auto leaf = make_leaf(network);
        std::vector<Line> alone;
        for (const Line& line : lines) alone.emplace_back(line.current());
        const auto without_past = opinions_of(*batch, alone);
        int same = 0;
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const auto& [value, wdl, probabilities, moves_left] = opinions[i];
            EXPECT_NEAR(std::accumulate(probabilities.begin(), probabilities.end(), 0.0), 1, 1e-5);
            EXPECT_NEAR(wdl->win + wdl->draw + wdl->loss, 1, 1e-5);
            EXPECT_NEAR(value->expected(), wdl->expected(), 1e-3);
            if (leaf) {
                EXPECT_NEAR(leaf->value(lines[i].current()).expected(), value->expected(), 1e-3);
            }
            same += std::abs(without_past[i].wdl->expected() - wdl->expected()) < 1e-5 ? 1 : 0;
        }
        if (layout == nets::PlanesLayout::Board18)
            EXPECT_EQ(same, static_cast<int>(lines.size()));
        else
            EXPECT_LT(same, static_cast<int>(lines.size()) / 5);
    }
}

// Along any path the value is that of a fresh evaluation, and of plain arithmetic but for what float32
// rounds; also of a copy.
TEST(Make, OfDenseNetworksSaysWhatPlainArithmeticSays) {
    const nets::AnyNetwork network = dense();
    const auto known = network.as<nets::DenseNetwork>();
    std::vector<float> inputs(363);
    auto leaf = make_leaf(network).value();
    auto copy = leaf;
    auto lines = some_lines();
    base::Random(2).shuffle(lines);
    lines.resize(60);
    for (const Line& line : lines) {
        leaf.reset(line.current());
        for (const Move move : legal_moves(line.current())) {
            const Position next = line.current().after(move);
            leaf.push(line.current(), move);
            EXPECT_EQ(leaf.value(next), network.evaluate(next)) << to_fen(next);
            known->info.shape.features->encode(next, inputs);
            const double plain = nets::dense_output(*known, inputs);
            EXPECT_NEAR(leaf.value(next).value(), nets::dense_score(plain, next.side_to_move()).value(), 1);
            EXPECT_EQ(leaf.value(next), copy.value(next));
            leaf.pop();
        }
    }
    EXPECT_EQ(make_policy(network).error().message,
              network.description() + ": gives a value at leaves, expected probabilities of moves");
    const nets::AnyNetwork of_moves = dense(&nets::dense_move_sets().front());
    EXPECT_EQ(make_leaf(of_moves).error().message,
              of_moves.description() + ": gives probabilities of moves, expected a value at leaves");
}

// Weights so large that sums are no numbers are an error, not an opinion.
TEST(Make, OfNetworksThatOverflowIsAnError) {
    nets::ConvNetwork network = *convolutional(nets::PlanesLayout::Board18).as<nets::ConvNetwork>();
    for (float& weight : network.input.weight) weight = 1e38F;
    for (float& weight : network.blocks.front().first.weight) weight = 1e38F;
    const auto batch = make_batch(std::make_shared<const nets::ConvNetwork>(network)).value();
    batch->submit(Line(), legal_moves(Position()));
    std::vector<Opinion> opinions(3);
    const auto status = batch->collect(opinions);
    ASSERT_FALSE(status);
    EXPECT_NE(status.error().message.find("its weights are too large"), std::string::npos);
    EXPECT_TRUE(opinions.empty());
}

TEST(OpenNetwork, RefusesNamesInOneLine) {
    for (const auto& [name, part] : {std::pair{"<random>", "expected a file, <embedded>"},
                                     {"<random:x>", "expected a seed"},
                                     {"<random:1,2>", "2 arguments, expected <random:SEED>"},
                                     {"<check:<embedded>,<embedded>,2>", "from 0 to 1"},
                                     {"<replay:/none>", "/none: cannot be read"},
                                     {"<replay:/dev/zero>", "/dev/zero: cannot be read"},
                                     {"<bf16:<random:1>>", "expected a convolutional network"},
                                     {"<unmasked:<random:1>>", "expected ChessNet's networks"},
                                     {"<nothing:1>", "<check:NETWORK,NETWORK,TOLERANCE>"},
                                     {"<order:<random:1>>", "gives probabilities of moves"}}) {
        const auto network = nets::open_network(name);
        ASSERT_FALSE(network) << name;
        EXPECT_NE(network.error().message.find(part), std::string::npos) << network.error().message;
        EXPECT_EQ(network.error().message.find('\n'), std::string::npos);
    }
}

}  // namespace
}  // namespace scholar::evaluators
