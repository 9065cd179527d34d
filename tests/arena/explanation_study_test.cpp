// What is made of explanations: correlations against published figures, curves against ones by hand.

#include "arena/explanation_study.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <memory>

#include "chess/fen.hpp"
#include "nets/container/open_network.hpp"
#include "nets/linear/linear_network.hpp"

namespace scholar::arena {
namespace {

// The example of the article "Spearman's rank correlation coefficient" in Wikipedia, IQ and hours of
// television: −29/165.
TEST(ExplanationStudyTest, RankCorrelationAsPublished) {
    const std::vector<double> iq{106, 100, 86, 101, 99, 103, 97, 113, 112, 110};
    const std::vector<double> hours{7, 27, 2, 50, 28, 29, 20, 12, 6, 17};
    EXPECT_NEAR(rank_correlation(iq, hours), -29.0 / 165, 1e-12);
    // Equal numbers share their ranks: 1.5 1.5 3 and 1 2 3, by hand 3 / (2 √3).
    EXPECT_NEAR(rank_correlation(std::vector<double>{5, 5, 9}, std::vector<double>{1, 2, 3}),
                1.5 / std::sqrt(3.0), 1e-12);
}

TEST(ExplanationStudyTest, MeansByHand) {
    const MeanWithError four = mean_with_error(std::vector<double>{1, 2, 3, 6});
    EXPECT_DOUBLE_EQ(four.mean, 3);
    EXPECT_DOUBLE_EQ(four.error, std::sqrt(14.0 / 3 / 4));
    EXPECT_DOUBLE_EQ(mean_with_error(std::vector<double>{7}).error, 0);
}

// By material alone (KnightCap's start: pawn 1, rook 6, queen 12 of 204.33), with White a queen up, the curve
// is what is left on the board.
TEST(ExplanationStudyTest, CurvesOfMaterialByHand) {
    const nets::AnyNetwork network = std::make_shared<const nets::LinearNetwork>(
        *nets::quantise(nets::FloatLinearNetwork::material_start()));
    auto explainer = evaluators::Explainer::make(network);
    ASSERT_TRUE(explainer);
    // Two positions: the same with colours exchanged, so that Black is better.
    const std::vector<chess::Position> positions{*chess::parse_fen("4k3/4p3/8/8/8/8/PP6/3QK2R w - - 0 1"),
                                                 *chess::parse_fen("3qk2r/pp6/8/8/8/8/4P3/4K3 b - - 0 1"),
                                                 *chess::parse_fen("4k3/8/8/8/8/8/8/3QK3 w - - 0 1")};
    ExplanationStudyOptions options;
    options.taken = 3;
    const auto study = study_explanations(positions, *explainer, options, [](std::size_t) {}, {});
    ASSERT_TRUE(study) << study.error().message;
    EXPECT_EQ(study->positions, 2U);
    EXPECT_EQ(study->passed_over, 1U);
    ASSERT_EQ(study->curves.size(), 3U);
    EXPECT_TRUE(study->agreements.empty());
    // 12 + 6 + 2 − 1 pawns; the queen goes, the rook, a pawn.
    const std::vector<double> pawns{19, 7, 1, 0};
    for (const std::size_t curve : {0, 1})
        for (std::size_t i = 0; i < pawns.size(); ++i) {
            const double expected = 1 / (1 + std::exp(-pawns[i] * nets::kPawnScore / 400));
            EXPECT_NEAR(study->curves[curve].watched[i].mean, expected, 0.002) << curve << " " << i;
            EXPECT_NEAR(study->curves[curve].watched[i].error, 0, 1e-3);
        }
    EXPECT_EQ(study->curves[0].name, "occlusion");
    EXPECT_EQ(study->curves[2].name, "random");
    EXPECT_GT(study->curves[2].area.mean, study->curves[0].area.mean + 0.05);
    EXPECT_NEAR(study->curves[0].against_random.mean, study->curves[0].area.mean - study->curves[2].area.mean,
                1e-12);
    // Of pawns there are two on the better side.
    options.pawns = true;
    options.taken = 2;
    const auto of_pawns = study_explanations(positions, *explainer, options, [](std::size_t) {}, {});
    ASSERT_TRUE(of_pawns);
    ASSERT_EQ(of_pawns->curves.size(), 2U);
    EXPECT_NEAR(of_pawns->curves[0].watched[2].mean, 1 / (1 + std::exp(-17 * nets::kPawnScore / 400)), 0.002);
    options.taken = 3;
    EXPECT_FALSE(study_explanations(positions, *explainer, options, [](std::size_t) {}, {}));
}

}  // namespace
}  // namespace scholar::arena
