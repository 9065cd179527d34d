#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "arena/glicko.hpp"
#include "arena/ladder.hpp"
#include "arena/roster.hpp"
#include "base/error.hpp"
#include "base/random.hpp"
#include "games/openings.hpp"

namespace scholar::arena {

struct RatedOpponent {
    LadderPlayer player;
    TimeControl time_control;
    Glicko rating;
    bool plays = true;
};

// Players of a ladder as a chess server has its members: everybody has a rating, and most play those of their
// own strength. A player with an anchor is taken for that strong; of others nothing is known at first.
class OpponentPool {
  public:
    // Of an anchor.
    static constexpr double kAnchorDeviation = 30;

    // Those that can play here. Refused if nobody can.
    static base::Result<OpponentPool> find(const Ladder& ladder, std::span<const games::Opening> openings);

    std::span<const RatedOpponent> opponents() const { return opponents_; }
    std::span<const SkippedPlayer> skipped() const { return skipped_; }
    // As the ladder has it.
    std::chrono::milliseconds time_margin() const { return time_margin_; }

    // Of those that play, by lot; nothing if nobody does. How likely one is falls with the difference of the
    // ratings like a normal distribution of the standard deviation `spread`; of those nearest, if all are far
    // away.
    std::optional<std::size_t> choose(const Glicko& player, double spread, base::Random& random) const;
    // It plays no more.
    void drop(std::size_t opponent) { opponents_[opponent].plays = false; }
    void set_rating(std::size_t opponent, const Glicko& rating) { opponents_[opponent].rating = rating; }

  private:
    std::vector<RatedOpponent> opponents_;
    std::vector<SkippedPlayer> skipped_;
    std::chrono::milliseconds time_margin_{0};
};

}  // namespace scholar::arena
