#pragma once

// The outside of Worker: iterations, windows, limits, reports.

#include <cmath>
#include <span>
#include <tuple>

#include "search/alpha_beta/worker.hpp"
#include "search/mate_solver.hpp"
#include "search/root.hpp"

namespace scholar::search {

template <evaluators::LeafEvaluator Evaluator>
Worker<Evaluator>::Worker(Evaluator evaluator, Table& table, const AlphaBetaOptions& options,
                          std::size_t number)
    : options_(options),
      number_(number),
      evaluator_(std::move(evaluator)),
      table_(table),
      reductions_(tunables()),
      costs_(options.cost.threshold_base) {
    if (!options_.policy) return;
    policy_ = options_.policy->copy();
    // A half-move more about doubles the nodes of a null window.
    const double nodes = options_.cost.policy_min_nodes.value_or(policy_->worth_nodes());
    policy_effort_ =
        Effort::of_half_moves(std::max(1, static_cast<int>(std::ceil(std::log2(std::max(1.0, nodes))))));
    priors_.resize(chess::kMaxPly);
}

template <evaluators::LeafEvaluator Evaluator>
void Worker<Evaluator>::run(SharedSearch& shared, const chess::Line& line,
                            const std::vector<RootMove>& root_moves, Observer& observer) {
    shared_ = &shared;
    observer_ = &observer;
    line_ = line;
    line_.reserve_ahead(chess::kMaxPly + 8);  // nodes hold references to their positions
    root_ply_ = line_.ply();
    root_moves_ = root_moves;
    legal_moves_ = static_cast<std::size_t>(chess::count_legal_moves(line.current()));
    completed_depth_ = 0;
    // Only the frames that the last search came to have anything in them: all of them are many kilobytes.
    deepest_ = std::max(deepest_, selective_depth_);
    const auto used = std::min(frames_.size(), static_cast<std::size_t>(deepest_ + kBefore + 4));
    deepest_ = selective_depth_ = 0;
    null_move_from_ply_ = 0;
    stable_iterations_ = 0;
    last_scores_ = {};
    aborted_ = false;
    for (Frame& frame : std::span(frames_).first(used)) {
        frame.killers = {};
        frame.move = frame.excluded = Move::none();
        frame.continuation = &histories_->continuations.after_none();
        frame.correction = &histories_->continuation_corrections.after(chess::NoPiece, chess::A1);
        frame.raw_evaluation = frame.evaluation = Score::draw();
        frame.in_check = frame.was_principal = false;
        frame.cuts = frame.number = 0;
        frame.variation.clear();
    }
    evaluator_.reset(line_.current());
    if (policy_) policy_->reset(line_.current());
    iterate();
}

template <evaluators::LeafEvaluator Evaluator>
std::size_t Worker<Evaluator>::multi_pv() const {
    return line_count(shared_->limits, root_moves_.size());
}

template <evaluators::LeafEvaluator Evaluator>
Counters Worker<Evaluator>::counters() const {
    Counters counters;
    counters.nodes = shared_->nodes();
    counters.tablebase_hits = shared_->tablebase_hits();
    counters.depth = completed_depth_;
    counters.selective_depth = selective_depth_;
    counters.elapsed = shared_->elapsed();
    counters.table_permille = table_.permille_full();
    return counters;
}

template <evaluators::LeafEvaluator Evaluator>
void Worker<Evaluator>::iterate() {
    for (int depth = 1; depth <= shared_->last_depth; ++depth) {
        if (shared_->stop.load(std::memory_order_relaxed)) break;
        root_depth_ = depth;
        const Move last_best = root_moves_.front().move();
        for (RootMove& root : root_moves_) root.begin_iteration();

        for (pv_index_ = 0; pv_index_ < multi_pv() && !aborted_; ++pv_index_) {
            // Moves that the endgame tables call worse do not compete with better ones.
            pv_end_ = pv_index_;
            while (pv_end_ < root_moves_.size() &&
                   root_moves_[pv_end_].tablebase_rank == root_moves_[pv_index_].tablebase_rank)
                ++pv_end_;
            deepest_ = std::max(deepest_, selective_depth_);
            selective_depth_ = 0;
            search_root(depth);
            show_mate(depth);
            sort_root_moves(root_moves_, 0, pv_index_ + 1);
        }
        if (aborted_) {
            for (RootMove& root : root_moves_) root.end_unfinished();
            sort_root_moves(root_moves_, 0, root_moves_.size());
        } else {
            completed_depth_ = depth;
        }
        report(depth);
        if (aborted_) break;

        stable_iterations_ = root_moves_.front().move() == last_best ? stable_iterations_ + 1 : 0;
        const bool go_on = worth_going_on(depth);
        last_scores_[static_cast<std::size_t>(depth % 4)] = root_moves_.front().latest();
        if (!go_on) break;
    }
    // When the first is through, all end.
    if (is_first()) shared_->stop.store(true, std::memory_order_relaxed);
}

template <evaluators::LeafEvaluator Evaluator>
void Worker<Evaluator>::search_root(int depth) {
    switch (options_.root_search) {
        case RootSearch::PrincipalVariation:
            return aspire(depth);
        case RootSearch::Mtdf:
            return converge(depth);
    }
}

// Around the last iteration's score first.
template <evaluators::LeafEvaluator Evaluator>
void Worker<Evaluator>::aspire(int depth) {
    constexpr int kAspirationDepth = 4;
    const Score previous = root_moves_[pv_index_].previous;
    const int width = tunables().aspiration_window;
    if (depth >= kAspirationDepth && !previous.is_decisive())
        search_window(depth, previous - width, previous + width);
    else
        search_window(depth, -Score::infinite(), Score::infinite());
}

// The window opens on the side where the score falls outside.
template <evaluators::LeafEvaluator Evaluator>
void Worker<Evaluator>::search_window(int depth, Score alpha, Score beta) {
    int width = tunables().aspiration_window;
    int shallower = 0;
    while (true) {
        const int adjusted = std::max(1, depth - shallower);
        const Score score = search<RootNode>(Effort::of_half_moves(adjusted), alpha, beta, 0, false);
        sort_root_moves(root_moves_, pv_index_, pv_end_);
        if (aborted_) return;
        width += width * tunables().aspiration_growth / 100 + 1;
        const bool too_wide = width > 1500;
        Bound bound = Bound::Exact;
        if (score <= alpha) {
            bound = Bound::Upper;
            beta = Score((alpha.value() + beta.value()) / 2);
            alpha = too_wide ? -Score::infinite() : std::max(-Score::infinite(), score - width);
            shallower = 0;
        } else if (score >= beta) {
            bound = Bound::Lower;
            beta = too_wide ? Score::infinite() : std::min(Score::infinite(), score + width);
            // A move that is so much better need not be searched to the last half-move to be seen.
            if (!score.is_decisive()) ++shallower;
        } else {
            return;
        }
        if (reports() && shared_->elapsed() > std::chrono::seconds(1)) report_line(depth, pv_index_, bound);
    }
}

// A mate whose line a table's entry cut short is searched once more with a window that is open around it, in
// which no entry stands in for a line: nearly all of it is in the table. What comes out better is the new
// score to show; where nothing comes of it, the line was longer than this depth follows, or what was proved
// stands without it.
template <evaluators::LeafEvaluator Evaluator>
void Worker<Evaluator>::show_mate(int depth) {
    constexpr int kMostTries = 8;
    const auto best = [&]() -> const RootMove& { return root_moves_[pv_index_]; };
    const auto is_shown = [&] { return is_whole_mate(line_.current(), best().variation, best().score); };
    if (aborted_ || !best().score.is_mate() || is_shown()) return;
    const std::vector<RootMove> proved = root_moves_;
    Score mate = best().score;
    for (int tries = 0; tries < kMostTries && mate.is_mate(); ++tries) {
        const Score score = search<RootNode>(Effort::of_half_moves(depth), mate - 1, mate + 1, 0, false);
        if (aborted_) break;
        sort_root_moves(root_moves_, pv_index_, pv_end_);
        if (score == mate && is_shown()) {
            root_moves_[pv_index_].bound = Bound::Exact;
            return;
        }
        if (score > mate)
            mate = score;
        else
            ++depth;
        root_moves_ = proved;
    }
    root_moves_ = proved;
}

template <evaluators::LeafEvaluator Evaluator>
auto Worker<Evaluator>::shown(const RootMove& root, Bound bound) const -> Shown {
    // On a clock, no longer than nobody notices.
    constexpr std::uint64_t kOnTheClock = 1'000;
    constexpr std::uint64_t kOtherwise = 50'000;
    const Score score = root.latest();
    Shown shown{
        with_whole_mate(line_.current(), root.variation, score, shared_->time ? kOnTheClock : kOtherwise),
        bound};
    if (root.known_score(score) != score)
        shown.bound = Bound::Exact;  // the endgame tables'
    else if (bound == Bound::Exact && score.is_mate() &&
             !is_whole_mate(line_.current(), shown.variation, score))
        shown.bound = score.is_win() ? Bound::Lower : Bound::Upper;
    return shown;
}

template <evaluators::LeafEvaluator Evaluator>
chess::Move Worker<Evaluator>::expected_reply(const RootMove& root) const {
    if (root.variation.size() > 1) return root.variation[1];
    if (!root.move()) return Move::none();
    const Position after = line_.current().after(root.move());
    const auto entry = table_.probe(after.key());
    return entry && entry->move && chess::is_legal(after, entry->move) ? entry->move : Move::none();
}

template <evaluators::LeafEvaluator Evaluator>
void Worker<Evaluator>::report_line(int depth, std::size_t index, Bound bound) const {
    const RootMove& root = root_moves_[index];
    // A move that this iteration has not come to yet stands with what the one before found.
    const bool old = root.score == -Score::infinite();
    Iteration iteration;
    iteration.depth = old ? std::max(1, depth - 1) : depth;
    iteration.number = static_cast<int>(index) + 1;
    iteration.counters = counters();
    iteration.counters.selective_depth = root.selective_depth;
    if (!root.has_score()) return;
    iteration.score = root.known_score(root.latest());
    Shown line = shown(root, old ? root.previous_bound : bound);
    iteration.bound = line.bound;
    iteration.principal_variation = std::move(line.variation);
    observer_->on_iteration(iteration);
}

template <evaluators::LeafEvaluator Evaluator>
void Worker<Evaluator>::report(int depth) const {
    if (!reports()) return;
    for (std::size_t index = 0; index < multi_pv(); ++index)
        report_line(depth, index, root_moves_[index].bound);
}

// Between iterations, the first worker alone.
template <evaluators::LeafEvaluator Evaluator>
bool Worker<Evaluator>::worth_going_on(int depth) {
    if (!is_first()) return true;
    const Limits& limits = shared_->limits;
    const RootMove& best = root_moves_.front();
    if (const auto mate = limits.template find<MateLimit>(); mate && best.score.is_mate() &&
                                                             best.score.plies_to_mate() > 0 &&
                                                             best.score.plies_to_mate() <= 2 * mate->moves)
        return false;
    const auto& time = shared_->time;
    if (!time || !shared_->may_end()) return true;
    if (!time->flexible) return shared_->used() < time->maximum;
    // On the clock, nothing is gained by thinking about the only move or about a mate that is already proved.
    if (limits.template find<ClockLimit>()) {
        if (root_moves_.size() == 1) return false;
        if (best.score.is_mate() && depth > 2 * std::abs(best.score.plies_to_mate())) return false;
    }
    Difficulty difficulty;
    if (depth >= 5) {
        difficulty.stable_iterations = stable_iterations_;
        const auto before = [&](int back) {
            return last_scores_[static_cast<std::size_t>((depth + 4 - back) % 4)].value();
        };
        if (!best.score.is_decisive())
            difficulty.score_drop = (before(1) + before(2) + before(3)) / 3.0 - best.score.value();
        std::uint64_t all = 0;
        for (const RootMove& root : root_moves_) all += root.nodes;
        difficulty.best_effort = all == 0 ? 0 : static_cast<double>(best.nodes) / static_cast<double>(all);
    }
    return shared_->used() < time->optimum * stretch(difficulty, tunables());
}

// Now and then, the first worker alone.
template <evaluators::LeafEvaluator Evaluator>
void Worker<Evaluator>::watch_limits() {
    if (shared_->outer_stop.stop_requested()) shared_->stop.store(true, std::memory_order_relaxed);
    if (shared_->time && shared_->may_end() && shared_->used() >= shared_->time->maximum)
        shared_->stop.store(true, std::memory_order_relaxed);
}

template <evaluators::LeafEvaluator Evaluator>
RootMove* Worker<Evaluator>::find_root_move(Move move) {
    for (std::size_t i = pv_index_; i < pv_end_; ++i)
        if (root_moves_[i].move() == move) return &root_moves_[i];
    return nullptr;
}

template <evaluators::LeafEvaluator Evaluator>
std::pair<chess::Position, LeafKind> Worker<Evaluator>::leaf_of(const RootMove& root,
                                                                const std::vector<Move>& variation,
                                                                Score score) {
    chess::Line path = line_;
    for (const Move move : variation) path.push(move);
    const Position& leaf = path.current();
    const bool drawn = path.terminal() != chess::Terminal::None || path.is_repetition_in_search(root_ply_);
    if (score.is_mate()) return {leaf, LeafKind::Mate};
    if (score.is_decisive() || root.tablebase_score == score) return {leaf, LeafKind::Tablebase};
    if (score == Score::draw() && drawn) return {leaf, LeafKind::Draw};
    evaluator_.reset(leaf);
    const chess::PovScore value(evaluator_.value(leaf), leaf.side_to_move());
    const bool exact = value.from(line_.current().side_to_move()) == score;
    return {leaf, exact ? LeafKind::Exact : LeafKind::CutShort};
}

template <evaluators::LeafEvaluator Evaluator>
void Worker<Evaluator>::classify_leaf(SearchResult& result) {
    std::tie(result.leaf, result.leaf_kind) =
        leaf_of(root_moves_.front(), result.principal_variation, *result.score);
}

template <evaluators::LeafEvaluator Evaluator>
void Worker<Evaluator>::evaluate_first_move() {
    RootMove& first = root_moves_.front();
    line_.push(first.move());
    evaluator_.reset(line_.current());
    const bool drawn = is_draw();
    if (!drawn && !chess::has_legal_move(line_.current()))
        first.score = line_.current().in_check() ? Score::mate_in(1) : Score::draw();
    else
        first.score = drawn ? Score::draw() : -evaluator_.value(line_.current());
    line_.pop();
    evaluator_.reset(line_.current());
    first.variation.resize(1);
    first.bound = Bound::Exact;
    first.depth = first.selective_depth = 1;
}

}  // namespace scholar::search
