// Explanations: what is worked out plainly against what the engine says, slopes against differences, the men
// whose numbers are against boards without them.

#include "evaluators/explanation.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "chess/uci_move.hpp"
#include "nets/container/open_network.hpp"
#include "nets/explained/explained.hpp"
#include "nets/linear/linear_network.hpp"
#include "nets/perspective/head_values.hpp"
#include "nets/perspective/quantise.hpp"
#include "support/random_games.hpp"

namespace scholar::evaluators {
namespace {

using namespace chess;
using nets::AnyNetwork;

// Each with something of its own: check, castling, en passant, promotions, few men, more officers than slots.
std::vector<Position> some_positions() {
    std::vector<Position> positions;
    for (const char* fen :
         {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
          "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
          "r1bqk2r/pp1n1ppp/2pbpn2/8/2BP4/2N1PN2/PP3PPP/R1BQ1RK1 b kq - 3 8",
          "8/2p2P2/3p4/KP5r/1R3p1k/8/4P1P1/6N1 w - - 0 1", "4k3/1n1n1n2/8/8/2B5/5q2/6Q1/4K1NR b - - 4 40"})
        positions.push_back(*parse_fen(fen));
    return positions;
}

// Networks by lot, of every kind.
namespace made {

AnyNetwork perspective(const char* features, nets::Activation activation, std::vector<int> hidden) {
    nets::Architecture architecture;
    architecture.features = *nets::find_feature_set(features);
    architecture.width = 64;
    architecture.activation = activation;
    architecture.output_buckets = 4;
    architecture.hidden = std::move(hidden);
    nets::FloatNetwork network = nets::FloatNetwork::random(architecture, 5);
    return std::make_shared<const nets::Network>(nets::quantise(network)->network);
}

AnyNetwork dense(const char* features, const nets::DenseMoveSet* moves = nullptr,
                 nets::DenseOutput output = nets::DenseOutput::Tanh) {
    return std::make_shared<const nets::DenseNetwork>(nets::random_dense_network(
        nets::dense_shape(**nets::find_dense_feature_set(features), {{8, 12, 8, 5}}, {16}, moves, output),
        3));
}

AnyNetwork conv(nets::PolicyForm policy, nets::ConvActivation activation, int squeeze, nets::ValueForm value,
                nets::PlanesInput input = nets::PlanesLayout::Board18) {
    nets::ConvShape shape;
    shape.input = input;
    shape.filters = 16;
    shape.blocks = 2;
    shape.squeeze = squeeze;
    shape.activation = activation;
    shape.policy = policy;
    shape.policy_filters = 6;
    if (policy == nets::PolicyForm::SourceTarget) {
        shape.policy_units = 10;
        shape.source_blocks = 1;
        shape.value_second_units = 7;
    }
    shape.value = value;
    shape.value_filters = 3;
    shape.value_units = 9;
    return std::make_shared<const nets::ConvNetwork>(nets::random_conv_network(shape, 7));
}

AnyNetwork chess_nets(bool piece_layer) {
    nets::ChessNetShape shape;
    shape.input = piece_layer ? nets::PlanesLayout::Board12 : nets::PlanesLayout::Board6;
    shape.filters = {8, 6};
    shape.units = 12;
    shape.piece_layer = piece_layer;
    shape.activation = piece_layer ? nets::ConvActivation::Tanh : nets::ConvActivation::Relu;
    return std::make_shared<const nets::ChessNets>(
        nets::random_chess_nets(shape, {nets::kChessNetRoles.begin(), nets::kChessNetRoles.end()}, 9));
}

AnyNetwork comparison() {
    return std::make_shared<const nets::ComparisonNetwork>(
        nets::random_comparison_network({{20, 12}, {8}, nets::ComparisonForm::Split}, 3));
}

AnyNetwork sparse_policy(nets::Activation activation, nets::PolicyRows rows) {
    nets::SparsePolicyInfo info;
    info.architecture.features = *nets::find_feature_set("768-king4");
    info.architecture.width = 64;
    info.architecture.activation = activation;
    info.rows = rows;
    return std::make_shared<const nets::SparsePolicyNetwork>(
        *nets::quantise(nets::FloatSparsePolicy::random(info, 4)));
}

}  // namespace made

std::vector<AnyNetwork> with_values() {
    using nets::Activation;
    using nets::ConvActivation;
    using nets::PolicyForm;
    using nets::ValueForm;
    nets::PlanesInput layers(nets::PlanesLayout::Board18,
                             {.last_move = true, .attacks = true, .threats = true, .rating = true});
    layers.rating_least = 1'000;
    layers.rating_most = 2'000;
    return {made::perspective("768", Activation::Clipped, {}),
            made::perspective("768-king4", Activation::Squared, {}),
            made::perspective("768-mirrored-threats", Activation::Paired, {}),
            made::perspective("768-king10", Activation::Clipped, {16, 32}),
            made::perspective("768-mirrored", Activation::Squared, {32}),
            made::dense("giraffe-363"),
            made::dense("giraffe-363-mobility"),
            made::dense("bits-773"),
            made::comparison(),
            made::conv(PolicyForm::Convolutional, ConvActivation::Relu, 4, ValueForm::Wdl, layers),
            made::conv(PolicyForm::Dense, ConvActivation::Mish, 3, ValueForm::Expected,
                       nets::PlanesLayout::Lc0Classical112),
            made::conv(PolicyForm::SourceTarget, ConvActivation::Prelu, 0, ValueForm::Wdl,
                       nets::PlanesLayout::Board13),
            made::chess_nets(false)};
}

std::vector<AnyNetwork> with_policies() {
    using nets::ConvActivation;
    using nets::PolicyForm;
    using nets::ValueForm;
    const nets::DenseMoveSet* turned = nullptr;
    for (const nets::DenseMoveSet& set : nets::dense_move_sets())
        if (set.turned) turned = &set;
    return {
        made::conv(PolicyForm::Convolutional, ConvActivation::Relu, 4, ValueForm::Wdl),
        made::conv(PolicyForm::Dense, ConvActivation::Mish, 0, ValueForm::None),
        made::conv(PolicyForm::Squares, ConvActivation::Tanh, 0, ValueForm::Wdl, nets::PlanesLayout::Board6),
        made::conv(PolicyForm::SourceTarget, ConvActivation::Prelu, 0, ValueForm::Wdl),
        made::chess_nets(false),
        made::chess_nets(true),
        made::sparse_policy(nets::Activation::Clipped, nets::PolicyRows::Moves),
        made::sparse_policy(nets::Activation::Paired, nets::PolicyRows::Circumstances),
        made::dense("giraffe-363", &nets::dense_move_sets().front(), nets::DenseOutput::Logistic),
        made::dense("giraffe-pieces", turned, nets::DenseOutput::Softmax)};
}

// What is worked out with each number a little more and a little less. Where a unit of many breaks in
// between, half of its slope is wrong: few numbers may be.
void expect_slopes(const nets::Explained& explained, double scale, const std::string& what) {
    base::Random random(3);
    nets::Numbers beside = explained.inputs;
    for (double& input : beside) input *= 1 - 0.003 * random.unit();
    const nets::Tangent here = explained.at(beside);
    ASSERT_EQ(here.slopes.size(), explained.inputs.size()) << what;
    ASSERT_EQ(explained.owners.size(), explained.inputs.size()) << what;
    constexpr double step = 1e-6;
    constexpr int tries = 12;
    int wrong = 0;
    int steep = 0;
    for (int i = 0; i < tries; ++i) {
        // As many of the numbers that are there as of those that are not.
        auto number = static_cast<std::size_t>(random.below(beside.size()));
        while (i % 2 == 0 && explained.inputs[number] == 0) number = (number + 1) % beside.size();
        nets::Numbers inputs = beside;
        inputs[number] += step;
        const double more = explained.at(inputs).said;
        inputs[number] -= 2 * step;
        const double difference = (more - explained.at(inputs).said) / (2 * step);
        wrong += std::abs(difference - here.slopes[number]) > 1e-4 * (scale + std::abs(difference)) ? 1 : 0;
        steep += std::abs(difference) > 1e-3 * scale ? 1 : 0;
    }
    EXPECT_LE(wrong, 1) << what << ": " << wrong << " of " << tries;
    EXPECT_GT(steep, 0) << what;
}

TEST(ExplainedTest, ValuesAreTheEnginesAndSlopesAreDifferences) {
    for (const AnyNetwork& network : with_values()) {
        auto explainer = Explainer::make(network);
        ASSERT_TRUE(explainer) << explainer.error().message;
        for (const Position& position : some_positions()) {
            const std::string what = network.description() + " " + to_fen(position);
            const auto explained = nets::explain_value(network, Line(position));
            ASSERT_TRUE(explained) << what;
            const auto said = explainer->say({position}, std::nullopt);
            ASSERT_TRUE(said) << what;
            // Rounding to integers: of the score, of activations.
            const double rounding = network.as<nets::Network>() ? 4 : 0.6;
            EXPECT_NEAR(explained->at(explained->inputs).said, said->front(),
                        rounding + 1e-3 * std::abs(said->front()))
                << what;
            expect_slopes(*explained, 1, what);
        }
    }
}

TEST(ExplainedTest, ProbabilitiesAreTheEnginesAndSlopesAreDifferences) {
    for (const AnyNetwork& network : with_policies()) {
        auto explainer = Explainer::make(network);
        ASSERT_TRUE(explainer) << explainer.error().message;
        for (const Position& position : some_positions()) {
            const MoveList moves = legal_moves(position);
            const int index = static_cast<int>(to_fen(position).size()) % moves.size();
            const std::string what =
                network.description() + " " + to_fen(position) + " " + to_uci(moves[index]);
            const auto explained = nets::explain_move(network, Line(position), moves, index);
            ASSERT_TRUE(explained) << what;
            const auto said = explainer->say({position}, moves[index]);
            ASSERT_TRUE(said) << what;
            const double probability = explained->at(explained->inputs).said;
            const bool rounded = network.as<nets::SparsePolicyNetwork>() != nullptr;
            EXPECT_NEAR(probability, said->front(), (rounded ? 0.02 : 1e-3) * said->front()) << what;
            expect_slopes(*explained, probability * 1e-2, what);
        }
    }
}

// The rows of men and the bias are the first layer's sums, to the last bit, and nothing else is.
TEST(ExplainedTest, TheFirstLayerIsTheSumOfItsMen) {
    const AnyNetwork network = *nets::open_network("<embedded>");
    const auto perspective = network.as<nets::Network>();
    ASSERT_TRUE(perspective);
    for (const Position& position : some_positions())
        for (const Color viewpoint : kColors) {
            const std::vector<double> all(static_cast<std::size_t>(popcount(position.occupied())), 1);
            nets::Numbers sums = nets::first_layer_sums(perspective->first_layer(), position, viewpoint, all);
            for (double& sum : sums) sum = std::clamp(sum * nets::Network::kActivationScale, 0.0, 255.0);
            auto whole = *perspective;
            whole.info.architecture.activation = nets::Activation::Clipped;
            const auto wanted = nets::viewpoint_inputs(whole, position, viewpoint, 255);
            ASSERT_EQ(sums.size(), wanted.size());
            for (std::size_t i = 0; i < sums.size(); ++i) ASSERT_NEAR(sums[i], wanted[i], 1e-9);
        }
}

// By hand.
TEST(ExplainedTest, NumbersBelongToTheMenThatTheySpeakOf) {
    const Position position = *parse_fen("4k3/1n1n1n2/8/8/2B5/5q2/6Q1/4K1NR b - - 4 40");
    struct Case {
        const char* features;
        const char* number;
        Bitboard men;
    };
    for (const Case& each : {Case{"giraffe-363", "side to move", 0},
                             {"giraffe-363", "white short castle", 0},
                             {"giraffe-363", "white king file", bit(E1)},
                             {"giraffe-363", "white knights", bit(G1)},
                             {"giraffe-363", "black knights", bit(B7) | bit(D7) | bit(F7)},
                             {"giraffe-363", "white pawns", 0},
                             {"giraffe-363", "black knight 1 exists", bit(B7)},
                             {"giraffe-363", "black knight 2 rank", bit(F7)},
                             {"giraffe-363", "white rook 1 exists", 0},
                             {"giraffe-363", "white rook 2 file", bit(H1)},
                             {"giraffe-363", "white bishop 1 safe squares", bit(C4)},
                             {"giraffe-363", "black queen 1 attacker", bit(F3) | bit(G1)},
                             {"giraffe-363", "white queen 1 attacker", bit(G2) | bit(F3)},
                             {"giraffe-363", "white queen 1 defender", bit(G2)},
                             {"giraffe-363", "white rooks' long castle", 0},
                             {"giraffe-363", "d5 white attacker", bit(C4)},
                             {"giraffe-363", "f8 black attacker", bit(D7)},
                             {"giraffe-363", "e5 black attacker", bit(D7) | bit(F7)},
                             {"giraffe-363-mobility", "black king south-east", bit(E8)},
                             {"giraffe-363-mobility", "black knight 2 north-north-east", bit(F7)},
                             {"bits-773", "black queen f3", bit(F3)},
                             {"bits-773", "black queen f4", 0}}) {
        const nets::DenseFeatureSet& features = **nets::find_dense_feature_set(each.features);
        const auto names = features.names();
        const auto number = std::ranges::find(names, each.number) - names.begin();
        ASSERT_LT(number, static_cast<std::ptrdiff_t>(names.size())) << each.number;
        EXPECT_EQ(nets::dense_owners(features, position)[static_cast<std::size_t>(number)], each.men)
            << each.features << ": " << each.number;
    }
}

// Shares of integrated gradients add up to what is said less what is said of nothing.
TEST(ExplanationTest, IntegratedSharesAddUp) {
    for (const char* name : {"<embedded>", "<giraffe-aa4b4078>"}) {
        const AnyNetwork network = *nets::open_network(name);
        auto explainer = Explainer::make(network, 400);
        ASSERT_TRUE(explainer);
        for (const Position& position : some_positions()) {
            const auto explanation =
                explainer->explain(position, std::nullopt, ExplanationMethod::Integrated);
            ASSERT_TRUE(explanation);
            const auto explained = nets::explain_value(network, Line(position));
            const nets::Numbers nothing(explained->inputs.size());
            double sizes = std::abs(explanation->others);
            for (const auto& share : explanation->men) sizes += std::abs(share.value_or(0));
            EXPECT_NEAR(explanation->men_total() + explanation->others,
                        explanation->said - explained->at(nothing).said, 0.005 * sizes)
                << name << " " << to_fen(position);
        }
    }
}

// What material alone is worth in a linear network, by hand: the paper's start has a pawn at 204.33, a queen
// at twelve of them.
TEST(ExplanationTest, OcclusionGivesWhatAManIsWorth) {
    const AnyNetwork network = std::make_shared<const nets::LinearNetwork>(
        *nets::quantise(nets::FloatLinearNetwork::material_start()));
    auto explainer = Explainer::make(network);
    ASSERT_TRUE(explainer);
    const Position position = *parse_fen("3qk3/4p3/8/8/8/8/PP6/3RK3 b - - 0 1");
    const auto explanation = explainer->explain(position, std::nullopt, ExplanationMethod::Occlusion);
    ASSERT_TRUE(explanation) << explanation.error().message;
    const double pawn = nets::kPawnScore;
    EXPECT_NEAR(*explanation->men[A2], pawn, 1.01);
    EXPECT_NEAR(*explanation->men[D1], 6 * pawn, 1.01);
    EXPECT_NEAR(*explanation->men[D8], -12 * pawn, 1.01);
    EXPECT_NEAR(*explanation->men[E7], -pawn, 1.01);
    EXPECT_FALSE(explanation->men[E1]);
    EXPECT_EQ(explanation->left_out.at(E8), "a king cannot be taken off");
    EXPECT_EQ(explanation->order().front(), D1);
    EXPECT_EQ(explanation->order().back(), D8);
    EXPECT_FALSE(explainer->explain(position, std::nullopt, ExplanationMethod::Gradient));
    EXPECT_FALSE(
        explainer->explain(position, *parse_uci_move(position, "d8d1"), ExplanationMethod::Occlusion));
}

TEST(ExplanationTest, WhoCannotBeTakenOff) {
    // The rook on e4 shields Black's king from the rook on e1, and it is White's move.
    const Position pinned = *parse_fen("4k3/8/8/8/4r3/8/8/4RK2 w - - 0 1");
    const auto open = without_man(pinned, E4);
    ASSERT_FALSE(open);
    EXPECT_NE(open.error().message.find("in check"), std::string::npos) << open.error().message;
    // Castling goes with its rook and no other, en passant with its pawn.
    const Position castling = *parse_fen("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    EXPECT_EQ(to_fen(*without_man(castling, A1)), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    const Position passing = *parse_fen("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3");
    EXPECT_EQ(to_fen(*without_man(passing, F5)),
              "rnbqkbnr/ppp1p1pp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3");
    EXPECT_EQ(to_fen(*without_man(passing, D5)),
              "rnbqkbnr/ppp1p1pp/8/4Pp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3");
    EXPECT_EQ(to_fen(*without_man(passing, E5)),
              "rnbqkbnr/ppp1p1pp/8/3p1p2/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3");
    // Nothing is left to move but a king in a corner.
    const auto stuck = without_man(*parse_fen("8/8/8/8/8/1q6/7P/K1k5 w - - 0 1"), H2);
    EXPECT_FALSE(stuck);
}

}  // namespace
}  // namespace scholar::evaluators
