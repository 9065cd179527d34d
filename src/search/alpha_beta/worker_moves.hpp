#pragma once

// The moves of a node, one by one.

#include <type_traits>

#include "chess/checks.hpp"
#include "search/alpha_beta/worker.hpp"
#include "search/alpha_beta/worker_guesses.hpp"
#include "search/mate_solver.hpp"

namespace scholar::search {

namespace detail {

constexpr int kSingularDepth = 6;
constexpr int kLateMoveDepth = 2;

}  // namespace detail

template <evaluators::LeafEvaluator Evaluator>
template <class Node>
chess::Score Worker<Evaluator>::search_moves(const std::optional<TableEntry>& entry, Effort effort,
                                             Score alpha, Score beta, int ply, bool cut_node, bool improving,
                                             Score best_so_far, Score most) {
    const int depth = effort.half_moves();
    const Position& position = line_.current();
    Frame& frame = frame_at(ply);
    const Score original_alpha = alpha;
    const Move table_move = entry ? entry->move : Move::none();
    const bool table_move_is_noisy = table_move && position.is_noisy(table_move);
    const bool may_prune = !Node::is_root && position.has_pieces(position.side_to_move());
    std::optional<chess::CheckSquares> check_squares;

    OrderingHints hints = hints_for(frame, table_move, ply);
    const MovePriors* priors = ask_policy(effort, ply);
    if (options_.cost.policy_orders()) hints.priors = priors;
    const int moves = is_by_probability() ? chess::count_legal_moves(position) : 0;
    MovePicker picker(position, MovePicker::Which::All, hints, evaluator_.piece_values());
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
        // Its entry comes from memory while it is decided whether and how to search it.
        table_.prefetch(position.nearly_key_after(pick.move));
        const std::uint64_t nodes_before = shared_->counters[number_].nodes.load(std::memory_order_relaxed);
        if (Node::is_root && reports() && shared_->elapsed() > std::chrono::seconds(3))
            observer_->on_root_move(root_depth_, pick.move, number + static_cast<int>(pv_index_), counters());

        const bool quiet = !position.is_noisy(pick.move);
        const int reduction = reduction_of(pick, cost_of(pick.move, priors, moves), quiet,
                                           table_move_is_noisy, depth, ply, cut_node, improving);

        // Step 11. Pass over moves of little promise.
        if (may_prune && !best.is_loss() && best > -Score::infinite()) {
            if (!check_squares) check_squares = chess::find_check_squares(position);
            const bool checks = chess::gives_check(position, *check_squares, pick.move);
            if (is_hopeless({pick, quiet, checks, depth, reduction, alpha, best, ply}, picker, improving))
                continue;
        }

        // Step 12. Look deeper where there is only one good move.
        Effort extension;
        if (!Node::is_root && ply < 2 * root_depth_ && pick.move == table_move && !frame.excluded) {
            const Extension found = ask_singular<Node>(*entry, pick.move, effort, beta, ply, cut_node);
            if (aborted_) return Score::draw();
            if (found.cut) return *found.cut;
            extension = Effort::of_half_moves(found.half_moves);
        }

        // Step 13. Make the move and search it.
        push(pick.move, frame);
        frame.number = number;  // the question about singularity has used the frame
        const Score score = search_child<Node>({pick, quiet, number, reduction},
                                               effort - Effort::of_half_moves(1) + extension, alpha, beta,
                                               best, ply, cut_node);
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
    if (options_.tap) options_.tap->on_node({line_, ply, effort, best, bound, best_move});
    // What some of the root's moves are worth says nothing of the position.
    if (Node::is_root && !root_is_whole()) return best;
    store(position.key(), frame, best_move, best, effort, bound, ply);
    const bool tells = !frame.in_check && (!best_move || !position.is_noisy(best_move)) &&
                       (bound != Bound::Lower || best > frame.evaluation) &&
                       (bound != Bound::Upper || best < frame.evaluation) && !best.is_decisive();
    if (tells) learn_correction(frame, best, depth, ply);
    return best;
}

// Null windows for all but the first move. Late moves, or under probability those that cost more than a
// half-move, are searched less deep at first, and again if they surprise (Y. Tsuruoka, D. Yokoyama and
// T. Chikayama, "Game-tree search algorithm based on realization probability", 2002).
template <evaluators::LeafEvaluator Evaluator>
template <class Node>
chess::Score Worker<Evaluator>::search_child(const Child& child, Effort effort, Score alpha, Score beta,
                                             Score best, int ply, bool cut_node) {
    // Whether a child that a null window finds better is searched once more, with the node's own window.
    constexpr bool kWidens = !std::is_same_v<typename Node::Child, typename Node::Rest>;
    constexpr Effort kOne = Effort::of_half_moves(1);
    const int depth = effort.half_moves();
    Frame& frame = frame_at(ply);
    const Tunables& t = tunables();
    bool may_reduce;
    Effort reduced;
    if (is_by_probability()) {
        reduced = effort - Effort::of_units(child.reduction * Effort::kHalfMove / 1024);
        may_reduce = reduced < effort && (!kWidens || child.number > 1);
        effort = std::max(effort, reduced);
    } else {
        reduced =
            std::clamp(effort - Effort::of_half_moves(child.reduction / 1024), kOne, std::max(kOne, effort));
        may_reduce = depth + 1 > detail::kLateMoveDepth &&
                     child.number > (Node::is_root        ? 3
                                     : Node::is_principal ? 2
                                                          : 1) &&
                     (child.quiet || child.pick.rank == MovePicker::Rank::LosingCapture || cut_node ||
                      !frame.was_principal);
    }
    Score score = alpha;
    if (may_reduce) {
        const bool child_cuts = child.number > 1 || !cut_node;
        score = -search<typename Node::Rest>(reduced, -(alpha + 1), -alpha, ply + 1, child_cuts);
        if (score > alpha && reduced < effort && !aborted_) {
            // Much better than what was there: a half-move more. Hardly better: one less.
            const int more = is_by_probability()
                                 ? 0
                                 : (score > best + t.deeper_margin + 2 * depth) - (score < best + depth);
            const Effort full = effort + Effort::of_half_moves(more);
            if (full > reduced)
                score = -search<typename Node::Rest>(full, -(alpha + 1), -alpha, ply + 1, !cut_node);
            effort = full;
            if (child.quiet && !aborted_) {
                const int bonus = std::min(t.bonus_slope * effort.half_moves() + t.bonus_base, t.bonus_max);
                const Position& before = line_.ago(1);
                teach_continuations(before.piece_on(child.pick.move.from()), child.pick.move.to(),
                                    score > alpha ? bonus : -bonus, ply);
            }
        }
    } else if (!kWidens || child.number > 1) {
        score = -search<typename Node::Rest>(effort, -(alpha + 1), -alpha, ply + 1, !cut_node);
    }
    if (aborted_) return Score::draw();
    if (kWidens && (child.number == 1 || score > alpha))
        score = -search<typename Node::Child>(effort, -beta, -alpha, ply + 1, false);
    return score;
}

template <evaluators::LeafEvaluator Evaluator>
bool Worker<Evaluator>::is_hopeless(const MoveContext& c, MovePicker& picker, bool improving) {
    const Position& position = line_.current();
    const Frame& frame = frame_at(c.ply);
    const Tunables& t = tunables();
    const int number = frame.number;
    // Late moves of a node that is nearly at its end.
    if (!is_by_probability() && number >= (3 + c.depth * c.depth) / (improving ? 1 : 2)) picker.skip_quiets();
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
auto Worker<Evaluator>::ask_singular(const TableEntry& entry, Move move, Effort effort, Score beta, int ply,
                                     bool cut_node) -> Extension {
    const int depth = effort.half_moves();
    const Score table_score = entry.score.from_table(ply);
    if (depth < detail::kSingularDepth || (entry.bound != Bound::Lower && entry.bound != Bound::Exact) ||
        table_score.is_decisive() || entry.draft < effort - Effort::of_half_moves(3))
        return {};
    Frame& frame = frame_at(ply);
    const Tunables& t = tunables();
    const bool formerly_principal = frame.was_principal && !Node::is_principal;
    const Score bound = table_score - (t.singular_margin * (formerly_principal ? 2 : 1)) * depth / 60;
    frame.excluded = move;
    const Score score =
        search<OtherNode>(Effort::of_half_moves((depth - 1) / 2), bound - 1, bound, ply, cut_node);
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
std::optional<Effort> Worker<Evaluator>::cost_of(Move move, const MovePriors* priors, int moves) const {
    if (priors != nullptr && options_.cost.policy_prices()) return costs_.of(priors->probability(move));
    if (is_by_probability()) return costs_.of_one_among(moves);
    return std::nullopt;
}

template <evaluators::LeafEvaluator Evaluator>
int Worker<Evaluator>::reduction_of(const MovePicker::Pick& pick, std::optional<Effort> cost, bool quiet,
                                    bool table_move_is_noisy, int depth, int ply, bool cut_node,
                                    bool improving) const {
    const int by_cost = cost ? (cost->units() - Effort::kHalfMove) * 1024 / Effort::kHalfMove : 0;
    if (is_by_probability()) return by_cost;
    const Frame& frame = frame_at(ply);
    const Tunables& t = tunables();
    int reduction = cost ? by_cost : reductions_.at(depth, frame.number);
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

}  // namespace scholar::search
