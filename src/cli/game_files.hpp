#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "base/error.hpp"
#include "cli/games_problems.hpp"
#include "games/game.hpp"

namespace scholar::cli {

// Calls `use` for each game of a file, a game store or PGN (compressed or not), in their order. `what` is
// being done, for the progress. PGN's games that are not right go to `problems`; a file that has no other is
// an error. What `use` refuses ends it.
base::Status for_each_game_of(const std::string& path, const std::string& what, ProblemLog& problems,
                              const std::stop_token& stop,
                              const std::function<base::Status(const games::Game&)>& use);

}  // namespace scholar::cli
