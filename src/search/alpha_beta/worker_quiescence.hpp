#pragma once

// Below depth 0: captures and promotions until the position is quiet enough for a static evaluation.

#include "search/alpha_beta/worker.hpp"

namespace scholar::search {

// `depth` is 0 where the main search ends and falls from there: checks are looked at in the first half-move
// only.
template <evaluators::LeafEvaluator Evaluator>
template <class Node>
chess::Score Worker<Evaluator>::quiescence(Score alpha, Score beta, int ply, int depth) {
    const Position& position = line_.current();
    Frame& frame = frame_at(ply);
    frame.variation.clear();
    if (!visit(ply)) return Score::draw();
    if (is_draw()) return Score::draw();
    frame.in_check = position.in_check();
    if (ply >= chess::kMaxPly) return frame.in_check ? Score::draw() : evaluator_.value(position);

    const auto entry = table_.probe(position.key());
    frame.was_principal = entry && entry->was_principal;
    if constexpr (!Node::is_principal)
        if (const auto score = score_from_table(entry, Effort(), alpha, beta, ply)) return *score;

    // Standing pat: who is to move may also leave all captures alone.
    Score best = -Score::infinite();
    const Score original_alpha = alpha;
    Score futility_base = -Score::infinite();
    if (!frame.in_check) {
        frame.raw_evaluation = entry && entry->evaluation ? *entry->evaluation : evaluator_.value(position);
        frame.evaluation = corrected(frame.raw_evaluation, position, ply);
        best = frame.evaluation;
        if (entry && !options_.exact_leaves) {
            const Score score = entry->score.from_table(ply);
            if (!score.is_decisive() &&
                ((entry->bound == Bound::Lower && score > best) ||
                 (entry->bound == Bound::Upper && score < best) || entry->bound == Bound::Exact))
                best = score;
        }
        if (best >= beta) {
            if (!entry)
                store(position.key(), frame, Move::none(), best, Effort::of_half_moves(-1), Bound::Lower,
                      ply);
            return best;
        }
        alpha = std::max(alpha, best);
        futility_base = frame.evaluation + tunables().quiescence_margin;
    }

    using Which = MovePicker::Which;
    const Which which = frame.in_check ? Which::All : depth == 0 ? Which::NoisyAndChecks : Which::Noisy;
    MovePicker picker(position, which, hints_for(frame, entry ? entry->move : Move::none(), ply),
                      evaluator_.piece_values());
    MovePicker::Pick pick;
    std::optional<chess::CheckSquares> check_squares;
    Move best_move;
    int number = 0;
    int quiets = 0;
    while (picker.next(pick)) {
        ++number;
        table_.prefetch(position.nearly_key_after(pick.move));
        const bool quiet = !position.is_noisy(pick.move);
        if (!best.is_loss() && best > -Score::infinite()) {
            if (frame.in_check) {
                // One quiet way out of check has been tried: the others will hardly be better.
                if (quiet && quiets >= 1) continue;
            } else if (!quiet && !pick.move.is_promotion()) {
                if (!check_squares) check_squares = chess::find_check_squares(position);
                if (!chess::gives_check(position, *check_squares, pick.move)) {
                    // Even with what it takes, too little.
                    const chess::PieceKind victim = position.captured_kind(pick.move);
                    const Score hoped = futility_base + evaluator_.piece_values()[victim];
                    if (hoped <= alpha) {
                        best = std::max(best, hoped);
                        continue;
                    }
                    if (futility_base <= alpha &&
                        !chess::exchange_wins(position, pick.move, 1, evaluator_.piece_values())) {
                        best = std::max(best, futility_base);
                        continue;
                    }
                }
            }
        }
        quiets += quiet;
        push(pick.move, frame);
        const Score score = -quiescence<Node>(-beta, -alpha, ply + 1, depth - 1);
        pop();
        if (aborted_) return Score::draw();
        if (score <= best) continue;
        best = score;
        if (Node::keeps_best || (Node::is_principal && score > alpha))
            frame.variation.set(pick.move, frame_at(ply + 1).variation);
        if (score <= alpha) continue;
        best_move = pick.move;
        alpha = score;
        if (alpha >= beta) break;
    }
    if (frame.in_check && number == 0) return Score::mated_in(ply);

    const Bound bound = best >= beta                                  ? Bound::Lower
                        : best > original_alpha && Node::is_principal ? Bound::Exact
                                                                      : Bound::Upper;
    store(position.key(), frame, best_move, best, Effort(), bound, ply);
    return best;
}

}  // namespace scholar::search
