// Alpha-beta with a policy: it puts moves in order, and what it is worth shows in the nodes to a depth.

#include <climits>
#include <cstdio>
#include <filesystem>
#include <gtest/gtest.h>
#include <set>
#include <string_view>

#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "evaluators/make.hpp"
#include "nets/container/embedded.hpp"
#include "nets/container/open_network.hpp"
#include "search/alpha_beta/alpha_beta.hpp"
#include "search/bench_positions.hpp"
#include "support/test_data.hpp"

namespace scholar::search {
namespace {

using namespace chess;

// Secretly what another search's table knows: nearly certain of its move, where it has one. Counts questions,
// and follows the path to say whether it is asked where it stands.
class TablePolicy final : public evaluators::MovePolicy {
  public:
    struct Seen {
        int asked = 0;
        int astray = 0;  // asked of a position that the calls before do not lead to
    };
    TablePolicy(const Table& table, Seen& seen) : table_(table), seen_(seen) {}

    std::unique_ptr<MovePolicy> copy() const override { return std::make_unique<TablePolicy>(table_, seen_); }
    void reset(const Position& position) override { path_.assign(1, position); }
    void push(const Position& before, Move move) override {
        seen_.astray += before.key() != path_.back().key();
        path_.push_back(before.after(move));
    }
    void push_null(const Position& before) override {
        path_.push_back(before);
        path_.back().make_null();
    }
    void pop() override { path_.pop_back(); }
    void judge(const Position& position, const MoveList& moves, std::span<float> out) override {
        ++seen_.asked;
        seen_.astray += position.key() != path_.back().key();
        const auto entry = table_.probe(position.key());
        const auto share = 1 / static_cast<float>(moves.size());
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = entry && entry->move && moves.contains(entry->move)
                         ? (moves[static_cast<int>(i)] == entry->move ? 0.9F : 0.1F * share)
                         : share;
    }
    double worth_nodes() const override { return 1; }

  private:
    const Table& table_;
    Seen& seen_;
    std::vector<Position> path_;
};

class PolicySearch : public testing::Test {
  protected:
    std::uint64_t nodes(std::shared_ptr<const evaluators::MovePolicy> policy, Table& table,
                        std::string_view fen, int depth) {
        AlphaBetaOptions options;
        options.policy = std::move(policy);
        table.clear();
        Silence silent;
        const auto search = make_alpha_beta(network_, table, options).value();
        return search->run(Line(*parse_fen(fen)), {{DepthLimit{depth}}, {}, {}}, {}, silent).counters.nodes;
    }
    const nets::AnyNetwork network_ = *nets::parse_any_network(nets::default_network_file());
};

TEST_F(PolicySearch, OneThatKnowsTheBestMoveSavesNodesAndARandomOneDoesNot) {
    constexpr int kDepth = tests::kSanitized ? 8 : 12;
    std::uint64_t plain = 0, knowing = 0, random = 0;
    TablePolicy::Seen seen;
    for (const std::string_view fen : bench_positions().first(kBratkoKopec)) {
        Table table(16);
        plain += nodes(nullptr, table, fen, kDepth);
        Table known(16);
        nodes(nullptr, known, fen, kDepth + 2);
        knowing += nodes(std::make_shared<TablePolicy>(known, seen), table, fen, kDepth);
        random += nodes(std::shared_ptr<const evaluators::MovePolicy>(
                            evaluators::make_policy(*nets::open_network("<random:3>")).value()),
                        table, fen, kDepth);
    }
    std::printf("nodes to depth %d: %llu without, %llu with the table's move, %llu with a random policy\n",
                kDepth, static_cast<unsigned long long>(plain), static_cast<unsigned long long>(knowing),
                static_cast<unsigned long long>(random));
    // So near the leaves they are no different.
    if (!tests::kSanitized) {
        EXPECT_LT(static_cast<double>(knowing), 0.97 * static_cast<double>(plain));
        EXPECT_GT(static_cast<double>(random), 1.05 * static_cast<double>(plain));
    }
    EXPECT_GT(seen.asked, tests::kSanitized ? 100 : 1000);
    EXPECT_EQ(seen.astray, 0);
}

// Of a policy that knows nothing. Counts questions.
class UniformPolicy final : public evaluators::MovePolicy {
  public:
    explicit UniformPolicy(int& asked) : asked_(asked) {}
    std::unique_ptr<MovePolicy> copy() const override { return std::make_unique<UniformPolicy>(asked_); }
    void judge(const Position&, const MoveList& moves, std::span<float> out) override {
        ++asked_;
        std::ranges::fill(out, 1 / static_cast<float>(moves.size()));
    }
    double worth_nodes() const override { return 64; }

  private:
    int& asked_;
};

// Whether a policy orders moves and whether it says what they cost are two things, under both kinds of cost.
TEST_F(PolicySearch, OrderAndProbabilityAreSwitchedApart) {
    constexpr int kDepth = 7;
    const auto nodes_of = [&](CostOptions cost, std::shared_ptr<const evaluators::MovePolicy> policy,
                              std::string_view fen, Table& table) {
        AlphaBetaOptions options;
        options.policy = std::move(policy);
        options.cost = cost;
        table.clear();
        Silence silent;
        const auto search = make_alpha_beta(network_, table, options).value();
        return search->run(Line(*parse_fen(fen)), {{DepthLimit{kDepth}}, {}, {}}, {}, silent).counters.nodes;
    };
    Table table(16);
    int unlike = 0;
    for (const std::string_view fen : bench_positions().first(2)) {
        int asked = 0;
        const auto uniform = std::make_shared<UniformPolicy>(asked);
        const auto random = std::shared_ptr<const evaluators::MovePolicy>(
            evaluators::make_policy(*nets::open_network("<random:3>")).value());
        for (const CostKind kind : {CostKind::HalfMove, CostKind::Probability}) {
            const auto used = [&](std::optional<PolicyUse> use) {
                CostOptions cost;
                cost.kind = kind;
                cost.policy_use = use;
                return cost;
            };
            const CostOptions order = used(PolicyUse::Order);
            const CostOptions probability = used(PolicyUse::Probability);
            const CostOptions both = used(PolicyUse::Both);
            const auto plain = nodes_of(order, nullptr, fen, table);
            // Who knows nothing changes no order, and is as likely as one who is not there.
            EXPECT_EQ(nodes_of(order, uniform, fen, table), plain);
            if (kind == CostKind::Probability) {
                EXPECT_EQ(nodes_of(probability, uniform, fen, table), plain);
                EXPECT_EQ(nodes_of(both, uniform, fen, table), plain);
            }
            EXPECT_EQ(nodes_of(used(std::nullopt), random, fen, table),
                      nodes_of(kind == CostKind::HalfMove ? order : both, random, fen, table));
            const std::set<std::uint64_t> counts{plain, nodes_of(order, random, fen, table),
                                                 nodes_of(probability, random, fen, table),
                                                 nodes_of(both, random, fen, table)};
            unlike += counts.size() == 4;
            // The fewer nodes lie below, the fewer ask.
            int least_asked = INT_MAX;
            for (const double min_nodes : {16.0, 64.0, 1e9}) {
                asked = 0;
                CostOptions rarely = order;
                rarely.policy_min_nodes = min_nodes;
                nodes_of(rarely, uniform, fen, table);
                EXPECT_LT(asked, least_asked);
                least_asked = asked;
            }
            EXPECT_EQ(least_asked, 0);
        }
    }
    EXPECT_EQ(unlike, 4);
}

// One who is told of nodes gets each once, with what the table gets of it.
TEST_F(PolicySearch, ATapIsToldOfInteriorNodes) {
    struct Tap : NodeTap {
        int nodes = 0, wrong = 0, roots = 0;
        void on_node(const TappedNode& node) override {
            ++nodes;
            roots += node.ply == 0;
            wrong += node.best && !legal_moves(node.line.current()).contains(node.best);
            wrong += node.line.ply() != node.ply || node.effort.half_moves() < 1 || node.bound == Bound::None;
            wrong += node.bound == Bound::Lower && !node.best;
        }
    } tap;
    AlphaBetaOptions options;
    options.tap = &tap;
    Table table(4);
    Silence silent;
    const Line line(*parse_fen(bench_positions()[1]));
    const auto tapped =
        make_alpha_beta(network_, table, options).value()->run(line, {{DepthLimit{9}}, {}, {}}, {}, silent);
    EXPECT_GT(tap.nodes, 100);
    EXPECT_GT(tap.roots, 8);
    EXPECT_EQ(tap.wrong, 0);
    table.clear();
    const auto plain =
        make_alpha_beta(network_, table).value()->run(line, {{DepthLimit{9}}, {}, {}}, {}, silent);
    EXPECT_EQ(tapped.counters.nodes, plain.counters.nodes);
}

// Noise, and every kind of network that is not hot, is searched behind one type: the same nodes.
TEST_F(PolicySearch, ANetworkBehindAnAdapterIsSearchedAsWithout) {
    const std::filesystem::path file = testing::TempDir() + "policy_search_opinions.jsonl";
    std::filesystem::remove(file);
    const auto recorded = *nets::open_network("<record:" + file.string() + ",<embedded>>");
    Silence silent;
    std::array<SearchResult, 3> results;
    Table table(4);
    const Line line(*parse_fen(bench_positions()[3]));
    results[0] = make_alpha_beta(network_, table).value()->run(line, {{DepthLimit{5}}, {}, {}}, {}, silent);
    table.clear();
    results[1] = make_alpha_beta(recorded, table).value()->run(line, {{DepthLimit{5}}, {}, {}}, {}, silent);
    const auto compared = *nets::open_network("<check:<embedded>,<embedded>,0>");
    table.clear();
    results[2] = make_alpha_beta(compared, table).value()->run(line, {{DepthLimit{5}}, {}, {}}, {}, silent);
    for (const SearchResult& result : results) {
        EXPECT_EQ(result.counters.nodes, results[0].counters.nodes);
        EXPECT_EQ(result.score, results[0].score);
        EXPECT_EQ(result.principal_variation, results[0].principal_variation);
    }
    std::filesystem::remove(file);
}

}  // namespace
}  // namespace scholar::search
