#include "learning/selfplay_loop/alarms.hpp"

#include <array>
#include <gtest/gtest.h>

#include "chess/fen.hpp"
#include "nets/perspective/quantise.hpp"

namespace scholar::learning {
namespace {

RoundSummary healthy() {
    RoundSummary round;
    round.games = 100;
    round.draws = 30;
    round.steps = 10;
    round.loss = 0.5;
    round.constant_loss = 0.69;
    return round;
}
const std::array<UnitActivity, 2> kHealthy{
    {{.units = 64, .dead = 3, .saturated = 0.1}, {.units = 16, .dead = 0, .saturated = 0.3}}};

bool rings(const std::vector<std::string>& lines, const char* part) {
    return lines.size() == 1 && lines.front().starts_with("alarm: ") && lines.front().contains(part) &&
           !lines.front().contains('\n');
}

TEST(Alarms, AreSilentWhileAllIsWell) {
    Alarms alarms;
    for (int i = 0; i < 10; ++i) EXPECT_TRUE(alarms.check(healthy(), kHealthy).empty());
}

TEST(Alarms, RingOnceUntilTheTroubleIsOver) {
    Alarms alarms;
    RoundSummary drawn = healthy();
    drawn.draws = 99;
    EXPECT_TRUE(alarms.check(drawn, kHealthy).empty());
    EXPECT_TRUE(alarms.check(drawn, kHealthy).empty());
    EXPECT_TRUE(rings(alarms.check(drawn, kHealthy), "99 % of the games of the last 3 rounds were drawn"));
    EXPECT_TRUE(alarms.check(drawn, kHealthy).empty());
    EXPECT_EQ(alarms.ringing(), std::vector<std::string>{"draws"});
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(alarms.check(healthy(), kHealthy).empty());
    EXPECT_TRUE(alarms.ringing().empty());
    EXPECT_TRUE(alarms.check(drawn, kHealthy).empty());
    EXPECT_TRUE(alarms.check(drawn, kHealthy).empty());
    EXPECT_TRUE(rings(alarms.check(drawn, kHealthy), "were drawn"));
}

TEST(Alarms, KnowTheirTroubles) {
    RoundSummary diverging = healthy();
    diverging.loss = 0.8;
    Alarms alarms;
    RoundSummary repeating = healthy();
    repeating.repeated = 5;
    alarms.check(diverging, kHealthy);
    alarms.check(diverging, kHealthy);
    EXPECT_TRUE(rings(alarms.check(diverging, kHealthy), "the loss, 0.8000, has been above"));
    const auto with = [](const UnitActivity& layer, std::size_t at) {
        auto activity = kHealthy;
        activity[at] = layer;
        return Alarms().check(healthy(), activity);
    };
    EXPECT_TRUE(rings(with({64, 40, 0.1}, 0), "40 of 64 units of the first layer are 0 in every position"));
    EXPECT_TRUE(rings(with({16, 9, 0.1}, 1), "9 of 16 units of hidden layer 1 are 0 in every position"));
    EXPECT_TRUE(rings(with({64, 0, 0.6}, 0), "60 % of all activations of the first layer are clipped"));
    EXPECT_TRUE(rings(with({16, 0, 0.7}, 1), "70 % of all activations of hidden layer 1 are clipped"));
    EXPECT_TRUE(rings(Alarms().check(repeating, kHealthy), "5 of 100 games had been played before"));
}

TEST(Alarms, KnowANetworkThatSaysTheSameOfAll) {
    RoundSummary constant = healthy();
    constant.loss = constant.constant_loss;
    constant.trained = 1'000'000;
    Alarms alarms;
    // It may take its time.
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(alarms.check(constant, kHealthy).empty());
    EXPECT_TRUE(rings(alarms.check(constant, kHealthy),
                      "hardly below that of a constant, 0.6900, after 4,000,000 positions"));
    EXPECT_TRUE(alarms.check(constant, kHealthy).empty());
}

TEST(Alarms, KnowWhatIsLearntByHeart) {
    Alarms alarms;
    RoundSummary round = healthy();
    // Of the network that plays, which is better than the weights in training.
    round.seen_loss = round.loss - 0.02;
    // As in runs that grew stronger: each round is noise, the mean is not.
    for (int i = 0; i < 300; ++i) {
        round.fresh_loss = *round.seen_loss + 0.013 + (i % 2 == 0 ? 0.03 : -0.03);
        EXPECT_TRUE(alarms.check(round, kHealthy).empty()) << i;
    }
    round.fresh_loss = *round.seen_loss + 0.0185;
    int rang = 0;
    for (int i = 0; i < 300; ++i) rang += rings(alarms.check(round, kHealthy), "it is learnt by heart");
    EXPECT_EQ(rang, 1);
}

TEST(Alarms, KnowAGameAgain) {
    Alarms alarms;
    EXPECT_FALSE(alarms.is_repeated(1));
    EXPECT_FALSE(alarms.is_repeated(2));
    EXPECT_TRUE(alarms.is_repeated(1));
    for (std::uint64_t hash = 3; hash < 200'010; ++hash) EXPECT_FALSE(alarms.is_repeated(hash));
    EXPECT_FALSE(alarms.is_repeated(1));  // forgotten
}

TEST(Alarms, UnitsAreMeasured) {
    nets::FloatNetwork network =
        nets::FloatNetwork::random({.features = *nets::find_feature_set("768-king4"), .width = 32}, 1);
    const std::vector<chess::Position> positions{
        chess::Position(),
        *chess::parse_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")};
    const auto activity = [&] {
        const auto layers = measure_activity(nets::quantise(network)->network, positions);
        EXPECT_EQ(layers.size(), 1U);
        return layers.front();
    };
    EXPECT_LT(activity().dead, 8);
    for (std::size_t unit = 0; unit < 10; ++unit) network.transformer_bias[unit] = -4;
    for (std::size_t unit = 16; unit < 32; ++unit) network.transformer_bias[unit] = 8;
    EXPECT_GE(activity().dead, 10);
    EXPECT_GE(activity().saturated, 0.5);
}

// With two output buckets, of which a game's beginning knows only one.
TEST(Alarms, HiddenUnitsAreMeasured) {
    nets::FloatNetwork network = nets::FloatNetwork::random(
        {.features = *nets::find_feature_set("768"), .width = 32, .output_buckets = 2, .hidden = {16, 32}},
        1);
    const std::vector<chess::Position> positions(20, chess::Position());
    const auto activity = [&] { return measure_activity(nets::quantise(network)->network, positions); };
    ASSERT_EQ(activity().size(), 3U);
    EXPECT_EQ(activity()[1].units, 16);
    EXPECT_EQ(activity()[2].units, 32);
    EXPECT_EQ(activity()[1].dead, 0);
    const auto second_bucket = [](nets::FloatLayer& layer, std::size_t units) {
        return std::span(layer.bias).subspan(units);
    };
    for (std::size_t unit = 0; unit < 5; ++unit) second_bucket(network.hidden[0], 16)[unit] = -1e3F;
    for (std::size_t unit = 5; unit < 16; ++unit) second_bucket(network.hidden[0], 16)[unit] = 1e3F;
    for (std::size_t unit = 0; unit < 8; ++unit) second_bucket(network.hidden[1], 32)[unit] = -1e3F;
    EXPECT_EQ(activity()[1].dead, 5);
    EXPECT_DOUBLE_EQ(activity()[1].saturated, 11.0 / 16);
    EXPECT_GE(activity()[2].dead, 8);
    // Of too few positions nothing is said.
    EXPECT_EQ(measure_activity(nets::quantise(network)->network, std::span(positions).first(15))[1].units, 0);
}

}  // namespace
}  // namespace scholar::learning
