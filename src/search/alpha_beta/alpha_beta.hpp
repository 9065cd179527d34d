#pragma once

#include <cstdint>
#include <memory>

#include "evaluators/move_policy.hpp"
#include "nets/container/any_network.hpp"
#include "search/alpha_beta/move_cost.hpp"
#include "search/alpha_beta/tunables.hpp"
#include "search/node_tap.hpp"
#include "search/search.hpp"
#include "search/table.hpp"
#include "search/tablebase_rules.hpp"

namespace scholar::search {

// How an iteration comes to the root's score.
enum class RootSearch : std::uint8_t {
    PrincipalVariation,  // with an open window around the last score, and null windows beside the best line
    Mtdf,                // with null windows alone, which close in on the score: MTD(f)
};

struct AlphaBetaOptions {
    static constexpr int kDefaultConvergence = 30;
    // Who analyses, without an end or several lines, wants to know the score, not only the move.
    static constexpr int kAnalysisConvergence = 4;

    int threads = 1;
    RootSearch root_search = RootSearch::Mtdf;
    // MTD(f) is content when it knows the score to so many Score units; 0: exactly. (The KnightCap paper:
    // 0.07 pawns.) In analysis to kAnalysisConvergence, if that is less.
    int convergence = kDefaultConvergence;
    TablebaseRules tablebases;
    // The learning mode: the root's score is exactly the static value of the position that the principal
    // variation ends in, or SearchResult says why not. Nothing corrects evaluations, and no table stands in
    // for a variation.
    bool exact_leaves = false;
    // Makes the search play worse: every static evaluation is off by a normally distributed error of this
    // standard deviation (Score units), always the same for a position and a seed.
    double evaluation_noise = 0;
    std::uint64_t noise_seed = 0;
    // What bounds the tree. Drafts in the table are of the same kind.
    CostOptions cost;
    // Puts the moves of a node in order, beside what the search has learnt of them, or says what they cost,
    // or both (CostOptions::policy_use), where the node is worth the question. Null: none.
    std::shared_ptr<const evaluators::MovePolicy> policy;
    // Is told of the nodes inside the search; it outlives the search. Null: nobody.
    NodeTap* tap = nullptr;
    Tunables tunables;  // heeded in the tuning preset only
};

// Alpha-beta with the value of a network at its leaves. The table is the caller's and outlives the search; it
// may be resized between runs. With more than one thread the nodes of a search are not the same each time.
// Refused: a network that gives leaves no value, or by more than the position.
base::Result<std::unique_ptr<Search>> make_alpha_beta(const nets::AnyNetwork& network, Table& table,
                                                      const AlphaBetaOptions& options = {});

}  // namespace scholar::search
