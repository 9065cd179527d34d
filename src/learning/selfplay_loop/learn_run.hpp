#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "learning/measuring/rating_course.hpp"
#include "learning/optimise/weight_average.hpp"
#include "learning/perspective/model.hpp"
#include "learning/run/run_shell.hpp"
#include "learning/selfplay_loop/alarms.hpp"
#include "learning/selfplay_loop/kept_games.hpp"
#include "learning/selfplay_loop/learn_folder.hpp"
#include "learning/selfplay_loop/learner.hpp"
#include "learning/selfplay_loop/replay_window.hpp"
#include "learning/selfplay_loop/window_segments.hpp"

namespace scholar::learning {

// How far on its course a network is, in its NetworkInfo::history.
constexpr const char* kCourseHistory = "course";

// All that a run of `scholar learn` is, for the parts that work on it, in the order in which they come:
//   learn_beginning    a new run (learn_start), or one that goes on (learn_saving)
//   learn_round        games
//   learn_training     steps on their lessons
//   learn_promotion    which weights play from then on
//   learn_telling      records, alarms
//   learn_ratings, learn_milestones, learn_saving
struct LearnRun {
    // Recipe and observer must outlive it.
    LearnRun(const LearnRecipe& recipe, const LearnOptions& options, LearnObserver& observer,
             std::stop_token stop);

    const LearnRecipe& recipe;
    const LearnOptions options;
    LearnObserver& observer;
    RunShell shell;
    const LearnFolder folder;

    LearnProgress done;
    bool resumed = false;
    std::string beginning;  // what the run began with, for people
    std::uint64_t seed;

    // What learns.
    std::optional<Model> model;
    WeightAverage average;
    base::Random draws{0};  // of the batches
    // What it learns from.
    ReplayWindow window;
    WindowSegments segments;
    // What plays.
    nets::FloatNetwork playing_weights;
    nets::Network playing;
    nets::PieceValues piece_values = nets::kEqualPieceValues;
    std::shared_ptr<selfplay::Players> players;
    std::deque<chess::Position> starts;  // one of each of the newest games

    std::optional<KeptGames> kept;
    std::vector<games::Sample> recent;       // to measure piece values on
    std::optional<selfplay::Record> sample;  // a game of this round, to be kept
    Alarms alarms;
    RatingCourse course;
    LearnStatus status;
    std::chrono::steady_clock::time_point saved = std::chrono::steady_clock::now();

    LearnStage stage_now() const { return recipe.stage_at(done.head_start + done.lessons); }
    // Whether the first network is not random.
    bool begins_taught() const {
        return !options.games_files.empty() || !options.from.empty() || !recipe.network.initial.empty();
    }
    RunSettings settings() const { return with_seed(recipe.settings, seed); }
    int threads() const;
    double cores() const { return shell.clock().cores(); }
};

}  // namespace scholar::learning
