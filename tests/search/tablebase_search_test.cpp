#include <gtest/gtest.h>
#include <memory>

#include "base/random.hpp"
#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "chess/uci_move.hpp"
#include "nets/container/embedded.hpp"
#include "nets/perspective/network_file.hpp"
#include "nets/perspective/quantise.hpp"
#include "search/alpha_beta/alpha_beta.hpp"
#include "support/test_data.hpp"

// The search with the three-man tables that ship.

namespace scholar::search {
namespace {

using namespace chess;

// Each test is one of both ways to search the root.
class TablebaseSearch : public testing::TestWithParam<RootSearch> {
  protected:
    TablebaseSearch() {
        options_.root_search = GetParam();
        auto tables = tablebases::Tablebases::open(tests::test_data("syzygy").string());
        EXPECT_TRUE(tables) << tables.error().message;
        options_.tablebases.tables = std::move(*tables);
    }
    SearchResult run(const Position& position, Limit limit) {
        const auto search = make_alpha_beta(network_, table_, options_).value();
        Observer silent;
        Limits limits;
        limits.limits.push_back(limit);
        limits.multi_pv = multi_pv_;
        table_.clear();
        return search->run(Line(position), limits, {}, silent);
    }
    static Position position(const char* fen) { return parse_fen(fen).value(); }

    Table table_{4};
    // Knows nothing of chess: what it finds it has from the tables.
    std::shared_ptr<const nets::Network> network_ = std::make_shared<const nets::Network>(
        nets::quantise(nets::FloatNetwork::random({.width = 32}, 1))->network);
    AlphaBetaOptions options_;
    int multi_pv_ = 1;
};

// Every root move given up by the tables is left alone, whatever the evaluation says.
TEST_P(TablebaseSearch, TheRootKeepsTheResult) {
    base::Random random(5);
    int won = 0;
    int drawn = 0;
    for (int i = 0; i < 150; ++i) {
        chess::Setup setup;
        const auto square = [&] { return static_cast<Square>(random.below(64)); };
        setup.board[square()] = make_piece(White, King);
        setup.board[square()] = make_piece(Black, King);
        setup.board[square()] = make_piece(White, i % 2 == 0 ? Pawn : Rook);
        setup.side_to_move = random.below(2) == 0 ? White : Black;
        const auto position = Position::from_setup(setup);
        if (!position || !has_legal_move(*position) || popcount(position->occupied()) != 3) continue;
        const auto& tables = *options_.tablebases.tables;
        const auto before = tables.probe_wdl(*position).value();
        multi_pv_ = i % 3 == 0 ? 8 : 1;
        const auto result = run(*position, DepthLimit{3});
        const auto after = tables.probe_wdl(position->after(result.best));
        // Without an answer the rook or pawn is gone and the game drawn.
        EXPECT_EQ(after ? -*after : tablebases::Outcome::Draw, before) << to_fen(*position);
        (before == tablebases::Outcome::Draw ? drawn : won)++;
        // And the score is what the tables say.
        EXPECT_EQ(result.score->is_win(), before == tablebases::Outcome::Win) << to_fen(*position);
        EXPECT_EQ(result.score->is_loss(), before == tablebases::Outcome::Loss) << to_fen(*position);
        EXPECT_EQ(result.score == Score::draw(), before == tablebases::Outcome::Draw) << to_fen(*position);
        EXPECT_EQ(result.leaf_kind, result.score->is_mate() ? LeafKind::Mate : LeafKind::Tablebase);
        EXPECT_GT(result.counters.tablebase_hits, 0U);
    }
    EXPECT_GT(won, 20);
    EXPECT_GT(drawn, 10);
}

// Four men: the tables have nothing at the root, but everything one capture or promotion away.
TEST_P(TablebaseSearch, TheTreeSeesWhatCapturesLeadTo) {
    // The pawn falls, or queens: king and rook against king is won, a lone pawn is drawn by the opposition.
    const auto won = run(position("8/8/8/8/3p4/8/8/R2K3k w - - 0 1"), DepthLimit{10});
    EXPECT_TRUE(won.score->is_win()) << won.score->value();
    EXPECT_GT(won.counters.tablebase_hits, 0U);
    options_.tablebases.max_pieces = 0;
    const auto without = run(position("8/8/8/8/3p4/8/8/R2K3k w - - 0 1"), DepthLimit{6});
    EXPECT_EQ(without.counters.tablebase_hits, 0U);
    EXPECT_FALSE(without.score->is_decisive());
}

// With distance tables the win is carried through to mate within the fifty moves, by a player who knows
// nothing.
TEST_P(TablebaseSearch, WinsAreCarriedThrough) {
    for (const char* fen : {"8/8/8/3k4/8/8/8/1Q2K3 w - - 0 1", "8/8/8/3k4/8/8/8/R3K3 w - - 0 1",
                            "8/8/8/8/4k3/8/4P3/4K3 w - - 0 1", "8/4k3/8/8/4K3/8/4P3/8 w - - 0 1"}) {
        Line line(position(fen));
        const auto outcome = options_.tablebases.tables->probe_wdl(line.current()).value();
        const auto search = make_alpha_beta(network_, table_, options_).value();
        Observer silent;
        Limits limits;
        limits.limits.push_back(NodeLimit{500});
        while (line.terminal() == Terminal::None && line.ply() < 300)
            line.push(search->run(line, limits, {}, silent).best);
        EXPECT_EQ(line.terminal() == Terminal::Checkmate, outcome == tablebases::Outcome::Win)
            << fen << ": " << to_fen(line.current());
    }
}

INSTANTIATE_TEST_SUITE_P(EitherRootSearch, TablebaseSearch,
                         testing::Values(RootSearch::PrincipalVariation, RootSearch::Mtdf),
                         [](const auto& tested) {
                             return tested.param == RootSearch::Mtdf ? "mtdf" : "pvs";
                         });

}  // namespace
}  // namespace scholar::search
