#include "search/alpha_beta/move_picker.hpp"

#include <utility>

#include "chess/exchange.hpp"
#include "chess/legality.hpp"

namespace scholar::search {

using namespace chess;

namespace {

// How much the value of what a capture takes counts beside its history.
constexpr int kVictimWeight = 7;
// A capture whose history is good may lose a little: one point for so much history.
constexpr int kHistoryForAPoint = 32;

}  // namespace

MovePicker::MovePicker(const Position& position, Which which, const OrderingHints& hints,
                       const nets::PieceValues& values)
    : position_(position), values_(values), hints_(hints), which_(which) {}

inline MovePicker::Rating MovePicker::rate_noisy(Move move) const {
    const PieceKind victim = position_.captured_kind(move);
    const int gain = (victim == NoKind ? 0 : values_[victim]) +
                     (move.is_promotion() ? values_[move.promotion_kind()] - values_[Pawn] : 0);
    const int history = hints_.histories ? hints_.histories->captures.at(position_, move).value() : 0;
    // Least valuable attacker among equals.
    int order = gain * kVictimWeight + history - values_[kind_of(position_.piece_on(move.from()))] / 8;
    if (hints_.priors) order += hints_.priors->order(move);
    return {order, history};
}

inline MovePicker::Rating MovePicker::rate_quiet(Move move) const {
    const int prior = hints_.priors ? hints_.priors->order(move) : 0;
    if (!hints_.histories) return {prior, 0};
    const Piece piece = position_.piece_on(move.from());
    int history = 2 * hints_.histories->butterfly.at(position_.side_to_move(), move).value();
    if (hints_.pawns) history += hints_.pawns->at(piece, move.to()).value();
    constexpr std::array<int, 4> weights{2, 2, 1, 1};  // halves
    int followed = 0;
    for (std::size_t i = 0; i < weights.size(); ++i)
        if (hints_.continuations[i])
            followed += weights[i] * hints_.continuations[i]->at(piece, move.to()).value();
    history += followed / 2;
    return {history + prior, history};
}

// Field by field: a whole candidate made elsewhere and copied would wait until its halves are written.
inline void MovePicker::add(Move move, Rating rating) {
    Candidate& candidate = candidates_[size_++];
    candidate.rating = rating;
    candidate.bits = move.bits();
}

void MovePicker::add_noisy() {
    for (const Move move : legal_moves(position_, MoveSet::Noisy))
        if (move != hints_.table_move) add(move, rate_noisy(move));
}

void MovePicker::add_quiets() {
    for (const Move move : legal_moves(position_, MoveSet::Quiet))
        if (move != hints_.table_move && !is_killer(move)) add(move, rate_quiet(move));
}

MovePicker::Candidate MovePicker::take_best() {
    int best = given_;
    for (int i = given_ + 1; i < size_; ++i)
        if (candidates_[i].rating.order > candidates_[best].rating.order) best = i;
    std::swap(candidates_[given_], candidates_[best]);
    return candidates_[given_++];
}

bool MovePicker::next(Pick& out) {
    switch (stage_) {
        case Stage::TableMove:
            stage_ = Stage::GenerateNoisy;
            if (hints_.table_move && is_legal(position_, hints_.table_move) &&
                (which_ != Which::Noisy || position_.is_noisy(hints_.table_move))) {
                const bool noisy = position_.is_noisy(hints_.table_move);
                out = {hints_.table_move, Rank::TableMove,
                       (noisy ? rate_noisy(hints_.table_move) : rate_quiet(hints_.table_move)).history};
                return true;
            }
            [[fallthrough]];
        case Stage::GenerateNoisy:
            add_noisy();
            stage_ = Stage::WinningCaptures;
            [[fallthrough]];
        case Stage::WinningCaptures:
            while (given_ < size_) {
                const Candidate candidate = take_best();
                const int threshold =
                    which_ == Which::All ? std::min(0, -candidate.rating.history / kHistoryForAPoint) : 0;
                if (exchange_wins(position_, candidate.move(), threshold, values_)) {
                    out = {candidate.move(), Rank::WinningCapture, candidate.rating.history};
                    return true;
                }
                candidates_[losing_++] = candidate;  // a place already given out
            }
            if (which_ == Which::Noisy) {
                stage_ = Stage::Done;
                return false;
            }
            if (which_ == Which::NoisyAndChecks) {
                stage_ = Stage::GenerateChecks;
                return next(out);
            }
            stage_ = Stage::Killers;
            [[fallthrough]];
        case Stage::Killers:
            while (!skip_quiets_ && killer_ < 2) {
                const Move killer = hints_.killers[killer_++];
                if (!killer || killer == hints_.table_move || position_.is_noisy(killer) ||
                    !is_legal(position_, killer))
                    continue;
                out = {killer, Rank::Killer, rate_quiet(killer).history};
                return true;
            }
            stage_ = Stage::GenerateQuiets;
            [[fallthrough]];
        case Stage::GenerateQuiets:
            if (!skip_quiets_) add_quiets();
            stage_ = Stage::Quiets;
            [[fallthrough]];
        case Stage::Quiets:
            if (!skip_quiets_ && given_ < size_) {
                const Candidate candidate = take_best();
                out = {candidate.move(), Rank::Quiet, candidate.rating.history};
                return true;
            }
            stage_ = Stage::LosingCaptures;
            [[fallthrough]];
        case Stage::LosingCaptures:
            if (losing_given_ < losing_) {
                const Candidate& candidate = candidates_[losing_given_++];
                out = {candidate.move(), Rank::LosingCapture, candidate.rating.history};
                return true;
            }
            stage_ = Stage::Done;
            return false;
        case Stage::GenerateChecks:
            for (const Move move : legal_moves(position_, MoveSet::QuietChecks))
                if (move != hints_.table_move) add(move, rate_quiet(move));
            stage_ = Stage::Checks;
            [[fallthrough]];
        case Stage::Checks:
            while (given_ < size_) {
                const Candidate candidate = take_best();
                if (!exchange_wins(position_, candidate.move(), 0, values_)) continue;
                out = {candidate.move(), Rank::Quiet, candidate.rating.history};
                return true;
            }
            stage_ = Stage::Done;
            [[fallthrough]];
        case Stage::Done:
            return false;
    }
    return false;
}

}  // namespace scholar::search
