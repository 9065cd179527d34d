#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>

#include "base/random.hpp"
#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "nets/container/embedded.hpp"
#include "nets/perspective/network_file.hpp"
#include "search/searchless/one_ply.hpp"
#include "search/searchless/random_mover.hpp"

namespace scholar::search {
namespace {

using namespace chess;

class TrivialSearches : public testing::Test {
  protected:
    static Line at(const char* fen) { return Line(*parse_fen(fen)); }
    SearchResult run(Search& search, const Line& line, int multi_pv = 1, std::vector<Move> only = {}) {
        Limits limits{{DepthLimit{5}}, std::move(only), {}};
        limits.multi_pv = multi_pv;
        return search.run(line, limits, {}, silent_);
    }

    std::shared_ptr<const nets::Network> network_ =
        std::make_shared<const nets::Network>(*nets::parse_network(nets::default_network_file()));
    Observer silent_;
};

// 4,000 choices among 20 moves; the chi-squared statistic with 19 degrees of freedom exceeds 50 once in
// 7,000.
TEST_F(TrivialSearches, RandomMovesAreUniformAndComeAgainWithTheSeed) {
    const auto search = make_random_mover(7);
    std::map<int, int> counts;
    std::vector<Move> first;
    for (int i = 0; i < 4'000; ++i) {
        first.push_back(run(*search, Line()).best);
        ++counts[first.back().bits()];
    }
    ASSERT_EQ(counts.size(), 20U);
    double chi_squared = 0;
    for (const auto& [move, count] : counts) chi_squared += (count - 200) * (count - 200) / 200.0;
    EXPECT_LT(chi_squared, 50);
    search->new_game();
    for (int i = 0; i < 100; ++i) EXPECT_EQ(run(*search, Line()).best, first[i]);
    EXPECT_EQ(run(*search, Line(), 1, {Move(A2, A3)}).best, Move(A2, A3));
    EXPECT_FALSE(run(*search, at("7k/8/6Q1/8/8/8/8/K7 b - - 0 1")).best);
}

TEST_F(TrivialSearches, OnePlyIsTheBestStaticValue) {
    const auto search = make_one_ply(network_);
    base::Random random(3);
    Line line;
    for (int i = 0; i < 60 && line.terminal() == Terminal::None; ++i) {
        const auto result = run(*search, line, 300);
        const MoveList moves = legal_moves(line.current());
        Score best = -Score::infinite();
        for (const Move move : moves) {
            line.push(move);
            const Terminal end = line.terminal();
            const Score score = end == Terminal::Checkmate ? Score::mate_in(1)
                                : end != Terminal::None    ? Score::draw()
                                                        : -nets::evaluate_plainly(*network_, line.current());
            best = std::max(best, score);
            if (move == result.best) {
                EXPECT_EQ(score, result.score);
                EXPECT_EQ(result.leaf.key(), line.current().key());
                EXPECT_EQ(result.leaf_kind == LeafKind::Exact, end == Terminal::None);
            }
            line.pop();
        }
        EXPECT_EQ(result.score, best);
        ASSERT_EQ(result.lines.size(), static_cast<std::size_t>(moves.size()));
        EXPECT_TRUE(std::ranges::is_sorted(result.lines, std::ranges::greater(), &RootLine::score));
        double sum = 0;
        for (const auto& [move, share] : result.root_distribution) sum += share;
        EXPECT_NEAR(sum, 1, 1e-9);
        line.push(moves[static_cast<int>(random.below(static_cast<std::uint64_t>(moves.size())))]);
    }
}

TEST_F(TrivialSearches, OnePlyMatesAndKnowsDraws) {
    const auto search = make_one_ply(network_);
    const auto mate = run(*search, at("6k1/5ppp/8/8/8/8/5PPP/3RR1K1 w - - 0 1"));
    EXPECT_EQ(mate.score, Score::mate_in(1));
    EXPECT_EQ(mate.leaf_kind, LeafKind::Mate);
    // Its only move takes the last pawn.
    const auto draw = run(*search, at("8/8/8/8/8/6k1/7p/7K w - - 0 1"), 1);
    EXPECT_FALSE(draw.best);  // stalemate
    EXPECT_EQ(draw.leaf_kind, LeafKind::Draw);
    const auto bare = run(*search, at("7k/8/8/8/8/8/6p1/7K w - - 0 1"), 1, {Move(H1, G2)});
    EXPECT_EQ(bare.score, Score::draw());
    EXPECT_EQ(bare.leaf_kind, LeafKind::Draw);
    EXPECT_EQ(run(*search, at("R5k1/8/6K1/8/8/8/8/8 b - - 0 1")).score, Score::mated_in(0));
}

TEST_F(TrivialSearches, AStopBeforeItBeginsStillGivesAMove) {
    std::stop_source stop;
    stop.request_stop();
    for (const auto& search : {make_one_ply(network_), make_random_mover(1)}) {
        const auto result = search->run(Line(), {{InfiniteLimit{}}, {}, {}}, stop.get_token(), silent_);
        EXPECT_TRUE(legal_moves(Position()).contains(result.best));
    }
}

}  // namespace
}  // namespace scholar::search
