#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <stop_token>
#include <string>
#include <vector>

#include "arena/analysis/game_analysis.hpp"
#include "arena/analysis/report.hpp"
#include "arena/player.hpp"
#include "base/error.hpp"
#include "games/game.hpp"
#include "search/limits.hpp"

// Many games, in several threads, with outputs that a kill leaves to be gone on with.

namespace scholar::arena {

struct AnalysisRun {
    std::vector<games::Game> games;
    std::vector<GameSource> sources;    // of each
    std::vector<EngineConfig> systems;  // of this process
    search::Limit limit;
    std::string limit_text;  // "10,000 nodes"
    AnalysisThresholds thresholds;
    int threads = 1;
    // Each takes its name when all is done; until then it grows as NAME.partial, and the first of them has
    // NAME.progress beside it. "": not wanted.
    std::string pgn;
    std::string json;
    // To go on with a run that did not come to its end. Without it one that is there is refused, or begun
    // anew if `replace`.
    bool resume = false;
    bool replace = false;
    // What a terminal gets of each game. It is kept with what was done, so that one who resumes gets all of
    // it.
    std::function<std::string(const GameAnalysis&, const GameSource&)> shown;
};

struct AnalysisOutcome {
    std::vector<AnalysisSummary> games;
    std::uint64_t before = 0;  // games that were there when it was resumed
    bool finished = false;     // false: it was told to stop
};

// What is told while it works, from one thread at a time.
struct AnalysisObserver {
    std::function<void(const std::string& text)> game;  // AnalysisRun::shown of each, in their order
    // So many positions of all that all systems look at, as far as each is one of a game.
    std::function<void(std::uint64_t done)> progress;
};
// Positions of all games, for each system.
std::uint64_t positions_in(const AnalysisRun& run);

// What one system has to do with one game does not depend on what else is done, so that the outputs are the
// same from any number of threads, however often it was stopped, if the limit is no time.
base::Result<AnalysisOutcome> analyse_games(const AnalysisRun& run, const AnalysisObserver& observer,
                                            const std::stop_token& stop);

}  // namespace scholar::arena
