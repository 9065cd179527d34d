#include "selfplay/treestrap.hpp"

#include <gtest/gtest.h>

#include "chess/fen.hpp"
#include "chess/uci_move.hpp"

namespace scholar::selfplay {
namespace {

constexpr const char* kQuiet = "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1";

TEST(Interval, ABoundTeachesOnlyWhoSaysWhatItExcludes) {
    EXPECT_EQ(Interval::at_least(0.6).nearest(0.5), 0.6);
    EXPECT_EQ(Interval::at_least(0.6).nearest(0.7), 0.7);
    EXPECT_EQ(Interval::at_most(0.6).nearest(0.5), 0.5);
    EXPECT_EQ(Interval::at_most(0.6).nearest(0.7), 0.6);
    EXPECT_EQ(Interval::value(0.6).nearest(0.5), 0.6);
    EXPECT_EQ(Interval::at_least(0.75).turned(), Interval::at_most(0.25));
}

class TreeStraps : public testing::Test {
  protected:
    void tell(TreeStrap& tap, const char* fen, int depth, int score, search::Bound bound,
              const char* move = "") {
        const chess::Line line(*chess::parse_fen(fen));
        const chess::Move best =
            *move == '\0' ? chess::Move::none() : *chess::parse_uci_move(line.current(), move);
        tap.on_node({line, 3, search::Effort::of_half_moves(depth), chess::Score(score), bound, best});
    }
    base::Random random_{1};
};

TEST_F(TreeStraps, WhatMostEffortFoundCountsOnce) {
    TreeStrap tap({.least_depth = 2});
    tell(tap, kQuiet, 1, 10, search::Bound::Exact);  // too little
    EXPECT_TRUE(tap.take(random_).empty());
    tell(tap, kQuiet, 3, 100, search::Bound::Lower);
    tell(tap, kQuiet, 2, -50, search::Bound::Exact);
    auto nodes = tap.take(random_);
    ASSERT_EQ(nodes.size(), 1U);
    EXPECT_EQ(nodes[0].expected, Interval::at_least(chess::Score(100).expected()));
    // Bounds of as much effort close in; one that contradicts takes the place of the other.
    tell(tap, kQuiet, 3, 100, search::Bound::Lower);
    tell(tap, kQuiet, 3, 300, search::Bound::Upper);
    nodes = tap.take(random_);
    ASSERT_EQ(nodes.size(), 1U);
    EXPECT_EQ(nodes[0].expected.low, chess::Score(100).expected());
    EXPECT_EQ(nodes[0].expected.high, chess::Score(300).expected());
    tell(tap, kQuiet, 3, 100, search::Bound::Lower);
    tell(tap, kQuiet, 3, 50, search::Bound::Upper);
    EXPECT_EQ(tap.take(random_)[0].expected, Interval::at_most(chess::Score(50).expected()));
    EXPECT_TRUE(tap.take(random_).empty());
}

TEST_F(TreeStraps, PassesOverWhatIsNotQuiet) {
    constexpr const char* kCheck = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1";
    constexpr const char* kTakes = "4k3/8/8/8/8/8/3r4/3QK3 w - - 0 1";
    for (const bool quiet : {true, false}) {
        TreeStrap tap({.quiet = quiet});
        tell(tap, kCheck, 2, 0, search::Bound::Exact);
        tell(tap, kTakes, 2, 400, search::Bound::Lower, "d1d2");
        EXPECT_EQ(tap.take(random_).size(), quiet ? 0U : 2U);
    }
}

}  // namespace
}  // namespace scholar::selfplay
