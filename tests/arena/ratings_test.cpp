#include "arena/ratings.hpp"

#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numbers>

#include "base/random.hpp"

namespace scholar::arena {
namespace {

using testing::HasSubstr;

const double kNatural = std::numbers::ln10 / 400;  // of an Elo point

std::string name_of(std::size_t player) {
    return fmt::format("player {}", player);
}

// As they come: nothing known beforehand.
RatingOptions plain() {
    return {.anchors = {}, .prior = 0, .white_advantage = true, .white_prior = 0, .draw_prior = 0};
}

void play(ResultPool& pool, const std::string& white, const std::string& black, const WinDrawLoss& games) {
    const auto first = pool.player(white);
    pool.add(first, pool.player(black), games);
}

// The chocolate puddings of Davidson's paper. His estimates are of shares π and a parameter of ties ν (as
// printed in the vignette "Introduction to PlackettLuce" of that R package, which also has the standard
// errors of ln π against the first pudding; the data as printed in the documentation of R's package hyper2).
// For differences as small as these our model is his, on another scale: ln π is the logarithm of wins to
// losses.
TEST(Ratings, PuddingsAsDavidson) {
    struct Row {
        int i, j;
        WinDrawLoss games;
    };
    const std::vector<Row> rows{{1, 2, {19, 16, 22}}, {1, 3, {16, 12, 19}}, {2, 3, {19, 10, 19}},
                                {1, 4, {18, 13, 23}}, {2, 4, {23, 9, 19}},  {3, 4, {19, 15, 20}},
                                {1, 5, {13, 18, 19}}, {2, 5, {16, 12, 20}}, {3, 5, {16, 17, 15}},
                                {4, 5, {17, 16, 14}}, {1, 6, {18, 12, 21}}, {2, 6, {22, 12, 20}},
                                {3, 6, {13, 10, 18}}, {4, 6, {14, 18, 19}}, {5, 6, {11, 12, 21}}};
    const std::array<double, 6> shares{0.1388005, 0.1729985, 0.1617420, 0.1653930, 0.1586805, 0.2023855};
    const std::array<double, 6> errors{0, 0.1872, 0.1935, 0.1882, 0.1927, 0.1924};
    const double nu = 0.7468147;

    ResultPool pool;
    for (int i = 1; i <= 6; ++i) pool.player(name_of(i));
    for (const auto& row : rows) pool.add(row.i - 1, row.j - 1, row.games);
    auto options = plain();
    options.white_advantage = false;  // there is no first move among puddings
    options.anchors[name_of(1)] = 0;
    const auto rated = rate_pool(pool, options);
    ASSERT_TRUE(rated) << rated.error().message;
    EXPECT_NEAR(rated->draw_rate, nu / (2 + nu), 2e-4);
    const double scale = (2 + nu) / 2 * kNatural;
    for (std::size_t i = 0; i < 6; ++i) {
        const auto chances = result_chances(rated->players[i].elo, rated->draw_rate);
        EXPECT_NEAR(std::log(chances.win / chances.loss), std::log(shares[i] / shares[0]), 2e-3) << i;
        // The scale depends on ν, whose uncertainty is in our error and not in theirs: within two per cent.
        EXPECT_NEAR(rated->players[i].error / kConfidence95 * scale, errors[i], 0.02 * errors[i]) << i;
    }
}

// Two players, as often White as Black and with the same results: the model meets any shares of the results,
// so that the rating is Elo of the score, the share of draws is met, and the error of the score is that of
// independent games.
TEST(Ratings, TwoPlayersInClosedForm) {
    const WinDrawLoss games{120, 90, 50};
    ResultPool pool;
    play(pool, "A", "B", {60, 45, 25});
    play(pool, "B", "A", {25, 45, 60});
    auto options = plain();
    options.anchors["B"] = 1000;
    const auto rated = rate_pool(pool, options);
    ASSERT_TRUE(rated) << rated.error().message;
    const double score = (120 + 45) / 260.0;
    EXPECT_NEAR(rated->players[0].elo, 1000 + elo_of_score(score), 1e-6);
    EXPECT_EQ(rated->players[1].elo, 1000);
    EXPECT_EQ(rated->players[1].error, 0);
    EXPECT_NEAR(rated->white_advantage, 0, 1e-6);
    // ν = D/√(W·L), and equals draw ν/(2 + ν).
    const double nu = 90 / std::sqrt(120.0 * 50);
    EXPECT_NEAR(rated->draw_rate, nu / (2 + nu), 1e-9);
    // Variance of a game's points over the squared slope of the curve.
    const double variance = (120 + 90 / 4.0) / 260 - score * score;
    const double slope = score * (1 - score) * kNatural;
    const double error = std::sqrt(variance / 260) / slope;
    EXPECT_NEAR(rated->players[0].error, kConfidence95 * error, 1e-6);
    const double sigmas = elo_of_score(score) / error;
    EXPECT_NEAR(*rated->superiority(0, 1), std::erfc(-sigmas / std::numbers::sqrt2) / 2, 1e-9);
    EXPECT_NEAR(*rated->superiority(0, 1) + *rated->superiority(1, 0), 1, 1e-12);
    EXPECT_NEAR(rate_games(games)->elo, rated->players[0].elo - 1000, 1e-6);
}

// Without draws the score decides alone: Elo's own curve.
TEST(Ratings, WithoutDrawsItIsEloOfTheScore) {
    ResultPool pool;
    play(pool, "A", "B", {30, 0, 10});
    play(pool, "B", "A", {10, 0, 30});
    auto options = plain();
    options.draw_prior = 1e-6;
    options.anchors["B"] = 0;
    EXPECT_NEAR(rate_pool(pool, options)->players[0].elo, elo_of_score(0.75), 0.01);
}

TEST(Ratings, ChancesOfTheModel) {
    for (const double draw_rate : {1e-6, 0.1, 0.3, 0.5, 0.8})
        for (const double elo : {-2500.0, -400.0, -100.0, 0.0, 50.0, 700.0}) {
            const auto chances = result_chances(elo, draw_rate);
            EXPECT_NEAR(chances.score(), score_of_elo(elo), 1e-12);
            EXPECT_NEAR(chances.win + chances.draw + chances.loss, 1, 1e-12);
            const double nu = 2 * draw_rate / (1 - draw_rate);
            EXPECT_NEAR(chances.draw / std::sqrt(chances.win * chances.loss), nu, 1e-9 * nu);
        }
    EXPECT_NEAR(result_chances(0, 0.3).draw, 0.3, 1e-12);
    EXPECT_GT(game_information(0, 0.3), game_information(300, 0.3));
    // Of a game: the squared slope of the score over the variance of the points.
    const auto chances = result_chances(120, 0.3);
    const double slope = chances.score() * (1 - chances.score()) * kNatural;
    EXPECT_NEAR(game_information(120, 0.3),
                slope * slope / (chances.win + chances.draw / 4 - chances.score() * chances.score()), 1e-12);
}

// A pool of known truth.
struct Truth {
    std::vector<double> ratings;
    double white = 0;
};

template <class Chances>
ResultPool simulate(const Truth& truth, int rounds, base::Random& random, Chances chances) {
    ResultPool pool;
    for (std::size_t i = 0; i < truth.ratings.size(); ++i) pool.player(name_of(i));
    for (int round = 0; round < rounds; ++round)
        for (std::size_t i = 0; i < truth.ratings.size(); ++i) {
            // Neighbours in strength for the most part, now and then anybody.
            const std::size_t near = i + 1 + random.below(8);
            const std::size_t other = random.below(5) == 0 ? random.below(truth.ratings.size()) : near;
            if (other == i || other >= truth.ratings.size()) continue;
            const bool first = random.below(2) == 0;
            const std::size_t white = first ? i : other;
            const std::size_t black = first ? other : i;
            const auto [win, draw] = chances(truth.ratings[white] - truth.ratings[black] + truth.white);
            const double at = random.unit();
            pool.add(white, black,
                     at < win          ? games::GameResult::WhiteWins
                     : at < win + draw ? games::GameResult::Draw
                                       : games::GameResult::BlackWins);
        }
    return pool;
}

// Logistic scores, and draws as ν·√(wins·losses) with ν = 0.9: found by bisection.
std::pair<double, double> as_the_model(double elo) {
    const double score = 1 / (1 + std::pow(10, -elo / 400));
    double low = 0, high = 2 * std::min(score, 1 - score);
    for (int i = 0; i < 60; ++i) {
        const double draw = (low + high) / 2;
        (draw < 0.9 * std::sqrt((score - draw / 2) * (1 - score - draw / 2)) ? low : high) = draw;
    }
    return {score - low / 2, low};
}

// 150 players over 1,500 Elo, some 60 games each, a hundred times over: the truth is in the 95 % intervals as
// often as it should be, and the estimates are not off in one direction.
TEST(Ratings, SimulatedPoolsAreCovered) {
    Truth truth{{}, 35};
    for (int i = 0; i < 150; ++i) truth.ratings.push_back(1200 + 10 * i);
    base::Random random(4);
    double covered = 0, all = 0, white_covered = 0, pairs_covered = 0, pairs = 0, sum = 0, slope = 0,
           squares = 0;
    for (int run = 0; run < 100; ++run) {
        const ResultPool pool = simulate(truth, 30, random, as_the_model);
        RatingOptions options;
        for (const std::size_t anchor : {10, 75, 140})
            options.anchors[name_of(anchor)] = truth.ratings[anchor];
        const auto rated = rate_pool(pool, options);
        ASSERT_TRUE(rated) << rated.error().message;
        for (std::size_t i = 0; i < truth.ratings.size(); ++i) {
            const auto& player = rated->players[i];
            if (player.standing != Standing::Rated) continue;
            const double off = player.elo - truth.ratings[i];
            const double place = truth.ratings[i] - 1945;
            ++all;
            covered += std::abs(off) <= player.error;
            sum += off;
            slope += off * place;
            squares += place * place;
            const std::size_t other = (i * 37 + 11) % truth.ratings.size();
            if (rated->players[other].standing != Standing::Rated || other == i) continue;
            ++pairs;
            pairs_covered += std::abs(off - rated->players[other].elo + truth.ratings[other]) <=
                             kConfidence95 * rated->difference_error(i, other);
        }
        white_covered += std::abs(rated->white_advantage - 35) <= rated->white_advantage_error;
        EXPECT_NEAR(rated->draw_rate, 0.9 / 2.9, 2.5 * rated->draw_rate_error);
    }
    EXPECT_GT(all, 14000);
    EXPECT_NEAR(covered / all, 0.95, 0.01);
    EXPECT_NEAR(pairs_covered / pairs, 0.95, 0.01);
    EXPECT_NEAR(white_covered / 100, 0.95, 0.06);
    EXPECT_NEAR(sum / all, 0, 3);
    // Maximum likelihood of odds exaggerates by something like one part in the number of games.
    EXPECT_NEAR(slope / squares, 0, 0.02);
}

// Another truth than the model's: exactly logistic scores, and draws three tenths as likely as they could be.
TEST(Ratings, AnotherModelOfDrawsLeavesTheScale) {
    Truth truth{{}, 0};
    for (int i = 0; i < 100; ++i) truth.ratings.push_back(20 * i);
    base::Random random(5);
    const ResultPool pool = simulate(truth, 300, random, [](double elo) {
        const double score = 1 / (1 + std::pow(10, -elo / 400));
        const double draw = 0.6 * std::min(score, 1 - score);
        return std::pair(score - draw / 2, draw);
    });
    const auto rated = rate_pool(pool, {});
    ASSERT_TRUE(rated) << rated.error().message;
    double slope = 0, squares = 0, mean = 0;
    for (std::size_t i = 0; i < 100; ++i) {
        const double place = truth.ratings[i] - 990;
        slope += rated->players[i].elo * place;
        squares += place * place;
        mean += rated->players[i].elo;
    }
    EXPECT_NEAR(slope / squares, 1, 0.03);
    EXPECT_NEAR(mean, 0, 1e-6);  // without anchors
}

TEST(Ratings, SaysWhoHasNoRatingAndLeavesTheOthersAlone) {
    ResultPool pool;
    play(pool, "A", "B", {5, 3, 4});
    play(pool, "B", "A", {6, 2, 5});
    RatingOptions options;
    options.anchors["B"] = 2000;
    const auto before = rate_pool(pool, options);
    play(pool, "Strong", "A", {3, 0, 0});
    play(pool, "Stronger", "Strong", {1, 0, 0});
    play(pool, "Weak", "B", {0, 0, 4});
    play(pool, "Elsewhere", "Far", {1, 1, 1});
    play(pool, "Open", "Strong", {0, 0, 1});
    const auto rated = rate_pool(pool, options);
    ASSERT_TRUE(rated) << rated.error().message;
    const auto standing = [&](const char* name) { return rated->players[*pool.find(name)].standing; };
    EXPECT_EQ(standing("A"), Standing::Rated);
    EXPECT_EQ(standing("B"), Standing::Anchor);
    EXPECT_EQ(standing("Strong"), Standing::Above);
    EXPECT_EQ(standing("Stronger"), Standing::Above);
    EXPECT_EQ(standing("Weak"), Standing::Below);
    EXPECT_EQ(standing("Elsewhere"), Standing::Unconnected);
    EXPECT_EQ(standing("Far"), Standing::Unconnected);
    EXPECT_EQ(standing("Open"), Standing::Unconnected);
    EXPECT_NEAR(rated->players[0].elo, before->players[0].elo, 1e-6);
    EXPECT_FALSE(rated->superiority(*pool.find("Strong"), 0));

    options.prior = 400;
    const auto with_prior = rate_pool(pool, options);
    ASSERT_TRUE(with_prior) << with_prior.error().message;
    const auto elo = [&](const char* name) { return with_prior->players[*pool.find(name)].elo; };
    EXPECT_GT(elo("Strong"), elo("A") + 100);
    EXPECT_LT(elo("Weak"), 1900);
    EXPECT_LT(elo("Strong"), 3200);
    EXPECT_GT(with_prior->players[*pool.find("Strong")].error, 200);
}

// Who always had White cannot be told from White's advantage; the prior of the latter decides.
TEST(Ratings, ColoursOfOneSideOnly) {
    ResultPool pool;
    play(pool, "A", "B", {30, 0, 10});
    RatingOptions options;
    options.anchors["B"] = 0;
    const auto rated = rate_pool(pool, options);
    ASSERT_TRUE(rated) << rated.error().message;
    EXPECT_NEAR(rated->white_advantage, 0, 0.1);
    EXPECT_NEAR(rated->players[0].elo, 190, 3);
    EXPECT_GT(rated->players[0].error, 195);  // more than the prior's 100 Elo alone
}

TEST(Ratings, RefusesWhatCannotBeRated) {
    ResultPool pool;
    EXPECT_THAT(rate_pool(pool, {}).error().message, HasSubstr("no games"));
    play(pool, "Stockfish", "Toga", {1, 1, 1});
    RatingOptions options;
    options.anchors["Stokfish"] = 1;
    EXPECT_EQ(rate_pool(pool, options).error().message,
              "anchor 'Stokfish': no player has this name, did you mean 'Stockfish'?");
}

TEST(Ratings, LeavesOutWhoHasFewGames) {
    ResultPool pool;
    play(pool, "A", "B", {5, 5, 5});
    play(pool, "C", "A", {1, 0, 1});
    const ResultPool fewer = pool.with_games(3);
    EXPECT_EQ(fewer.names(), (std::vector<std::string>{"A", "B"}));
    EXPECT_EQ(fewer.games(), 15U);
    EXPECT_EQ(pool.record(*pool.find("A")).games(), 17U);
    EXPECT_EQ(pool.record(*pool.find("C")).wins, 1U);
    EXPECT_EQ(pool.record(*pool.find("A")).wins, 6U);
}

// Cholesky against a product worked by hand.
TEST(SymmetricMatrix, FactorSolutionAndInverse) {
    SymmetricMatrix matrix(3);
    const std::array<std::array<double, 3>, 3> values{{{4, 12, -16}, {12, 37, -43}, {-16, -43, 98}}};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k <= i; ++k) matrix.at(i, k) = values[i][k];
    SymmetricMatrix factor = matrix;
    ASSERT_TRUE(factorize(factor));
    EXPECT_DOUBLE_EQ(factor.at(0, 0), 2);
    EXPECT_DOUBLE_EQ(factor.at(2, 0), -8);
    EXPECT_DOUBLE_EQ(factor.at(2, 1), 5);
    EXPECT_DOUBLE_EQ(factor.at(2, 2), 3);
    std::vector<double> b{4 + 24 - 48, 12 + 74 - 129, -16 - 86 + 294};
    solve(factor, b);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(b[i], static_cast<double>(i + 1), 1e-10);
    const SymmetricMatrix inverted = inverse(factor);
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k < 3; ++k) {
            double sum = 0;
            for (std::size_t j = 0; j < 3; ++j) sum += values[i][j] * inverted.get(j, k);
            EXPECT_NEAR(sum, i == k ? 1 : 0, 1e-10);
        }
    matrix.at(2, 2) = 60;  // 64 + 25 = 89 is what the others ask for at least
    EXPECT_FALSE(factorize(matrix));
}

}  // namespace
}  // namespace scholar::arena
