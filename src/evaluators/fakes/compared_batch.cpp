#include "evaluators/fakes/compared_batch.hpp"

#include <algorithm>
#include <cmath>

#include "chess/fen.hpp"
#include "chess/uci_move.hpp"

namespace scholar::evaluators {

std::size_t ComparedBatch::capacity() const {
    return std::min(first_->capacity(), second_->capacity());
}

void ComparedBatch::submit(const chess::Line& line, const chess::MoveList& moves) {
    asked_.push_back({chess::to_fen(line.current()), moves});
    first_->submit(line, moves);
    second_->submit(line, moves);
}

base::Status ComparedBatch::compare(const Asked& asked, const Opinion& first, const Opinion& second) const {
    const auto a = first.expected();
    const auto b = second.expected();
    if (a.has_value() != b.has_value())
        return base::fail("{}: only one of both says what to expect", asked.fen);
    if (a && std::abs(*a - *b) > tolerance_)
        return base::fail(
            "{}: an expected result of {:.4f} and of {:.4f}, expected a difference of {} at most", asked.fen,
            *a, *b, tolerance_);
    if (first.probabilities.size() != second.probabilities.size())
        return base::fail("{}: only one of both has probabilities", asked.fen);
    for (std::size_t i = 0; i < first.probabilities.size(); ++i)
        if (std::abs(first.probabilities[i] - second.probabilities[i]) > tolerance_)
            return base::fail(
                "{}: {} has a probability of {:.4f} and of {:.4f}, expected a difference of {} at most",
                asked.fen, chess::to_uci(asked.moves[static_cast<int>(i)], chess::CastlingNotation::Chess960),
                first.probabilities[i], second.probabilities[i], tolerance_);
    return {};
}

base::Status ComparedBatch::collect(std::vector<Opinion>& opinions) {
    const std::vector<Asked> asked = std::exchange(asked_, {});
    base::Status status = first_->collect(opinions);
    const base::Status other = second_->collect(others_);
    if (status) status = other;
    for (std::size_t i = 0; status && i < asked.size(); ++i)
        status = compare(asked[i], opinions[i], others_[i]);
    if (!status) opinions.clear();
    return status;
}

}  // namespace scholar::evaluators
