#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>

#include "base/random.hpp"
#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "evaluators/make.hpp"
#include "nets/container/embedded.hpp"
#include "nets/container/open_network.hpp"
#include "nets/perspective/network_file.hpp"
#include "search/searchless/policy_player.hpp"
#include "search/searchless/random_mover.hpp"
#include "search/searchless/value_player.hpp"

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

TEST_F(TrivialSearches, ValuePlayerIsTheBestStaticValue) {
    const auto search = make_value_player(network_).value();
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
        EXPECT_EQ(result.root_share, RootShare::Effort);
        line.push(moves[static_cast<int>(random.below(static_cast<std::uint64_t>(moves.size())))]);
    }
}

TEST_F(TrivialSearches, ValuePlayerMatesAndKnowsDraws) {
    const auto search = make_value_player(network_).value();
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

// The seam of comparisons: an order that is secretly the value plays what the value plays.
TEST_F(TrivialSearches, AnOrderThatIsSecretlyANumberPlaysAsTheNumber) {
    const auto order = make_order_player(*nets::open_network("<order:<embedded>>")).value();
    const auto value = make_value_player(network_).value();
    base::Random random(4);
    Line line;
    int decided = 0;
    for (int i = 0; i < 80 && line.terminal() == Terminal::None; ++i) {
        const auto by_value = run(*value, line, 2);
        const auto by_order = run(*order, line);
        // Of equals either may come first; a draw by rule has no number here.
        if (by_value.lines.size() == 2 && by_value.lines[0].score != by_value.lines[1].score &&
            by_value.leaf_kind != LeafKind::Draw) {
            ++decided;
            EXPECT_EQ(by_order.best, by_value.best) << to_fen(line.current());
        }
        EXPECT_EQ(by_order.score.has_value(),
                  by_order.leaf_kind == LeafKind::Mate || by_order.leaf_kind == LeafKind::Draw);
        const MoveList moves = legal_moves(line.current());
        line.push(moves[static_cast<int>(random.below(static_cast<std::uint64_t>(moves.size())))]);
    }
    EXPECT_GT(decided, 40);
}

// The seam of policies: the likeliest move, and the policy itself as the distribution.
TEST_F(TrivialSearches, PolicyPlayerPlaysTheLikeliestMove) {
    const auto network = *nets::open_network("<random:7>");
    const auto search = make_policy_player(network).value();
    const auto man_first = make_policy_player(network, {.choice = PolicyChoice::ManFirst}).value();
    const auto policy = evaluators::make_policy(network).value();
    int differing = 0;
    Line line;
    for (int i = 0; i < 60 && line.terminal() == Terminal::None; ++i) {
        const MoveList moves = legal_moves(line.current());
        std::vector<float> shares(static_cast<std::size_t>(moves.size()));
        policy->judge(line.current(), moves, shares);
        const auto result = run(*search, line, 3);
        const auto likeliest = std::ranges::max_element(shares) - shares.begin();
        EXPECT_EQ(result.best, moves[static_cast<int>(likeliest)]);
        EXPECT_FALSE(result.score);
        EXPECT_EQ(result.root_share, RootShare::Probability);
        ASSERT_EQ(result.root_distribution.size(), shares.size());
        for (const auto& [move, share] : result.root_distribution) {
            const auto at = std::ranges::find(moves, move) - moves.begin();
            EXPECT_NEAR(share, shares[static_cast<std::size_t>(at)], 1e-5);
        }
        // Of some moves only: the likeliest of them, and their shares make 1.
        if (moves.size() > 2) {
            const auto some = run(*search, line, 1, {moves[0], moves[1]});
            EXPECT_EQ(some.best, shares[0] >= shares[1] ? moves[0] : moves[1]);
            EXPECT_NEAR(some.root_distribution[0].second + some.root_distribution[1].second, 1, 1e-6);
        }
        // First the man whose moves have most together, then the likeliest of these.
        std::array<float, 64> by_man{};
        for (int k = 0; k < moves.size(); ++k)
            by_man.at(moves[k].from()) += shares[static_cast<std::size_t>(k)];
        const auto man = std::ranges::max_element(by_man) - by_man.begin();
        const auto of_man = run(*man_first, line).best;
        EXPECT_EQ(of_man.from(), man);
        for (int k = 0; k < moves.size(); ++k) {
            if (moves[k].from() == man) {
                EXPECT_LE(shares[static_cast<std::size_t>(k)],
                          shares[static_cast<std::size_t>(std::ranges::find(moves, of_man) - moves.begin())]);
            }
        }
        differing += of_man != result.best ? 1 : 0;
        line.push(result.best);
    }
    EXPECT_GT(differing, 0);
    EXPECT_FALSE(make_policy_player(network_));
    EXPECT_FALSE(make_value_player(network));
    EXPECT_FALSE(make_order_player(network_));
}

// Drawn by lot: each move as often as its probability to the power of 1 / temperature says.
TEST_F(TrivialSearches, PolicyPlayerDrawsByTemperature) {
    const auto network = *nets::open_network("<random:7>");
    const Line line(*parse_fen("8/8/8/8/8/5k2/7p/7K w - - 0 1"));  // few moves
    const Line start;
    for (const double temperature : {0.5, 1.0, 3.0})
        for (const Line* from : {&line, &start}) {
            const auto search = make_policy_player(network, {.temperature = temperature, .seed = 5}).value();
            const auto first = run(*search, *from);
            // The distribution is the policy's, whatever is drawn.
            double sum = 0;
            for (const auto& [move, share] : first.root_distribution) sum += std::pow(share, 1 / temperature);
            std::map<std::uint16_t, int> counts;
            constexpr int kDraws = 2'000;
            for (int i = 0; i < kDraws; ++i) ++counts[run(*search, *from).best.bits()];
            for (const auto& [move, share] : first.root_distribution) {
                const double expected = std::pow(share, 1 / temperature) / sum;
                EXPECT_NEAR(counts[move.bits()], kDraws * expected,
                            5 * std::sqrt(kDraws * expected * (1 - expected)) + 1)
                    << temperature;
            }
            // A new game draws the same again.
            search->new_game();
            EXPECT_EQ(run(*search, *from).best, first.best);
        }
    // The coldest is the likeliest.
    const auto likeliest = run(*make_policy_player(network).value(), start).best;
    EXPECT_EQ(run(*make_policy_player(network, {.temperature = 1e-9}).value(), start).best, likeliest);
    // Of the man that was chosen first alone.
    const auto man_first =
        make_policy_player(network, {.choice = PolicyChoice::ManFirst, .temperature = 100}).value();
    const Square man = run(*man_first, start).best.from();
    for (int i = 0; i < 100; ++i) EXPECT_EQ(run(*man_first, start).best.from(), man);
}

TEST_F(TrivialSearches, AStopBeforeItBeginsStillGivesAMove) {
    std::stop_source stop;
    stop.request_stop();
    std::vector<std::unique_ptr<Search>> searches;
    searches.push_back(make_random_mover(1));
    searches.push_back(make_value_player(network_).value());
    searches.push_back(make_order_player(*nets::open_network("<order:<embedded>>")).value());
    searches.push_back(make_policy_player(*nets::open_network("<random:1>")).value());
    for (const auto& search : searches) {
        const auto result = search->run(Line(), {{InfiniteLimit{}}, {}, {}}, stop.get_token(), silent_);
        EXPECT_TRUE(legal_moves(Position()).contains(result.best));
    }
}

}  // namespace
}  // namespace scholar::search
