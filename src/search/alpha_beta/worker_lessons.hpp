#pragma once

// What Worker learns on its way through the tree: which moves are good, and by how much evaluations are off.

#include "search/alpha_beta/structure_hash.hpp"
#include "search/alpha_beta/worker.hpp"

namespace scholar::search {

namespace detail {

// Corrections are kept to one part in this many of a Score unit (times 100 for the weights).
constexpr int kCorrectionGrain = 2000;
// Past moves whose continuations are taught, and the share (of 1024) each gets.
constexpr std::array<std::pair<int, int>, 4> kTaught{{{1, 1024}, {2, 1024}, {4, 768}, {6, 512}}};

}  // namespace detail

template <evaluators::LeafEvaluator Evaluator>
void Worker<Evaluator>::learn_from_best(Move best, const chess::MoveList& quiets,
                                        const chess::MoveList& noisy, int depth, int ply) {
    const Position& position = line_.current();
    const Tunables& t = tunables();
    const int bonus = std::min(t.bonus_slope * depth + t.bonus_base, t.bonus_max);
    const int malus = std::min(t.malus_slope * depth + t.malus_base, t.malus_max);
    if (position.is_noisy(best)) {
        histories_->captures.at(position, best).add(bonus);
    } else {
        Frame& frame = frame_at(ply);
        if (frame.killers[0] != best) frame.killers = {best, frame.killers[0]};
        teach_quiet(best, bonus, ply);
        for (const Move other : quiets) teach_quiet(other, -malus, ply);
    }
    for (const Move other : noisy) histories_->captures.at(position, other).add(-malus);
}

template <evaluators::LeafEvaluator Evaluator>
void Worker<Evaluator>::teach_quiet(Move move, int bonus, int ply) {
    const Position& position = line_.current();
    const chess::Piece piece = position.piece_on(move.from());
    histories_->butterfly.at(position.side_to_move(), move).add(bonus);
    histories_->pawns.at(pawn_hash(position)).at(piece, move.to()).add(bonus);
    teach_continuations(piece, move.to(), bonus, ply);
}

template <evaluators::LeafEvaluator Evaluator>
void Worker<Evaluator>::teach_continuations(chess::Piece piece, chess::Square to, int bonus, int ply) {
    for (const auto& [back, share] : detail::kTaught) {
        Frame& past = frame_at(ply - back);
        if (past.move) past.continuation->at(piece, to).add(bonus * share / 1024);
    }
}

template <evaluators::LeafEvaluator Evaluator>
chess::Score Worker<Evaluator>::corrected(Score raw, const Position& position, int ply) const {
    if (options_.exact_leaves) return raw;
    const chess::Color side = position.side_to_move();
    const Tunables& t = tunables();
    const Histories& h = *histories_;
    int sum = t.correction_weight_pawn * h.pawn_corrections.at(side, pawn_hash(position)).value();
    sum += t.correction_weight_minor * h.minor_corrections.at(side, minor_hash(position)).value();
    for (const chess::Color color : chess::kColors)
        sum += t.correction_weight_piece *
               h.piece_corrections[color].at(side, piece_hash(position, color)).value();
    if (const Move last = frame_at(ply - 1).move)
        sum += t.correction_weight_continuation *
               (*frame_at(ply - 2).correction)[position.piece_on(last.to())][last.to()].value();
    return Score(std::clamp(raw.value() + sum / detail::kCorrectionGrain, -Score::kEvaluationBound,
                            Score::kEvaluationBound));
}

template <evaluators::LeafEvaluator Evaluator>
void Worker<Evaluator>::learn_correction(const Frame& frame, Score score, int depth, int ply) {
    if (options_.exact_leaves) return;
    const Position& position = line_.current();
    const chess::Color side = position.side_to_move();
    constexpr int kMost = CorrectionHistory::kLimit / 4;
    const int bonus = std::clamp((score.value() - frame.evaluation.value()) * depth / 8, -kMost, kMost);
    Histories& h = *histories_;
    h.pawn_corrections.at(side, pawn_hash(position)).add(bonus);
    h.minor_corrections.at(side, minor_hash(position)).add(bonus);
    for (const chess::Color color : chess::kColors)
        h.piece_corrections[color].at(side, piece_hash(position, color)).add(bonus);
    if (const Move last = frame_at(ply - 1).move)
        (*frame_at(ply - 2).correction)[position.piece_on(last.to())][last.to()].add(bonus);
}

}  // namespace scholar::search
