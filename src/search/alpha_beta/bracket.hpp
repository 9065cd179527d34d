#pragma once

#include <algorithm>

#include "chess/score.hpp"

namespace scholar::search {

// What is known of a root's score while MTD(f) closes in on it, and what to ask next (A. Plaat, J. Schaeffer,
// W. Pijls and A. de Bruin, "Best-first fixed-depth minimax algorithms", Artificial Intelligence 87 (1996)).
// Each test is a search with the null window (test − 1, test). Its fail-soft score is a lower bound where it
// comes out high, that is, not below the test, and an upper bound where it comes out low.
//
// The paper tests right beside the last bound. Two things are done otherwise, because a Score unit is a small
// part of a pawn and there may be many between the first guess and the truth. A test is set so far from the
// last bound that it ends the search if it comes out the other way. And where several come out the same way,
// each goes further than the one before, until the score lies between two bounds; from then on no further
// than to their middle.
class Bracket {
  public:
    using Score = chess::Score;

    // Around a first guess, until the score is known to `convergence` ≥ 0 units; mates and wins by endgame
    // tables always exactly. `stride` ≥ 0: by how much the second test in a row that comes out the same way
    // goes too far, the third by three times that, the fourth by seven times…
    Bracket(Score guess, int convergence, int stride)
        : convergence_(convergence),
          stride_(stride),
          // Where one more test is enough if the guess is right.
          test_(std::clamp(guess.is_decisive() ? guess : guess - convergence / 2, -Score::infinite() + 1,
                           Score::infinite())) {}

    Score lower() const { return lower_; }
    Score upper() const { return upper_; }
    // Then the lower bound has been proved by a test; where a search contradicts itself, the bounds may
    // cross.
    bool converged() const {
        const bool decisive = lower_.is_decisive() || upper_.is_decisive();
        return upper_.value() - lower_.value() <= (decisive ? 0 : convergence_);
    }

    // Of the next test: above the lower bound, not above the upper one.
    Score test() const { return test_; }
    // Whether it will rather come out high: the one before did not, and this one asks for less.
    bool expects_high() const { return in_a_row_ > 0 && !was_high_; }
    // What the test's search returned.
    void take(Score score) {
        const bool high = score >= test_;
        in_a_row_ = high == was_high_ ? in_a_row_ + 1 : 1;
        was_high_ = high;
        (high ? lower_ : upper_) = score;
        const int reach = score.is_decisive() ? 0 : convergence_ + too_far();
        int next = high ? score.value() + 1 + reach : score.value() - reach;
        if (!lower_.is_decisive() && !upper_.is_decisive()) {
            const int middle = lower_.value() + (upper_.value() - lower_.value() + 1) / 2;
            next = high ? std::min(next, middle) : std::max(next, middle);
        }
        const int least = lower_.value() + 1;
        test_ = Score(std::clamp(next, least, std::max(least, upper_.value())));
    }

  private:
    int too_far() const {
        constexpr int kMostDoublings = 10;
        return stride_ * ((1 << std::min(in_a_row_ - 1, kMostDoublings)) - 1);
    }

    int convergence_;
    int stride_;
    Score lower_ = -Score::infinite();
    Score upper_ = Score::infinite();
    Score test_;
    bool was_high_ = false;
    int in_a_row_ = 0;  // tests that came out as the last one did
};

}  // namespace scholar::search
