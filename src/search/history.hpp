#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

#include "chess/position.hpp"

namespace scholar::search {

// How well quiet moves have done in this search, to try the good ones first. Each success pulls the number
// towards kMax and each failure towards −kMax, the less the nearer it is already, so old lessons fade.
class HistoryScore {
  public:
    static constexpr int kMax = 16'384;

    int value() const { return value_; }
    void add(int bonus) {
        const int clamped = std::clamp(bonus, -kMax, kMax);
        value_ = static_cast<std::int16_t>(value_ + clamped - value_ * std::abs(clamped) / kMax);
    }
    void age() { value_ = static_cast<std::int16_t>(value_ / 2); }

  private:
    std::int16_t value_ = 0;
};

// Quiet moves by who moves, from where, to where.
class ButterflyHistory {
  public:
    const HistoryScore& at(chess::Color color, chess::Move move) const {
        return table_[color][move.from()][move.to()];
    }
    HistoryScore& at(chess::Color color, chess::Move move) { return table_[color][move.from()][move.to()]; }
    void clear() { table_ = {}; }
    void age() {
        for (auto& by_from : table_)
            for (auto& by_to : by_from)
                for (auto& score : by_to) score.age();
    }

  private:
    std::array<std::array<std::array<HistoryScore, 64>, 64>, 2> table_{};
};

// Quiet moves (piece, to) by the move that they answer (piece, to).
class ReplyHistory {
  public:
    // The replies to one move.
    using Replies = std::array<std::array<HistoryScore, 64>, 16>;

    Replies& after(chess::Piece piece, chess::Square to) { return table_[piece][to]; }
    void clear() { table_ = {}; }

  private:
    std::array<std::array<Replies, 64>, 16> table_{};
};

}  // namespace scholar::search
