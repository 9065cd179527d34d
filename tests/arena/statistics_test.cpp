#include "arena/statistics.hpp"

#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "arena/sprt.hpp"
#include "base/random.hpp"
#include "support/test_data.hpp"

namespace scholar::arena {
namespace {

double total(const Pentanomial& pairs) {
    return static_cast<double>(pairs[0] + pairs[1] + pairs[2] + pairs[3] + pairs[4]);
}

// The expected figures marked "fastchess" are those of that program's own tests (app/tests/elo_test.cpp and
// sprt_test.cpp); it computes independently of us. Its intervals are those of a normal distribution with the
// spread that was seen; ours know that this spread is itself uncertain, which shows after few games.
double near_by(double error, double pairs) {
    return error * (0.003 + 4.5 / pairs);
}

// What those programs report of the same games: an interval of the normal distribution. The spread of the
// games, which is in it, is what normalised Elo divides by; a score of ½ does not tell it.
struct NormalReport {
    double elo_error = 0;
    double superiority = 0;
};
NormalReport as_others_report(const Rating& rating, double games) {
    const double sigma = (rating.score - 0.5) / rating.normalised * 800 / std::log(10.0);
    const double error = kConfidence95 * sigma / std::sqrt(games);
    return {(elo_of_score(rating.score + error) - elo_of_score(rating.score - error)) / 2,
            std::erfc(-(rating.score - 0.5) / sigma * std::sqrt(games) / std::sqrt(2.0)) / 2};
}
// No narrower than theirs, and near it.
void expect_interval(const Rating& rating, double theirs, double pairs) {
    EXPECT_GE(rating.elo_error, theirs - 0.006);
    EXPECT_NEAR(rating.elo_error, theirs, 0.006 + near_by(theirs, pairs));
}

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
    EXPECT_NEAR(first->normalised, -20.76, 0.01);
    EXPECT_NEAR(first->normalised_error, 40.13, 0.01);
    EXPECT_NEAR(as_others_report(*first, 288).superiority, 0.1553, 0.00005);
    EXPECT_NEAR(first->superiority, 0.1553, 0.002);
    EXPECT_NEAR(first->draw_rate, 123.0 / 288, 1e-12);

    const auto second = rate_games({136, 111, 96});
    ASSERT_TRUE(second);
    EXPECT_NEAR(second->normalised, 49.77, 0.01);
    EXPECT_NEAR(second->normalised_error, 36.77, 0.01);
    EXPECT_NEAR(second->elo, 40.70, 0.01);
    EXPECT_NEAR(as_others_report(*second, 343).elo_error, 30.43, 0.01);
    EXPECT_NEAR(as_others_report(*second, 343).superiority, 0.9960, 0.00005);
    expect_interval(*second, 30.43, 172);
    EXPECT_NEAR(second->superiority, 0.9960, 0.0005);

    EXPECT_NEAR(rate_games({34, 0, 356})->normalised, -508.44, 0.01);
}

TEST(Statistics, PairsAsFastchess) {
    // LL, LD, WL and DD, WD, WW.
    const auto first = rate_pairs({34, 54, 31 + 32, 64, 75});
    ASSERT_TRUE(first);
    EXPECT_NEAR(first->normalised, 57.94, 0.01);
    EXPECT_NEAR(first->normalised_error, 28.28, 0.01);
    EXPECT_NEAR(first->elo, 55.58, 0.01);
    EXPECT_NEAR(as_others_report(*first, 580).elo_error, 27.65, 0.01);
    expect_interval(*first, 27.65, 290);

    const auto second = rate_pairs({332, 433, 457 + 41, 333, 334});
    ASSERT_TRUE(second);
    EXPECT_NEAR(second->normalised, -9.17, 0.01);
    EXPECT_NEAR(second->normalised_error, 10.96, 0.01);
    EXPECT_NEAR(second->elo, -8.64, 0.01);
    EXPECT_NEAR(as_others_report(*second, 3860).elo_error, 10.33, 0.01);
    EXPECT_NEAR(as_others_report(*second, 3860).superiority, 0.0505, 0.00005);
    expect_interval(*second, 10.33, 1930);
    EXPECT_NEAR(second->superiority, 0.0505, 0.0005);

    const auto third = rate_pairs({7895, 8757, 5485 + 200, 568, 9999});
    EXPECT_NEAR(third->elo, -21.04, 0.01);
    EXPECT_NEAR(third->elo_error, 2.95, 0.01);
}

TEST(Statistics, ErrorBarsComeFromPairs) {
    // Ten pairs, each won by White twice: no spread between pairs, much between games.
    const Pentanomial even{0, 0, 10, 0, 0};
    EXPECT_LT(rate({10, 0, 10}, even)->elo_error, 0.6 * rate_games({10, 0, 10})->elo_error);
    EXPECT_NEAR(rate({10, 0, 10}, even)->superiority, 0.5, 1e-9);
    EXPECT_NEAR(rate({11, 0, 10}, even)->elo_error, rate({10, 0, 10}, even)->elo_error, 10);
    // fastchess's first example: 290 pairs. WW, WL and WD give the wins; DD, WD and LD the draws.
    const WinDrawLoss games{2 * 75 + 31 + 64, 2 * 32 + 64 + 54, 2 * 34 + 31 + 54};
    EXPECT_NEAR(rate(games, {34, 54, 63, 64, 75})->elo_error, 27.65, near_by(27.65, 290));
    EXPECT_NEAR(rate(games, {34, 54, 63, 64, 75})->draw_rate, 182.0 / 580, 1e-12);
    // One game more, whose pair is under way: its score counts, and the spread stays the pairs'.
    const auto more = rate({games.wins + 1, games.draws, games.losses}, {34, 54, 63, 64, 75});
    EXPECT_NEAR(more->score, (games.wins + 1 + games.draws / 2.0) / 581, 1e-12);
    EXPECT_NEAR(more->elo_error, 27.65, near_by(27.65, 290));
    EXPECT_GT(std::abs(more->elo_error - rate_games(games)->elo_error), 2);
    EXPECT_FALSE(rate({}, {}));
}

// Of every match of up to six pairs, and of as many games beside them as can be under way.
TEST(Statistics, EveryResultHasAFiniteInterval) {
    const auto look = [](const WinDrawLoss& games, const Pentanomial& pairs) {
        const auto rating = rate(games, pairs);
        ASSERT_TRUE(rating);
        const auto other =
            rate({games.losses, games.draws, games.wins}, {pairs[4], pairs[3], pairs[2], pairs[1], pairs[0]});
        for (const double number : {rating->elo, rating->elo_low, rating->elo_high, rating->elo_error,
                                    rating->normalised, rating->normalised_error, rating->superiority}) {
            ASSERT_TRUE(std::isfinite(number));
            ASSERT_FALSE(number == 0 && std::signbit(number));
        }
        ASSERT_LT(rating->elo_low, rating->elo);
        ASSERT_LT(rating->elo, rating->elo_high);
        ASSERT_GT(rating->elo_error, 5);
        // From the other side it is the same with its sign changed.
        ASSERT_NEAR(rating->elo, -other->elo, 1e-6);
        ASSERT_NEAR(rating->elo_low, -other->elo_high, 1e-6);
        ASSERT_NEAR(rating->superiority, 1 - other->superiority, 1e-9);
    };
    Pentanomial pairs{};
    for (pairs[0] = 0; pairs[0] <= 6; ++pairs[0])
        for (pairs[1] = 0; pairs[1] <= 6; ++pairs[1])
            for (pairs[2] = 0; pairs[2] <= 6; ++pairs[2])
                for (pairs[3] = 0; pairs[3] <= 6; ++pairs[3])
                    for (pairs[4] = 0; pairs[4] <= 6; ++pairs[4]) {
                        if (total(pairs) > 6) break;
                        // A point in a pair as two draws, or as a game each; then a game under way.
                        for (const std::uint64_t drawn : {std::uint64_t{0}, pairs[2]}) {
                            const WinDrawLoss games{pairs[3] + 2 * pairs[4] + pairs[2] - drawn,
                                                    pairs[1] + pairs[3] + 2 * drawn,
                                                    pairs[1] + 2 * pairs[0] + pairs[2] - drawn};
                            if (games.games() > 0) look(games, pairs);
                            look({games.wins + 1, games.draws, games.losses}, pairs);
                            look({games.wins, games.draws + 1, games.losses}, pairs);
                        }
                    }
    for (const std::uint64_t many : {100, 10'000, 100'000'000}) {
        EXPECT_TRUE(std::isfinite(rate_games({many, 0, 0})->elo_error));
        const auto drawn = rate_games({0, many, 0});
        EXPECT_EQ(drawn->elo, 0);
        EXPECT_GT(drawn->elo_error, 0);
        // Pairs that are all alike, which is what one opening played by two deterministic engines gives.
        const auto alike = rate({many, 0, many}, {0, 0, many, 0, 0});
        EXPECT_GT(alike->elo_error, 0);
        EXPECT_LT(alike->elo_error, 2000.0 / static_cast<double>(many));
    }
    EXPECT_FALSE(rate({}, {}));
}

// The interval holds the truth in at least 93 of 100 matches, however few the games, even or not, with few
// draws and with many, from balanced openings and from others. (1,500 matches each; what is drawn by lot has
// a standard error of 0.7 %.)
TEST(Statistics, TheIntervalHoldsTheTruth) {
    constexpr int kMatches = tests::kSanitized ? 200 : 1500;
    base::Random random(24);
    for (const double bias : {0.0, 150.0, 300.0})
        for (const double draws : {0.0, 0.3, 0.6, 0.9})
            for (const int pairs : {1, 2, 3, 5, 10, 50})
                for (const double elo : {0.0, 50.0, 120.0, 200.0, 300.0, 400.0}) {
                    // The opening favours a side by `bias`: once ours, once the other one.
                    const auto play = [&](double difference) {
                        const double score = score_of_elo(difference);
                        const double drawn = 2 * draws * std::min(score, 1 - score);
                        const double at = random.unit();
                        return at < score - drawn / 2 ? 2 : at < score + drawn / 2 ? 1 : 0;
                    };
                    const double truth =
                        elo_of_score((score_of_elo(elo + bias) + score_of_elo(elo - bias)) / 2);
                    int held = 0;
                    for (int match = 0; match < kMatches; ++match) {
                        WinDrawLoss games;
                        Pentanomial counts{};
                        for (int pair = 0; pair < pairs; ++pair) {
                            const int first = play(elo + bias), second = play(elo - bias);
                            for (const int points : {first, second})
                                ++(points == 2 ? games.wins : points == 1 ? games.draws : games.losses);
                            ++counts[static_cast<std::size_t>(first + second)];
                        }
                        const auto rating = rate(games, counts);
                        held += rating->elo_low <= truth && truth <= rating->elo_high ? 1 : 0;
                    }
                    const double slack = 3 * std::sqrt(0.93 * 0.07 / kMatches);
                    EXPECT_GT(static_cast<double>(held) / kMatches, 0.93 - slack)
                        << pairs << " pairs, " << elo << " Elo, bias " << bias << ", draws " << draws;
                }
}

TEST(Statistics, AMatchWonThroughoutHasAnIntervalToo) {
    const auto rating = rate({4, 0, 0}, {0, 0, 0, 0, 2});
    EXPECT_EQ(rating->score, 1);
    // Of two equals one wins four games in a row in one match of eight, ten in one of 512.
    EXPECT_LT(rating->elo_low, 0);
    EXPECT_GT(rate_games({10, 0, 0})->elo_low, 0);
    EXPECT_GT(rating->superiority, 0.98);
    EXPECT_LT(rating->superiority, 1);
    // One game: Beta(3/2, 1/2), whose median is 0.8368 and 97.5 % quantile 0.99962 (R's qbeta).
    EXPECT_NEAR(rate_games({1, 0, 0})->elo, elo_of_score(0.8368), 0.3);
}

TEST(Statistics, NothingIsPrintedAsMinusNothing) {
    EXPECT_EQ(elo_text(-0.0), "+0.0");
    EXPECT_EQ(elo_text(-0.04), "+0.0");
    EXPECT_EQ(elo_text(-0.06), "-0.1");
    EXPECT_EQ(elo_text(12.34), "+12.3");
    EXPECT_EQ(elo_text(-0.4, 0), "+0");
    EXPECT_FALSE(std::signbit(elo_of_score(0.5)));
    EXPECT_FALSE(std::signbit(rate({50, 0, 50}, {0, 0, 50, 0, 0})->elo));
}

// Whatever check_sprt() lets through gives numbers.
TEST(Sprt, EveryPermittedBoundGivesANumber) {
    const std::array<Pentanomial, 9> results{{{0, 0, 0, 0, 1},
                                              {1, 0, 0, 0, 0},
                                              {0, 0, 1, 0, 0},
                                              {0, 1, 0, 0, 0},
                                              {0, 0, 0, 0, 100'000},
                                              {100'000, 0, 0, 0, 0},
                                              {0, 0, 100'000, 0, 0},
                                              {1000, 0, 0, 0, 1000},
                                              {10, 60, 140, 160, 60}}};
    for (const auto model : {EloModel::Logistic, EloModel::Normalised}) {
        const double most = most_sprt_elo(model);
        for (int low = -10; low < 10; ++low)
            for (int high = low + 1; high <= 10; ++high) {
                const SprtSettings settings{
                    .elo0 = low * most / 10, .elo1 = high * most / 10, .model = model};
                ASSERT_TRUE(check_sprt(settings));
                for (const auto& pairs : results)
                    ASSERT_TRUE(
                        std::isfinite(log_likelihood_ratio(pairs, settings.elo0, settings.elo1, model)))
                        << settings.elo0 << " " << settings.elo1 << " " << static_cast<int>(model);
            }
    }
    for (const double rate : {1e-320, 1e-12, 0.5, 0.999999})
        for (const double other : {1e-320, 1e-9}) {
            ASSERT_TRUE(check_sprt({.elo0 = 0, .elo1 = 1, .alpha = rate, .beta = other}));
            for (const auto& bounds : {sprt_bounds(rate, other), sprt_bounds(other, rate)}) {
                EXPECT_TRUE(std::isfinite(bounds.lower) && bounds.lower < 0);
                EXPECT_TRUE(std::isfinite(bounds.upper) && bounds.upper > 0);
            }
        }
}

TEST(Sprt, RefusesSettingsThatGiveNoNumber) {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const auto error = [](const SprtSettings& settings) {
        const auto status = check_sprt(settings);
        return status ? "" : status.error().message;
    };
    for (const double bad : {kNan, kInfinity, -kInfinity, 1e308, 1000.5}) {
        EXPECT_NE(error({.elo0 = bad, .elo1 = 5}), "") << bad;
        EXPECT_NE(error({.elo0 = 0, .elo1 = bad}), "") << bad;
    }
    EXPECT_EQ(error({.elo0 = 0, .elo1 = 300, .model = EloModel::Normalised}),
              "elo1 is 300, expected from -200 to 200 normalised Elo");
    EXPECT_EQ(error({.elo0 = 5, .elo1 = 5}), "elo0 is 5 and elo1 5, expected the first to be the smaller");
    for (const double bad : {kNan, kInfinity, 0.0, -0.1, 1.0}) {
        EXPECT_NE(error({.elo0 = 0, .elo1 = 5, .alpha = bad}), "") << bad;
        EXPECT_NE(error({.elo0 = 0, .elo1 = 5, .beta = bad}), "") << bad;
    }
    EXPECT_EQ(error({.elo0 = 0, .elo1 = 5, .alpha = 0.5, .beta = 0.5}),
              "alpha is 0.5 and beta 0.5, expected them to be together below 1");
}

TEST(Sprt, PairsAsFastchess) {
    EXPECT_NEAR(
        log_likelihood_ratio(Pentanomial{223, 9863, 20279 + 1000, 10037, 246}, 0.5, 2.5, EloModel::Logistic),
        -3.07, 0.01);
    EXPECT_NEAR(
        log_likelihood_ratio(Pentanomial{871, 26175, 55003 + 980, 26678, 821}, 0, 2, EloModel::Logistic),
        -4.98, 0.01);
    EXPECT_NEAR(
        log_likelihood_ratio(Pentanomial{365, 16618, 36029 + 200, 16974, 390}, 0, 2, EloModel::Normalised),
        2.25, 0.01);
    EXPECT_NEAR(log_likelihood_ratio(Pentanomial{127, 4883, 10311 + 401, 5150, 104}, -1.75, 0.25,
                                     EloModel::Normalised),
                3.01, 0.01);
    EXPECT_NEAR(log_likelihood_ratio(Pentanomial{0, 0, 0, 0, 5550}, 0, 5, EloModel::Normalised), 111.82, 0.1);
}

// Fishtest's own SPRT_elo() on the counts of one of its tests, to all digits (official-stockfish/fishtest,
// issue 1737).
TEST(Sprt, PairsAsFishtest) {
    EXPECT_NEAR(
        log_likelihood_ratio(Pentanomial{93, 18711, 58877, 18739, 100}, -1.75, 0.25, EloModel::Normalised),
        2.9420974720708513, 1e-9);
    EXPECT_NEAR(sprt_bounds(0.05, 0.05).upper, 2.9444389791664403, 1e-12);
}

// Tests that engines' authors report with their changes, run by OpenBench, which computes for itself: Elo,
// its error and the ratio for normalised bounds. Its errors are those of the curve's ends, as ours, within
// 0.01.
TEST(Sprt, PairsAsOpenBench) {
    struct Report {
        Pentanomial pairs;
        double elo, error, elo0, elo1, ratio;
    };
    const Report reports[]{
        {{214, 8992, 19871, 9102, 235}, 0.69, 1.25, 0, 2.5, 0.16},  // PlentyChess, pull request 334, STC
        {{5, 942, 2469, 1050, 5}, 4.20, 3.43, -3, 1, 2.90},         // the same, LTC
        {{41, 6483, 15166, 6752, 51}, 1.76, 1.39, 0, 3, 2.98},      // viridithas, pull request 396
        {{170, 6480, 14445, 6696, 215}, 1.90, 1.47, 0, 3, 3.07},    // viridithas, pull request 381
        {{84, 290, 500, 369, 113}, 17.57, 9.55, -5, 0, 2.97},       // chess-3, pull request 139
        {{10, 117, 321, 216, 23}, 31.70, 10.54, 0, 5, 2.92},        // integral, pull request 52
    };
    for (const auto& report : reports) {
        const auto rating = rate_pairs(report.pairs);
        EXPECT_NEAR(rating->elo, report.elo, 0.006);
        EXPECT_NEAR(as_others_report(*rating, 2 * total(report.pairs)).elo_error, report.error,
                    0.01 + 0.003 * report.error);
        EXPECT_NEAR(rating->elo_error, report.error, 0.01 + near_by(report.error, total(report.pairs)));
        EXPECT_NEAR(log_likelihood_ratio(report.pairs, report.elo0, report.elo1, EloModel::Normalised),
                    report.ratio, 0.01);
        // The same counts with logistic bounds are another test.
        EXPECT_GT(std::abs(log_likelihood_ratio(report.pairs, report.elo0, report.elo1, EloModel::Logistic) -
                           report.ratio),
                  0.5);
    }
}

// What fastchess printed in its users' hands, of lopsided and of short matches too.
TEST(Statistics, PairsAsFastchessReports) {
    struct Report {
        Pentanomial pairs;
        double elo, error, normalised, normalised_error;
    };
    const Report reports[]{
        {{30, 6, 18, 0, 6}, -168.40, 73.37, -170.08, 62.16},  // fastchess, issue 807
        {{0, 1, 4, 0, 0}, -34.86, 62.20, -122.84, 215.34},    // fastchess, pull request 515
        {{1, 22, 52, 21, 4}, 8.69, 27.04, 15.51, 48.15},      // princhess, pull request 343
        {{5, 5, 36, 22, 22}, 101.21, 42.63, 128.22, 50.76},   // fastchess, issue 1007
        {{4, 5, 4, 0, 0}, -190.85, 103.99, -313.17, 133.55},  // the same
    };
    for (const auto& report : reports) {
        const auto rating = rate_pairs(report.pairs);
        EXPECT_NEAR(rating->elo, report.elo, 0.006);
        EXPECT_NEAR(as_others_report(*rating, 2 * total(report.pairs)).elo_error, report.error, 0.006);
        // Five pairs do not tell so much.
        if (total(report.pairs) >= 50)
            EXPECT_NEAR(rating->elo_error, report.error, near_by(report.error, total(report.pairs)));
        else
            EXPECT_GT(rating->elo_error, report.error);
        EXPECT_NEAR(rating->normalised, report.normalised, 0.006);
        EXPECT_NEAR(rating->normalised_error, report.normalised_error, 0.006);
    }
    EXPECT_NEAR(as_others_report(*rate_pairs({1, 22, 52, 21, 4}), 200).superiority, 0.7360, 0.00005);
    EXPECT_NEAR(as_others_report(*rate_pairs({0, 1, 4, 0, 0}), 10).superiority, 0.1318, 0.00005);
    EXPECT_NEAR(rate_pairs({1, 22, 52, 21, 4})->superiority, 0.7360, 0.01);
    EXPECT_NEAR(log_likelihood_ratio(Pentanomial{1, 22, 52, 21, 4}, -5, 0, EloModel::Normalised), 0.15,
                0.006);
}

// From unbalanced openings the games of a pair pull in opposite directions: as pairs they tell more than as
// games. With balanced, independent games it makes no difference.
TEST(Statistics, PairsTellMoreThanGamesFromUnbalancedOpenings) {
    // Fishtest's aggregate of its UHO book (official-stockfish/books, pull request 39).
    const Pentanomial pairs{236843, 46785909, 118676769, 46931929, 241663};
    const WinDrawLoss games{107796421, 210309044, 107640761};
    EXPECT_NEAR(rate_pairs(pairs)->score, rate_games(games)->score, 1e-9);
    EXPECT_LT(rate_pairs(pairs)->elo_error, 0.72 * rate_games(games)->elo_error);
    // Pairs of independent games with a quarter won, half drawn, a quarter lost: binomial in sixteenths.
    const Pentanomial independent{1000, 4000, 6000, 4000, 1000};
    EXPECT_NEAR(rate_pairs(independent)->elo_error, rate_games({8000, 16000, 8000})->elo_error, 1e-3);
    EXPECT_NEAR(rate_pairs(independent)->normalised_error, rate_games({8000, 16000, 8000})->normalised_error,
                1e-9);
}

TEST(Sprt, GamesAsFastchess) {
    EXPECT_NEAR(log_likelihood_ratio(WinDrawLoss{21404, 40708, 21184}, 0.5, 2.5, EloModel::Logistic), -1.57,
                0.01);
    EXPECT_NEAR(log_likelihood_ratio(WinDrawLoss{57433, 106593, 57030}, 0, 2, EloModel::Logistic), -2.59,
                0.01);
    EXPECT_NEAR(log_likelihood_ratio(WinDrawLoss{36433, 68692, 36027}, 0, 2, EloModel::Normalised), 0.92,
                0.01);
    EXPECT_NEAR(log_likelihood_ratio(WinDrawLoss{10871, 20431, 10650}, -1.75, 0.25, EloModel::Normalised),
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
