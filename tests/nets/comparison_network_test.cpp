// Comparison networks: bits, kernels and plain loops against full matrices, forms, files, and what is
// refused.

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "chess/fen.hpp"
#include "nets/comparison/comparison_file.hpp"
#include "nets/comparison/comparison_runner.hpp"
#include "nets/container/any_network.hpp"
#include "nets/dense/dense_feature_set.hpp"
#include "support/random_games.hpp"

namespace scholar::nets {
namespace {

using namespace chess;

// Of several depths and of widths that fill no vector; the paper's small one.
std::vector<ComparisonShape> some_comparisons() {
    std::vector<ComparisonShape> shapes;
    for (const ComparisonForm form :
         {ComparisonForm::Pair, ComparisonForm::Antisymmetric, ComparisonForm::Split}) {
        shapes.push_back({{100, 100, 100}, {100}, form});
        shapes.push_back({{33, 7}, {20, 5, 3}, form});
        shapes.push_back({{16}, {}, form});
    }
    return shapes;
}

// What layers give, as a matrix by a vector.
std::vector<double> multiplied(const ComparisonLayer& layer, const std::vector<double>& in) {
    std::vector<double> out(layer.bias.begin(), layer.bias.end());
    EXPECT_EQ(layer.weight.size(), out.size() * in.size());
    for (std::size_t i = 0; i < layer.weight.size(); ++i)
        out[i / in.size()] += layer.weight[i] * in[i % in.size()];
    return out;
}

void rectify(std::vector<double>& numbers) {
    for (double& number : numbers) number = std::max(number, 0.0);
}

std::vector<double> code_of(const ComparisonNetwork& network, const Position& position) {
    std::vector<float> bits(773);
    (*find_dense_feature_set("bits-773"))->encode(position, bits);
    std::vector<double> now(bits.begin(), bits.end());
    for (const ComparisonLayer& layer : network.encoder) rectify(now = multiplied(layer, now));
    return now;
}

std::vector<double> head_of(const ComparisonNetwork& network, std::vector<double> now) {
    for (std::size_t i = 0; i < network.head.size(); ++i) {
        now = multiplied(network.head[i], now);
        if (i + 1 < network.head.size()) rectify(now);
    }
    return now;
}

// The logarithm of what the softmax gives the first over what it gives the second.
double pair_logit(const ComparisonNetwork& network, const Position& a, const Position& b) {
    std::vector<double> both = code_of(network, a);
    const std::vector<double> second = code_of(network, b);
    both.insert(both.end(), second.begin(), second.end());
    const std::vector<double> outputs = head_of(network, both);
    EXPECT_EQ(outputs.size(), 2U);
    const double first = std::exp(outputs[0]) / (std::exp(outputs[0]) + std::exp(outputs[1]));
    return std::log(first / (1 - first));
}

double by_definition(const ComparisonNetwork& network, const Position& a, const Position& b) {
    if (network.info.shape.form == ComparisonForm::Split)
        return head_of(network, code_of(network, a)).at(0) - head_of(network, code_of(network, b)).at(0);
    const double as_given = pair_logit(network, a, b);
    return network.info.shape.form == ComparisonForm::Pair ? as_given
                                                           : (as_given - pair_logit(network, b, a)) / 2;
}

// The list of ones is the feature set's row of numbers.
TEST(ComparisonBits, AreThoseOfTheFeatureSet) {
    const DenseFeatureSet& set = **find_dense_feature_set("bits-773");
    ASSERT_EQ(set.size(), kComparisonBits);
    std::vector<float> expected(773);
    base::Random random(2);
    for (int game = 0; game < 20; ++game)
        tests::play_random_game(random, Position(), 60, [&](const Position&, Move, const Position& position) {
            set.encode(position, expected);
            std::vector<float> bits(773);
            const ComparisonOnes ones(position);
            for (const int one : ones.all()) bits.at(static_cast<std::size_t>(one)) += 1;
            EXPECT_EQ(bits, expected) << to_fen(position);
        });
    // 32 men, White to move, and four rights.
    EXPECT_EQ(ComparisonOnes(Position()).all().size(), 37U);
}

TEST(ComparisonNetworkTest, KernelsAndPlainLoopsAreFullMatrices) {
    base::Random random(5);
    for (const ComparisonShape& shape : some_comparisons()) {
        const auto network =
            std::make_shared<const ComparisonNetwork>(random_comparison_network(shape, random.next()));
        ComparisonRunner runner(network);
        ComparisonRunner other = runner;
        std::vector<float> first(runner.embedding_size());
        std::vector<float> second(runner.embedding_size());
        double least = 1e9;
        double most = -1e9;
        tests::play_random_game(random, Position(), 12, [&](const Position& a, Move, const Position& b) {
            const double expected = by_definition(*network, a, b);
            EXPECT_NEAR(logit_plainly(*network, a, b), expected, 1e-9);
            // Embeddings may be kept and compared by another runner of the same network.
            runner.embed(a, first);
            other.embed(b, second);
            EXPECT_NEAR(runner.logit(first, second), expected, 1e-4) << describe(*network);
            EXPECT_EQ(other.logit(first, second), runner.logit(first, second));
            if (shape.form == ComparisonForm::Pair) {
                EXPECT_NEAR(runner.logit(second, first), by_definition(*network, b, a), 1e-4);
            } else {
                EXPECT_EQ(runner.logit(second, first), -runner.logit(first, second));
            }
            EXPECT_LE(std::abs(expected), 2 * largest_output(*network));
            least = std::min(least, expected);
            most = std::max(most, expected);
        });
        EXPECT_GT(most - least, 0.01) << describe(*network);
    }
}

// By hand: who is to move is the whole code, and f is twice that, less 1.
TEST(ComparisonNetworkTest, ScoresByHand) {
    ComparisonNetwork network = empty_comparison_network({{1}, {}, ComparisonForm::Split});
    network.encoder[0].weight.assign(773, 0);
    network.encoder[0].weight[768] = 1;
    network.encoder[0].bias = {0.25F};
    network.head[0] = {{2}, {-1}};
    ASSERT_TRUE(check_network(network));
    const Position white;
    const Position black = white.after(Move(E2, E4));
    // White to move: 2 · 1.25 − 1 = 1.5. Black to move: 2 · 0.25 − 1 = −0.5, White's.
    EXPECT_EQ(evaluate_plainly(network, white), Score(600));
    EXPECT_EQ(evaluate_plainly(network, black), Score(200));
    EXPECT_DOUBLE_EQ(logit_plainly(network, white, black), 2);
    EXPECT_EQ(comparison_score(1e9, Black), Score(-Score::kEvaluationBound));
    // All 773 bits set is what the bound reckons with.
    EXPECT_DOUBLE_EQ(largest_output(network), 2 * 1.25 + 1);
    EXPECT_FALSE(evaluate_plainly(random_comparison_network({{4}, {4}}, 1), white));
}

TEST(ComparisonFile, IsReadAsItWasWritten) {
    const std::string path = testing::TempDir() + "comparison.safetensors";
    for (const ComparisonShape& shape : some_comparisons()) {
        ComparisonNetwork network = random_comparison_network(shape, 4);
        network.info.piece_values = {90, 300, 310, 500, 910, 0};
        network.info.history = {{"recipe", "some"}};
        ASSERT_TRUE(save_network(path, network));
        const auto read = load_any_network(path);
        ASSERT_TRUE(read) << read.error().message;
        const auto known = read->as<ComparisonNetwork>();
        ASSERT_TRUE(known);
        EXPECT_EQ(known->info.shape, shape);
        EXPECT_EQ(known->info.piece_values, network.info.piece_values);
        EXPECT_EQ(read->history(), network.info.history);
        EXPECT_EQ(read->content_name(), content_name(network));
        const bool is_split = shape.form == ComparisonForm::Split;
        EXPECT_EQ(read->piece_values() != nullptr, is_split);
        EXPECT_EQ(read->evaluate(Position()).has_value(), is_split);
        EXPECT_EQ(read->abilities(),
                  (is_split ? Abilities{Ability::Leaf, Ability::Order} : Abilities{Ability::Order}));
        EXPECT_EQ(logit_plainly(*known, Position(), Position().after(Move(E2, E4))),
                  logit_plainly(network, Position(), Position().after(Move(E2, E4))));
    }
    EXPECT_EQ(describe(random_comparison_network({{600, 400}, {300}}, 1)),
              "comparison 1: 773 → 600 → 400 × 2 → 300 → 2, pair");
    EXPECT_EQ(describe(random_comparison_network({{60}, {}, ComparisonForm::Split}, 1)),
              "comparison 1: 773 → 60 → 1, split");
}

TEST(ComparisonFile, RefusesInOneLine) {
    const TensorFile good = *to_tensor_file(random_comparison_network({{6, 5}, {4, 3}}, 1));
    ASSERT_TRUE(to_comparison_network(good));
    EXPECT_EQ(good.metadata.at("encoder"), "6 5");
    const auto expect_refused = [&good](const std::string& key, const std::string& value,
                                        const std::string& part) {
        TensorFile file = good;
        file.metadata[key] = value;
        if (value.empty()) file.metadata.erase(key);
        const auto network = to_comparison_network(file);
        ASSERT_FALSE(network) << key << " " << value;
        EXPECT_NE(network.error().message.find(part), std::string::npos) << network.error().message;
        EXPECT_EQ(network.error().message.find('\n'), std::string::npos);
    };
    for (const auto& [key, entry] : good.metadata) expect_refused(key, "", key);
    expect_refused("version", "2", "version '2', expected '1'");
    expect_refused("inputs", "772", "inputs '772', expected '773'");
    expect_refused("activation", "tanh", "activation 'tanh', expected 'relu'");
    expect_refused("form", "triple", "form 'triple', expected one of: pair, antisymmetric, split");
    expect_refused("form", "split", "head.0.weight");
    expect_refused("encoder", " ", "encoder: 0 layers, expected at least 1");
    expect_refused("encoder", "6 0", "encoder: a layer of 0 units, expected 1 to 4096");
    expect_refused("encoder", "6 4097", "encoder: a layer of 4097 units, expected 1 to 4096");
    expect_refused("encoder", "1 1 1 1 1 1 1 1 1", "encoder: 9 layers, expected 8 at most");
    expect_refused("encoder", "4096 4096", "weights, expected 16777216 at most");
    expect_refused("encoder", "6 a", "encoder '6 a', expected whole numbers");
    expect_refused("encoder", "6 7", "encoder.1.weight");
    expect_refused("head", "4 -3", "head: a layer of -3 units");
    expect_refused("head", "1 1 1 1 1 1 1 1 1", "head: 9 layers, expected 8 at most");
    expect_refused("head", "4", "head.1.weight");

    const auto expect_weights_refused = [](float weight, const std::string& part) {
        ComparisonNetwork network = random_comparison_network({{6, 6}, {6}}, 1);
        for (auto* layers : {&network.encoder, &network.head})
            for (ComparisonLayer& layer : *layers) layer.weight.front() = weight;
        const auto status = check_network(network);
        ASSERT_FALSE(status);
        EXPECT_NE(status.error().message.find(part), std::string::npos) << status.error().message;
        EXPECT_FALSE(to_tensor_file(network));
    };
    expect_weights_refused(std::nanf(""), "encoder.0.weight: number 0 is nan, expected a finite one");
    expect_weights_refused(1e10F, "weights so large that sums could exceed 1e+30");
    ComparisonNetwork short_one = random_comparison_network({{6}, {}}, 1);
    short_one.head[0].bias.clear();
    EXPECT_EQ(check_network(short_one).error().message, "head.0.bias: 0 numbers, expected 2");
    short_one.head.clear();
    EXPECT_FALSE(check_network(short_one));
}

// A damaged file is none: whichever byte of its weights is another.
TEST(ComparisonFile, NoticesDamage) {
    std::vector<std::byte> bytes =
        serialise_tensors(*to_tensor_file(random_comparison_network({{3}, {2}}, 1)));
    ASSERT_TRUE(parse_any_network(bytes));
    base::Random random(3);
    for (int i = 0; i < 50; ++i) {
        std::byte& byte = bytes[bytes.size() - 1 - random.below(3 * 773 * 4)];
        byte ^= std::byte{4};
        EXPECT_FALSE(parse_any_network(bytes));
        byte ^= std::byte{4};
    }
}

}  // namespace
}  // namespace scholar::nets
