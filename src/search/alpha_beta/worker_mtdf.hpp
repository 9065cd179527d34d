#pragma once

// The root by MTD(f): null windows instead of an open one. What it proved in one test the next one finds in
// the table.

#include "search/alpha_beta/bracket.hpp"
#include "search/alpha_beta/worker.hpp"

namespace scholar::search {

template <evaluators::LeafEvaluator Evaluator>
void Worker<Evaluator>::converge(int depth) {
    const Score previous = root_moves_[pv_index_].previous;
    const Score guess = previous == -Score::infinite() ? Score::draw() : previous;
    const bool analyses = shared_->limits.is_infinite() || multi_pv() > 1;
    const int convergence = analyses ? std::min(options_.convergence, AlphaBetaOptions::kAnalysisConvergence)
                                     : options_.convergence;
    Bracket bracket(guess, convergence, tunables().mtdf_stride);
    Move proved;  // by which the lower bound is reached
    while (!bracket.converged()) {
        const Score test = bracket.test();
        const Score score =
            search<TestRoot>(Effort::of_half_moves(depth), test - 1, test, 0, bracket.expects_high());
        const bool high = !aborted_ && score >= test;
        if (RootMove* best = proved && !high ? find_root_move(proved) : nullptr) {
            // That it is no better than this test is no reason to forget what it is worth.
            best->score = bracket.lower();
            best->bound = Bound::Lower;
        }
        sort_root_moves(root_moves_, pv_index_, pv_end_);
        if (aborted_) break;
        bracket.take(score);
        if (high) proved = root_moves_[pv_index_].move();
        // An upper bound of what has a lower one is no news of the move.
        if ((high || !proved) && reports() && shared_->elapsed() > std::chrono::seconds(1))
            report_line(depth, pv_index_, high ? Bound::Lower : Bound::Upper);
    }
    if (!aborted_) root_moves_[pv_index_].bound = Bound::Exact;
    if (options_.exact_leaves) settle_leaf(depth, bracket);
}

// For the learning mode. Null windows leave a variation where a table's entry or a guess was enough. If that
// was so on the best line, what is left between the bounds is searched with an open window, in which nothing
// stands in for a line; stopped before that, the iteration before counts.
template <evaluators::LeafEvaluator Evaluator>
void Worker<Evaluator>::settle_leaf(int depth, const Bracket& bracket) {
    if (has_settled_leaf(root_moves_[pv_index_])) return;
    if (!aborted_) search_window(depth, bracket.lower() - 1, std::max(bracket.lower(), bracket.upper()) + 1);
    if (!aborted_ || completed_depth_ == 0 || has_settled_leaf(root_moves_[pv_index_])) return;
    for (std::size_t i = pv_index_; i < pv_end_; ++i) root_moves_[i].forget_iteration();
}

template <evaluators::LeafEvaluator Evaluator>
bool Worker<Evaluator>::has_settled_leaf(const RootMove& root) {
    const LeafKind kind = leaf_of(root, root.variation, root.known_score(root.latest())).second;
    evaluator_.reset(line_.current());
    return kind != LeafKind::CutShort;
}

}  // namespace scholar::search
