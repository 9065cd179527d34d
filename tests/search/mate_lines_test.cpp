#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "chess/epd.hpp"
#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "nets/container/any_network.hpp"
#include "nets/container/embedded.hpp"
#include "search/alpha_beta/alpha_beta.hpp"
#include "support/test_data.hpp"

// Whoever is told of a mate is shown it: a mate score that is no bound comes with all half-moves to the mate.

namespace scholar::search {
namespace {

using namespace chess;

// What is wrong with a variation that should be the mate that a score promises; "" if nothing is.
std::string problem_with(const Position& root, Score score, const std::vector<Move>& variation) {
    Position end = root;
    for (const Move move : variation) {
        if (!legal_moves(end).contains(move)) return "it has an illegal move";
        end.make(move);
    }
    const auto expected = static_cast<std::size_t>(std::abs(score.plies_to_mate()));
    if (variation.size() != expected)
        return std::to_string(variation.size()) + " half-moves of " + std::to_string(expected);
    if (!end.in_check() || has_legal_move(end)) return "it does not end in mate";
    return "";
}

// Looks at every report of a search.
class Checker final : public Observer {
  public:
    explicit Checker(const Position& root) : root_(root) {}
    void on_iteration(const Iteration& iteration) override {
        if (!iteration.score->is_mate() || iteration.bound != Bound::Exact) return;
        const std::string problem = problem_with(root_, *iteration.score, iteration.principal_variation);
        EXPECT_EQ(problem, "") << to_fen(root_) << ", depth " << iteration.depth;
    }

  private:
    Position root_;
};

struct Mates {
    int found = 0;
    int claimed = 0;  // without a bound, and so with the whole line
};

class MateLines : public testing::TestWithParam<RootSearch> {
  protected:
    MateLines() {
        AlphaBetaOptions options;
        options.root_search = GetParam();
        search_ =
            make_alpha_beta(nets::parse_any_network(nets::default_network_file()).value(), table_, options)
                .value();
    }
    SearchResult run(const Position& root, const Limits& limits) {
        table_.clear();
        search_->new_game();
        Checker checker(root);
        SearchResult result = search_->run(Line(root), limits, {}, checker);
        for (const RootLine& line : result.lines) {
            if (!line.score->is_mate() || line.bound != Bound::Exact) continue;
            EXPECT_EQ(problem_with(root, *line.score, line.variation), "") << to_fen(root);
        }
        return result;
    }
    // All of a published collection, each after the first move too: the defender is told of its mate as well.
    Mates run_collection(const Limits& limits) {
        Mates mates;
        std::ifstream file(tests::source_dir() / "suites/mates.epd");
        EXPECT_TRUE(file);
        for (std::string text; std::getline(file, text);) {
            const auto epd = parse_epd(text);
            EXPECT_TRUE(epd) << text;
            if (std::stoi(epd->find("dm")->front()) > 3 && tests::kSanitized) continue;
            const auto attack = run(epd->position, limits);
            for (const SearchResult& result : {attack, run(epd->position.after(attack.best), limits)}) {
                if (!result.score->is_mate() || result.lines.empty()) continue;
                ++mates.found;
                mates.claimed += result.lines.front().bound == Bound::Exact;
            }
        }
        return mates;
    }

    Table table_{4};
    std::unique_ptr<Search> search_;
};

TEST_P(MateLines, AreWholeOfAllOfACollectionAtAnyLimit) {
    const std::vector<std::vector<Limit>> all_limits{
        {DepthLimit{7}},
        {DepthLimit{10}},
        {NodeLimit{3'000}},
        // On a clock, though a long one, less is done for a line when the search is over.
        {NodeLimit{10'000}, ClockLimit{Milliseconds(36'000'000), Milliseconds(0), std::nullopt}}};
    for (std::size_t i = 0; i < all_limits.size(); i += tests::kSanitized ? 3 : 1) {
        const Mates mates = run_collection({.limits = all_limits[i], .root_moves = {}});
        // Where a search was stopped in the middle of showing one, it is a bound; that is seldom.
        EXPECT_GE(mates.claimed, mates.found * 9 / 10) << "of " << mates.found;
        EXPECT_GE(mates.found, tests::kSanitized ? 8 : 25);
    }
}

TEST_P(MateLines, AreWholeInEachOfSeveralLines) {
    Limits limits{.limits = {NodeLimit{6'000}}, .root_moves = {}};
    limits.multi_pv = 3;
    const Mates mates = run_collection(limits);
    EXPECT_GE(mates.claimed, mates.found * 9 / 10) << "of " << mates.found;
}

// A mate in four, of which MTD(f) had one half-move to show.
TEST_P(MateLines, AreWholeWhereATableEntryEndsTheLine) {
    const auto root = parse_fen("2Q3Q1/1K6/8/8/5k2/2p5/8/8 w - - 5 6").value();
    for (int depth = 11; depth <= 15; ++depth) {
        const auto result = run(root, {.limits = {DepthLimit{depth}}, .root_moves = {}});
        ASSERT_TRUE(result.score->is_mate()) << depth;
        EXPECT_EQ(result.lines.front().bound, Bound::Exact) << depth;
    }
}

INSTANTIATE_TEST_SUITE_P(EitherRootSearch, MateLines,
                         testing::Values(RootSearch::PrincipalVariation, RootSearch::Mtdf),
                         [](const auto& tested) {
                             return tested.param == RootSearch::Mtdf ? "mtdf" : "pvs";
                         });

}  // namespace
}  // namespace scholar::search
