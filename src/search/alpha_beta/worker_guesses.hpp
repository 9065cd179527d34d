#pragma once

// Guesses at a whole node, which need no move, or a pass, or one capture.

#include "search/alpha_beta/worker.hpp"

namespace scholar::search {

namespace detail {

constexpr int kReverseFutilityDepth = 12;
constexpr int kNullMoveDepth = 3;
constexpr int kNullMoveVerificationDepth = 14;
constexpr int kProbcutDepth = 5;
constexpr int kProbcutReduction = 4;

}  // namespace detail

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
std::optional<chess::Score> Worker<Evaluator>::try_null_move(Score estimate, Effort effort, Score beta,
                                                             int ply, bool cut_node) {
    const int depth = effort.half_moves();
    const Position& position = line_.current();
    Frame& frame = frame_at(ply);
    const Tunables& t = tunables();
    if (depth < detail::kNullMoveDepth || estimate < beta || beta.is_decisive() ||
        ply < null_move_from_ply_ || !position.has_pieces(position.side_to_move()) ||
        (ply > 0 && !frame_at(ply - 1).move))
        return std::nullopt;
    if (frame.evaluation < beta - t.null_move_margin * depth + t.null_move_base) return std::nullopt;

    const int surplus = std::min(4, (estimate.value() - beta.value()) / t.null_move_surplus);
    const int reduction = 4 + depth / 3 + surplus;
    const Effort rest = effort - Effort::of_half_moves(reduction);
    push_null(frame);
    const Score score = -search<OtherNode>(rest, -beta, -(beta - 1), ply + 1, !cut_node);
    pop();
    if (aborted_) return Score::draw();
    if (score < beta) return std::nullopt;
    const Score safe = score.is_decisive() ? beta : score;  // a mate after a pass is no proved mate
    if (null_move_from_ply_ != 0 || depth < detail::kNullMoveVerificationDepth) return safe;
    null_move_from_ply_ = ply + 3 * (depth - reduction) / 4;
    const Score verified = search<OtherNode>(rest, beta - 1, beta, ply, false);
    null_move_from_ply_ = 0;
    if (aborted_) return Score::draw();
    if (verified >= beta) return safe;
    return std::nullopt;
}

// If a capture is so good that a shallow search stays well above beta, so will a full one (M. Buro 1995).
template <evaluators::LeafEvaluator Evaluator>
std::optional<chess::Score> Worker<Evaluator>::try_probcut(const std::optional<TableEntry>& entry,
                                                           Effort effort, Score beta, int ply, bool cut_node,
                                                           bool improving) {
    if (effort < Effort::of_half_moves(detail::kProbcutDepth) || beta.is_decisive()) return std::nullopt;
    const Position& position = line_.current();
    Frame& frame = frame_at(ply);
    const Score raised = beta + tunables().probcut_margin - (improving ? tunables().probcut_improving : 0);
    const Effort shallow = effort - Effort::of_half_moves(detail::kProbcutReduction);
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
        if (score >= raised && shallow > Effort() && !aborted_)
            score = -search<OtherNode>(shallow, -raised, -(raised - 1), ply + 1, !cut_node);
        pop();
        if (aborted_) return Score::draw();
        if (score >= raised) {
            store(position.key(), frame, pick.move, score, shallow + Effort::of_half_moves(1), Bound::Lower,
                  ply);
            return score.is_decisive() ? score : score - (raised.value() - beta.value());
        }
    }
    return std::nullopt;
}

}  // namespace scholar::search
