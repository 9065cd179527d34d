#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>

#include "arena/glicko.hpp"
#include "base/error.hpp"
#include "learning/online_recipe.hpp"

// Learning on-line, as KnightCap did (J. Baxter, A. Tridgell, L. Weaver, 1998, section 4): the linear
// evaluation plays one opponent after another, each near its own rating, and its weights change after every
// game (learning/online_update.hpp).

namespace scholar::learning {

struct OnlineOptions {
    std::filesystem::path output;
    std::optional<std::uint64_t> seed;  // unless given: of the run that is resumed, or 1
    std::uint64_t games = 0;            // to have played, earlier runs included; 0: no end
    bool resume = false;     // go on from the run's last checkpoint; from the start if there is none
    bool overwrite = false;  // begin again although the folder holds a run, whose files go
    bool json = false;       // JSON lines on standard output
};

struct OnlineOutcome {
    bool finished = false;  // false: stopped, to be resumed
    std::uint64_t games = 0;
    arena::Glicko rating;
};

// Leaves in its output folder
//   network.safetensors     the newest weights, after every game
//   snapshots/              weights after 0, 25, 50, 100, 200 … games: game-000100.safetensors
//   checkpoint.safetensors  to go on from, and the one before it, after every game
//   games.pgn               all games
//   metrics.jsonl           a record for each game
// A kill costs the game that was being played. With opponents whose moves depend on nothing but the position
// the same seed gives the same weights.
base::Result<OnlineOutcome> learn_online(const OnlineRecipe& recipe, const OnlineOptions& options,
                                         std::stop_token stop);

}  // namespace scholar::learning
