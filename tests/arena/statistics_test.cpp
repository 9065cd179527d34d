#include "arena/statistics.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace scholar::arena {
namespace {

// The expected figures marked "fastchess" are those of that program's own tests (app/tests/elo_test.cpp and
// sprt_test.cpp); it computes independently of us.

TEST(Statistics, EloOfScoreByTheLogisticCurve) {
    EXPECT_NEAR(elo_of_score(0.75), 190.8485, 1e-4);  // 400 · log10 3
    EXPECT_DOUBLE_EQ(elo_of_score(0.5), 0);
    EXPECT_NEAR(score_of_elo(-190.8485), 0.25, 1e-6);
    EXPECT_TRUE(std::isinf(elo_of_score(1)));
    EXPECT_LT(elo_of_score(0), -1e9);
}

TEST(Statistics, GamesAsFastchess) {
    const auto first = rate_games({76, 123, 89});
    ASSERT_TRUE(first);
    EXPECT_NEAR(first->normalized, -20.76, 0.01);
    EXPECT_NEAR(first->normalized_error, 40.13, 0.01);
    EXPECT_NEAR(first->superiority, 0.1553, 0.00005);
    EXPECT_NEAR(first->draw_rate, 123.0 / 288, 1e-12);

    const auto second = rate_games({136, 111, 96});
    ASSERT_TRUE(second);
    EXPECT_NEAR(second->normalized, 49.77, 0.01);
    EXPECT_NEAR(second->normalized_error, 36.77, 0.01);
    EXPECT_NEAR(second->elo, 40.70, 0.01);
    EXPECT_NEAR(second->elo_error, 30.43, 0.01);
    EXPECT_NEAR(second->superiority, 0.9960, 0.00005);

    EXPECT_NEAR(rate_games({34, 0, 356})->normalized, -508.44, 0.01);
}

TEST(Statistics, PairsAsFastchess) {
    // LL, LD, WL and DD, WD, WW.
    const auto first = rate_pairs({34, 54, 31 + 32, 64, 75});
    ASSERT_TRUE(first);
    EXPECT_NEAR(first->normalized, 57.94, 0.01);
    EXPECT_NEAR(first->normalized_error, 28.28, 0.01);
    EXPECT_NEAR(first->elo, 55.58, 0.01);
    EXPECT_NEAR(first->elo_error, 27.65, 0.01);

    const auto second = rate_pairs({332, 433, 457 + 41, 333, 334});
    ASSERT_TRUE(second);
    EXPECT_NEAR(second->normalized, -9.17, 0.01);
    EXPECT_NEAR(second->normalized_error, 10.96, 0.01);
    EXPECT_NEAR(second->elo, -8.64, 0.01);
    EXPECT_NEAR(second->elo_error, 10.33, 0.01);
    EXPECT_NEAR(second->superiority, 0.0505, 0.00005);

    const auto third = rate_pairs({7895, 8757, 5485 + 200, 568, 9999});
    EXPECT_NEAR(third->elo, -21.04, 0.01);
    EXPECT_NEAR(third->elo_error, 2.95, 0.01);
}

TEST(Statistics, ErrorBarsComeFromPairsOnlyWhenAllGamesAreInPairs) {
    // Ten pairs, each won by White twice: no spread between pairs, much between games.
    const Pentanomial even{0, 0, 10, 0, 0};
    EXPECT_TRUE(std::isinf(rate({10, 0, 10}, even)->elo_error));
    EXPECT_DOUBLE_EQ(rate({10, 0, 10}, even)->superiority, 0.5);
    EXPECT_NEAR(rate({11, 0, 10}, even)->elo_error, rate_games({11, 0, 10})->elo_error, 1e-12);
    // fastchess's first example: 290 pairs. WW, WL and WD give the wins; DD, WD and LD the draws.
    const WinDrawLoss games{2 * 75 + 31 + 64, 2 * 32 + 64 + 54, 2 * 34 + 31 + 54};
    EXPECT_NEAR(rate(games, {34, 54, 63, 64, 75})->elo_error, 27.65, 0.01);
    EXPECT_NEAR(rate(games, {34, 54, 63, 64, 75})->draw_rate, 182.0 / 580, 1e-12);
    EXPECT_FALSE(rate({}, {}));
}

TEST(Statistics, AllWonIsInfiniteAndNotANumber) {
    const auto rating = rate({4, 0, 0}, {0, 0, 0, 0, 2});
    EXPECT_TRUE(std::isinf(rating->elo) && rating->elo > 0);
    EXPECT_TRUE(std::isinf(rating->elo_error));
    EXPECT_DOUBLE_EQ(rating->superiority, 1);
}

TEST(Sprt, PairsAsFastchess) {
    EXPECT_NEAR(
        log_likelihood_ratio(Pentanomial{223, 9863, 20279 + 1000, 10037, 246}, 0.5, 2.5, EloModel::Logistic),
        -3.07, 0.01);
    EXPECT_NEAR(
        log_likelihood_ratio(Pentanomial{871, 26175, 55003 + 980, 26678, 821}, 0, 2, EloModel::Logistic),
        -4.98, 0.01);
    EXPECT_NEAR(
        log_likelihood_ratio(Pentanomial{365, 16618, 36029 + 200, 16974, 390}, 0, 2, EloModel::Normalized),
        2.25, 0.01);
    EXPECT_NEAR(log_likelihood_ratio(Pentanomial{127, 4883, 10311 + 401, 5150, 104}, -1.75, 0.25,
                                     EloModel::Normalized),
                3.01, 0.01);
    EXPECT_NEAR(log_likelihood_ratio(Pentanomial{0, 0, 0, 0, 5550}, 0, 5, EloModel::Normalized), 111.82, 0.1);
}

TEST(Sprt, GamesAsFastchess) {
    EXPECT_NEAR(log_likelihood_ratio(WinDrawLoss{21404, 40708, 21184}, 0.5, 2.5, EloModel::Logistic), -1.57,
                0.01);
    EXPECT_NEAR(log_likelihood_ratio(WinDrawLoss{57433, 106593, 57030}, 0, 2, EloModel::Logistic), -2.59,
                0.01);
    EXPECT_NEAR(log_likelihood_ratio(WinDrawLoss{36433, 68692, 36027}, 0, 2, EloModel::Normalized), 0.92,
                0.01);
    EXPECT_NEAR(log_likelihood_ratio(WinDrawLoss{10871, 20431, 10650}, -1.75, 0.25, EloModel::Normalized),
                2.30, 0.01);
}

TEST(Sprt, BoundsOfWald) {
    const auto bounds = sprt_bounds(0.05, 0.05);
    EXPECT_NEAR(bounds.upper, std::log(19.0), 1e-12);
    EXPECT_NEAR(bounds.lower, -std::log(19.0), 1e-12);
}

// Where twenty wins in a row happen in one match of twenty: 0.05 ^ (1 / 20) = 0.86089 by hand, and 400 ·
// log10(0.86089 / 0.13911) = 316.6.
TEST(Statistics, AMatchWonThroughoutBoundsElo) {
    EXPECT_NEAR(elo_bound_of_sweep(20), 316.6, 0.1);
    EXPECT_LT(elo_bound_of_sweep(2), elo_bound_of_sweep(200));
}

}  // namespace
}  // namespace scholar::arena
