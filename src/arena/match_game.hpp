#pragma once

#include <array>
#include <stop_token>

#include "arena/match.hpp"

namespace scholar::arena {

// Plays one game, whose number, names, colours and opening are filled in, between two engines that are ready
// for it, to its end. False: stopped before that.
bool play_game(const MatchOptions& options, const std::array<Player*, 2>& players, MatchGame& game,
               std::stop_token stop);

// The engine that made the first move after the opening.
int opening_mover(const MatchGame& game);

}  // namespace scholar::arena
