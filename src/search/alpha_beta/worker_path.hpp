#pragma once

// The path from the root to a node: what goes with each move that is made and unmade, and what a node knows
// and leaves behind.

#include "search/alpha_beta/structure_hash.hpp"
#include "search/alpha_beta/worker.hpp"

namespace scholar::search {

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
    if (policy_) policy_->push(before, move);
}

template <evaluators::LeafEvaluator Evaluator>
void Worker<Evaluator>::push_null(Frame& frame) {
    frame.move = Move::none();
    frame.continuation = &histories_->continuations.after_none();
    frame.correction = &histories_->continuation_corrections.after(chess::NoPiece, chess::A1);
    evaluator_.push_null(line_.current());
    if (policy_) policy_->push_null(line_.current());
    line_.push_null();
    table_.prefetch(line_.current().key());
}

template <evaluators::LeafEvaluator Evaluator>
void Worker<Evaluator>::pop() {
    line_.pop();
    evaluator_.pop();
    if (policy_) policy_->pop();
}

template <evaluators::LeafEvaluator Evaluator>
const MovePriors* Worker<Evaluator>::ask_policy(Effort effort, int ply) {
    if (!policy_ || effort < policy_effort_) return nullptr;
    const Position& position = line_.current();
    if (!chess::has_legal_move(position)) return nullptr;
    MovePriors& priors = priors_[static_cast<std::size_t>(ply)];
    priors.ask(*policy_, position);
    return &priors;
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
void Worker<Evaluator>::store(std::uint64_t key, const Frame& frame, Move move, Score score, Effort effort,
                              Bound bound, int ply) {
    TableEntry entry;
    entry.move = move;
    entry.score = score.to_table(ply);
    if (!frame.in_check) entry.evaluation = frame.raw_evaluation;
    entry.draft = effort;
    entry.bound = bound;
    entry.was_principal = frame.was_principal;
    table_.store(key, entry);
}

}  // namespace scholar::search
