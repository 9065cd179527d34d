#pragma once

#include <cstdint>
#include <filesystem>
#include <stop_token>

#include "base/error.hpp"
#include "learning/segments/segment_recipe.hpp"

// Learning by self-play as Giraffe did (M. Lai, "Giraffe", 2015, sections 4.3 to 4.5), and by what has been
// found since on the same network: an iteration plays stretches of a few half-moves from positions of games
// on, and the network learns what the searches there said.

namespace scholar::learning {

struct SegmentOptions {
    std::filesystem::path output;  // "": the recipe's
    bool resume = false;           // learning/run/run_shell.hpp says what these are
    bool or_begin = false;
    bool overwrite = false;
    bool json = false;
    double core_minutes = 0;  // 0: no limit; earlier runs that it goes on from included
    double minutes = 0;       // of this run, by the clock
    // Of the searches. Networks do not depend on it.
    int threads = 1;
    double checkpoint_seconds = 120;  // between checkpoints, at least
};

struct SegmentOutcome {
    bool finished = false;  // false: stopped, to be resumed
    std::uint64_t iterations = 0;
    std::uint64_t lessons = 0;
    double core_seconds = 0;
};

// Leaves in its folder network.safetensors (the newest, or its average), milestones by core-minutes,
// metrics.jsonl and checkpoints. A run that was killed and goes on ends with the same networks. `stop` ends
// it after the last whole iteration.
base::Result<SegmentOutcome> learn_by_segments(const SegmentRecipe& recipe, const SegmentOptions& options,
                                               std::stop_token stop);

}  // namespace scholar::learning
