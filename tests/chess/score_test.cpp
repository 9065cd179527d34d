#include "chess/score.hpp"

#include <gtest/gtest.h>

namespace scholar::chess {
namespace {

TEST(Score, IsFourHundredTimesTheLogit) {
    EXPECT_EQ(Score::from_expected(0.5), Score::draw());
    // 400 · ln(3) = 439.44…, and 400 · ln(9) = 878.89…
    EXPECT_EQ(Score::from_expected(0.75).value(), 439);
    EXPECT_EQ(Score::from_expected(0.1).value(), -879);
    EXPECT_DOUBLE_EQ(Score(0).expected(), 0.5);
    EXPECT_NEAR(Score(400).expected(), 0.7310585786300049, 1e-15);  // 1 / (1 + 1/e)
}

TEST(Score, ExpectedAndBack) {
    for (int value = -8000; value <= 8000; ++value) {
        ASSERT_EQ(Score::from_expected(Score(value).expected()).value(), value);
        ASSERT_NEAR(Score(value).expected() + (-Score(value)).expected(), 1.0, 1e-15);
    }
}

TEST(Score, CertainExpectationsStayEvaluations) {
    EXPECT_EQ(Score::from_expected(1).value(), Score::kEvaluationBound);
    EXPECT_EQ(Score::from_expected(0).value(), -Score::kEvaluationBound);
    EXPECT_FALSE(Score::from_expected(1).is_mate());
    EXPECT_LT(Score::from_expected(1), Score::mate_in(kMaxPly));
    EXPECT_GT(Score::from_expected(0), Score::mated_in(kMaxPly));
}

TEST(Score, MatesAreOrderedByDistance) {
    EXPECT_GT(Score::mate_in(1), Score::mate_in(3));
    EXPECT_LT(Score::mated_in(0), Score::mated_in(2));
    EXPECT_LT(Score::mate_in(1), Score::infinite());
    EXPECT_GT(Score::mated_in(0), -Score::infinite());
    for (int plies = 0; plies <= kMaxPly; ++plies) {
        ASSERT_TRUE(Score::mate_in(plies).is_mate());
        ASSERT_TRUE(Score::mated_in(plies).is_mate());
        ASSERT_EQ(Score::mate_in(plies).plies_to_mate(), plies);
        ASSERT_EQ(Score::mated_in(plies).plies_to_mate(), -plies);
        ASSERT_EQ(-Score::mate_in(plies), Score::mated_in(plies));
        ASSERT_EQ(Score::mate_in(plies).expected(), 1.0);
        ASSERT_EQ(Score::mated_in(plies).expected(), 0.0);
    }
    EXPECT_FALSE(Score(Score::kEvaluationBound).is_mate());
}

TEST(Score, TableKeepsTheDistanceFromThePositionItself) {
    // Found at ply 6: mate at ply 9 of the search is mate in 3 from there, wherever it is met again.
    EXPECT_EQ(Score::mate_in(9).to_table(6), Score::mate_in(3));
    EXPECT_EQ(Score::mate_in(3).from_table(2), Score::mate_in(5));
    EXPECT_EQ(Score::mated_in(8).to_table(6), Score::mated_in(2));
    EXPECT_EQ(Score::mated_in(2).from_table(4), Score::mated_in(6));
    for (int ply = 0; ply < 100; ++ply) {
        EXPECT_EQ(Score(123).to_table(ply), Score(123));
        EXPECT_EQ(Score(-123).from_table(ply), Score(-123));
        EXPECT_EQ(Score::mate_in(ply + 5).to_table(ply).from_table(ply), Score::mate_in(ply + 5));
    }
}

TEST(Score, FlipsInOnePlace) {
    EXPECT_EQ((-Score(37)).value(), -37);
    EXPECT_EQ((Score(10) + 5).value(), 15);
    EXPECT_EQ((Score(10) - 25).value(), -15);
    const PovScore black(Score(50), Black);
    EXPECT_EQ(black.white().value(), -50);
    EXPECT_EQ(black.from(Black).value(), 50);
}

TEST(Wdl, ExpectedResultAndOtherSide) {
    constexpr Wdl wdl{0.5, 0.3, 0.2};
    EXPECT_DOUBLE_EQ(wdl.expected(), 0.65);
    EXPECT_DOUBLE_EQ((-wdl).expected(), 0.35);
}

}  // namespace
}  // namespace scholar::chess
