// Alpha-beta with a policy: it puts moves in order, and what it is worth shows in the nodes to a depth.

#include <array>
#include <cstdio>
#include <filesystem>
#include <gtest/gtest.h>

#include "chess/fen.hpp"
#include "evaluators/make.hpp"
#include "nets/container/embedded.hpp"
#include "nets/container/open_network.hpp"
#include "search/alpha_beta/alpha_beta.hpp"

namespace scholar::search {
namespace {

using namespace chess;

// The Bratko–Kopec test (1982).
constexpr std::array kFens{
    "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1",
    "3r1k2/4npp1/1ppr3p/p6P/P2PPPP1/1NR5/5K2/2R5 w - - 0 1",
    "2q1rr1k/3bbnnp/p2p1pp1/2pPp3/PpP1P1P1/1P2BNNP/2BQ1PRK/7R b - - 0 1",
    "rnbqkb1r/p3pppp/1p6/2ppP3/3N4/2P5/PPP1QPPP/R1B1KB1R w KQkq - 0 1",
    "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - 0 1",
    "2r3k1/pppR1pp1/4p3/4P1P1/5P2/1P4K1/P1P5/8 w - - 0 1",
    "1nk1r1r1/pp2n1pp/4p3/q2pPp1N/b1pP1P2/B1P2R2/2P1B1PP/R2Q2K1 w - - 0 1",
    "4b3/p3kp2/6p1/3pP2p/2pP1P2/4K1P1/P3N2P/8 w - - 0 1",
    "2kr1bnr/pbpq4/2n1pp2/3p3p/3P1P1B/2N2N1Q/PPP3PP/2KR1B1R w - - 0 1",
    "3rr1k1/pp3pp1/1qn2np1/8/3p4/PP1R1P2/2P1NQPP/R1B3K1 b - - 0 1",
    "2r1nrk1/p2q1ppp/bp1p4/n1pPp3/P1P1P3/2PBB1N1/4QPPP/R4RK1 w - - 0 1",
    "r3r1k1/ppqb1ppp/8/4p1NQ/8/2P5/PP3PPP/R3R1K1 b - - 0 1",
    "r2q1rk1/4bppp/p2p4/2pP4/3pP3/3Q4/PP1B1PPP/R3R1K1 w - - 0 1",
    "rnb2r1k/pp2p2p/2pp2p1/q2P1p2/8/1Pb2NP1/PB2PPBP/R2Q1RK1 w - - 0 1",
    "2r3k1/1p2q1pp/2b1pr2/p1pp4/6Q1/1P1PP1R1/P1PN2PP/5RK1 w - - 0 1",
    "r1bqkb1r/4npp1/p1p4p/1p1pP1B1/8/1B6/PPPN1PPP/R2Q1RK1 w kq - 0 1",
    "r2q1rk1/1ppnbppp/p2p1nb1/3Pp3/2P1P1P1/2N2N1P/PPB1QP2/R1B2RK1 b - - 0 1",
    "r1bq1rk1/pp2ppbp/2np2p1/2n5/P3PP2/N1P2N2/1PB3PP/R1B1QRK1 b - - 0 1",
    "3rr3/2pq2pk/p2p1pnp/8/2QBPP2/1P6/P5PP/4RRK1 b - - 0 1",
    "r4k2/pb2bp1r/1p1qp2p/3pNp2/3P1P2/2N3P1/PPP1Q2P/2KRR3 w - - 0 1",
    "3rn2k/ppb2rpp/2ppqp2/5N2/2P1P3/1P5Q/PB3PPP/3RR1K1 w - - 0 1",
    "2r2rk1/1bqnbpp1/1p1ppn1p/pP6/N1P1P3/P2B1N1P/1B2QPP1/R2R2K1 b - - 0 1",
    "r1bqk2r/pp2bppp/2p5/3pP3/P2Q1P2/2N1B3/1PP3PP/R4RK1 b kq - 0 1",
    "r2qnrnk/p2b2b1/1p1p2pp/2pPpp2/1PP1P3/PRNBB3/3QNPPP/5RK1 w - - 0 1",
};

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
    std::uint64_t nodes(std::shared_ptr<const evaluators::MovePolicy> policy, Table& table, const char* fen,
                        int depth) {
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
    constexpr int kDepth = 12;
    std::uint64_t plain = 0, knowing = 0, random = 0;
    TablePolicy::Seen seen;
    for (const char* fen : kFens) {
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
    EXPECT_LT(static_cast<double>(knowing), 0.97 * static_cast<double>(plain));
    EXPECT_GT(static_cast<double>(random), 1.05 * static_cast<double>(plain));
    EXPECT_GT(seen.asked, 1000);
    EXPECT_EQ(seen.astray, 0);
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
    const Line line(*parse_fen(kFens[1]));
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
    const Line line(*parse_fen(kFens[3]));
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
