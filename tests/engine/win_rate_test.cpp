#include "engine/win_rate.hpp"

#include <cmath>
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "chess/fen.hpp"
#include "engine/win_rate_fit.hpp"

namespace scholar::engine {
namespace {

chess::Position at(const char* fen) {
    return *chess::parse_fen(fen);
}

TEST(WinRate, MaterialIsCounted) {
    EXPECT_EQ(material_of(chess::Position()), 78);
    EXPECT_EQ(material_of(at("k7/8/8/8/8/8/8/K7 w - - 0 1")), 0);
    EXPECT_EQ(material_of(at("kq6/p7/8/8/8/8/8/KRBN4 w - - 0 1")), 9 + 1 + 5 + 3 + 3);
    EXPECT_EQ(scaled_material(0), -1);
    EXPECT_EQ(scaled_material(16), 0);
    for (const int material : {32, 33, 78, 103}) EXPECT_EQ(scaled_material(material), 1);
}

TEST(WinRate, AHundredCentipawnsAreAnEvenChanceToWin) {
    const WinRateModel& model = default_win_rate();
    for (int material = 0; material <= 78; material += 13) {
        const auto even = static_cast<int>(std::lround(model.even_chance(material)));
        EXPECT_GT(even, 0);
        EXPECT_NEAR(model.wdl(chess::Score(even), material).win, 0.5, 0.002);
        EXPECT_NEAR(model.centipawns(chess::Score(even), material), 100, 1);
        // Monotonous, symmetric, and a distribution.
        for (int score = -3'000; score <= 3'000; score += 50) {
            const chess::Wdl wdl = model.wdl(chess::Score(score), material);
            EXPECT_NEAR(wdl.win + wdl.draw + wdl.loss, 1, 1e-12);
            EXPECT_GE(wdl.draw, 0);
            EXPECT_NEAR(model.wdl(chess::Score(-score), material).loss, wdl.win, 1e-12);
            EXPECT_LT(wdl.win, model.wdl(chess::Score(score + 50), material).win + 1e-12);
            EXPECT_EQ(model.centipawns(chess::Score(-score), material),
                      -model.centipawns(chess::Score(score), material));
            EXPECT_NEAR(model.score_of_centipawns(model.centipawns(chess::Score(score), material), material),
                        score, 0.5 * model.even_chance(material) / 100 + 1e-9);
        }
    }
    EXPECT_EQ(model.wdl(chess::Score::mate_in(7), 30).win, 1);
    EXPECT_EQ(model.wdl(chess::Score::mated_in(6), 30).loss, 1);
}

// What an endgame table has proved is no evaluation: certain, by its distance, and beyond all of those.
TEST(WinRate, TablebaseWinsAreCertain) {
    const WinRateModel& model = default_win_rate();
    for (const int material : {0, 20, 78})
        for (const int plies : {0, 1, 37, chess::kMaxPly}) {
            const auto won = chess::Score::tablebase_win(plies);
            EXPECT_EQ(model.centipawns(won, material), 20'000 - plies);
            EXPECT_EQ(model.centipawns(-won, material), plies - 20'000);
            EXPECT_EQ(model.wdl(won, material).win, 1);
            EXPECT_EQ(model.wdl(-won, material).loss, 1);
            const chess::Score evaluation(chess::Score::kEvaluationBound);
            EXPECT_LT(model.centipawns(evaluation, material), model.centipawns(won, material));
            EXPECT_GT(model.centipawns(-evaluation, material), model.centipawns(-won, material));
        }
}

// Games of a known model: the fit finds it, within errors that its own figures claim.
TEST(WinRateFit, FindsTheModelThatMadeTheGames) {
    const WinRateModel truth{
        .sharpness = 0.006, .sharpness_by_material = -0.0015, .threshold = 1.6, .threshold_by_material = 0.4};
    int within = 0;
    constexpr int repetitions = 20;
    for (int repetition = 0; repetition < repetitions; ++repetition) {
        base::Random random(100 + static_cast<std::uint64_t>(repetition));
        std::vector<ScoredPosition> positions;
        for (std::uint32_t game = 0; game < 6'000; ++game) {
            const double score = 1'200 * (random.unit() + random.unit() - 1);
            const int material = static_cast<int>(random.below(79));
            const double u = scaled_material(material);
            const double x = (truth.sharpness + truth.sharpness_by_material * u) * score;
            const double bar = truth.threshold + truth.threshold_by_material * u;
            const double dice = random.unit();
            const double win = 1 / (1 + std::exp(bar - x));
            const double loss = 1 / (1 + std::exp(bar + x));
            positions.push_back({score, material, dice < win ? 1 : dice < win + loss ? -1 : 0, game});
        }
        const auto fit = fit_win_rate(positions);
        ASSERT_TRUE(fit) << fit.error().message;
        EXPECT_GT(fit->log_likelihood, fit->baseline + 0.1);
        EXPECT_EQ(fit->games, 6'000U);
        const std::array differences{fit->model.sharpness - truth.sharpness,
                                     fit->model.sharpness_by_material - truth.sharpness_by_material,
                                     fit->model.threshold - truth.threshold,
                                     fit->model.threshold_by_material - truth.threshold_by_material};
        for (std::size_t i = 0; i < 4; ++i) {
            EXPECT_LT(std::abs(differences[i]), 4.5 * fit->errors[i]) << i;
            within += std::abs(differences[i]) < fit->errors[i];
        }
        for (const CalibrationRow& row : fit->calibration)
            if (row.positions > 200) {
                EXPECT_NEAR(row.predicted.win, row.observed.win, 0.15);
            }
    }
    // One standard error holds 68 of a hundred: 54 of 80, give or take 4.2 (or more, as a fit's four numbers
    // hang together).
    EXPECT_NEAR(within, 0.683 * 4 * repetitions, 18);
}

// Each position ten times over tells no more than once: the errors stay, as they are by game.
TEST(WinRateFit, ErrorsAreThoseOfGamesNotOfPositions) {
    base::Random random(5);
    std::vector<ScoredPosition> once;
    std::vector<ScoredPosition> often;
    for (std::uint32_t game = 0; game < 2'000; ++game) {
        const double score = 1'000 * (random.unit() - 0.5);
        const int material = static_cast<int>(random.below(79));
        const double dice = random.unit() + score / 1'000;
        const ScoredPosition position{score, material, dice > 0.7 ? 1 : dice < 0.3 ? -1 : 0, game};
        once.push_back(position);
        often.insert(often.end(), 10, position);
    }
    const auto a = fit_win_rate(once);
    const auto b = fit_win_rate(often);
    ASSERT_TRUE(a && b);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(b->errors[i] / a->errors[i], 1, 0.01);
    EXPECT_NEAR(a->model.sharpness, b->model.sharpness, 1e-6);
}

TEST(WinRateFit, OneCurveForAllMaterial) {
    base::Random random(6);
    std::vector<ScoredPosition> positions;
    for (std::uint32_t game = 0; game < 5'000; ++game) {
        const double score = 1'000 * (random.unit() - 0.5);
        const double dice = random.unit();
        const double win = 1 / (1 + std::exp(1.2 - 0.004 * score));
        const double loss = 1 / (1 + std::exp(1.2 + 0.004 * score));
        positions.push_back({score, static_cast<int>(random.below(79)),
                             dice < win          ? 1
                             : dice < win + loss ? -1
                                                 : 0,
                             game});
    }
    const auto fit = fit_win_rate(positions, false);
    ASSERT_TRUE(fit);
    EXPECT_EQ(fit->model.sharpness_by_material, 0);
    EXPECT_EQ(fit->model.threshold_by_material, 0);
    EXPECT_NEAR(fit->model.sharpness, 0.004, 4 * fit->errors[0]);
    EXPECT_NEAR(fit->model.threshold, 1.2, 4 * fit->errors[2]);
    EXPECT_NEAR(fit->points.front().even_chance, 300, 4 * fit->points.front().even_chance_error);
}

TEST(WinRateFit, SaysWhatCannotBeFitted) {
    std::vector<ScoredPosition> positions(10, {100, 40, 1, 0});
    EXPECT_NE(fit_win_rate(positions).error().message.find("10 positions won, 0 drawn, 0 lost"),
              std::string::npos);
    positions[0].outcome = 0;
    positions[1].outcome = -1;
    EXPECT_FALSE(fit_win_rate(positions));  // nothing varies
    EXPECT_FALSE(fit_win_rate({}));
    // No errors at all: ever steeper curves fit ever better, and none is the best.
    positions.clear();
    for (std::uint32_t game = 0; game < 300; ++game) {
        const int outcome = static_cast<int>(game % 3) - 1;
        positions.push_back({1'000.0 * outcome + game % 7, static_cast<int>(game % 79), outcome, game});
    }
    EXPECT_FALSE(fit_win_rate(positions));
}

}  // namespace
}  // namespace scholar::engine
