#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "learning/run/device.hpp"
#include "learning/selfplay_loop/learn_checkpoint.hpp"
#include "learning/selfplay_loop/learn_recipe.hpp"
#include "learning/selfplay_loop/learn_status.hpp"
#include "selfplay/players.hpp"

// Learning from self-play: rounds of games by the newest network, each followed by training on the lessons of
// the most recent games.

namespace scholar::learning {

struct LearnOptions {
    std::filesystem::path output;
    std::optional<std::uint64_t> seed;  // unless given: of the run that is resumed, or 1
    int threads = 0;                    // 0: one a core
    Device device = Device::Cpu;        // that trains
    double minutes = 0;       // of this run, by the clock, without its games on the ladder; 0: no end
    double core_minutes = 0;  // to spend, earlier runs that this one resumes included; 0: no end
    std::uint64_t games = 0;  // to play, earlier runs included; 0: no end
    // What a new run begins with.
    std::vector<std::string> games_files;  // PGN or stores to learn from before it plays
    bool only_games = false;               // and it never plays
    std::string from;                      // a network; "": as the recipe says
    // Who plays; nullptr: so many threads of this process.
    std::shared_ptr<selfplay::Players> players = nullptr;
    // Go on from the run's last checkpoint, or from the start of a run that has none yet. Refused where there
    // is no run.
    bool resume = false;
    bool overwrite = false;          // begin again although the folder holds a run, whose files go
    bool json = false;               // JSON lines on standard output
    double checkpoint_seconds = 30;  // between checkpoints at least; they are made at the end of a round
    // Of the lessons of the window only the newest go into checkpoints; 0: all. Fewer make small files, but a
    // run that goes on from one is no longer exactly the run that was never stopped.
    std::size_t checkpoint_lessons = 0;
    int ladder_games = 0;  // of each milestone, against players of known strength; 0: none
    std::string program;   // name and version, for the records
};

struct LearnOutcome {
    bool finished = false;    // false: stopped; to resume goes on from there
    bool has_learnt = false;  // from rounds of its own or from other people's games
    LearnProgress progress;
    double core_seconds_before = 0;  // spent by the runs that this one resumed
};

// Leaves in its output folder what docs/learning.md lists under "In the run's folder"
// (learning/selfplay_loop/learn_folder.hpp).
// `stop` ends it cleanly: a round whose games are not all played is played again by the run that goes on, so
// that this one, too, ends where an uninterrupted one would have. With the same seed and recipe the same
// networks come out, whatever the number of players' threads.
base::Result<LearnOutcome> learn(const LearnRecipe& recipe, const LearnOptions& options,
                                 LearnObserver& observer, std::stop_token stop);

}  // namespace scholar::learning
