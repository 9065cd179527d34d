#pragma once

// A node of the main search, step by step. The order of the steps is that of search(): first what needs no
// search at all, then guesses at the whole node, then its moves one by one.

#include <type_traits>

#include "chess/checks.hpp"
#include "chess/legality.hpp"
#include "search/alpha_beta/structure_hash.hpp"
#include "search/alpha_beta/worker.hpp"
#include "search/mate_solver.hpp"

namespace scholar::search {

namespace detail {

constexpr int kReverseFutilityDepth = 12;
constexpr int kNullMoveDepth = 3;
constexpr int kNullMoveVerificationDepth = 14;
constexpr int kInternalReductionDepth = 4;
constexpr int kProbcutDepth = 5;
constexpr int kProbcutReduction = 4;
constexpr int kSingularDepth = 6;
constexpr int kLateMoveDepth = 2;
// Beyond this half-move clock a score that was found with another clock may be wrong.
constexpr int kTrustedHalfmoveClock = 90;

inline bool has_pieces(const chess::Position& position, chess::Color color) {
    return (position.pieces(color) & ~position.pieces(chess::Pawn) & ~position.pieces(chess::King)) != 0;
}

}  // namespace detail

template <evaluators::LeafEvaluator Evaluator>
template <class Node>
chess::Score Worker<Evaluator>::search(int depth, Score alpha, Score beta, int ply, bool cut_node) {
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
        if (const auto score = score_from_table(entry, depth, alpha, beta, ply)) {
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
                                  static_cast<std::int16_t>(std::min(chess::kMaxPly - 1, depth + 6)),
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
            if (const auto score = try_null_move(estimate, depth, beta, ply, cut_node)) return *score;
            if (aborted_) return Score::draw();
            if (const auto score = try_probcut(entry, depth, beta, ply, cut_node, improving)) return *score;
            if (aborted_) return Score::draw();
        }
    }

    // Step 10. Without a table move the node is searched badly ordered; one half-move less, and the next
    // iteration knows.
    if (depth >= detail::kInternalReductionDepth && !table_move && !excluding && !frame.in_check) --depth;

    return search_moves<Node>(entry, depth, alpha, beta, ply, cut_node, improving, least, most);
}

template <evaluators::LeafEvaluator Evaluator>
template <class Node>
chess::Score Worker<Evaluator>::search_moves(const std::optional<TableEntry>& entry, int depth, Score alpha,
                                             Score beta, int ply, bool cut_node, bool improving,
                                             Score best_so_far, Score most) {
    const Position& position = line_.current();
    Frame& frame = frame_at(ply);
    const Score original_alpha = alpha;
    const Move table_move = entry ? entry->move : Move::none();
    const bool table_move_is_noisy = table_move && position.is_noisy(table_move);
    const bool may_prune = !Node::is_root && detail::has_pieces(position, position.side_to_move());
    std::optional<chess::CheckSquares> check_squares;

    MovePicker picker(position, MovePicker::Which::All, hints_for(frame, table_move, ply),
                      evaluator_.piece_values());
    MovePicker::Pick pick;
    Score best = best_so_far;
    Move best_move;
    chess::MoveList quiets_tried;
    chess::MoveList noisy_tried;
    int number = 0;
    while (picker.next(pick)) {
        if (pick.move == frame.excluded) continue;
        RootMove* root = nullptr;
        if constexpr (Node::is_root) {
            root = find_root_move(pick.move);
            if (!root) continue;
        }
        frame.number = ++number;
        const std::uint64_t nodes_before = shared_->counters[number_].nodes.load(std::memory_order_relaxed);
        if (Node::is_root && is_first() && shared_->elapsed() > std::chrono::seconds(3))
            observer_->on_root_move(root_depth_, pick.move, number + static_cast<int>(pv_index_), counters());

        const bool quiet = !position.is_noisy(pick.move);
        const int reduction = reduction_of(pick, quiet, table_move_is_noisy, depth, ply, cut_node, improving);

        // Step 11. Pass over moves of little promise.
        if (may_prune && !best.is_loss() && best > -Score::infinite()) {
            if (!check_squares) check_squares = chess::find_check_squares(position);
            const bool checks = chess::gives_check(position, *check_squares, pick.move);
            if (is_hopeless({pick, quiet, checks, depth, reduction, alpha, best, ply}, picker, improving))
                continue;
        }

        // Step 12. Look deeper where there is only one good move.
        int extension = 0;
        if (!Node::is_root && ply < 2 * root_depth_ && pick.move == table_move && !frame.excluded) {
            const Extension found = ask_singular<Node>(*entry, pick.move, depth, beta, ply, cut_node);
            if (aborted_) return Score::draw();
            if (found.cut) return *found.cut;
            extension = found.half_moves;
        }

        // Step 13. Make the move and search it.
        push(pick.move, frame);
        frame.number = number;  // the question about singularity has used the frame
        const Score score = search_child<Node>({pick, quiet, number, reduction}, depth - 1 + extension, alpha,
                                               beta, best, ply, cut_node);
        pop();
        if (aborted_) return Score::draw();

        // Step 14. Is it the best so far?
        if constexpr (Node::is_root) {
            root->nodes += shared_->counters[number_].nodes.load(std::memory_order_relaxed) - nodes_before;
            if (number == 1 || score > alpha) {
                root->score = score;
                root->bound = score >= beta ? Bound::Lower : score <= alpha ? Bound::Upper : Bound::Exact;
                // A score from above leaves the variation, and what it says of itself, as the iteration
                // before found it; in the first there is none.
                if (score > alpha || root->depth == 0) root->depth = root_depth_;
                // A whole mate is not given up for the same one cut short by a table's entry.
                if (score > alpha && !is_whole_mate(position, root->variation, score)) {
                    root->selective_depth = selective_depth_;
                    const Variation& rest = frame_at(1).variation;
                    root->variation.assign(1, pick.move);
                    root->variation.insert(root->variation.end(), rest.moves.begin(),
                                           rest.moves.begin() + rest.length);
                }
            } else {
                root->score = -Score::infinite();
            }
        }
        if (score > best) {
            best = score;
            if (!Node::is_root && (Node::keeps_best || (Node::is_principal && score > alpha)))
                frame.variation.set(pick.move, frame_at(ply + 1).variation);
            if (score > alpha) {
                best_move = pick.move;
                alpha = score;
                if (alpha >= beta) {
                    ++frame.cuts;
                    break;
                }
            }
        }
        if (pick.move != best_move) (quiet ? quiets_tried : noisy_tried).push(pick.move);
    }

    // Step 15. Mate and stalemate.
    if (number == 0) {
        if (frame.excluded) return alpha;
        return frame.in_check ? Score::mated_in(ply) : Score::draw();
    }
    best = std::min(best, most);

    // Step 16. Remember and learn.
    if (best_move) learn_from_best(best_move, quiets_tried, noisy_tried, depth, ply);
    if (frame.excluded) return best;

    const Bound bound = best >= beta                         ? Bound::Lower
                        : best > original_alpha && best_move ? Bound::Exact
                                                             : Bound::Upper;
    // What some of the root's moves are worth says nothing of the position.
    if (Node::is_root && !root_is_whole()) return best;
    store(position.key(), frame, best_move, best, depth, bound, ply);
    const bool tells = !frame.in_check && (!best_move || !position.is_noisy(best_move)) &&
                       (bound != Bound::Lower || best > frame.evaluation) &&
                       (bound != Bound::Upper || best < frame.evaluation) && !best.is_decisive();
    if (tells) learn_correction(frame, best, depth, ply);
    return best;
}

// Null windows for all but the first move; late moves less deep at first, and again if they surprise.
template <evaluators::LeafEvaluator Evaluator>
template <class Node>
chess::Score Worker<Evaluator>::search_child(const Child& child, int depth, Score alpha, Score beta,
                                             Score best, int ply, bool cut_node) {
    // Whether a child that a null window finds better is searched once more, with the node's own window.
    constexpr bool kWidens = !std::is_same_v<typename Node::Child, typename Node::Rest>;
    Frame& frame = frame_at(ply);
    const Tunables& t = tunables();
    const bool may_reduce = depth + 1 > detail::kLateMoveDepth &&
                            child.number > (Node::is_root        ? 3
                                            : Node::is_principal ? 2
                                                                 : 1) &&
                            (child.quiet || child.pick.rank == MovePicker::Rank::LosingCapture || cut_node ||
                             !frame.was_principal);
    Score score = alpha;
    if (may_reduce) {
        const int reduced = std::clamp(depth - child.reduction / 1024, 1, std::max(1, depth));
        score = -search<typename Node::Rest>(reduced, -(alpha + 1), -alpha, ply + 1, true);
        if (score > alpha && reduced < depth && !aborted_) {
            // Much better than what was there: a half-move more. Hardly better: one less.
            const int full = depth + (score > best + t.deeper_margin + 2 * depth) - (score < best + depth);
            if (full > reduced)
                score = -search<typename Node::Rest>(full, -(alpha + 1), -alpha, ply + 1, !cut_node);
            depth = full;
            if (child.quiet && !aborted_) {
                const int bonus = std::min(t.bonus_slope * depth + t.bonus_base, t.bonus_max);
                const Position& before = line_.ago(1);
                teach_continuations(before.piece_on(child.pick.move.from()), child.pick.move.to(),
                                    score > alpha ? bonus : -bonus, ply);
            }
        }
    } else if (!kWidens || child.number > 1) {
        score = -search<typename Node::Rest>(depth, -(alpha + 1), -alpha, ply + 1, !cut_node);
    }
    if (aborted_) return Score::draw();
    if (kWidens && (child.number == 1 || score > alpha))
        score = -search<typename Node::Child>(depth, -beta, -alpha, ply + 1, false);
    return score;
}

// ---- the steps of a node ----

// Counts the node; false when the search must end.
template <evaluators::LeafEvaluator Evaluator>
bool Worker<Evaluator>::visit(int ply) {
    if (aborted_) return false;
    auto& nodes = shared_->counters[number_].nodes;
    ThreadCounters::increment(nodes);
    selective_depth_ = std::max(selective_depth_, ply + 1);
    const std::uint64_t count = nodes.load(std::memory_order_relaxed);
    constexpr std::uint64_t kBetweenLooks = 512;
    const bool looks = count % kBetweenLooks == 0;
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
                                                                int depth, Score alpha, Score beta,
                                                                int ply) const {
    if (!entry) return std::nullopt;
    const Score score = entry->score.from_table(ply);
    const bool at_least = entry->bound == Bound::Exact || entry->bound == Bound::Lower;
    const bool at_most = entry->bound == Bound::Exact || entry->bound == Bound::Upper;
    bool decides = entry->bound == Bound::Exact || (at_least && score >= beta) || (at_most && score <= alpha);
    // A mate is proved, however shallow the search that found it; a shorter one may still be there.
    if (entry->draft < depth)
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

// So far below alpha that only a capture could help: look at captures alone.
template <evaluators::LeafEvaluator Evaluator>
std::optional<chess::Score> Worker<Evaluator>::razor(Score estimate, int depth, Score alpha, Score beta,
                                                     int ply) {
    if (alpha.is_decisive() ||
        estimate >= alpha - (tunables().razoring_base + tunables().razoring_slope * depth * depth))
        return std::nullopt;
    const Score score = quiescence<OtherNode>(alpha, beta, ply);
    if (aborted_) return Score::draw();
    if (score < alpha && !score.is_decisive()) return score;
    return std::nullopt;
}

// So far above beta that the few half-moves left will hardly lose it.
template <evaluators::LeafEvaluator Evaluator>
std::optional<chess::Score> Worker<Evaluator>::prune_when_far_ahead(Score estimate,
                                                                    const std::optional<TableEntry>& entry,
                                                                    int depth, Score beta,
                                                                    bool improving) const {
    if (entry && entry->move && (entry->was_principal || !line_.current().is_noisy(entry->move)))
        return std::nullopt;
    if (depth > detail::kReverseFutilityDepth || beta.is_decisive() || estimate.is_decisive())
        return std::nullopt;
    int margin = tunables().reverse_futility_margin * depth;
    if (improving) margin -= tunables().reverse_futility_improving;
    if (estimate - margin < beta) return std::nullopt;
    return Score((2 * beta.value() + estimate.value()) / 3);
}

// If even passing keeps the score above beta, a real move will. Not where passing could be the best move of
// all: with pawns only. Two passes in a row prove nothing. Deep down the guess is verified without passes.
template <evaluators::LeafEvaluator Evaluator>
std::optional<chess::Score> Worker<Evaluator>::try_null_move(Score estimate, int depth, Score beta, int ply,
                                                             bool cut_node) {
    const Position& position = line_.current();
    Frame& frame = frame_at(ply);
    const Tunables& t = tunables();
    if (depth < detail::kNullMoveDepth || estimate < beta || beta.is_decisive() ||
        ply < null_move_from_ply_ || !detail::has_pieces(position, position.side_to_move()) ||
        (ply > 0 && !frame_at(ply - 1).move))
        return std::nullopt;
    if (frame.evaluation < beta - t.null_move_margin * depth + t.null_move_base) return std::nullopt;

    const int surplus = std::min(4, (estimate.value() - beta.value()) / t.null_move_surplus);
    const int reduction = 4 + depth / 3 + surplus;
    push_null(frame);
    const Score score = -search<OtherNode>(depth - reduction, -beta, -(beta - 1), ply + 1, !cut_node);
    pop();
    if (aborted_) return Score::draw();
    if (score < beta) return std::nullopt;
    const Score safe = score.is_decisive() ? beta : score;  // a mate after a pass is no proved mate
    if (null_move_from_ply_ != 0 || depth < detail::kNullMoveVerificationDepth) return safe;
    null_move_from_ply_ = ply + 3 * (depth - reduction) / 4;
    const Score verified = search<OtherNode>(depth - reduction, beta - 1, beta, ply, false);
    null_move_from_ply_ = 0;
    if (aborted_) return Score::draw();
    if (verified >= beta) return safe;
    return std::nullopt;
}

// If a capture is so good that a shallow search stays well above beta, so will a full one (M. Buro 1995).
template <evaluators::LeafEvaluator Evaluator>
std::optional<chess::Score> Worker<Evaluator>::try_probcut(const std::optional<TableEntry>& entry, int depth,
                                                           Score beta, int ply, bool cut_node,
                                                           bool improving) {
    if (depth < detail::kProbcutDepth || beta.is_decisive()) return std::nullopt;
    const Position& position = line_.current();
    Frame& frame = frame_at(ply);
    const Score raised = beta + tunables().probcut_margin - (improving ? tunables().probcut_improving : 0);
    const int shallow = depth - detail::kProbcutReduction;
    if (entry && entry->bound != Bound::None && entry->draft >= shallow &&
        entry->score.from_table(ply) < raised)
        return std::nullopt;

    MovePicker picker(position, MovePicker::Which::Noisy,
                      hints_for(frame, entry ? entry->move : Move::none(), ply), evaluator_.piece_values());
    MovePicker::Pick pick;
    const int gain = raised.value() - frame.evaluation.value();
    while (picker.next(pick)) {
        if (!chess::exchange_wins(position, pick.move, gain, evaluator_.piece_values())) continue;
        push(pick.move, frame);
        Score score = -quiescence<OtherNode>(-raised, -(raised - 1), ply + 1);
        if (score >= raised && shallow > 0 && !aborted_)
            score = -search<OtherNode>(shallow, -raised, -(raised - 1), ply + 1, !cut_node);
        pop();
        if (aborted_) return Score::draw();
        if (score >= raised) {
            store(position.key(), frame, pick.move, score, shallow + 1, Bound::Lower, ply);
            return score.is_decisive() ? score : score - (raised.value() - beta.value());
        }
    }
    return std::nullopt;
}

template <evaluators::LeafEvaluator Evaluator>
bool Worker<Evaluator>::is_hopeless(const MoveContext& c, MovePicker& picker, bool improving) {
    const Position& position = line_.current();
    const Frame& frame = frame_at(c.ply);
    const Tunables& t = tunables();
    const int number = frame.number;
    // Late moves of a node that is nearly at its end.
    if (number >= (3 + c.depth * c.depth) / (improving ? 1 : 2)) picker.skip_quiets();
    const int reduced = std::max(0, c.depth - 1 - c.reduction / 1024);
    if (!c.quiet) {
        if (!c.gives_check && reduced < 7 && !frame.in_check) {
            const chess::PieceKind victim = position.captured_kind(c.pick.move);
            const int gain = victim == chess::NoKind ? 0 : evaluator_.piece_values()[victim];
            if (frame.evaluation + t.capture_futility_base + t.capture_futility_slope * reduced + gain +
                    c.pick.history / 8 <=
                c.alpha)
                return true;
        }
        return c.pick.rank != MovePicker::Rank::WinningCapture &&
               c.pick.rank != MovePicker::Rank::TableMove &&
               !chess::exchange_wins(position, c.pick.move, -t.noisy_exchange * c.depth - c.pick.history / 32,
                                     evaluator_.piece_values());
    }
    if (c.pick.rank == MovePicker::Rank::Quiet) {
        if (c.pick.history < -t.history_pruning * c.depth) return true;
        const int promising = std::max(0, reduced + c.pick.history / 8192);
        if (!frame.in_check && !c.gives_check && promising < 11 &&
            frame.evaluation + t.futility_base + t.futility_slope * promising <= c.alpha)
            return true;
    }
    return !chess::exchange_wins(position, c.pick.move, -t.quiet_exchange * reduced * reduced,
                                 evaluator_.piece_values());
}

// Whether all moves but the table's are clearly worse (T. Anantharaman, M. Campbell and F. Hsu, "Singular
// extensions", 1990): a shallow search without it, against a bound somewhat below its score, tells.
template <evaluators::LeafEvaluator Evaluator>
template <class Node>
auto Worker<Evaluator>::ask_singular(const TableEntry& entry, Move move, int depth, Score beta, int ply,
                                     bool cut_node) -> Extension {
    const Score table_score = entry.score.from_table(ply);
    if (depth < detail::kSingularDepth || (entry.bound != Bound::Lower && entry.bound != Bound::Exact) ||
        table_score.is_decisive() || entry.draft < depth - 3)
        return {};
    Frame& frame = frame_at(ply);
    const Tunables& t = tunables();
    const bool formerly_principal = frame.was_principal && !Node::is_principal;
    const Score bound = table_score - (t.singular_margin * (formerly_principal ? 2 : 1)) * depth / 60;
    frame.excluded = move;
    const Score score = search<OtherNode>((depth - 1) / 2, bound - 1, bound, ply, cut_node);
    frame.excluded = Move::none();
    if (aborted_) return {};
    if (score < bound) {
        const bool much = !Node::is_principal && score < bound - t.double_margin;
        return {much ? 2 : 1, std::nullopt};
    }
    // Several moves are that good: the node will fail high.
    if (score >= beta && !score.is_decisive()) return {0, score};
    if (table_score >= beta) return {-3, std::nullopt};
    if (cut_node) return {-2, std::nullopt};
    return {};
}

template <evaluators::LeafEvaluator Evaluator>
int Worker<Evaluator>::reduction_of(const MovePicker::Pick& pick, bool quiet, bool table_move_is_noisy,
                                    int depth, int ply, bool cut_node, bool improving) const {
    const Frame& frame = frame_at(ply);
    const Tunables& t = tunables();
    int reduction = reductions_.at(depth, frame.number);
    if (!improving) reduction += t.reduction_not_improving;
    if (frame.was_principal) reduction -= t.reduction_principal;
    if (cut_node) reduction += t.reduction_cut_node;
    if (table_move_is_noisy) reduction += t.reduction_table_capture;
    if (frame_at(ply + 1).cuts > 3) reduction += t.reduction_many_cuts;
    if (pick.rank == MovePicker::Rank::Killer) reduction -= t.reduction_killer;
    if (pick.rank == MovePicker::Rank::TableMove) reduction -= 2048;
    reduction -= (quiet ? pick.history : pick.history + 2000) * t.reduction_history / 1024;
    return std::max(0, reduction);
}

// ---- the path ----

template <evaluators::LeafEvaluator Evaluator>
void Worker<Evaluator>::push(Move move, Frame& frame) {
    const Position& before = line_.current();
    line_.push(move);
    table_.prefetch(line_.current().key());  // it will take as long as all the rest
    const chess::Piece piece = before.piece_on(move.from());
    frame.move = move;
    frame.continuation = &histories_->continuations.after(piece, move.to());
    frame.correction = &histories_->continuation_corrections.after(piece, move.to());
    evaluator_.push(before, move);
}

template <evaluators::LeafEvaluator Evaluator>
void Worker<Evaluator>::push_null(Frame& frame) {
    frame.move = Move::none();
    frame.continuation = &histories_->continuations.after_none();
    frame.correction = &histories_->continuation_corrections.after(chess::NoPiece, chess::A1);
    evaluator_.push_null(line_.current());
    line_.push_null();
    table_.prefetch(line_.current().key());
}

template <evaluators::LeafEvaluator Evaluator>
void Worker<Evaluator>::pop() {
    line_.pop();
    evaluator_.pop();
}

template <evaluators::LeafEvaluator Evaluator>
OrderingHints Worker<Evaluator>::hints_for(const Frame& frame, Move table_move, int ply) const {
    OrderingHints hints;
    hints.table_move = table_move;
    hints.killers = frame.killers;
    hints.histories = histories_.get();
    hints.continuations[0] = frame_at(ply - 1).continuation;
    hints.pawns = &histories_->pawns.at(pawn_hash(line_.current()));
    hints.continuations[1] = frame_at(ply - 2).continuation;
    hints.continuations[2] = frame_at(ply - 4).continuation;
    hints.continuations[3] = frame_at(ply - 6).continuation;
    return hints;
}

template <evaluators::LeafEvaluator Evaluator>
void Worker<Evaluator>::store(std::uint64_t key, const Frame& frame, Move move, Score score, int depth,
                              Bound bound, int ply) {
    TableEntry entry;
    entry.move = move;
    entry.score = score.to_table(ply);
    if (!frame.in_check) entry.evaluation = frame.raw_evaluation;
    entry.draft = static_cast<std::int16_t>(depth);
    entry.bound = bound;
    entry.was_principal = frame.was_principal;
    table_.store(key, entry);
}

}  // namespace scholar::search
