#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "arena/analysis/report.hpp"
#include "base/error.hpp"
#include "cli/games_problems.hpp"
#include "games/game.hpp"
#include "games/selection.hpp"

namespace scholar::cli {

struct GamesToAnalyse {
    std::vector<games::Game> games;
    std::vector<arena::GameSource> sources;  // of each; of a single file the name is left out
};

// The selected games of files, stores or PGN, in their order; of these `count`, spread evenly over them, or
// all if that is 0. A game of PGN that is not right goes to `problems`. Refused: none is selected.
base::Result<GamesToAnalyse> read_games_to_analyse(const std::vector<std::string>& files,
                                                   const games::SelectionWords& words, std::uint64_t count,
                                                   ProblemLog& problems, const std::stop_token& stop);

}  // namespace scholar::cli
