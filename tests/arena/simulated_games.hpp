#pragma once

#include <fmt/format.h>
#include <string>

#include "arena/ratings.hpp"
#include "base/random.hpp"

// Games between players of known strength, with no engine run.

namespace scholar::arena {

// Adds a game of these two, whose result is drawn by the model: White is `elo` stronger, White's advantage
// included.
inline void play_by_chance(ResultPool& pool, const std::string& white, const std::string& black, double elo,
                           double draw_rate, base::Random& random) {
    const auto chances = result_chances(elo, draw_rate);
    const double at = random.unit();
    const auto number = pool.player(white);
    pool.add(number, pool.player(black),
             at < chances.win                  ? games::GameResult::WhiteWins
             : at < chances.win + chances.draw ? games::GameResult::Draw
                                               : games::GameResult::BlackWins);
}

}  // namespace scholar::arena
