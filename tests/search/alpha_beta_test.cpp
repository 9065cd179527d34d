#include "search/alpha_beta/alpha_beta.hpp"

#include <array>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <latch>
#include <optional>
#include <thread>

#include "chess/epd.hpp"
#include "chess/fen.hpp"
#include "chess/legality.hpp"
#include "chess/movegen.hpp"
#include "chess/uci_move.hpp"
#include "nets/container/embedded.hpp"
#include "nets/conv/conv_network.hpp"
#include "nets/perspective/network_file.hpp"
#include "nets/perspective/quantise.hpp"
#include "support/small_conv.hpp"
#include "support/test_data.hpp"

namespace scholar::search {
namespace {

using namespace chess;

// Each test is one of both ways to search the root.
class AlphaBetaTest : public testing::TestWithParam<RootSearch> {
  protected:
    static AlphaBetaOptions options() {
        AlphaBetaOptions all;
        all.root_search = GetParam();
        return all;
    }
    SearchResult run(const Line& line, std::vector<Limit> limits, std::vector<Move> root_moves = {}) {
        return search_->run(line, limits_of(std::move(limits), std::move(root_moves)), {}, silent_);
    }
    SearchResult run(const char* fen, std::vector<Limit> limits) {
        return run(Line(position(fen)), std::move(limits));
    }
    static Limits limits_of(std::vector<Limit> limits, std::vector<Move> root_moves = {}) {
        Limits all;
        all.limits = std::move(limits);
        all.root_moves = std::move(root_moves);
        all.move_overhead = Milliseconds(0);
        return all;
    }
    static Position position(const char* fen) {
        const auto parsed = parse_fen(fen);
        EXPECT_TRUE(parsed) << fen;
        return *parsed;
    }
    void forget() {
        table_.clear();
        search_->new_game();
    }

    Table table_{16};
    std::shared_ptr<const nets::Network> network_ =
        std::make_shared<const nets::Network>(*nets::parse_network(nets::default_network_file()));
    std::unique_ptr<Search> search_ = make_alpha_beta(network_, table_, options()).value();
    Observer silent_;
};

TEST_P(AlphaBetaTest, FindsMatesAndTheirDistance) {
    struct Case {
        const char* fen;
        int plies;
    };
    // Back rank; Damiano's mate (1512); smothered mate after a queen sacrifice (Lucena 1497); mated whatever
    // it does.
    for (const Case& item :
         {Case{"6k1/5ppp/8/8/8/8/5PPP/3RR1K1 w - - 0 1", 1}, Case{"5rk1/6p1/6P1/7Q/8/8/8/R5K1 w - - 0 1", 1},
          Case{"r4r1k/6pp/7N/3Q4/8/8/8/6K1 w - - 0 1", 3}}) {
        forget();
        const auto result = run(item.fen, {DepthLimit{13}});
        ASSERT_TRUE(result.score->is_mate()) << item.fen;
        EXPECT_EQ(result.score->plies_to_mate(), item.plies) << item.fen;
        EXPECT_EQ(static_cast<int>(result.principal_variation.size()), item.plies) << item.fen;
        EXPECT_EQ(result.leaf_kind, LeafKind::Mate);
        EXPECT_TRUE(result.leaf.in_check());
        EXPECT_EQ(count_legal_moves(result.leaf), 0);
    }
}

// Asked for a mate, the shortest one is found with its whole line.
TEST_P(AlphaBetaTest, ProvesAMateInSoManyMoves) {
    struct Case {
        const char* fen;
        int moves;
    };
    for (const Case& item : {Case{"7k/8/5K2/8/8/8/8/6R1 w - - 0 1", 2},  // quiet king move, then the rook
                             Case{"r4r1k/6pp/7N/3Q4/8/8/8/6K1 w - - 0 1", 2},  // smothered
                             Case{"8/8/8/8/8/5k2/7q/5K2 b - - 0 1", 1},
                             Case{"kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2}}) {  // Paul Morphy's problem: Ra6
        forget();
        const auto result = run(item.fen, {MateLimit{item.moves}});
        ASSERT_TRUE(result.score->is_mate()) << item.fen;
        EXPECT_EQ(result.score->plies_to_mate(), 2 * item.moves - 1) << item.fen;
        EXPECT_EQ(static_cast<int>(result.principal_variation.size()), 2 * item.moves - 1) << item.fen;
        EXPECT_EQ(count_legal_moves(result.leaf), 0) << item.fen;
    }
}

// Every mate of a published collection is announced at its distance, with its whole line.
TEST_P(AlphaBetaTest, AnnouncesTheMatesOfACollectionWithFullLines) {
    std::ifstream file(tests::source_dir() / "suites/mates.epd");
    ASSERT_TRUE(file);
    int announced = 0;
    for (std::string text; std::getline(file, text);) {
        const auto epd = parse_epd(text);
        ASSERT_TRUE(epd) << text;
        const int moves = std::stoi(epd->find("dm")->front());
        if (moves > 3 && tests::kSanitized) continue;
        const auto result = run(Line(epd->position), {MateLimit{moves}});
        ASSERT_TRUE(result.score->is_mate()) << text;
        EXPECT_EQ(result.score->plies_to_mate(), 2 * moves - 1) << text;
        ASSERT_EQ(result.principal_variation.size(), static_cast<std::size_t>(2 * moves - 1)) << text;
        Position end = epd->position;
        for (const Move move : result.principal_variation) {
            ASSERT_TRUE(legal_moves(end).contains(move)) << text;
            end.make(move);
        }
        EXPECT_TRUE(end.in_check() && !has_legal_move(end)) << text;
        ++announced;
    }
    EXPECT_EQ(announced, tests::kSanitized ? 44 : 111);
}

// The short ones are found by searching too, without being asked for a mate.
TEST_P(AlphaBetaTest, FindsTheShortMatesOfACollection) {
    std::ifstream file(tests::source_dir() / "suites/mates.epd");
    ASSERT_TRUE(file);
    int found = 0;
    int all = 0;
    for (std::string text; std::getline(file, text);) {
        const auto epd = parse_epd(text);
        ASSERT_TRUE(epd) << text;
        const int moves = std::stoi(epd->find("dm")->front());
        if (moves > 2) continue;
        forget();
        const auto result = run(Line(epd->position), {NodeLimit{20'000}});
        ++all;
        if (!result.score->is_mate()) continue;
        ++found;
        EXPECT_GE(result.score->plies_to_mate(), 2 * moves - 1) << text;
        EXPECT_EQ(result.leaf_kind, LeafKind::Mate) << text;
    }
    EXPECT_GE(found, all * 3 / 4) << "of " << all;
}

// Move by move along the line that was announced, a search far too shallow to find the mate knows it from the
// one before. (A game lost its mate this way: the first iterations of each search had pushed out what the
// last search had proved.)
TEST_P(AlphaBetaTest, RemembersAMateThatItHasAnnounced) {
    for (const char* fen :
         {"6k1/1p3p1n/6p1/p1p3P1/P6K/1P3q2/4p3/6R1 b - - 0 45", "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1"}) {
        forget();
        Line line(position(fen));
        SearchResult last = run(line, {NodeLimit{200'000}});
        ASSERT_TRUE(last.score->is_win() && last.score->is_mate()) << fen;
        ASSERT_GE(last.score->plies_to_mate(), 5) << fen;
        while (last.score->plies_to_mate() > 1) {
            const int plies = last.score->plies_to_mate();
            ASSERT_EQ(last.principal_variation.size(), static_cast<std::size_t>(plies)) << fen;
            line.push(last.principal_variation[0]);
            line.push(last.principal_variation[1]);
            last = run(line, {DepthLimit{2}});
            ASSERT_TRUE(last.score->is_win() && last.score->is_mate()) << fen << ", " << plies - 2;
            EXPECT_LE(last.score->plies_to_mate(), plies - 2) << fen;
        }
    }
}

TEST_P(AlphaBetaTest, APositionWithoutMovesHasAScoreAndNoMove) {
    const auto mated = run("R5k1/8/6K1/8/8/8/8/8 b - - 0 1", {DepthLimit{3}});
    EXPECT_FALSE(mated.best);
    EXPECT_EQ(mated.score, Score::mated_in(0));
    const auto stalemate = run("7k/8/6Q1/8/8/8/8/K7 b - - 0 1", {DepthLimit{3}});
    EXPECT_FALSE(stalemate.best);
    EXPECT_EQ(stalemate.score, Score::draw());
}

TEST_P(AlphaBetaTest, DrawsByRuleAreDraws) {
    EXPECT_EQ(run("8/8/4k3/8/8/3BK3/8/8 w - - 0 1", {DepthLimit{6}}).score, Score::draw());
    // One half-move from the fifty-move rule, without a capture or pawn move, a queen up is a draw.
    EXPECT_EQ(run("8/8/4k3/8/8/3QK3/8/8 w - - 99 90", {DepthLimit{4}}).score, Score::draw());
    // Mate on the hundredth half-move stands.
    EXPECT_TRUE(run("7k/8/6K1/8/8/8/8/R7 w - - 99 90", {DepthLimit{4}}).score->is_mate());
}

// A queen down, perpetual check is the best there is.
TEST_P(AlphaBetaTest, SeesPerpetualCheck) {
    EXPECT_EQ(run("6k1/6p1/8/6KQ/1r6/q2b4/8/8 w - - 0 1", {DepthLimit{10}}).score, Score::draw());
}

TEST_P(AlphaBetaTest, TheSameNodesComeAgainAfterANewGame) {
    for (const int depth : {4, 6, 8, 9}) {
        forget();
        const auto first = run(Line(), {DepthLimit{depth}});
        forget();
        const auto second = run(Line(), {DepthLimit{depth}});
        EXPECT_EQ(first.counters.nodes, second.counters.nodes);
        EXPECT_EQ(first.best, second.best);
        EXPECT_EQ(first.score, second.score);
    }
}

TEST_P(AlphaBetaTest, KeepsToItsLimits) {
    for (const std::uint64_t nodes : {1000ULL, 5000ULL, 20'000ULL}) {
        forget();
        EXPECT_EQ(run(Line(), {NodeLimit{nodes}}).counters.nodes, nodes);
    }
    forget();
    EXPECT_EQ(run(Line(), {DepthLimit{5}}).counters.depth, 5);
    // By a watch that counts nodes; it is looked at every 512.
    Limits timed = limits_of({MoveTimeLimit{Milliseconds(50)}});
    timed.nodes_per_second = 100'000;
    const auto on_time = search_->run(Line(), timed, {}, silent_);
    EXPECT_LE(on_time.counters.nodes, 5'000U + 512);
    EXPECT_TRUE(on_time.best);
    // Oftener where a position may take long.
    const auto convolutional =
        std::make_shared<const nets::ConvNetwork>(tests::small_conv_network(nets::PlanesLayout::Board13));
    const auto slow = make_alpha_beta(convolutional, table_, options()).value();
    timed.limits = {MoveTimeLimit{Milliseconds(1)}};
    EXPECT_LE(slow->run(Line(), timed, {}, silent_).counters.nodes, 100U + 16);
    const auto soonest = run(Line(), {NodeLimit{5}, DepthLimit{20}});
    EXPECT_LE(soonest.counters.depth, 3);
    EXPECT_TRUE(soonest.best);
}

// Before anything is learnt every exchange looks even, and quiescence alone could go on without end.
TEST_P(AlphaBetaTest, KeepsToItsLimitsWithAnUntrainedNetwork) {
    const auto untrained = std::make_shared<const nets::Network>(
        nets::quantise(nets::FloatNetwork::random({.width = 32}, 1))->network);
    const auto search = make_alpha_beta(untrained, table_, options()).value();
    for (const char* fen : {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                            "qqqqkqqq/4q3/8/8/8/8/4Q3/QQQQKQQQ w - - 0 1"}) {
        for (const std::uint64_t nodes : {1ULL, 100ULL, 5000ULL}) {
            const auto result = search->run(Line(position(fen)), limits_of({NodeLimit{nodes}}), {}, silent_);
            EXPECT_LE(result.counters.nodes, nodes);
            EXPECT_TRUE(legal_moves(position(fen)).contains(result.best));
        }
    }
}

TEST_P(AlphaBetaTest, SearchesOnlyTheMovesItIsGiven) {
    const Position start;
    const auto only = parse_uci_move(start, "a2a3");
    ASSERT_TRUE(only);
    const auto result = run(Line(), {DepthLimit{7}}, {*only});
    EXPECT_EQ(result.best, *only);
    ASSERT_EQ(result.root_distribution.size(), 1U);
    EXPECT_DOUBLE_EQ(result.root_distribution.front().second, 1.0);
}

TEST_P(AlphaBetaTest, StopsWhenAnotherThreadSaysSo) {
    std::stop_source source;
    struct : Observer {
        std::latch under_way{1};
        void on_iteration(const Iteration& iteration) override {
            if (iteration.depth == 5 && iteration.bound == Bound::Exact) under_way.count_down();
        }
    } observer;
    std::jthread stopper([&] {
        observer.under_way.wait();
        source.request_stop();
    });
    const auto result = search_->run(Line(), limits_of({InfiniteLimit{}}), source.get_token(), observer);
    EXPECT_GE(result.counters.depth, 5);
    EXPECT_TRUE(result.best);
    EXPECT_LT(result.counters.depth, kMaxPly - 1);
}

// Where the result says that the score is its leaf's, a fresh evaluation of the leaf says so too. (How many
// are is the learning mode's business, below.)
TEST_P(AlphaBetaTest, ExactLeavesAreExact) {
    int exact = 0;
    int all = 0;
    Line line;
    for (int ply = 0; ply < 60; ++ply) {
        const auto result = run(line, {DepthLimit{5}});
        if (!result.best) break;
        ++all;
        if (result.leaf_kind == LeafKind::Exact) {
            ++exact;
            Line path = line;
            for (const Move move : result.principal_variation) path.push(move);
            ASSERT_EQ(path.current(), result.leaf);
            const PovScore leaf(nets::evaluate_plainly(*network_, result.leaf), result.leaf.side_to_move());
            EXPECT_EQ(leaf.from(line.current().side_to_move()), result.score);
        }
        double sum = 0;
        for (const auto& [move, share] : result.root_distribution) sum += share;
        EXPECT_NEAR(sum, 1, 1e-9);
        line.push(result.best);
    }
    EXPECT_GT(exact, 0) << "of " << all;
}

TEST_P(AlphaBetaTest, PlaysChess960Castling) {
    const Position start = position("1r3kr1/pppppppp/8/8/8/8/PPPPPPPP/1R3KR1 w GBgb - 0 1");
    const Move castling(F1, G1, Move::Castling);  // king and rook change places
    ASSERT_TRUE(legal_moves(start).contains(castling));
    const auto result = run(Line(start), {DepthLimit{6}}, {castling});
    EXPECT_EQ(result.best, castling);
    EXPECT_EQ(start.after(castling).king(White), G1);
    EXPECT_GT(result.principal_variation.size(), 1U);
}

// Nodes hold references into the line: it must not move under them, however long the game before.
TEST_P(AlphaBetaTest, GamesOfAnyLengthAreSearched) {
    const std::array<const char*, 4> shuffle{"g1f3", "g8f6", "f3g1", "f6g8"};
    Line line;
    for (int ply = 0; ply < 1200; ++ply) {
        line.push(*parse_uci_move(line.current(), shuffle[static_cast<std::size_t>(ply % 4)]));
        if (ply % 100 != 99 && ply != 510 && ply != 511 && ply != 512) continue;
        const auto result = run(line, {DepthLimit{4}});
        ASSERT_TRUE(legal_moves(line.current()).contains(result.best)) << "after " << ply + 1;
    }
}

// Stopped anywhere, move, variation and score are of one piece.
TEST_P(AlphaBetaTest, ACutOffSearchIsConsistent) {
    for (std::uint64_t nodes = 200; nodes < 60'000; nodes = nodes * 5 / 4) {
        forget();
        const auto result =
            run("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1", {NodeLimit{nodes}});
        ASSERT_FALSE(result.principal_variation.empty());
        EXPECT_EQ(result.best, result.principal_variation.front());
        EXPECT_EQ(result.leaf_kind == LeafKind::Mate, result.score->is_mate());
    }
}

// The clock and a stop are heeded from the first node on.
TEST_P(AlphaBetaTest, StopsInTheFirstIteration) {
    std::stop_source source;
    source.request_stop();
    const Line many(position("qqqqkqqq/4q3/8/8/8/8/4Q3/QQQQKQQQ w - - 0 1"));
    const auto result = search_->run(many, limits_of({InfiniteLimit{}}), source.get_token(), silent_);
    EXPECT_TRUE(legal_moves(many.current()).contains(result.best));
    EXPECT_LT(result.counters.nodes, 10'000U);
}

// However little it may do, a search has something to say of its move, and says it.
TEST_P(AlphaBetaTest, HasAScoreAtAnyLimit) {
    struct Last : Observer {
        std::optional<Iteration> iteration;
        void on_iteration(const Iteration& report) override { iteration = report; }
    };
    for (const char* fen : {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                            "6k1/5ppp/8/8/8/8/5PPP/3RR1K1 w - - 0 1", "4k3/8/8/8/8/8/4q3/4K3 w - - 0 1",
                            "8/8/8/8/8/4k3/4P3/4K3 w - - 99 80"})
        for (const int lines : {1, 3})
            for (std::uint64_t nodes = 1; nodes < 40; nodes += tests::kSanitized ? 4 : 1) {
                forget();
                Last last;
                Limits limits = limits_of({NodeLimit{nodes}});
                limits.multi_pv = lines;
                const auto result = search_->run(Line(position(fen)), limits, {}, last);
                ASSERT_TRUE(last.iteration) << fen << ", " << nodes;
                ASSERT_FALSE(result.lines.empty()) << fen << ", " << nodes;
                EXPECT_GE(result.lines.front().depth, 1);
                EXPECT_EQ(result.lines.front().score, result.score);
                ASSERT_FALSE(result.principal_variation.empty());
                EXPECT_EQ(result.principal_variation.front(), result.best);
                EXPECT_EQ(result.counters.nodes, nodes);
                if (lines > 1) continue;
                EXPECT_EQ(last.iteration->score, result.score) << fen << ", " << nodes;
                EXPECT_EQ(last.iteration->principal_variation, result.principal_variation);
            }
}

// In the learning mode every score that is no mate or draw is its leaf's.
TEST_P(AlphaBetaTest, TheLearningModeHasExactLeavesOnly) {
    AlphaBetaOptions learning = options();
    learning.exact_leaves = true;
    const auto search = make_alpha_beta(network_, table_, learning).value();
    int exact = 0;
    for (const char* fen : {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"}) {
        Line line(position(fen));
        for (int ply = 0; ply < 60; ++ply) {
            const auto result = search->run(line, limits_of({DepthLimit{8}}), {}, silent_);
            if (!result.best) break;
            ASSERT_NE(result.leaf_kind, LeafKind::CutShort) << fen << " after " << ply;
            if (result.leaf_kind == LeafKind::Exact) {
                ++exact;
                const PovScore leaf(nets::evaluate_plainly(*network_, result.leaf),
                                    result.leaf.side_to_move());
                ASSERT_EQ(leaf.from(line.current().side_to_move()), result.score);
            }
            line.push(result.best);
        }
    }
    EXPECT_GT(exact, 100);
}

TEST_P(AlphaBetaTest, SeveralBestMovesAreDistinctAndInOrder) {
    Limits limits = limits_of({DepthLimit{9}});
    limits.multi_pv = 5;
    struct Count : Observer {
        int lines = 0;
        int last = 0;
        void on_iteration(const Iteration& iteration) override {
            if (iteration.bound != Bound::Exact) return;  // of a search that has taken a second
            ++lines;
            last = iteration.number;
        }
    } count;
    const Line line;
    const auto result = search_->run(line, limits, {}, count);
    ASSERT_EQ(result.lines.size(), 5U);
    EXPECT_EQ(result.lines.front().variation, result.principal_variation);
    EXPECT_EQ(count.lines, 5 * 9);
    EXPECT_EQ(count.last, 5);
    for (std::size_t i = 0; i + 1 < 5; ++i) {
        EXPECT_GE(result.lines[i].score, result.lines[i + 1].score);
        EXPECT_NE(result.lines[i].variation.front(), result.lines[i + 1].variation.front());
    }
    // The second line is what is found when the first move is not allowed.
    std::vector<Move> others;
    for (const Move move : legal_moves(line.current()))
        if (move != result.best) others.push_back(move);
    forget();
    const auto second = run(line, {DepthLimit{9}}, others);
    EXPECT_NEAR(second.score->value(), result.lines[1].score->value(), 250);
    // More lines than there are moves.
    limits.multi_pv = 100;
    const auto all = search_->run(Line(position("7k/8/8/8/8/8/7r/K7 w - - 0 1")), limits, {}, silent_);
    EXPECT_EQ(all.lines.size(), 1U);
}

// By a watch that counts nodes its time is up with the first iterations; only then is the move played.
TEST_P(AlphaBetaTest, PonderingEndsWhenTheMoveIsPlayedAndTimeIsUp) {
    struct : Observer {
        std::stop_source hit;
        std::uint64_t nodes = 0;  // at the hit
        void on_iteration(const Iteration& iteration) override {
            if (iteration.counters.depth < 7 || hit.stop_requested()) return;
            nodes = iteration.counters.nodes;
            hit.request_stop();
        }
    } observer;
    Limits limits = limits_of({MoveTimeLimit{Milliseconds(1)}, PonderLimit{observer.hit.get_token()}});
    limits.nodes_per_second = 100'000;
    const auto result = search_->run(Line(), limits, {}, observer);
    EXPECT_GT(observer.nodes, 1'000U);
    EXPECT_LE(result.counters.nodes, observer.nodes + 512);
}

// Also where the search is stopped when it has just found another move, whose variation nobody knows yet.
TEST_P(AlphaBetaTest, ExpectsAReplyWhereverItIsStopped) {
    for (const char* fen : {"r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
                            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"}) {
        int cut_short = 0;
        for (std::uint64_t nodes = 1'000; nodes < 20'000; nodes += tests::kSanitized ? 4'999 : 397) {
            forget();
            const auto result = run(fen, {NodeLimit{nodes}});
            cut_short += result.principal_variation.size() < 2;
            ASSERT_TRUE(result.ponder) << fen << ", " << nodes;
            EXPECT_TRUE(is_legal(position(fen).after(result.best), result.ponder));
        }
        // MTD(f) has a variation with every bound.
        EXPECT_TRUE(cut_short > 0 || GetParam() == RootSearch::Mtdf || tests::kSanitized) << fen;
    }
}

// With a watch that counts nodes, a clock ends the search at the same node each time.
TEST_P(AlphaBetaTest, NodesAsTimeAreReproducible) {
    Limits limits = limits_of({ClockLimit{Milliseconds(2000), Milliseconds(20), std::nullopt}});
    limits.nodes_per_second = 500'000;
    std::uint64_t nodes = 0;
    for (int i = 0; i < 3; ++i) {
        forget();
        const auto result = search_->run(Line(), limits, {}, silent_);
        if (i > 0) {
            EXPECT_EQ(result.counters.nodes, nodes);
        }
        nodes = result.counters.nodes;
        EXPECT_GT(nodes, 5000U);
        EXPECT_LT(nodes, 1'000'000U);
    }
}

TEST_P(AlphaBetaTest, SeveralThreadsFindWhatOneFinds) {
    AlphaBetaOptions together = options();
    together.threads = 4;
    const auto search = make_alpha_beta(network_, table_, together).value();
    // A mate in two with a queen sacrifice; a queen to be taken; mated whatever one does.
    for (const auto& [fen, plies] : {std::pair{"r4r1k/6pp/7N/3Q4/8/8/8/6K1 w - - 0 1", 3},
                                     std::pair{"8/8/8/8/8/5k2/7q/5K2 w - - 0 1", -2}}) {
        forget();
        search->new_game();
        const auto result = search->run(Line(position(fen)), limits_of({DepthLimit{16}}), {}, silent_);
        ASSERT_TRUE(result.score->is_mate()) << fen;
        EXPECT_EQ(result.score->plies_to_mate(), plies) << fen;
        EXPECT_EQ(result.best, result.principal_variation.front());
        EXPECT_EQ(result.leaf_kind, LeafKind::Mate);
    }
    for (int i = 0; i < 20; ++i) {
        forget();
        const auto result =
            search->run(Line(position("rnb1kbnr/pppp1ppp/8/4p2q/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 1")),
                        limits_of({NodeLimit{20'000}}), {}, silent_);
        // Whichever thread is elected: move, score, variation and leaf are of one piece.
        EXPECT_EQ(result.best, result.principal_variation.front());
        EXPECT_EQ(result.lines.front().score, result.score);
    }
    // All limits hold for the threads together.
    const auto counted = search->run(Line(), limits_of({NodeLimit{100'000}}), {}, silent_);
    EXPECT_GE(counted.counters.nodes, 100'000U);
    EXPECT_LT(counted.counters.nodes, 120'000U);
    std::stop_source source;
    std::jthread stopper([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        source.request_stop();
    });
    EXPECT_TRUE(search->run(Line(), limits_of({InfiniteLimit{}}), source.get_token(), silent_).best);
}

// A mistaken player is the same each time, and plays differently from one who is not.
TEST_P(AlphaBetaTest, NoiseIsReproducibleAndMatters) {
    const auto moves_of = [&](double deviation, std::uint64_t seed) {
        AlphaBetaOptions mistaken = options();
        mistaken.evaluation_noise = deviation;
        mistaken.noise_seed = seed;
        table_.clear();
        const auto search = make_alpha_beta(network_, table_, mistaken).value();
        Line line;
        std::vector<Move> moves;
        for (int ply = 0; ply < 20; ++ply) {
            moves.push_back(search->run(line, limits_of({NodeLimit{500}}), {}, silent_).best);
            line.push(moves.back());
        }
        return moves;
    };
    EXPECT_EQ(moves_of(200, 1), moves_of(200, 1));
    EXPECT_NE(moves_of(200, 1), moves_of(200, 2));
    EXPECT_NE(moves_of(200, 1), moves_of(0, 1));
}

// A mate that is not there, and a clock.
TEST_P(AlphaBetaTest, AskingForAMateKeepsToTheOtherLimits) {
    const char* fen = "r1bq1rk1/pp2ppbp/2np2p1/2n5/P3PP2/N1P2N2/1PB3PP/R1B1QRK1 b - - 0 1";
    Limits timed = limits_of({MateLimit{9}, MoveTimeLimit{Milliseconds(60)}});
    timed.nodes_per_second = 100'000;
    const auto on_time = search_->run(Line(position(fen)), timed, {}, silent_);
    EXPECT_TRUE(on_time.best);
    EXPECT_LE(on_time.counters.nodes, 6'000U + 512);
    const auto counted = run(fen, {MateLimit{9}, NodeLimit{20'000}});
    EXPECT_TRUE(counted.best);
    EXPECT_LE(counted.counters.nodes, 21'000U);
    // Where it is proved that there is none, the search ends by itself.
    EXPECT_TRUE(run("8/8/4k3/8/8/3BK3/8/6N1 w - - 0 1", {MateLimit{2}}).best);
}

// Stopped at any node, the lines are the best first, and none is newer than it says.
TEST_P(AlphaBetaTest, SeveralLinesAreInOrderWhereverTheSearchStops) {
    for (std::uint64_t nodes = 5; nodes < 60'000; nodes = nodes * 4 / 3 + 1) {
        forget();
        Limits limits = limits_of({NodeLimit{nodes}});
        limits.multi_pv = 4;
        const auto result = search_->run(Line(), limits, {}, silent_);
        ASSERT_TRUE(result.best);
        for (std::size_t i = 0; i < result.lines.size(); ++i) {
            EXPECT_GE(result.lines[i].depth, 1);
            EXPECT_LE(result.lines[i].depth, result.counters.depth + 1);
            if (i == 0) continue;
            // Of one iteration by score; those of the one before come after.
            EXPECT_GE(result.lines[i - 1].depth, result.lines[i].depth) << nodes;
            if (result.lines[i - 1].depth == result.lines[i].depth) {
                EXPECT_GE(result.lines[i - 1].score, result.lines[i].score) << nodes;
            }
        }
    }
}

// Stopped before it has finished a single move of an iteration, a search stands by the iteration before, and
// not by what an earlier one thought of some other move.
TEST_P(AlphaBetaTest, AStoppedIterationChangesNothingWithoutAReason) {
    struct Best : Observer {
        std::vector<Move> by_depth;
        void on_iteration(const Iteration& iteration) override {
            if (iteration.bound != Bound::Exact) return;  // of a search that has taken a second
            const auto depth = static_cast<std::size_t>(iteration.counters.depth);
            if (by_depth.size() <= depth) by_depth.resize(depth + 1);
            by_depth[depth] = iteration.principal_variation.front();
        }
    } whole;
    search_->run(Line(), limits_of({NodeLimit{60'000}}), {}, whole);
    int changed = 0;
    int stopped = 0;
    for (std::uint64_t nodes = 2000; nodes < 30'000; nodes += 500) {
        forget();
        const auto result = run(Line(), {NodeLimit{nodes}});
        ++stopped;
        const auto depth = static_cast<std::size_t>(result.counters.depth);
        ASSERT_LT(depth, whole.by_depth.size());
        if (result.best == whole.by_depth[depth]) continue;
        ++changed;
        // The iteration has found something that it knows to be as good as that, or better.
        EXPECT_EQ(result.lines.front().depth, result.counters.depth + 1) << nodes;
        EXPECT_NE(result.lines.front().bound, Bound::Upper) << nodes;
    }
    EXPECT_LT(changed, stopped / 3);  // now and then
}

// Who only wants a move is told the score more coarsely than who analyses.
TEST(Convergence, IsFinerInAnalysis) {
    Table table(16);
    const auto network =
        std::make_shared<const nets::Network>(*nets::parse_network(nets::default_network_file()));
    Silence silent;
    const auto nodes = [&](int convergence, std::vector<Limit> limits, int lines) {
        table.clear();
        AlphaBetaOptions options;
        options.root_search = RootSearch::Mtdf;
        options.convergence = convergence;
        Limits all;
        all.limits = std::move(limits);
        all.multi_pv = lines;
        const auto search = make_alpha_beta(network, table, options).value();
        return search->run(Line(), all, {}, silent).counters.nodes;
    };
    constexpr int kFine = AlphaBetaOptions::kAnalysisConvergence;
    constexpr int kCoarse = AlphaBetaOptions::kDefaultConvergence;
    EXPECT_LT(nodes(kCoarse, {DepthLimit{9}}, 1), nodes(kFine, {DepthLimit{9}}, 1));
    EXPECT_EQ(nodes(kCoarse, {DepthLimit{9}, InfiniteLimit{}}, 1), nodes(kFine, {DepthLimit{9}}, 1));
    EXPECT_EQ(nodes(kCoarse, {DepthLimit{7}}, 2), nodes(kFine, {DepthLimit{7}}, 2));
    // Who asked for even finer scores has them.
    EXPECT_EQ(nodes(0, {DepthLimit{7}, InfiniteLimit{}}, 1), nodes(0, {DepthLimit{7}}, 1));
}

INSTANTIATE_TEST_SUITE_P(EitherRootSearch, AlphaBetaTest,
                         testing::Values(RootSearch::PrincipalVariation, RootSearch::Mtdf),
                         [](const auto& tested) {
                             return tested.param == RootSearch::Mtdf ? "mtdf" : "pvs";
                         });

}  // namespace
}  // namespace scholar::search
