#include "learning/segments/segment_player.hpp"

#include <gtest/gtest.h>

#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "learning/segments/segment_lessons.hpp"
#include "nets/container/any_network.hpp"
#include "nets/dense/dense_network.hpp"

namespace scholar::learning {
namespace {

constexpr std::uint64_t kSeed = 5;

nets::AnyNetwork small_network() {
    const nets::DenseFeatureSet& features = **nets::find_dense_feature_set("giraffe-363");
    return std::make_shared<const nets::DenseNetwork>(
        nets::random_dense_network(nets::dense_shape(features, {{4, 8, 4}}, {8}), 7));
}

// Two middle games, an ending, and a stalemate.
std::vector<chess::Position> roots(std::size_t count) {
    constexpr std::array kFens{"r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
                               "r2q1rk1/pp2bppp/2n1bn2/2pp4/8/1P1PPN2/PB2BPPP/RN1Q1RK1 w - - 0 10",
                               "8/5pk1/6p1/3R3p/7P/r4PP1/5K2/8 b - - 0 40", "7k/8/5KQ1/8/8/8/8/8 b - - 0 1"};
    std::vector<chess::Position> positions;
    for (std::size_t i = 0; i < count; ++i) {
        const auto position = chess::parse_fen(kFens.at(i % kFens.size()));
        EXPECT_TRUE(position) << position.error().message;
        if (position) positions.push_back(*position);
    }
    return positions;
}

SegmentPlan plan(bool exact) {
    SegmentPlan plan;
    plan.nodes = 120;
    plan.plies = 6;
    plan.search.exact_leaves = exact;
    return plan;
}

std::vector<Segment> play(std::size_t count, const SegmentPlan& plan, int threads) {
    auto played = play_segments(small_network(), roots(count), plan, kSeed, 100, threads, {});
    EXPECT_TRUE(played && *played);
    return played && *played ? std::move(**played) : std::vector<Segment>();
}

// By evaluations that are worked out afresh, and by the rules.
TEST(Segments, RecordWhatWasPlayedAndWhatTheLeavesAreWorth) {
    const nets::AnyNetwork network = small_network();
    std::size_t exact = 0;
    std::size_t all = 0;
    for (const Segment& segment : play(40, plan(true), 1)) {
        for (std::size_t i = 0; i < segment.searches.size(); ++i) {
            const SegmentSearch& search = segment.searches[i];
            ++all;
            chess::MoveList moves = chess::legal_moves(search.position);
            EXPECT_NE(std::ranges::find(moves, search.best), moves.end());
            const chess::Position after = search.position.after(search.best);
            if (i + 1 < segment.searches.size()) {
                EXPECT_EQ(segment.searches[i + 1].position, after);
            }
            if (search.leaf_kind != search::LeafKind::Exact) continue;
            ++exact;
            const chess::PovScore value(*network.evaluate(search.leaf), search.leaf.side_to_move());
            EXPECT_EQ(value.from(search.position.side_to_move()), search.score)
                << chess::to_fen(search.position);
        }
        if (segment.searches.empty() || !segment.outcome) continue;
        const chess::Position end = segment.searches.back().position.after(segment.searches.back().best);
        const bool mated = !chess::has_legal_move(end) && end.in_check();
        EXPECT_EQ(*segment.outcome, !mated ? 0.5 : end.side_to_move() == chess::White ? 0.0 : 1.0);
    }
    EXPECT_GT(exact, all / 2);
}

TEST(Segments, AreTheSameWithAnyNumberOfThreads) {
    SegmentPlan how = plan(false);
    how.treestrap = selfplay::TreeStrapPlan{.most_nodes = 20};
    const auto one = play(40, how, 1);
    const auto three = play(40, how, 3);
    ASSERT_EQ(one.size(), 40U);
    ASSERT_EQ(three.size(), one.size());
    std::size_t nodes = 0;
    for (std::size_t i = 0; i < one.size(); ++i) {
        ASSERT_EQ(one[i].searches.size(), three[i].searches.size());
        for (std::size_t k = 0; k < one[i].searches.size(); ++k) {
            EXPECT_EQ(one[i].searches[k].score, three[i].searches[k].score);
            EXPECT_EQ(one[i].searches[k].best, three[i].searches[k].best);
        }
        EXPECT_EQ(one[i].outcome, three[i].outcome);
        ASSERT_EQ(one[i].nodes.size(), three[i].nodes.size());
        EXPECT_LE(one[i].nodes.size(), 20U);
        nodes += one[i].nodes.size();
        for (std::size_t k = 0; k < one[i].nodes.size(); ++k) {
            EXPECT_EQ(one[i].nodes[k].position, three[i].nodes[k].position);
            EXPECT_EQ(one[i].nodes[k].expected, three[i].nodes[k].expected);
        }
    }
    EXPECT_GT(nodes, 200U);
}

// White to move at 0, 2; its expected results 0.5, 0.6, 0.4 are scores of either side in turns.
Segment segment_of(std::initializer_list<double> white) {
    Segment segment;
    chess::Position position;
    for (const double expected : white) {
        SegmentSearch search;
        search.position = position;
        const bool is_white = position.side_to_move() == chess::White;
        search.score = chess::Score::from_expected(is_white ? expected : 1 - expected);
        search.best = *chess::legal_moves(position).begin();
        search.leaf = position.after(search.best);
        search.leaf_kind = search::LeafKind::Exact;
        segment.searches.push_back(search);
        position = search.leaf;
    }
    return segment;
}

TEST(SegmentLessons, AreReturnsWorkedByHand) {
    Segment segment = segment_of({0.5, 0.6, 0.4});
    SegmentLessonPlan plan{.method = SegmentMethod::TdRoot, .lambda = 0.5};
    // Cut off: 0.5 + 0.1 + 0.5 · (−0.2), 0.6 − 0.2, and the last prediction as it is.
    auto lessons = lessons_of(segment, plan);
    ASSERT_EQ(lessons.size(), 3U);
    EXPECT_NEAR(lessons[0].expected.low, 0.5, 1e-3);
    EXPECT_NEAR(lessons[1].expected.low, 1 - 0.4, 1e-3);
    EXPECT_NEAR(lessons[2].expected.low, 0.4, 1e-3);
    EXPECT_EQ(lessons[1].position, segment.searches[1].position);

    // White has won: 0.4 becomes 1, 0.6 becomes 0.7, 0.5 becomes 0.65.
    segment.outcome = 1;
    lessons = lessons_of(segment, plan);
    EXPECT_NEAR(lessons[0].expected.low, 0.65, 1e-3);
    EXPECT_NEAR(lessons[1].expected.low, 1 - 0.7, 1e-3);
    EXPECT_NEAR(lessons[2].expected.low, 1, 1e-3);

    // Leaves have the other side to move; what is no leaf's value teaches no leaf.
    plan.method = SegmentMethod::TdLeaf;
    segment.searches[1].leaf_kind = search::LeafKind::Draw;
    lessons = lessons_of(segment, plan);
    ASSERT_EQ(lessons.size(), 2U);
    EXPECT_EQ(lessons[0].position, segment.searches[0].leaf);
    EXPECT_NEAR(lessons[0].expected.low, 1 - 0.65, 1e-3);
    EXPECT_EQ(lessons[1].position, segment.searches[2].leaf);

    // As in table 2: every change is discounted.
    segment.outcome.reset();
    plan.only_first = true;
    lessons = lessons_of(segment, plan);
    ASSERT_EQ(lessons.size(), 1U);
    EXPECT_NEAR(lessons[0].expected.low, 1 - (0.5 + 0.5 * 0.1 - 0.25 * 0.2), 1e-3);
}

}  // namespace
}  // namespace scholar::learning
