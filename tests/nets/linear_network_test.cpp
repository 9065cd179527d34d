#include "nets/linear/linear_network.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <rapidcheck/gtest.h>

#include "base/files.hpp"
#include "base/random.hpp"
#include "chess/fen.hpp"
#include "nets/container/any_network.hpp"
#include "nets/linear/hand_weights.hpp"
#include "nets/linear/linear_explanation.hpp"
#include "nets/linear/linear_file.hpp"
#include "nets/perspective/network_file.hpp"
#include "nets/perspective/quantise.hpp"
#include "properties/playout.hpp"
#include "support/mirror.hpp"
#include "support/test_data.hpp"

namespace scholar::nets {
namespace {

using namespace chess;

Position position_of(const char* fen) {
    const auto position = parse_fen(fen);
    EXPECT_TRUE(position) << fen;
    return *position;
}

FloatLinearNetwork random_network(std::uint64_t seed) {
    FloatLinearNetwork network;
    base::Random random(seed);
    for (float& weight : network.weights) weight = static_cast<float>((2 * random.unit() - 1) * 100);
    return network;
}

// tanh(β J) = 0.25 for a pawn, where an expected result is (1 + tanh) / 2.
TEST(LinearNetwork, HasAPawnWorthAnExpectedResultOfFiveEighths) {
    EXPECT_NEAR(kPawnScore, Score::kScale * 2 * std::atanh(0.25), 1e-6);
    EXPECT_NEAR(Score(204).expected(), 0.625, 0.0005);
}

TEST(LinearNetwork, CountsMaterialAtThePapersStart) {
    const auto network = FloatLinearNetwork::material_start();
    EXPECT_EQ(network.value(Position()), 0);
    // Without the enemy queen, and with the move passed.
    const Position ahead = position_of("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    EXPECT_NEAR(network.value(ahead), 12 * kPawnScore, 1e-3);
    const auto rounded = quantise(network);
    ASSERT_TRUE(rounded);
    EXPECT_EQ(evaluate_plainly(*rounded, ahead).value(), 2452);
    EXPECT_EQ(
        evaluate_plainly(*rounded, position_of("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1")),
        Score(-2452));
    EXPECT_EQ(network.info.piece_values, (PieceValues{204, 817, 817, 1226, 2452, 0}));
}

// Shannon's own example (1950, section 3): what his formula gives for boards counted by hand.
TEST(HandWeights, AreShannons) {
    const std::string path = (tests::source_dir() / "recipes" / "shannon.toml").string();
    const auto text = base::read_text(path);
    ASSERT_TRUE(text);
    const auto network = parse_hand_weights(*text, path);
    ASSERT_TRUE(network) << network.error().message;
    const auto pawns = [&](const char* fen) { return network->value(position_of(fen)) / kPawnScore; };
    // A rook in the middle of nothing has 14 moves, a king in the corner 3.
    EXPECT_NEAR(pawns("7k/8/8/3R4/8/8/8/K7 w - - 0 1"), 5 + 1.4, 1e-5);
    EXPECT_NEAR(pawns("7k/8/8/3R4/8/8/8/K7 b - - 0 1"), -(5 + 1.4), 1e-5);
    // In a corner with the king: 2 squares, 7, and 21 less the king's own.
    EXPECT_NEAR(pawns("7k/8/8/8/8/8/8/K6N w - - 0 1"), 3 + 0.2, 1e-5);
    EXPECT_NEAR(pawns("6k1/8/8/8/8/8/8/K6B w - - 0 1"), 3 + 0.7 - 0.2, 1e-5);
    EXPECT_NEAR(pawns("5k2/8/8/8/8/8/8/K6Q w - - 0 1"), 9 + 2.0 - 0.2, 1e-5);
    // Two pawns of a file: both isolated, one doubled.
    const double pair = pawns("k7/8/8/8/8/4P3/4P3/7K w - - 0 1");
    const double apart = pawns("k7/8/8/8/8/3PP3/8/7K w - - 0 1");
    EXPECT_NEAR(apart - pair, 3 * 0.5 + (2 - 1) * 0.1, 1e-5);
    EXPECT_EQ(network->info.piece_values[Queen], std::lround(9 * kPawnScore));
}

TEST(HandWeights, AreSetLineByLine) {
    const auto network = parse_hand_weights(
        "[weights]\nset = [\"knight_mobility -0.4..0.4 0 0 1\", \"knight_mobility.2 3\"]\n", "w.toml");
    ASSERT_TRUE(network) << network.error().message;
    FloatLinearNetwork expected = FloatLinearNetwork::material_start();
    for (int squares = 0; squares < 9; ++squares)
        for (const Stage stage : kStages) {
            const double pawns = squares == 2              ? 3
                                 : stage == Stage::Opening ? -0.4 + 0.1 * squares
                                 : stage == Stage::Mating  ? 1
                                                           : 0;
            expected.weights[weight_index(feature(Block::KnightMobility, squares), stage)] =
                static_cast<float>(kPawnScore * pawns);
        }
    for (std::size_t i = 0; i < kLinearWeights; ++i)
        EXPECT_NEAR(network->weights[i], expected.weights[i], 1e-4) << i;
}

TEST(HandWeights, AreRefusedInOneLine) {
    const auto refusal = [](const std::string& line) {
        const auto parsed =
            parse_hand_weights("[weights]\nset = [\n\"tempo 0.1\",\n\"" + line + "\"]\n", "w.toml");
        return parsed ? std::string("none") : parsed.error().message;
    };
    EXPECT_EQ(refusal("tempo 0.2"), "none");
    const std::string where = "w.toml: line 4: 'set' in [weights] is wrong: ";
    EXPECT_EQ(refusal("temp 0.2"),
              where +
                  "'temp' is no feature's name, nor its beginning up to a point, expected one: scholar net "
                  "features --all has them");
    EXPECT_TRUE(refusal("\\u001b[2J 1").starts_with(where + "'\\x1b[2J' is no feature's name"));
    EXPECT_EQ(
        refusal("tempo 0..1"),
        where + "'0..1' goes from one weight to another, but 'tempo' is one feature, expected one weight");
    EXPECT_EQ(refusal("tempo"), where + "'tempo' has 0 weights, expected one for all stages or 4");
    EXPECT_EQ(refusal("tempo 1 2"), where + "'tempo' has 2 weights, expected one for all stages or 4");
    for (const char* word : {"x", "nan", "1e9", "0.1..", "..1", "0.1..0.2..0.3", "-"})
        EXPECT_EQ(refusal(std::string("tempo ") + word),
                  where + "'" + word +
                      "' is no weight, expected pawns such as 0.2, or -0.1..0.3, at most 146 "
                      "either way");
}

TEST(LinearNetwork, BeginsWithPawnsAloneInThePapersSecondExperiment) {
    const auto network = FloatLinearNetwork::all_pawns();
    EXPECT_EQ(network.weights.size(), 4U * kLinearFeatures);
    EXPECT_GE(network.weights.size(), 5872U);
    for (const float weight : network.weights) EXPECT_FLOAT_EQ(weight, kPawnScore);
    const auto rounded = quantise(network);
    ASSERT_TRUE(rounded);
    // Of the start position nothing is left but the move.
    EXPECT_EQ(evaluate_plainly(*rounded, Position()).value(), 204);
}

TEST(LinearNetwork, PassesThroughTheStages) {
    const auto shares = [](const char* fen) { return stage_shares(position_of(fen)).parts; };
    using Parts = std::array<int, 4>;
    EXPECT_EQ(stage_shares(Position()).parts, (Parts{128, 0, 0, 0}));
    // Knights exchanged: 64 points, half way to the middle.
    EXPECT_EQ(shares("r1bqkb1r/pppppppp/8/8/8/8/PPPPPPPP/R1BQKB1R w KQkq - 0 1"), (Parts{64, 64, 0, 0}));
    EXPECT_EQ(shares("r4rk1/pppppppp/8/8/8/8/PPPPPPPP/R4RK1 w - - 0 1"), (Parts{0, 32, 96, 0}));
    EXPECT_EQ(shares("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1"), (Parts{0, 0, 128, 0}));
    EXPECT_EQ(shares("4k3/8/8/8/8/8/8/QQQQKQQQ w - - 0 1"), (Parts{0, 0, 0, 128}));
    EXPECT_EQ(shares("4k3/p7/8/8/8/8/8/QQ2K3 w - - 0 1"), (Parts{0, 16, 48, 64}));
}

RC_GTEST_PROP(LinearNetwork, SharesOutAWholeForBothSidesAlike, (const tests::Playout& playout)) {
    const Position position = playout.end();
    const auto shares = stage_shares(position).parts;
    RC_ASSERT(std::accumulate(shares.begin(), shares.end(), 0) == StageShares::kWhole);
    for (const int share : shares) RC_ASSERT(share >= 0);
    RC_ASSERT(stage_shares(tests::mirrored(position)).parts == shares);
}

RC_GTEST_PROP(LinearNetwork, GivesTheSamePositionWithColoursTurnedTheSameValue,
              (const tests::Playout& playout)) {
    static const auto network = quantise(random_network(4));
    const Position position = playout.end();
    RC_ASSERT(evaluate_plainly(*network, position) == evaluate_plainly(*network, tests::mirrored(position)));
}

// The integers are off by no more than is promised.
RC_GTEST_PROP(LinearNetwork, IsAsExactInIntegersAsItSays, (const tests::Playout& playout)) {
    static const FloatLinearNetwork floats = random_network(5);
    static const auto rounded = quantise(floats);
    const Position position = playout.end();
    double counts = 0;
    for (const int count : dense_counts(position)) counts += std::abs(count);
    const double error = std::abs(evaluate_plainly(*rounded, position).value() - floats.value(position));
    RC_ASSERT(error <= 0.5 + counts / (2 * LinearNetwork::kUnit) + 0.01);
}

// By moving each weight that the gradient names, and some that it does not.
RC_GTEST_PROP(LinearNetwork, HasAnExactGradient, (const tests::Playout& playout)) {
    static const FloatLinearNetwork network = random_network(6);
    const Position position = playout.end();
    const auto slopes = gradient(position);
    std::vector<float> dense(kLinearWeights);
    std::uint32_t before = 0;
    for (const auto& [weight, slope] : slopes) {
        RC_ASSERT(slope != 0.0F);
        RC_ASSERT(weight >= before);
        before = weight;
        dense[weight] = slope;
    }
    const double value = network.value(position);
    FloatLinearNetwork moved = network;
    for (std::size_t i = static_cast<std::size_t>(position.key() % 61); i < kLinearWeights; i += 61) {
        const float old = moved.weights[i];
        moved.weights[i] = old + 64;
        RC_ASSERT(std::abs(moved.value(position) - value - 64 * static_cast<double>(dense[i])) < 0.02);
        moved.weights[i] = old;
    }
}

TEST(LinearNetwork, KeepsItsValuesWithinBoundsAndSigns) {
    constexpr std::int64_t unit = LinearNetwork::kSumUnit;
    EXPECT_EQ(to_score(unit * 40'000).value(), Score::kEvaluationBound);
    EXPECT_EQ(to_score(unit * -40'000).value(), -Score::kEvaluationBound);
    EXPECT_EQ(to_score(unit / 2).value(), 1);
    EXPECT_EQ(to_score(-unit / 2).value(), -1);
    EXPECT_EQ(to_score(unit / 2 - 1).value(), 0);
}

TEST(LinearNetwork, RefusesWeightsThatAreNoEvaluation) {
    for (const float bad : {30'001.0F, -1e9F, std::numeric_limits<float>::quiet_NaN(),
                            std::numeric_limits<float>::infinity()}) {
        auto network = FloatLinearNetwork::material_start();
        network.weights[weight_index(feature(Block::Castled), Stage::Ending)] = bad;
        const auto rounded = quantise(network);
        ASSERT_FALSE(rounded);
        EXPECT_NE(rounded.error().message.find("weight castled (ending)"), std::string::npos)
            << rounded.error().message;
    }
}

TEST(LinearNetwork, MeasuresWhatPiecesAreWorth) {
    const std::vector<Position> positions{
        Position(), position_of("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")};
    const auto start = FloatLinearNetwork::material_start();
    EXPECT_EQ(measure_piece_values(start, positions), start.info.piece_values);
    EXPECT_EQ(measure_piece_values(start, {}), start.info.piece_values);
    auto network = start;
    for (const Stage stage : kStages) network.weights[weight_index(feature(Block::BishopPair), stage)] = 100;
    // Each of the four bishops of either position has its pair to lose; only they are worth more.
    auto expected = start.info.piece_values;
    expected[Bishop] += 100;
    EXPECT_EQ(measure_piece_values(network, positions), expected);
}

// The parts add up to what the engine uses, and nothing that is not even is left out.
RC_GTEST_PROP(LinearExplanation, AddsUpExactly, (const tests::Playout& playout)) {
    static const auto network = quantise(random_network(9));
    const Position position = playout.end();
    const ValueExplanation explanation = explain(*network, position);
    const auto counts = dense_counts(position);
    std::int64_t sum = 0;
    std::size_t uneven = 0;
    for (const int count : counts) uneven += count != 0;
    for (const ValuePart& part : explanation.parts) {
        RC_ASSERT(part.count == counts[static_cast<std::size_t>(part.feature)]);
        std::int64_t weighed = 0;
        for (const Stage stage : kStages)
            weighed += std::int64_t{network->weights[weight_index(part.feature, stage)]} * part.count *
                       explanation.shares.of(stage);
        RC_ASSERT(part.weighed == weighed);
        sum += weighed;
    }
    RC_ASSERT(explanation.parts.size() == uneven);
    RC_ASSERT(explanation.sum == sum);
    RC_ASSERT(explanation.value == evaluate_plainly(*network, position));
}

TEST(LinearExplanation, SummarisesWeightsByBlockAndGroup) {
    auto network = FloatLinearNetwork::material_start();
    network.weights[weight_index(feature(Block::Castled), Stage::Opening)] = -30;
    const BlockWeights castled = summarise(network, Block::Castled, Stage::Opening);
    EXPECT_EQ(castled.mean, -30);
    EXPECT_EQ(castled.mean_absolute, 30);
    EXPECT_EQ(castled.set, 1);
    EXPECT_EQ(summarise(network, Block::Castled, Stage::Middle).set, 0);
    EXPECT_EQ(feature_count(Group::Castling), 6);
    EXPECT_EQ(summarise(network, Group::Castling, Stage::Opening).mean, -5);
    EXPECT_EQ(summarise(network, Group::Castling, Stage::Opening).largest, -30);
    EXPECT_NEAR(summarise(network, Block::Material, Stage::Mating).mean, kPawnScore * 27 / 5, 1e-3);
}

class LinearFile : public testing::Test {
  protected:
    std::filesystem::path path() const { return folder_ / "net.safetensors"; }
    base::Result<LinearNetwork> load_rounded() const {
        const auto file = read_tensors(path());
        if (!file) return std::unexpected(file.error());
        return to_linear_network(*file);
    }
    // The saved network with one metadata entry changed.
    std::string error_with(const std::string& key, const std::string& value) {
        EXPECT_TRUE(save_network(path(), *quantise(random_network(7))));
        auto file = read_tensors(path());
        EXPECT_TRUE(file);
        if (value.empty())
            file->metadata.erase(key);
        else
            file->metadata[key] = value;
        EXPECT_TRUE(write_tensors(path(), *file));
        const auto loaded = load_rounded();
        return loaded ? "" : loaded.error().message;
    }
    const tests::TemporaryFolder folder_;
};

TEST_F(LinearFile, ComesBackAsItWasSaved) {
    FloatLinearNetwork network = random_network(8);
    network.info.piece_values = {90, 300, 310, 480, 930, 0};
    network.info.history["games"] = "300";
    ASSERT_TRUE(save_network(path(), network));
    const auto floats = load_float_linear_network(path());
    ASSERT_TRUE(floats) << floats.error().message;
    EXPECT_EQ(floats->weights, network.weights);
    EXPECT_EQ(floats->info.piece_values, network.info.piece_values);
    EXPECT_EQ(floats->info.history, network.info.history);
    const auto rounded = load_rounded();
    ASSERT_TRUE(rounded);
    EXPECT_EQ(rounded->weights, quantise(network)->weights);

    ASSERT_TRUE(save_network(path(), *rounded));
    const auto again = load_rounded();
    ASSERT_TRUE(again);
    EXPECT_EQ(again->weights, rounded->weights);
    EXPECT_EQ(again->info.history, network.info.history);
    EXPECT_EQ(content_name(*again), content_name(*rounded));
    const auto back = load_float_linear_network(path());
    ASSERT_TRUE(back);
    EXPECT_EQ(quantise(*back)->weights, rounded->weights);
}

TEST_F(LinearFile, IsRefusedForWhatIsWrongWithIt) {
    EXPECT_EQ(error_with("history.games", "3"), "");
    for (const auto& [key, value] :
         std::vector<std::pair<std::string, std::string>>{{"architecture", "perspective"},
                                                          {"version", "2"},
                                                          {"feature_table", "0123456789abcdef"},
                                                          {"features", "1468"},
                                                          {"stages", "opening ending"},
                                                          {"quantisation", "int16 255 1024"},
                                                          {"score_scale", "100"},
                                                          {"piece_values", "1 2 3"}}) {
        const std::string error = error_with(key, value);
        EXPECT_NE(error.find(key), std::string::npos) << error;
        EXPECT_NE(error.find("expected"), std::string::npos) << error;
        EXPECT_NE(error_with(key, ""), "") << key;
    }
    EXPECT_NE(error_with("feature_table", "0123456789abcdef").find("another table of features"),
              std::string::npos);
    const auto any = load_any_network(path());
    ASSERT_FALSE(any);
    EXPECT_NE(any.error().message.find("net.safetensors"), std::string::npos) << any.error().message;
}

TEST_F(LinearFile, IsRefusedWithOtherTensors) {
    LinearNetwork network = *quantise(random_network(7));
    network.weights[weight_index(feature(Block::Tempo), Stage::Mating)] = LinearNetwork::kLargestWeight + 1;
    ASSERT_TRUE(save_network(path(), network));
    auto loaded = load_any_network(path());
    ASSERT_FALSE(loaded);
    EXPECT_NE(loaded.error().message.find("weight tempo (mating)"), std::string::npos)
        << loaded.error().message;
    auto file = read_tensors(path());
    file->tensors["weight"].shape = {2, 2 * kLinearFeatures};
    ASSERT_TRUE(write_tensors(path(), *file));
    loaded = load_any_network(path());
    ASSERT_FALSE(loaded);
    EXPECT_NE(loaded.error().message.find("tensor 'weight'"), std::string::npos) << loaded.error().message;
}

TEST_F(LinearFile, IsOneOfAnyNetworks) {
    ASSERT_TRUE(save_network(path(), FloatLinearNetwork::material_start()));
    const auto linear = load_any_network(path());
    ASSERT_TRUE(linear) << linear.error().message;
    const auto rounded = *quantise(FloatLinearNetwork::material_start());
    EXPECT_EQ(linear->content_name(), content_name(rounded));
    EXPECT_EQ(*linear->piece_values(), rounded.info.piece_values);
    EXPECT_TRUE(linear->description().starts_with("linear 1: ")) << linear->description();
    EXPECT_EQ(linear->evaluate(Position()), Score(0));

    const auto perspective = quantise(FloatNetwork::random({.width = 32}, 5))->network;
    ASSERT_TRUE(save_network(path(), perspective));
    const auto other = load_any_network(path());
    ASSERT_TRUE(other) << other.error().message;
    EXPECT_EQ(other->content_name(), content_name(perspective));
    EXPECT_EQ(other->evaluate(Position()), evaluate_plainly(perspective, Position()));
    EXPECT_FALSE(*other == *linear);

    auto file = read_tensors(path());
    file->metadata["architecture"] = "giraffe";
    ASSERT_TRUE(write_tensors(path(), *file));
    const auto unknown = load_any_network(path());
    ASSERT_FALSE(unknown);
    EXPECT_NE(unknown.error().message.find("architecture 'giraffe', expected one of: perspective, linear"),
              std::string::npos)
        << unknown.error().message;
}

TEST_F(LinearFile, IsNoPerspectiveNetwork) {
    ASSERT_TRUE(save_network(path(), FloatLinearNetwork::material_start()));
    const auto loaded = load_network(path());
    ASSERT_FALSE(loaded);
    EXPECT_NE(loaded.error().message.find("architecture 'linear', expected 'perspective'"), std::string::npos)
        << loaded.error().message;
}

}  // namespace
}  // namespace scholar::nets
