#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "arena/player.hpp"
#include "base/error.hpp"
#include "games/game.hpp"

// How games go for a player, move by move, as a judge sees it (J. Chu, S. Li and W. M. Loh, "Reinforcement
// Learning in Chess", 2020, figures 5 and 6).

namespace scholar::arena {

// Of the games that came so far.
struct OutcomePoint {
    int move = 0;  // full moves since the game's start position
    std::uint64_t games = 0;
    double expected = 0;  // the player's: 1 a win, ½ a draw, 0 a loss
};

// The positions in which the player, by the tags White and Black, is to move, each searched by so many nodes.
// The judge has to say wins, draws and losses (UCI_ShowWDL). Games without the player are passed over.
// Nothing: told to stop. An error names the judge.
base::Result<std::optional<std::vector<OutcomePoint>>> judge_games(std::span<const games::Game> games,
                                                                   std::string_view player, Player& judge,
                                                                   std::uint64_t nodes,
                                                                   const std::stop_token& stop);

}  // namespace scholar::arena
