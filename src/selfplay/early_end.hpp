#pragma once

#include <optional>

#include "chess/score.hpp"
#include "chess/types.hpp"

// When a game of self-play ends before the rules end it. Scores are in Score units: 1/400 of the logit of the
// expected result.

namespace scholar::selfplay {

// Who is behind resigns when for so many moves of both sides, one after the other, all scores have said that
// one is ahead by `score` or more.
struct ResignTerms {
    int moves = 4;
    int score = 1'000;
    int played_out = 10;  // of such games, in per cent: they go on, so that what resignations hide is seen
    bool operator==(const ResignTerms&) const = default;
};

// A game is a draw when, after full move `after`, all scores of the last so many moves of both sides are
// within `score` of 0.
struct DrawTerms {
    int moves = 8;
    int score = 20;
    int after = 40;
    bool operator==(const DrawTerms&) const = default;
};

// The scores of a game as it goes on.
class EarlyEnd {
  public:
    EarlyEnd(const std::optional<ResignTerms>& resign, const std::optional<DrawTerms>& draw)
        : resign_(resign), draw_(draw) {}

    // Of the move that was played, by `side` in full move `number`; nothing: its search has no score.
    void note(std::optional<chess::Score> score, chess::Color side, int number);

    // Of the moves noted so far.
    std::optional<chess::Color> resigned_to() const;
    bool is_drawn() const;

  private:
    std::optional<ResignTerms> resign_;
    std::optional<DrawTerms> draw_;
    int decided_ = 0;  // for so many half-moves White (positive) or Black (negative) has been far ahead
    int quiet_ = 0;    // for so many half-moves nobody has been ahead
};

}  // namespace scholar::selfplay
