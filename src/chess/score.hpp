#pragma once

#include <cassert>
#include <cmath>
#include <compare>
#include <cstdint>

#include "chess/types.hpp"

namespace scholar::chess {

// The longest line a search follows, in half-moves.
constexpr int kMaxPly = 240;

// How good a position is for the side to move. One unit for every evaluator: score = 400 · logit(expected
// result), rounded, so that 0 is even and margins mean the same under any network. Mates, and below them wins
// by endgame tables, lie beyond every evaluation and carry their distance. Turning the board is unary minus,
// and happens nowhere else.
class Score {
  public:
    static constexpr int kScale = 400;
    static constexpr int kMateValue = 32'000;
    static constexpr int kMateBound = kMateValue - kMaxPly - 1;  // beyond it: a mate
    static constexpr int kTablebaseValue = 31'500;
    static constexpr int kDecisiveBound = kTablebaseValue - kMaxPly - 1;  // beyond it: proved won or lost
    static constexpr int kEvaluationBound = 30'000;

    constexpr Score() = default;
    constexpr explicit Score(int value) : value_(value) {}

    static constexpr Score draw() { return Score(0); }
    static constexpr Score infinite() { return Score(kMateValue + 1); }
    // The side to move mates in `plies` half-moves, or is mated in so many (0: it is mated on the board).
    static constexpr Score mate_in(int plies) { return Score(kMateValue - plies); }
    static constexpr Score mated_in(int plies) { return Score(plies - kMateValue); }
    // The side to move reaches, in `plies` half-moves, a position that an endgame table says is won (or
    // lost).
    static constexpr Score tablebase_win(int plies) { return Score(kTablebaseValue - plies); }
    static constexpr Score tablebase_loss(int plies) { return Score(plies - kTablebaseValue); }

    // Of an expected result in (0, 1): 1 is a win.
    static Score from_expected(double expected) {
        const double value = kScale * std::log(expected / (1 - expected));
        return Score(
            static_cast<int>(std::lround(std::fmin(std::fmax(value, -kEvaluationBound), kEvaluationBound))));
    }
    // 0 to 1; certain for a mate.
    double expected() const {
        if (is_mate()) return value_ > 0 ? 1.0 : 0.0;
        return 1 / (1 + std::exp(-static_cast<double>(value_) / kScale));
    }

    constexpr int value() const { return value_; }
    constexpr bool is_mate() const { return value_ > kMateBound || value_ < -kMateBound; }
    // A mate, or won or lost by an endgame table: no evaluation.
    constexpr bool is_decisive() const { return value_ > kDecisiveBound || value_ < -kDecisiveBound; }
    constexpr bool is_win() const { return value_ > kDecisiveBound; }
    constexpr bool is_loss() const { return value_ < -kDecisiveBound; }
    // Half-moves to mate, negative when the side to move is the one mated. Only of a mate.
    constexpr int plies_to_mate() const { return value_ > 0 ? kMateValue - value_ : -(kMateValue + value_); }
    // The same in moves of the side that mates; 0: mated on the board.
    constexpr int moves_to_mate() const {
        const int plies = plies_to_mate();
        return (plies > 0 ? plies + 1 : plies - 1) / 2;
    }

    // The distance of a mate or an endgame table counts from the root in the search and from the position
    // itself in a table.
    constexpr Score to_table(int ply) const {
        if (is_win()) return Score(value_ + ply);
        if (is_loss()) return Score(value_ - ply);
        return *this;
    }
    constexpr Score from_table(int ply) const {
        if (is_win()) return Score(value_ - ply);
        if (is_loss()) return Score(value_ + ply);
        return *this;
    }

    constexpr Score operator-() const { return Score(-value_); }
    friend constexpr Score operator+(Score score, int margin) { return Score(score.value_ + margin); }
    friend constexpr Score operator-(Score score, int margin) { return Score(score.value_ - margin); }
    friend constexpr auto operator<=>(Score, Score) = default;

  private:
    int value_ = 0;
};

// A score that says whose it is.
class PovScore {
  public:
    constexpr PovScore(Score score, Color viewpoint) : score_(score), viewpoint_(viewpoint) {}
    constexpr Score from(Color color) const { return color == viewpoint_ ? score_ : -score_; }
    constexpr Score white() const { return from(White); }

  private:
    Score score_;
    Color viewpoint_;
};

// How likely each result is, from the side to move's view; sums to 1.
struct Wdl {
    double win = 0;
    double draw = 0;
    double loss = 0;
    constexpr double expected() const { return win + draw / 2; }
    constexpr Wdl operator-() const { return {loss, draw, win}; }
};

}  // namespace scholar::chess
