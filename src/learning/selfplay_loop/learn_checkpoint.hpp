#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "learning/perspective/model.hpp"
#include "learning/run/checkpoint_files.hpp"
#include "learning/run/run_settings.hpp"
#include "learning/selfplay_loop/replay_window.hpp"
#include "learning/selfplay_loop/window_segments.hpp"

namespace scholar::learning {

// Where a run of `scholar learn` stands at the end of a round.
struct LearnProgress {
    std::uint64_t rounds = 0;
    std::uint64_t games = 0;
    std::uint64_t lessons = 0;
    std::uint64_t head_start = 0;  // lessons of the course that were passed over
    double owed = 0;               // lessons still to be drawn for those that came in
    double core_seconds = 0;       // spent so far, all threads together
    std::uint64_t milestones = 0;  // that were kept, and placed on the ladder where that was asked for
    // Lessons of a full window, while the run waits for a share of them before it trains; 0: it does not.
    std::uint64_t refill = 0;
    std::uint64_t matched_steps = 0;  // of the network that last played a match for promotion
};

// All that is needed to go on exactly from there. Games draw no random numbers but from their own number.
struct LearnCheckpoint {
    LearnProgress progress;
    ModelState model;
    std::optional<nets::FloatNetwork> average;             // of the weights, where there is one
    nets::PieceValues piece_values{};                      // of the network that plays
    std::optional<nets::FloatNetwork> playing;             // where it is not always the newest
    std::map<std::string, std::string> playing_history{};  // NetworkInfo::history of that
    std::vector<WindowSegment> segments;                   // that hold the window
    std::uint64_t window_size = 0;                         // of its lessons, those that are kept: the newest
    std::uint64_t window_added = 0;
    std::vector<ReplayWindow::Packed> window{};  // loaded: from the oldest on
    std::array<std::uint64_t, 4> draws{};        // base::Random of the batches
    std::vector<std::string> starts;             // FEN, from the oldest on
    std::string ratings;                         // RatingCourse, as JSON
    std::string beginning;                       // what the run began with, for people
    RunSettings settings;                        // of the recipe, and the seed
};

// The segments must be on the disk. Refuses weights or moments that are not finite numbers, and leaves the
// files as they were.
base::Status save_learn_checkpoint(const std::filesystem::path& folder, const LearnCheckpoint& checkpoint);
// A checkpoint whose window is damaged or missing is good still if no other is whole: the window is empty
// then, to be filled again, and the warning says so.
base::Result<std::optional<Loaded<LearnCheckpoint>>> load_learn_checkpoint(
    const std::filesystem::path& folder);

}  // namespace scholar::learning
