#pragma once

// A node of the main search: what needs no search at all, and what is known of the whole node before its
// moves. The order of the steps is that of search(); guesses at the whole node are in worker_guesses.hpp, its
// moves in worker_moves.hpp.

#include "search/alpha_beta/worker.hpp"

namespace scholar::search {

namespace detail {

constexpr int kInternalReductionDepth = 4;
// Beyond this half-move clock a score that was found with another clock may be wrong.
constexpr int kTrustedHalfmoveClock = 90;

}  // namespace detail

template <evaluators::LeafEvaluator Evaluator>
template <class Node>
chess::Score Worker<Evaluator>::search(Effort effort, Score alpha, Score beta, int ply, bool cut_node) {
    const int depth = effort.half_moves();
    if (depth <= 0) return quiescence<typename Node::Child>(alpha, beta, ply);
    const Position& position = line_.current();
    Frame& frame = frame_at(ply);
    frame.variation.clear();
    const bool excluding = static_cast<bool>(frame.excluded);
    // What is proved of the score before any move is searched.
    Score least = -Score::infinite();
    Score most = Score::infinite();

    // Step 1. Count the node; end if the search must.
    if (!visit(ply)) return Score::draw();
    frame.in_check = position.in_check();

    if constexpr (!Node::is_root) {
        // Step 2. Draws by rule, the end of the path, and scores that no line from here can reach.
        if (is_draw()) return Score::draw();
        if (ply >= chess::kMaxPly) return frame.in_check ? Score::draw() : evaluator_.value(position);
        alpha = std::max(alpha, Score::mated_in(ply));
        beta = std::min(beta, Score::mate_in(ply + 1));
        if (alpha >= beta) return alpha;
    }

    // Step 3. What the table knows.
    std::optional<TableEntry> entry;
    if (!excluding) {
        entry = table_.probe(position.key());
        frame.was_principal = Node::is_principal || (entry && entry->was_principal);
    }
    if constexpr (Node::is_root) {
        if (entry || completed_depth_ > 0) {
            if (!entry) entry.emplace();
            entry->move = root_moves_[pv_index_].move();
        }
    }
    if constexpr (!Node::is_principal) {
        if (const auto score = score_from_table(entry, effort, alpha, beta, ply)) {
            if (*score >= beta && entry->move && !position.is_noisy(entry->move) &&
                chess::is_legal(position, entry->move))
                teach_quiet(
                    entry->move,
                    std::min(tunables().bonus_slope * depth + tunables().bonus_base, tunables().bonus_max),
                    ply);
            if (position.halfmove_clock() < detail::kTrustedHalfmoveClock) return *score;
        }
    }

    // Step 4. What the endgame tables know.
    if constexpr (!Node::is_root) {
        if (!excluding) {
            if (const auto known = ask_tablebases(depth, ply)) {
                const bool decides = known->bound == Bound::Exact ||
                                     (known->bound == Bound::Lower && known->score >= beta) ||
                                     (known->bound == Bound::Upper && known->score <= alpha);
                if (decides) {
                    // The evaluation is not known yet.
                    table_.store(position.key(),
                                 {Move::none(), known->score.to_table(ply), std::nullopt,
                                  Effort::of_half_moves(std::min(chess::kMaxPly - 1, depth + 6)),
                                  known->bound, frame.was_principal});
                    return known->score;
                }
                if constexpr (Node::is_principal) {
                    if (known->bound == Bound::Lower) {
                        least = std::max(least, known->score);
                        alpha = std::max(alpha, least);
                    } else {
                        most = known->score;
                    }
                }
            }
        }
    }

    // Step 5. The static evaluation, and whether things are getting better.
    const Score estimate = excluding ? frame.evaluation : evaluate(frame, entry, ply);
    const bool improving = is_improving(frame, ply);
    frame_at(ply + 2).cuts = 0;
    if (ply + 1 < chess::kMaxPly) frame_at(ply + 1).killers = {};

    const Move table_move = entry ? entry->move : Move::none();
    if constexpr (!Node::is_principal) {
        if (!frame.in_check && !excluding) {
            // Steps 6 to 9. Guesses that need no move, or a pass, or one capture.
            if (const auto score = razor(estimate, depth, alpha, beta, ply)) return *score;
            if (const auto score = prune_when_far_ahead(estimate, entry, depth, beta, improving))
                return *score;
            if (const auto score = try_null_move(estimate, effort, beta, ply, cut_node)) return *score;
            if (aborted_) return Score::draw();
            if (const auto score = try_probcut(entry, effort, beta, ply, cut_node, improving)) return *score;
            if (aborted_) return Score::draw();
        }
    }

    // Step 10. Without a table move the node is searched badly ordered; one half-move less, and the next
    // iteration knows.
    if (depth >= detail::kInternalReductionDepth && !table_move && !excluding && !frame.in_check)
        effort = effort - Effort::of_half_moves(1);

    return search_moves<Node>(entry, effort, alpha, beta, ply, cut_node, improving, least, most);
}

// Counts the node; false when the search must end.
template <evaluators::LeafEvaluator Evaluator>
bool Worker<Evaluator>::visit(int ply) {
    if (aborted_) return false;
    auto& nodes = shared_->counters[number_].nodes;
    ThreadCounters::increment(nodes);
    selective_depth_ = std::max(selective_depth_, ply + 1);
    const std::uint64_t count = nodes.load(std::memory_order_relaxed);
    const bool looks = count % evaluators::kNodesBetweenLooks<Evaluator> == 0;
    if (is_first() && looks) watch_limits();
    // In the first iteration too: where pieces have no values yet, exchanges alone can go on without end. The
    // first thread goes by every node; the others see to it that they do not go far while it waits for a
    // core.
    if (shared_->node_limit != UINT64_MAX && (is_first() || looks) &&
        (shared_->counters.size() == 1 ? count : shared_->nodes()) >= shared_->node_limit)
        shared_->stop.store(true, std::memory_order_relaxed);
    if (shared_->stop.load(std::memory_order_relaxed)) aborted_ = true;
    return !aborted_;
}

template <evaluators::LeafEvaluator Evaluator>
bool Worker<Evaluator>::is_draw() const {
    const Position& position = line_.current();
    if (line_.is_repetition_in_search(root_ply_) || position.has_insufficient_material()) return true;
    return position.halfmove_clock() >= 100 && (!position.in_check() || chess::has_legal_move(position));
}

template <evaluators::LeafEvaluator Evaluator>
std::optional<chess::Score> Worker<Evaluator>::score_from_table(const std::optional<TableEntry>& entry,
                                                                Effort effort, Score alpha, Score beta,
                                                                int ply) const {
    if (!entry) return std::nullopt;
    const Score score = entry->score.from_table(ply);
    const bool at_least = entry->bound == Bound::Exact || entry->bound == Bound::Lower;
    const bool at_most = entry->bound == Bound::Exact || entry->bound == Bound::Upper;
    bool decides = entry->bound == Bound::Exact || (at_least && score >= beta) || (at_most && score <= alpha);
    // A mate is proved, however shallow the search that found it; a shorter one may still be there.
    if (entry->draft < effort)
        decides = score.is_mate() && ((score.is_win() && at_least && score >= beta) ||
                                      (score.is_loss() && at_most && score <= alpha));
    return decides ? std::optional(score) : std::nullopt;
}

template <evaluators::LeafEvaluator Evaluator>
auto Worker<Evaluator>::ask_tablebases(int depth, int ply) -> std::optional<TablebaseScore> {
    const TablebaseRules& rules = options_.tablebases;
    if (!rules.tables || options_.exact_leaves) return std::nullopt;
    const Position& position = line_.current();
    const int pieces = chess::popcount(position.occupied());
    const int most = std::min(rules.max_pieces, rules.tables->max_pieces());
    if (pieces > most || (pieces == most && depth < rules.min_depth) || position.halfmove_clock() != 0 ||
        position.castling_rights() != 0)
        return std::nullopt;
    const auto outcome = rules.tables->probe_wdl(position);
    if (!outcome) return std::nullopt;
    ThreadCounters::increment(shared_->counters[number_].tablebase_hits);
    using tablebases::Outcome;
    const bool win = *outcome == Outcome::Win || (*outcome == Outcome::CursedWin && !rules.fifty_move_rule);
    const bool loss =
        *outcome == Outcome::Loss || (*outcome == Outcome::BlessedLoss && !rules.fifty_move_rule);
    if (win) return TablebaseScore{Score::tablebase_win(ply), Bound::Lower};
    if (loss) return TablebaseScore{Score::tablebase_loss(ply), Bound::Upper};
    return TablebaseScore{Score::draw(), Bound::Exact};
}

template <evaluators::LeafEvaluator Evaluator>
chess::Score Worker<Evaluator>::evaluate(Frame& frame, const std::optional<TableEntry>& entry, int ply) {
    if (frame.in_check) {
        frame.evaluation = frame_at(ply - 2).evaluation;
        return frame.evaluation;
    }
    const Position& position = line_.current();
    frame.raw_evaluation = entry && entry->evaluation ? *entry->evaluation : evaluator_.value(position);
    frame.evaluation = corrected(frame.raw_evaluation, position, ply);
    if (!entry || entry->bound == Bound::None) return frame.evaluation;
    // A search's bound, of whatever depth, is a better guess than no search.
    const Score score = entry->score.from_table(ply);
    const bool better = entry->bound == Bound::Exact ||
                        (entry->bound == Bound::Lower && score > frame.evaluation) ||
                        (entry->bound == Bound::Upper && score < frame.evaluation);
    return better && !score.is_decisive() ? score : frame.evaluation;
}

template <evaluators::LeafEvaluator Evaluator>
bool Worker<Evaluator>::is_improving(const Frame& frame, int ply) const {
    if (frame.in_check || ply < 2) return false;
    const Frame& ours = frame_at(ply - 2);
    return frame.evaluation > ours.evaluation;
}

}  // namespace scholar::search
