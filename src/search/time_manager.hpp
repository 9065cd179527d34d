#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "search/alpha_beta/tunables.hpp"
#include "search/limits.hpp"

namespace scholar::search {

// How long a search should take and may take.
struct TimePlan {
    std::chrono::duration<double, std::milli> optimum;  // where nothing speaks for more or less
    std::chrono::duration<double, std::milli> maximum;  // no search goes on after it
    bool flexible = true;                               // false: a fixed time, used whole
};

// `ply` counts half-moves since the start of the game: early moves get less, since the clock must serve the
// longer middlegame too. Nothing if no limit speaks of time.
std::optional<TimePlan> plan_time(const Limits& limits, int ply, const Tunables& tunables);

// What the iterations so far say about how hard the choice is.
struct Difficulty {
    int stable_iterations = 0;  // since the best move last changed
    double score_drop = 0;      // Score units below the iterations before, negative when it rose
    double best_effort = 0;     // the share of all nodes spent on the best move, 0 to 1
};
// What the optimum is multiplied by: below 1 for a choice that is clear and stays the same.
double stretch(const Difficulty& difficulty, const Tunables& tunables);

}  // namespace scholar::search
