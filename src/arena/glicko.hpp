#pragma once

#include <span>

#include "arena/statistics.hpp"

// Ratings of players whose strength changes from game to game (M. Glickman, "Parameter estimation in large
// dynamic paired comparison experiments", Applied Statistics 48 (1999); its steps as in "The Glicko system",
// 1995). For players who stay as they are, arena/ratings.hpp is the better estimate.

namespace scholar::arena {

struct Glicko {
    double rating = 1500;     // Elo
    double deviation = kNew;  // its standard deviation

    // Of 95 %.
    double error() const { return kConfidence95 * deviation; }

    // Of a player about whom nothing is known. No deviation is larger.
    static constexpr double kNew = 350;
};

// A game of the player, against one whose rating was this before the game.
struct GlickoGame {
    Glicko opponent;
    double points = 0;  // 1, ½ or 0, the player's
};

// The player after the games of one rating period, all rated together. Without games nothing changes.
Glicko rate_period(const Glicko& player, std::span<const GlickoGame> games);

// After time in which the strength may have changed: the deviation grows by a variance of `change`² for each
// unit of the time, up to that of a new player.
Glicko after_time(const Glicko& player, double change, double time);

// What the player is expected to make of a game, 0 to 1, both deviations considered.
double expected_points(const Glicko& player, const Glicko& opponent);

}  // namespace scholar::arena
