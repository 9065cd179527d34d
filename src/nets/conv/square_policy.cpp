#include "nets/conv/square_policy.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "chess/position.hpp"

namespace scholar::nets {

namespace {

// A softmax over places that are named one by one, some of them more than once.
class NamedSoftmax {
  public:
    explicit NamedSoftmax(const SquareLogits& logits) : logits_(logits) { known_.reserve(chess::kMaxMoves); }

    void name(int place) {
        if (std::ranges::find(known_, place, &Known::place) != known_.end()) return;
        known_.push_back({place, logits_(place)});
        most_ = std::max(most_, known_.back().logit);
    }
    void finish() {
        float sum = 0;
        for (Known& known : known_) sum += known.logit = std::exp(known.logit - most_);
        for (Known& known : known_) known.logit /= sum;
    }
    float of(int place) const { return std::ranges::find(known_, place, &Known::place)->logit; }

  private:
    struct Known {
        int place;
        float logit;  // after finish() its probability
    };
    const SquareLogits& logits_;
    std::vector<Known> known_;
    float most_ = -std::numeric_limits<float>::infinity();
};

// Of what a pawn becomes: a queen's logit is 0.
float promotion_probability(const SquareLogits& logits, const SquareMove& move) {
    if (move.promotion == 0) return 1;
    std::array<float, kUnderpromotions + 1> weights{};
    weights.back() = 1;
    float sum = 1;
    for (int kind = 0; kind < kUnderpromotions; ++kind) {
        float& weight = weights[static_cast<std::size_t>(kind)];
        weight = std::exp(std::min(logits(underpromotion_place(kind, move.to % 8)), 80.0F));
        sum += weight;
    }
    return weights[static_cast<std::size_t>(move.promotion - 1)] / sum;
}

}  // namespace

SquareMove square_move(chess::Move move, chess::Color side) {
    chess::Square to = move.to();
    if (move.is_castling()) {
        const chess::Square king =
            chess::castled_king(side, move.to() > move.from() ? chess::KingSide : chess::QueenSide);
        if (std::abs(chess::file_of(king) - chess::file_of(move.from())) > 1) to = king;
    }
    return {relative_square(side, move.from()), relative_square(side, to),
            move.is_promotion() ? move.promotion_kind() - chess::Knight + 1 : 0};
}

float source_target_logit(std::span<const float> source, std::span<const float> target,
                          const SquareMove& move) {
    const bool is_under = move.promotion > 0 && move.promotion <= kUnderpromotions;
    return source[static_cast<std::size_t>(move.from)] + target[static_cast<std::size_t>(move.to)] +
           (is_under ? kUnderpromotionLogit : 0);
}

std::vector<float> two_step_probabilities(const SquareLogits& logits, std::span<const SquareMove> moves) {
    NamedSoftmax from(logits);
    for (const SquareMove& move : moves) from.name(from_place(move.from));
    from.finish();
    std::vector<float> probabilities(moves.size());
    for (int square = 0; square < kSquaresFrom; ++square) {
        NamedSoftmax to(logits);
        bool moves_from_here = false;
        for (const SquareMove& move : moves)
            if (move.from == square) {
                to.name(to_place(move.from, move.to));
                moves_from_here = true;
            }
        if (!moves_from_here) continue;
        to.finish();
        for (std::size_t i = 0; i < moves.size(); ++i)
            if (moves[i].from == square)
                probabilities[i] = from.of(from_place(square)) * to.of(to_place(square, moves[i].to)) *
                                   promotion_probability(logits, moves[i]);
    }
    return probabilities;
}

}  // namespace scholar::nets
