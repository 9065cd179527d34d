#include "arena/glicko.hpp"

#include <array>
#include <cmath>
#include <gtest/gtest.h>

namespace scholar::arena {
namespace {

// The worked examples of M. Glickman, "The Glicko system" (1995).

TEST(Glicko, ThePublishedRatingPeriod) {
    const std::array games{GlickoGame{{1400, 30}, 1}, GlickoGame{{1550, 100}, 0}, GlickoGame{{1700, 300}, 0}};
    const Glicko after = rate_period({1500, 200}, games);
    EXPECT_NEAR(after.rating, 1464, 0.5);
    EXPECT_NEAR(after.deviation, 151.4, 0.05);
}

TEST(Glicko, ThePublishedExpectation) {
    EXPECT_NEAR(expected_points({1400, 80}, {1500, 150}), 0.376, 0.0005);
}

// A deviation of 50 is that of a new player again after 30 periods, with c = 63.2.
TEST(Glicko, ThePublishedGrowthWithTime) {
    EXPECT_NEAR(after_time({1500, 50}, 63.2, 30).deviation, 350, 0.5);
    EXPECT_EQ(after_time({1500, 50}, 63.2, 300).deviation, Glicko::kNew);
    EXPECT_EQ(after_time({1500, 50}, 63.2, 30).rating, 1500);
}

TEST(Glicko, NothingHappensWithoutGames) {
    const Glicko after = rate_period({1234, 56}, {});
    EXPECT_DOUBLE_EQ(after.rating, 1234);
    EXPECT_DOUBLE_EQ(after.deviation, 56);
}

TEST(Glicko, AnEvenResultAgainstAnEqualChangesOnlyTheDeviation) {
    const std::array game{GlickoGame{{1500, 100}, 0.5}};
    const Glicko after = rate_period({1500, 100}, game);
    EXPECT_DOUBLE_EQ(after.rating, 1500);
    EXPECT_LT(after.deviation, 100);
}

// Against opponents who are sure of their ratings the deviation after n games tends to that of the maximum
// likelihood estimate, 400 / ln 10 / √(n/4), as ratings.hpp gives it.
TEST(Glicko, ManyGamesAgreeWithMaximumLikelihood) {
    Glicko player{1500, 350};
    for (int i = 0; i < 400; ++i) {
        const std::array game{GlickoGame{{1600, 0}, i % 2 == 0 ? 1.0 : 0.0}};
        player = rate_period(player, game);
    }
    EXPECT_NEAR(player.rating, 1600, 3);
    EXPECT_NEAR(player.deviation, 400 / std::log(10.0) / 10, 0.3);
}

}  // namespace
}  // namespace scholar::arena
