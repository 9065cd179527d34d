// The search of likely moves against plain negamax over the same moves, and what every search owes.

#include "search/likely/likely_search.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "evaluators/make.hpp"
#include "nets/container/open_network.hpp"
#include "search/bench_positions.hpp"

namespace scholar::search {
namespace {

using namespace chess;

class LikelySearches : public testing::Test {
  protected:
    std::unique_ptr<Search> make(const LikelyOptions& options) const {
        return make_likely_search(value_, policy_, options).value();
    }
    SearchResult run(const LikelyOptions& options, const Line& line, const Limits& limits) {
        return make(options)->run(line, limits, {}, silent_);
    }
    // The likeliest moves of the line's position; equals in the order of the generator.
    std::vector<Move> likely(const Line& line, int breadth) const {
        const auto batch = evaluators::make_batch(policy_).value();
        const MoveList moves = legal_moves(line.current());
        batch->submit(line, moves);
        std::vector<evaluators::Opinion> opinions;
        EXPECT_TRUE(batch->collect(opinions));
        std::vector<std::pair<float, Move>> rated;
        for (int i = 0; i < moves.size(); ++i)
            rated.emplace_back(-opinions[0].probabilities[static_cast<std::size_t>(i)], moves[i]);
        std::ranges::stable_sort(rated, {}, &std::pair<float, Move>::first);
        std::vector<Move> first;
        for (const auto& [probability, move] : rated)
            if (first.size() < static_cast<std::size_t>(breadth)) first.push_back(move);
        return first;
    }
    Score negamax(Line& line, int breadth, int depth, int ply = 0) const {
        const Position& position = line.current();
        if (ply > 0 && (line.is_repetition_in_search(0) || position.has_insufficient_material() ||
                        line.terminal() == Terminal::FiftyMoves))
            return Score::draw();
        if (!has_legal_move(position)) return position.in_check() ? Score::mated_in(ply) : Score::draw();
        if (depth == 0) return *value_.evaluate(position);
        Score best = -Score::infinite();
        for (const Move move : likely(line, breadth)) {
            line.push(move);
            best = std::max(best, -negamax(line, breadth, depth - 1, ply + 1));
            line.pop();
        }
        return best;
    }

    const nets::AnyNetwork value_ = *nets::open_network("");
    const nets::AnyNetwork policy_ = *nets::open_network("<random:3>");
    Silence silent_;
};

TEST_F(LikelySearches, HaveTheValueOfNegamaxOverTheLikelyMoves) {
    int mates = 0;
    for (const std::string_view fen : {bench_positions()[3], bench_positions()[7], bench_positions()[12],
                                       std::string_view("6k1/5ppp/8/8/8/8/5PPP/3RR1K1 w - - 0 1"),
                                       std::string_view("7k/R7/6K1/8/8/8/8/8 b - - 0 1"),
                                       std::string_view("8/8/8/8/8/5k2/7q/5K2 b - - 0 1"),
                                       std::string_view("8/P6k/8/8/8/8/5p2/K7 w - - 98 1")})
        for (const auto& [breadth, depth] : {std::pair{1, 5}, {3, 3}, {5, 3}, {200, 2}}) {
            Line line(*parse_fen(fen));
            const Limits limits{{DepthLimit{depth}}, {}, {}};
            const auto found = run({.breadth = breadth}, line, limits);
            const Score expected = negamax(line, breadth, depth);
            ASSERT_EQ(found.score, expected) << fen << ", " << breadth << " wide, " << depth << " deep";
            EXPECT_EQ(found.counters.depth, depth);
            EXPECT_NE(found.leaf_kind, LeafKind::CutShort) << fen;
            mates += expected.is_mate() ? 1 : 0;
            // The option bounds it as the limit does.
            EXPECT_EQ(run({.breadth = breadth, .depth = depth}, line, Limits{}).score, expected);
        }
    EXPECT_GT(mates, 0);
}

TEST_F(LikelySearches, HonourLimits) {
    const Line line(*parse_fen(bench_positions()[5]));
    const auto search = make({});
    for (const std::uint64_t nodes : {1, 2, 30, 500}) {
        Limits limits{{NodeLimit{nodes}}, {}, {}};
        const auto first = search->run(line, limits, {}, silent_);
        EXPECT_EQ(first.counters.nodes, nodes);
        EXPECT_TRUE(legal_moves(line.current()).contains(first.best));
        ASSERT_TRUE(first.score);
        // What is remembered changes nothing.
        const auto again = search->run(line, limits, {}, silent_);
        EXPECT_EQ(again.score, first.score);
        EXPECT_EQ(again.principal_variation, first.principal_variation);
        limits.multi_pv = 3;
        const auto lines = search->run(line, limits, {}, silent_).lines;
        EXPECT_TRUE(std::ranges::is_sorted(lines, std::greater(),
                                           [](const RootLine& found) { return found.score->value(); }));
    }
    // Moves that are asked for are searched, likely or not, and have a value however soon that ends.
    const Move last = likely(line, 200).back();
    Line after = line;
    after.push(last);
    for (const std::uint64_t nodes : {1, 50}) {
        const auto asked = search->run(line, Limits{{NodeLimit{nodes}}, {last}, {}}, {}, silent_);
        EXPECT_EQ(asked.best, last);
        if (nodes == 1) {
            EXPECT_EQ(asked.score, -*value_.evaluate(after.current()));
        }
    }
    // Of the others it takes the likeliest, as many as lines are asked for.
    Limits six{{NodeLimit{2'000}}, {}, {}};
    six.multi_pv = 6;
    std::vector<Move> shown;
    for (const RootLine& found : search->run(line, six, {}, silent_).lines)
        shown.push_back(found.variation.front());
    EXPECT_THAT(shown, testing::UnorderedElementsAreArray(likely(line, 6)));
    // A new game is as the first.
    search->new_game();
    const auto fresh = search->run(line, Limits{{NodeLimit{500}}, {}, {}}, {}, silent_);
    EXPECT_EQ(fresh.score, run({}, line, Limits{{NodeLimit{500}}, {}, {}}).score);
    std::stop_source stopped;
    stopped.request_stop();
    EXPECT_TRUE(search->run(line, {}, stopped.get_token(), silent_).best);
    // Without memory it ends at once, and moves.
    const auto full = run({.megabytes = 0}, line, Limits{{DepthLimit{50}}, {}, {}});
    EXPECT_TRUE(full.best);
    EXPECT_LE(full.counters.nodes, 1U);
}

TEST_F(LikelySearches, SayWhatTheyCannot) {
    EXPECT_FALSE(make_likely_search(policy_, policy_));
    EXPECT_FALSE(make_likely_search(value_, value_));
    const auto differing = *nets::open_network("<check:<random:1>,<random:2>,0>");
    const auto result = make_likely_search(value_, differing)
                            .value()
                            ->run(Line(), Limits{{DepthLimit{3}}, {}, {}}, {}, silent_);
    EXPECT_TRUE(result.best);
    EXPECT_NE(result.trouble, "");
}

}  // namespace
}  // namespace scholar::search
