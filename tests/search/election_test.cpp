#include "search/alpha_beta/election.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace scholar::search {
namespace {

using chess::Move;
using chess::Score;

const Move kFirst(chess::E2, chess::E4);
const Move kSecond(chess::D2, chess::D4);

std::size_t elected(const std::vector<Ballot>& ballots) {
    return elect(ballots);
}

TEST(Election, OneThreadIsElected) {
    EXPECT_EQ(elected({{kFirst, Score(10), Bound::Exact, 5}}), 0U);
    EXPECT_EQ(elected({{kFirst}}), 0U);
}

TEST(Election, TheMoveOfMostThreadsWins) {
    EXPECT_EQ(elected({{kFirst, Score(10), Bound::Exact, 9},
                       {kSecond, Score(10), Bound::Exact, 9},
                       {kSecond, Score(10), Bound::Exact, 9}}),
              1U);
    EXPECT_EQ(elected({{kFirst, Score(10), Bound::Exact, 9},
                       {kFirst, Score(10), Bound::Exact, 9},
                       {kSecond, Score(10), Bound::Exact, 9}}),
              0U);
}

// Of those for the same move who looked deepest speaks; a higher score or a greater depth counts for more.
TEST(Election, DepthAndScoreWeigh) {
    EXPECT_EQ(elected({{kFirst, Score(10), Bound::Exact, 9}, {kFirst, Score(10), Bound::Exact, 10}}), 1U);
    EXPECT_EQ(elected({{kFirst, Score(10), Bound::Exact, 9}, {kSecond, Score(60), Bound::Exact, 9}}), 1U);
    EXPECT_EQ(elected({{kFirst, Score(60), Bound::Exact, 9}, {kSecond, Score(10), Bound::Exact, 12}}), 0U);
}

TEST(Election, AMateNeedsNoMajority) {
    EXPECT_EQ(elected({{kFirst, Score(300), Bound::Exact, 20},
                       {kFirst, Score(300), Bound::Exact, 20},
                       {kSecond, Score::mate_in(5), Bound::Exact, 6}}),
              2U);
    EXPECT_EQ(elected({{kFirst, Score::mate_in(5), Bound::Exact, 6},
                       {kSecond, Score::mate_in(3), Bound::Exact, 6}}),
              1U);
}

TEST(Election, AProvedLossIsNotGivenUpForWhatLookedLessDeep) {
    EXPECT_EQ(elected({{kFirst, Score::mated_in(4), Bound::Exact, 9}, {kSecond, Score(0), Bound::Exact, 8}}),
              0U);
    EXPECT_EQ(elected({{kFirst, Score::mated_in(4), Bound::Exact, 9}, {kSecond, Score(0), Bound::Exact, 9}}),
              1U);
}

// A move that only may be that good does not go before one that is.
TEST(Election, ABoundFromAboveIsNotElected) {
    EXPECT_EQ(elected({{kFirst, Score(10), Bound::Exact, 9},
                       {kSecond, Score(90), Bound::Upper, 9},
                       {kSecond, Score(90), Bound::Upper, 9}}),
              0U);
    EXPECT_EQ(elected({{kFirst, Score(90), Bound::Upper, 9}, {kSecond, Score(10), Bound::Lower, 9}}), 1U);
    EXPECT_EQ(elected({{kFirst}, {kSecond, Score(90), Bound::Upper, 1}, {kFirst, Score(5), Bound::Exact, 1}}),
              2U);
}

// A search by null windows is nearly always stopped with bounds from below.
TEST(Election, ABoundFromBelowCounts) {
    EXPECT_EQ(elected({{kFirst, Score(10), Bound::Exact, 9},
                       {kSecond, Score(20), Bound::Lower, 9},
                       {kSecond, Score(20), Bound::Lower, 9}}),
              1U);
}

// The first thread got no core before the others had used up all the nodes: whatever the others have is
// better than nothing, be it the same move, a bound, or a loss.
TEST(Election, AScoreGoesBeforeNone) {
    EXPECT_EQ(elected({{kFirst}, {kFirst, Score(-40), Bound::Lower, 4}}), 1U);
    EXPECT_EQ(elected({{kFirst}, {kSecond, Score::mated_in(2), Bound::Exact, 4}}), 1U);
    EXPECT_EQ(elected({{kFirst}, {kSecond}, {kFirst, Score(5), Bound::Lower, 3}}), 2U);
    EXPECT_EQ(elected({{kFirst, Score(5), Bound::Exact, 3}, {kSecond}}), 0U);
}

// The weights are measured from the least score that somebody has.
TEST(Election, WhoHasNoScoreDoesNotFlattenTheWeights) {
    const Ballot deep{kFirst, Score(10), Bound::Exact, 10};
    const Ballot high{kSecond, Score(300), Bound::Exact, 9};
    EXPECT_EQ(elected({deep, high}), 1U);
    EXPECT_EQ(elected({deep, high, {kFirst}}), 1U);
}

}  // namespace
}  // namespace scholar::search
