#include "search/move_picker.hpp"

#include <utility>

#include "chess/exchange.hpp"

namespace scholar::search {

using namespace chess;

MovePicker::MovePicker(const Position& position, MoveSet which, const OrderingHints& hints,
                       const nets::PieceValues& values)
    : position_(position), values_(values) {
    for (const Move move : legal_moves(position, which)) candidates_[size_++] = rate(move, hints);
}

MovePicker::Candidate MovePicker::rate(Move move, const OrderingHints& hints) const {
    Candidate candidate{move, Rank::Quiet, true, 0};
    if (position_.is_noisy(move)) {
        // Most valuable victim, then least valuable attacker. Whether it wins is asked when its turn comes.
        const PieceKind victim = position_.captured_kind(move);
        const int gain = (victim == NoKind ? 0 : values_[victim]) +
                         (move.is_promotion() ? values_[move.promotion_kind()] - values_[Pawn] : 0);
        candidate.rank = Rank::WinningCapture;
        candidate.exchange_checked = false;
        candidate.order = gain * 16 - values_[kind_of(position_.piece_on(move.from()))];
    } else {
        candidate.order = hints.butterfly ? hints.butterfly->at(position_.side_to_move(), move).value() : 0;
        if (hints.replies)
            candidate.order += (*hints.replies)[position_.piece_on(move.from())][move.to()].value();
        if (move == hints.killers[0] || move == hints.killers[1]) candidate.rank = Rank::Killer;
    }
    if (move == hints.table_move) {
        candidate.rank = Rank::TableMove;
        candidate.exchange_checked = true;
    }
    return candidate;
}

bool MovePicker::next(Pick& out) {
    while (given_ < size_) {
        int best = given_;
        for (int i = given_ + 1; i < size_; ++i)
            if (std::pair(candidates_[i].rank, candidates_[i].order) >
                std::pair(candidates_[best].rank, candidates_[best].order))
                best = i;
        std::swap(candidates_[given_], candidates_[best]);
        Candidate& candidate = candidates_[given_];
        if (!candidate.exchange_checked) {
            candidate.exchange_checked = true;
            if (!exchange_wins(position_, candidate.move, 0, values_)) {
                candidate.rank = Rank::LosingCapture;
                continue;
            }
        }
        ++given_;
        out = {candidate.move, candidate.rank, candidate.order};
        return true;
    }
    return false;
}

}  // namespace scholar::search
