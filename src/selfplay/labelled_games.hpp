#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "arena/player.hpp"
#include "base/error.hpp"
#include "games/game.hpp"
#include "selfplay/filled_store.hpp"

// Games of others with what one engine thinks of each of their positions in place of what was there: labels
// from which a network learns that engine's evaluation (Giraffe, section 4.1), or all games on one scale.

namespace scholar::selfplay {

struct LabelPlan {
    std::vector<games::Game> games;
    // Searched for each position, which is set up without the game behind it, though an engine's table may
    // know it; nothing: the static evaluation, without a search.
    std::optional<std::uint64_t> nodes;
    std::string annotator;  // for the games' tag of that name, in place of what it was; empty: left as it is
};

// The game with an evaluation of the position before each of its moves, where the engine has one, which has
// been told of a new game of its kind. An error names the engine. Nothing: it was told to stop.
base::Result<std::optional<games::Game>> label_game(arena::Player& engine, const LabelPlan& plan,
                                                    const games::Game& game, const std::stop_token& stop);

struct LabelledGames : StoreFilling {  // `games` and `batch` are the plan's
    LabelPlan plan;
};

using PlayerStarter = std::function<base::Result<std::unique_ptr<arena::Player>>()>;

// Labels all games of the plan, with an engine for each thread.
base::Result<FilledStore> label_games(LabelledGames how, const PlayerStarter& start_engine,
                                      const std::function<void(std::uint64_t)>& told,
                                      const std::stop_token& stop);

}  // namespace scholar::selfplay
