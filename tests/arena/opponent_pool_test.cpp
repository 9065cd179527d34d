#include "arena/opponent_pool.hpp"

#include <array>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace scholar::arena {
namespace {

using testing::HasSubstr;

constexpr const char* kPool = R"([ladder]
time_control = "nodes=10"
["weak"]
protocol = "internal"
options = ["System=random"]
anchor = 1000
["middle"]
protocol = "internal"
options = ["System=oneply"]
anchor = 1200
["unknown"]
protocol = "internal"
["absent"]
command = "no-such-engine-at-all"
)";

OpponentPool pool() {
    const auto ladder = parse_ladder(kPool, "pool.toml");
    auto found = OpponentPool::find(*ladder, {});
    return std::move(*found);
}

TEST(OpponentPool, HasThoseWhoCanPlay) {
    const OpponentPool members = pool();
    ASSERT_EQ(members.opponents().size(), 3U);
    EXPECT_EQ(members.opponents()[0].rating.rating, 1000);
    EXPECT_EQ(members.opponents()[0].rating.deviation, OpponentPool::kAnchorDeviation);
    EXPECT_EQ(members.opponents()[2].rating.deviation, Glicko::kNew);
    ASSERT_EQ(members.skipped().size(), 1U);
    EXPECT_EQ(members.skipped()[0].name, "absent");
    EXPECT_THAT(members.skipped()[0].reason, HasSubstr("not installed"));
}

TEST(OpponentPool, IsRefusedWhenNobodyCanPlay) {
    const auto ladder = parse_ladder(
        "[ladder]\ntime_control = \"1\"\n[\"absent\"]\ncommand = \"no-such-engine-at-all\"\n", "x");
    const auto none = OpponentPool::find(*ladder, {});
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error().message, HasSubstr("absent: no-such-engine-at-all is not installed"));
}

// The shares of the normal distribution: e^(−½d²) for differences of 0, 1 and 2.5 spreads.
TEST(OpponentPool, PairsByNearness) {
    const OpponentPool members = pool();
    base::Random random(1);
    std::array<int, 3> chosen{};
    constexpr int kGames = 40'000;
    for (int i = 0; i < kGames; ++i) ++chosen[*members.choose({1000, 100}, 200, random)];
    const double sum = 1 + std::exp(-0.5) + std::exp(-3.125);
    EXPECT_NEAR(chosen[0] / static_cast<double>(kGames), 1 / sum, 0.01);
    EXPECT_NEAR(chosen[1] / static_cast<double>(kGames), std::exp(-0.5) / sum, 0.01);
    EXPECT_NEAR(chosen[2] / static_cast<double>(kGames), std::exp(-3.125) / sum, 0.01);
}

TEST(OpponentPool, TheNearestPlaysWhenAllAreFar) {
    const OpponentPool members = pool();
    base::Random random(2);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(members.choose({9000, 100}, 50, random), 2U);
}

TEST(OpponentPool, WhoIsDroppedPlaysNoMore) {
    OpponentPool members = pool();
    base::Random random(3);
    members.drop(0);
    for (int i = 0; i < 100; ++i) EXPECT_NE(members.choose({1000, 100}, 50, random), 0U);
    members.drop(1);
    members.drop(2);
    EXPECT_FALSE(members.choose({1000, 100}, 50, random));
}

TEST(OpponentPool, RatingsMayChange) {
    OpponentPool members = pool();
    members.set_rating(2, {1850, 100});
    EXPECT_EQ(members.opponents()[2].rating.rating, 1850);
}

}  // namespace
}  // namespace scholar::arena
