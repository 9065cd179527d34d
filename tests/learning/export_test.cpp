#include "learning/perspective/export.hpp"

#include <cstdlib>
#include <gtest/gtest.h>
#include <vector>

#include "learning/perspective/validation.hpp"

namespace scholar::learning {
namespace {

constexpr int kWidth = 160;
const int kOutputScale = nets::output_range(nets::Architecture{}).finest_scale;

// Says the same of every position, because the transformer sees no piece and all units are fully on. Each of
// its output weights is `steps` and a half steps of rounding, a hundredth more or less, so that rounding
// moves all of them one way: by 0.49 / 1024 each.
nets::FloatNetwork rounded_one_way(int steps, float output_bias) {
    nets::FloatNetwork network;
    network.info.architecture.width = kWidth;
    network.transformer.assign(std::size_t{nets::FeatureSet::kBoard} * kWidth, 0);
    network.transformer_bias.assign(kWidth, 1);
    const auto scale = static_cast<float>(kOutputScale);
    network.output.assign(kWidth, (static_cast<float>(steps) + 0.51F) / scale);
    network.output.resize(2 * std::size_t{kWidth}, -(static_cast<float>(steps) + 0.49F) / scale);
    network.output_bias = {output_bias};
    return network;
}

ValidationSet start_positions(std::size_t count, bool unseen = true) {
    return {std::vector<games::Sample>(count), std::vector<bool>(count, unseen), nets::plain_features(),
            TargetRule{}, Baselines{}};
}

std::int64_t bound_of(const nets::Network& network) {
    std::int64_t bound = std::abs(std::int64_t{network.output_bias.front()});
    for (const std::int16_t weight : network.output)
        bound += std::int64_t{std::abs(weight)} * nets::Network::kActivationScale;
    return bound;
}

TEST(Export, TakesTheMeanErrorOfRoundingOutAndStatesTheBoundOfWhatItWrites) {
    const auto result = prepare_export(Model(rounded_one_way(100, 0), false), start_positions(200), 1, {});
    ASSERT_TRUE(result) << result.error().message;
    const nets::Network& network = result->quantised.network;
    // 320 weights, each 0.49 off, times 255: 39,984, and the score, a whole number, tells it to half a unit
    // of 400 · logit, which is 326 here.
    EXPECT_NEAR(network.output_bias.front(), -39'984, 330);
    EXPECT_LT(result->agreement.largest_difference, 1);
    EXPECT_EQ(result->agreement.positions, 200U);
    EXPECT_EQ(result->quantised.report.output_bound, bound_of(network));
    EXPECT_EQ(result->trained.output_bias.front(), 0);
}

TEST(Export, RefusesASumThatOverflowsOnlyWithTheCorrection) {
    // Without it the sum is at most 160 · (26,316 + 26,317) · 255 + 40,000 = 2,147,466,400; with it 39,984
    // more, of 2,147,483,647.
    const float bias = -40'000.0F / static_cast<float>(nets::Network::kActivationScale * kOutputScale);
    const nets::FloatNetwork network = rounded_one_way(26'316, bias);
    const auto uncorrected = nets::quantise(network);
    ASSERT_TRUE(uncorrected) << uncorrected.error().message;
    EXPECT_EQ(uncorrected->report.output_bound, 2'147'466'400);
    const auto result = prepare_export(Model(network, false), start_positions(200), 1, {});
    ASSERT_FALSE(result);
    EXPECT_TRUE(result.error().message.starts_with("output: a board could sum to 21475"))
        << result.error().message;
}

TEST(Export, ComparesNoMoreThanAHundredThousandPositions) {
    const nets::FloatNetwork network = nets::FloatNetwork::random({.width = 32}, 1);
    const auto result = prepare_export(Model(network, false), start_positions(100'010), 1, {});
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(result->agreement.positions, 100'000U);
    EXPECT_EQ(result->trained.info.history.at("agreement_positions"), "100000");
    EXPECT_EQ(result->quantised.network.info.history.at("agreement_positions"), "100000");
}

TEST(Export, SaysNoneWhereThereAreNoUnseenPositions) {
    const ValidationSet validation = start_positions(3, false);
    const std::vector<float> logits(3, 0);
    const ValidationReport report = validation.report(logits);
    EXPECT_EQ(report.all.positions, 3U);
    EXPECT_EQ(report.unseen.positions, 0U);
    const std::string table = to_table(report);
    const auto unseen = table.find("not in training: network");
    ASSERT_NE(unseen, std::string::npos);
    EXPECT_EQ(table.substr(0, unseen).find("none"), std::string::npos);
    EXPECT_EQ(table.substr(unseen).find_first_of("123456789"), std::string::npos) << table;
    EXPECT_NE(table.substr(unseen).find("none"), std::string::npos) << table;
}

}  // namespace
}  // namespace scholar::learning
