#include "learning/selfplay_loop/learn_saving.hpp"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "chess/fen.hpp"
#include "learning/measuring/milestone_places.hpp"
#include "learning/run/run_settings.hpp"
#include "learning/selfplay_loop/learn_ratings.hpp"
#include "learning/selfplay_loop/learn_start.hpp"

namespace scholar::learning {

base::Status save_learning(LearnRun& run) {
    LearnCheckpoint now;
    run.done.core_seconds = run.cores();
    now.progress = run.done;
    now.model = run.model->state();
    if (!run.average.empty()) now.average = run.average.network();
    now.piece_values = run.piece_values;
    if (run.recipe.promotion.pairs > 0) {
        now.playing = run.playing_weights;
        now.playing_history = run.playing_weights.info.history;
    }
    now.window_size = run.window.size();
    // While it fills again all of it is needed: what is left out would never be learnt from.
    if (const std::size_t most = run.options.checkpoint_lessons;
        most > 0 && most < run.window.size() && run.done.refill == 0) {
        now.window_size = most;
        // Also where the window was lost before and was not full again yet.
        now.progress.refill = std::min<std::uint64_t>(run.window.added(), run.window.capacity());
    }
    auto segments = run.segments.save(run.window, now.window_size);
    if (!segments) return std::unexpected(segments.error());
    now.segments = *segments;
    now.window_added = run.window.added();
    now.draws = run.draws.state();
    for (const chess::Position& start : run.starts) now.starts.push_back(chess::to_fen(start));
    now.ratings = base::json_line(run.course.to_json());
    now.beginning = run.beginning;
    now.settings = run.settings();
    if (run.kept)
        if (auto status = run.kept->flush(); !status) return status;
    run.saved = std::chrono::steady_clock::now();
    if (auto status = save_learn_checkpoint(run.options.output, now); !status) return status;
    run.segments.is_kept(std::move(*segments));
    return {};
}

base::Status resume_learning(LearnRun& run, LearnCheckpoint from) {
    if (!run.options.seed)
        if (const auto seed = seed_of(from.settings)) run.seed = *seed;
    const std::uint64_t taken_in = from.progress.head_start + from.progress.lessons;
    if (auto same = check_unchanged(settled(run.settings(), taken_in), settled(from.settings, taken_in));
        !same)
        return base::fail(
            "{}: {}; without a recipe --resume goes on with the one that the run keeps, and --from {} begins "
            "a "
            "new run with what this one has learnt",
            run.options.output.string(), same.error().message, run.folder.network().string());
    if (const std::string given = describe_beginning(run);
        (!run.options.games_files.empty() || !run.options.from.empty()) && given != from.beginning)
        return base::fail(
            "{}: this run began with {}: give it the same again, or leave out --games and --from",
            run.options.output.string(), from.beginning);
    run.model.emplace(from.model, run.options.device);
    if (from.average) run.average.restore(std::move(*from.average));
    run.piece_values = from.piece_values;
    if (from.playing) {
        run.playing_weights = std::move(*from.playing);
        run.playing_weights.info.piece_values = run.piece_values;
        if (!from.playing_history.empty()) run.playing_weights.info.history = std::move(from.playing_history);
    }
    run.window.set_capacity(std::max(run.window.capacity(), from.window.size()));
    run.window.restore(std::move(from.window), from.window_added);
    run.segments.restore(std::move(from.segments));
    run.draws.set_state(from.draws);
    for (const std::string& fen : from.starts) {
        const auto start = chess::parse_fen(fen);
        if (!start) return base::fail_in(run.options.output.string(), start.error());
        run.starts.push_back(*start);
    }
    const auto ratings = nlohmann::json::parse(from.ratings, nullptr, false);
    if (auto s = run.course.from_json(ratings); !s)
        return base::fail_in(run.options.output.string(), s.error());
    run.done = from.progress;
    run.shell.set_before({.games = run.done.games, .core_seconds = run.done.core_seconds});
    run.beginning = std::move(from.beginning);
    run.resumed = true;
    note_ratings(run);
    if (const auto places = milestone_places(run.folder); !places)
        run.observer.on_notice("warning: no place on the ladder: " + places.error().message);
    else if (!places->empty())
        run.status.place = places->back();
    run.shell.clock().add_cores(run.done.core_seconds);
    return {};
}

}  // namespace scholar::learning
