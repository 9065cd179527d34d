// The books of a Monte-Carlo search's tree: visits, values, repetitions, memory, and what is kept from move
// to move.

#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>
#include <vector>

#include "chess/movegen.hpp"
#include "mcts_fixture.hpp"
#include "search/mcts/playouts.hpp"
#include "support/test_data.hpp"

namespace scholar::search {
namespace {

using namespace chess;
using namespace mcts_tests;

class MctsTree : public MctsTest {};

// Over all of a tree: visits and values add up, nothing waits, priors are in order and sum to 1. Of one that
// was thinned out, what nodes without moves have found is more than their own evaluation.
void expect_sound(const mcts::Tree& tree, mcts::NodeId id, int& nodes, bool is_thinned_out = false) {
    const mcts::Node& node = tree[id];
    ++nodes;
    EXPECT_EQ(node.in_flight, 0);
    EXPECT_NE(node.kind, mcts::NodeKind::Pending);
    std::uint32_t below = 0;
    std::int64_t sum = 0;
    std::int64_t draws = 0;
    double priors = 0;
    float last = 1;
    for (const mcts::Edge& edge : tree.edges(id)) {
        EXPECT_LE(edge.prior, last);
        last = edge.prior;
        priors += edge.prior;
        if (edge.child == mcts::kNoNode) continue;
        const mcts::Node& child = tree[edge.child];
        EXPECT_EQ(child.parent, id);
        EXPECT_EQ(&tree.edges(id)[child.edge_of_parent], &edge);
        below += child.visits;
        sum += child.value_sum;
        draws += child.draw_sum;
        expect_sound(tree, edge.child, nodes, is_thinned_out);
    }
    if (node.kind == mcts::NodeKind::Valued && !is_thinned_out) {
        EXPECT_EQ(node.visits, 1U);
    }
    if (node.kind != mcts::NodeKind::Open) return;
    EXPECT_NEAR(priors, 1, 1e-5);
    EXPECT_EQ(node.visits, 1 + below);
    // What is left is its own evaluation, of which the other side's children have the opposite.
    EXPECT_LE(std::abs(node.value_sum + sum), mcts::kOne);
    EXPECT_GE(node.draw_sum - draws, 0);
    EXPECT_LE(node.draw_sum - draws, mcts::kOne);
}

TEST_F(MctsTree, BatchesLoseNoVisits) {
    for (const std::size_t capacity : {1U, 2U, 7U, 64U}) {
        seen_ = {};
        MctsOptions options;
        options.batch = MctsOptions::kMostBatch;
        mcts::Playouts playouts(evaluator(lots(), capacity), options);
        ASSERT_TRUE(playouts.begin(at(kMiddlegame)));
        while (playouts.count() < 1'500) ASSERT_TRUE(playouts.run(1'500 - playouts.count()));
        EXPECT_EQ(playouts.count(), 1'500U);
        const mcts::Tree& tree = playouts.tree();
        EXPECT_EQ(tree[tree.root()].visits, 1'501U);
        int nodes = 0;
        expect_sound(tree, tree.root(), nodes);
        EXPECT_LE(seen_.largest, capacity);
        EXPECT_GT(seen_.largest, capacity / 2);
        EXPECT_EQ(seen_.asked_in_vain, 0);
        EXPECT_LE(seen_.asked.size(), static_cast<std::size_t>(nodes));
        for (const auto& [line, times] : seen_.asked) EXPECT_EQ(times, 1) << line;
    }
}

// All nodes of a tree by kind.
std::map<mcts::NodeKind, int> kinds_of(const mcts::Tree& tree, mcts::NodeId id) {
    std::map<mcts::NodeKind, int> kinds{{tree[id].kind, 1}};
    for (const mcts::Edge& edge : tree.edges(id))
        if (edge.child != mcts::kNoNode)
            for (const auto& [kind, count] : kinds_of(tree, edge.child)) kinds[kind] += count;
    return kinds;
}

// A value is asked for at the first visit, a policy at the second, and neither twice.
TEST_F(MctsTree, APolicyIsAskedAtTheSecondVisit) {
    for (const std::size_t capacity : {1U, 16U}) {
        seen_ = {};
        MctsOptions options;
        options.batch = MctsOptions::kMostBatch;
        options.keeps_values = false;
        mcts::Playouts playouts(evaluator(lots(), capacity, true), options);
        ASSERT_TRUE(playouts.begin(at(kMiddlegame)));
        ASSERT_TRUE(playouts.run(3'000));
        const mcts::Tree& tree = playouts.tree();
        int nodes = 0;
        expect_sound(tree, tree.root(), nodes);
        auto kinds = kinds_of(tree, tree.root());
        EXPECT_EQ(seen_.policies, kinds[mcts::NodeKind::Open]);
        EXPECT_EQ(seen_.values, kinds[mcts::NodeKind::Open] + kinds[mcts::NodeKind::Valued]);
        EXPECT_GT(kinds[mcts::NodeKind::Valued], 1'000);
        EXPECT_GT(kinds[mcts::NodeKind::Open], 500);
    }
}

// With one position at a time it makes no difference to what is visited when a policy is asked, nor whether a
// value comes from the table: only how often somebody is asked.
TEST_F(MctsTree, WhatIsAskedWhenDoesNotChangeWhatIsVisited) {
    for (const char* fen :
         {kMiddlegame, "7k/8/5K2/8/8/8/8/6R1 b - - 0 1", "8/8/8/4k3/8/8/4P3/4K3 w - - 93 1"}) {
        std::vector<std::pair<SearchResult, int>> results;
        for (const bool apart : {false, true})
            for (const bool keeps : {false, true}) {
                seen_ = {};
                MctsOptions options;
                options.keeps_values = keeps;
                const auto search = this->search(lots(), 1, options, apart);
                const auto result = run(*search, at(fen), 2'000);
                results.emplace_back(result, seen_.values);
            }
        for (const auto& [result, values] : results) {
            EXPECT_EQ(result.root_distribution, results.front().first.root_distribution) << fen;
            EXPECT_EQ(result.principal_variation, results.front().first.principal_variation) << fen;
            EXPECT_EQ(result.score, results.front().first.score) << fen;
            EXPECT_EQ(result.wdl->draw, results.front().first.wdl->draw) << fen;
        }
        EXPECT_EQ(results[0].second, results[2].second);
        EXPECT_LT(results[1].second, results[0].second);  // transpositions
        EXPECT_EQ(results[1].second, results[3].second);
    }
}

// Several threads lose no visit and no value either, wherever they meet: with batches, with positions that
// end, and where the memory does.
TEST_F(MctsTree, ThreadsLoseNoVisits) {
    for (const std::size_t capacity : {1U, 8U})
        for (const char* fen :
             {kMiddlegame, "7k/8/8/8/8/8/R7/K7 w - - 90 1", "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"}) {
            MctsOptions options;
            options.batch = MctsOptions::kMostBatch;
            std::array<TestBatch::Seen, 4> seen;
            mcts::Playouts::Evaluators evaluators;
            for (TestBatch::Seen& its : seen)
                evaluators.push_back(std::make_unique<TestBatch>(lots(), capacity, its, true));
            mcts::Playouts playouts(std::move(evaluators), options);
            Line line = at(fen);
            for (int search = 0; search < 3; ++search) {
                ASSERT_TRUE(playouts.begin(line));
                const mcts::Tree& tree = playouts.tree();
                const std::uint32_t kept = tree[tree.root()].visits;
                const std::uint32_t most = tests::kSanitized ? 400 : 3'000;
                // In rounds of all sizes.
                for (std::uint64_t round = 1; playouts.count() < most; ++round)
                    ASSERT_TRUE(playouts.run(std::min(round * round, most - playouts.count())));
                EXPECT_EQ(playouts.count(), most);
                EXPECT_EQ(tree[tree.root()].visits, kept + most);
                int nodes = 0;
                expect_sound(tree, tree.root(), nodes);
                const auto edges = tree.edges(tree.root());
                const auto best = std::ranges::max_element(edges, {}, [&](const mcts::Edge& edge) {
                    return edge.child == mcts::kNoNode ? 0 : tree[edge.child].visits;
                });
                line.push(best->move);
            }
        }
}

TEST_F(MctsTree, ThreadsEndWhereTheMemoryDoes) {
    MctsOptions options;
    options.megabytes = 1;
    std::array<TestBatch::Seen, 3> seen;
    mcts::Playouts::Evaluators evaluators;
    for (TestBatch::Seen& its : seen) evaluators.push_back(std::make_unique<TestBatch>(lots(), 1, its, true));
    mcts::Playouts playouts(std::move(evaluators), options);
    Line line;
    for (int search = 0; search < 2; ++search) {
        ASSERT_TRUE(playouts.begin(line));
        ASSERT_TRUE(playouts.run(1'000'000));
        EXPECT_TRUE(playouts.is_full());
        const mcts::Tree& tree = playouts.tree();
        EXPECT_GT(tree.permille_full(), 990);
        int nodes = 0;
        expect_sound(tree, tree.root(), nodes);
        EXPECT_GT(nodes, 1'000);
        line.push(tree.edges(tree.root()).front().move);
    }
}

// The proof of a mate does not depend on who finds what first.
TEST_F(MctsTree, ThreadsProveMates) {
    for (const auto& [fen, mate] : {std::pair("6k1/5ppp/8/8/8/8/5PPP/3RR1K1 w - - 0 1", 1),
                                    std::pair("7k/8/5K2/8/8/8/8/6R1 w - - 0 1", 3)}) {
        std::array<TestBatch::Seen, 4> seen;
        std::vector<std::unique_ptr<evaluators::BatchEvaluator>> evaluators;
        for (TestBatch::Seen& its : seen)
            evaluators.push_back(std::make_unique<TestBatch>(lots(), 1, its, true));
        const auto search = make_mcts(std::move(evaluators));
        const auto result = run(*search, at(fen), 20'000);
        ASSERT_TRUE(result.score && result.score->is_mate()) << fen;
        EXPECT_GE(*result.score, Score::mate_in(mate + 4)) << fen;
        EXPECT_LE(*result.score, Score::mate_in(mate)) << fen;
        EXPECT_LT(result.counters.nodes, 20'000U);
    }
}

TEST_F(MctsTree, ScoreAndChancesAreMeansOfTheBestMove) {
    mcts::Playouts playouts(evaluator(lots()), {});
    ASSERT_TRUE(playouts.begin(at(kMiddlegame)));
    while (playouts.count() < 300) ASSERT_TRUE(playouts.run(300 - playouts.count()));
    const auto result = run(*search(lots()), at(kMiddlegame), 300);
    const mcts::Tree& tree = playouts.tree();
    for (const mcts::Edge& edge : tree.edges(tree.root())) {
        if (edge.move != result.best) continue;
        const mcts::Node& child = tree[edge.child];
        EXPECT_EQ(result.score, Score::from_expected((1 + child.mean()) / 2));
        ASSERT_TRUE(result.wdl);
        EXPECT_NEAR(result.wdl->expected(), (1 + child.mean()) / 2, 1e-12);
        EXPECT_NEAR(result.wdl->draw, child.mean_draw(), 1e-12);
        EXPECT_NEAR(result.wdl->win + result.wdl->draw + result.wdl->loss, 1, 1e-12);
    }
    // Who is sure to be better wherever it is to move is much worse after its own.
    const auto optimist = search([](const Line&, const MoveList& moves) { return even(0.9, moves); });
    EXPECT_LT(run(*optimist, Line(), 1).score->value(), -300);
}

// The two sides shuffle, since nothing else is better: the tree knows that for a draw.
TEST_F(MctsTree, ARepetitionWithinTheSearchIsADraw) {
    mcts::Playouts playouts(evaluator(lots()), {});
    ASSERT_TRUE(playouts.begin(at("7k/8/8/8/8/8/R7/K7 w - - 0 1")));
    while (playouts.count() < 3'000) ASSERT_TRUE(playouts.run(3'000 - playouts.count()));
    int repetitions = 0;
    const mcts::Tree& tree = playouts.tree();
    Line line = at("7k/8/8/8/8/8/R7/K7 w - - 0 1");
    const std::function<void(mcts::NodeId)> walk = [&](mcts::NodeId id) {
        bool before = false;
        for (int back = 1; back <= line.ply(); ++back)
            before = before || line.ago(back).key() == line.current().key();
        EXPECT_EQ(before, tree[id].kind == mcts::NodeKind::Repetition);
        repetitions += before;
        if (before) {
            EXPECT_EQ(tree[id].mean(), 0);
            EXPECT_EQ(tree[id].mean_draw(), 1);
        }
        for (const mcts::Edge& edge : tree.edges(id)) {
            if (edge.child == mcts::kNoNode) continue;
            line.push(edge.move);
            walk(edge.child);
            line.pop();
        }
    };
    walk(tree.root());
    EXPECT_GT(repetitions, 20);
}

// The part of the tree that the game went to is kept as it was, but for what repeats.
TEST_F(MctsTree, TheTreeGoesOnWithTheGame) {
    base::Random random(4);
    for (const char* fen : {kMiddlegame, "7k/8/8/8/8/8/R7/K7 w - - 0 1"}) {
        Line line = at(fen);
        mcts::Playouts playouts(evaluator(lots(), 4), {});
        for (int move = 0; move < 12; ++move) {
            ASSERT_TRUE(playouts.begin(line));
            const mcts::Tree& tree = playouts.tree();
            int nodes = 0;
            expect_sound(tree, tree.root(), nodes);
            EXPECT_EQ(tree.edges(tree.root()).size(),
                      static_cast<std::size_t>(legal_moves(line.current()).size()));
            const auto before = tree[tree.root()].visits;
            while (playouts.count() < 700) ASSERT_TRUE(playouts.run(700 - playouts.count()));
            EXPECT_EQ(tree[tree.root()].visits, before + 700);
            nodes = 0;
            expect_sound(tree, tree.root(), nodes);
            // One or two half-moves on, to the likeliest visited moves.
            mcts::NodeId id = tree.root();
            std::uint32_t kept = 0;
            for (std::uint64_t step = 0; step <= random.below(2); ++step) {
                const mcts::Edge* most = nullptr;
                for (const mcts::Edge& edge : tree.edges(id))
                    if (edge.child != mcts::kNoNode && tree[edge.child].kind == mcts::NodeKind::Open &&
                        (most == nullptr || tree[edge.child].visits > tree[most->child].visits))
                        most = &edge;
                ASSERT_NE(most, nullptr);
                line.push(most->move);
                id = most->child;
                kept = tree[id].visits;
            }
            ASSERT_TRUE(playouts.begin(line));
            EXPECT_GT(kept, 10U);
            EXPECT_LE(tree[tree.root()].visits, kept);
            EXPECT_GT(tree[tree.root()].visits, kept / 2);
        }
        // Another game, or the same position with another past: nothing is kept.
        ASSERT_TRUE(playouts.begin(Line(line.current())));
        EXPECT_EQ(playouts.tree()[playouts.tree().root()].visits, 1U);
    }
}

// What is forgotten is what is below nodes that hardly anybody visits; all that was found stays.
TEST_F(MctsTree, ThinnedOutItKeepsWhatItFound) {
    MctsOptions options;
    options.megabytes = 1;
    for (const bool apart : {false, true}) {
        mcts::Playouts playouts(evaluator(lots(), 1, apart), options);
        ASSERT_TRUE(playouts.begin(at(kMiddlegame)));
        const mcts::Tree& tree = playouts.tree();
        const auto found = [&] {
            std::vector<std::tuple<std::uint32_t, std::int64_t, std::int64_t>> all;
            all.emplace_back(tree[tree.root()].visits, tree[tree.root()].value_sum, 0);
            for (const mcts::Edge& edge : tree.edges(tree.root()))
                if (edge.child != mcts::kNoNode)
                    all.emplace_back(tree[edge.child].visits, tree[edge.child].value_sum,
                                     tree[edge.child].draw_sum);
            return all;
        };
        for (int time = 0; time < 3; ++time) {
            ASSERT_TRUE(playouts.run(1'000'000));
            ASSERT_TRUE(playouts.is_full());
            EXPECT_EQ(tree[tree.root()].visits, 1 + playouts.count());
            const auto before = found();
            EXPECT_TRUE(playouts.make_room());
            EXPECT_FALSE(playouts.is_full());
            EXPECT_LE(tree.permille_full(), 500);
            EXPECT_GT(tree.permille_full(), 100);
            EXPECT_EQ(found(), before);
            int nodes = 0;
            if (time == 0) expect_sound(tree, tree.root(), nodes, true);
        }
    }
}

TEST_F(MctsTree, MemoryIsABound) {
    MctsOptions options;
    options.megabytes = 1;
    const auto search = this->search(lots(), 8, options);
    const auto full = run(*search, Line(), 20'000);
    EXPECT_TRUE(legal_moves(Position()).contains(full.best));
    EXPECT_EQ(full.counters.nodes, 20'000U);
    EXPECT_LE(full.counters.table_permille, 1'000);
    EXPECT_GT(full.counters.table_permille, 300);
    std::uint64_t visits = 0;
    for (const auto& [move, count] : visits_of(full)) visits += static_cast<std::uint64_t>(count);
    EXPECT_EQ(visits, 20'000U);
    // And the same again.
    EXPECT_EQ(run(*this->search(lots(), 8, options), Line(), 20'000).root_distribution,
              full.root_distribution);
}

// Nothing on the way to a proof is forgotten: the line to the mate is whole.
TEST_F(MctsTree, ProofsOutlastTheMemory) {
    MctsOptions options;
    options.megabytes = 1;
    const auto search = this->search(lots(), 1, options, true);
    const Line line = at("6k1/8/8/8/8/8/R7/1R2K3 w - - 0 1");
    const auto result = run(*search, line, 300'000);
    ASSERT_TRUE(result.score && result.score->is_mate());
    EXPECT_GT(result.counters.nodes, 20'000U);  // several times what there is memory for
    chess::Position position = line.current();
    for (const Move move : result.principal_variation) {
        ASSERT_TRUE(legal_moves(position).contains(move));
        position = position.after(move);
    }
    EXPECT_TRUE(legal_moves(position).empty() && position.in_check());
}

}  // namespace
}  // namespace scholar::search
