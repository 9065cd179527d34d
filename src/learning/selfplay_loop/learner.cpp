#include "learning/selfplay_loop/learner.hpp"

#include "learning/run/run_time.hpp"
#include "learning/selfplay_loop/games_lessons.hpp"
#include "learning/selfplay_loop/learn_beginning.hpp"
#include "learning/selfplay_loop/learn_milestones.hpp"
#include "learning/selfplay_loop/learn_promotion.hpp"
#include "learning/selfplay_loop/learn_ratings.hpp"
#include "learning/selfplay_loop/learn_round.hpp"
#include "learning/selfplay_loop/learn_run.hpp"
#include "learning/selfplay_loop/learn_saving.hpp"
#include "learning/selfplay_loop/learn_telling.hpp"
#include "learning/selfplay_loop/learn_training.hpp"

namespace scholar::learning {

namespace {

base::Result<LearnOutcome> run_learning(LearnRun& run) {
    const auto begun = begin_learning(run);
    if (!begun) return std::unexpected(begun.error());
    const double before = run.resumed ? run.done.core_seconds : 0;
    if (!*begun) return LearnOutcome{false, false, run.done, before};
    if (auto s =
            install(run, run.playing_weights.transformer.empty() ? newest_weights(run) : run.playing_weights);
        !s)
        return std::unexpected(s.error());
    // From here on what it began with need not be said again when it goes on.
    if (!run.resumed)
        if (auto s = save_learning(run); !s) return std::unexpected(s.error());
    if (auto s = rate_course(run, run.stage_now()); !s) return std::unexpected(s.error());
    if (auto s = keep_milestone(run); !s) return std::unexpected(s.error());
    while (!run.options.only_games && !run.shell.is_over({.games = run.done.games})) {
        const LearnStage& stage = run.stage_now();
        run.window.set_capacity(stage.window);
        if (auto s = grow(run, stage); !s) return std::unexpected(s.error());
        auto played = play_round(run, stage);
        if (!played) return std::unexpected(played.error());
        if (!*played) break;
        RoundSummary* const summary = &**played;
        ++run.done.rounds;
        if (auto s = train_round(run, stage, *summary); !s) return std::unexpected(s.error());
        if (auto s = promote(run, stage, *summary); !s) return std::unexpected(s.error());
        if (auto s = report_round(run, stage, *summary); !s) return std::unexpected(s.error());
        if (auto s = rate_course(run, run.stage_now()); !s) return std::unexpected(s.error());
        if (auto s = keep_milestone(run); !s) return std::unexpected(s.error());
        if (seconds_since(run.saved) >= run.options.checkpoint_seconds)
            if (auto s = save_learning(run); !s) return std::unexpected(s.error());
    }
    if (auto s = keep_milestone(run); !s) return std::unexpected(s.error());
    if (auto s = save_learning(run); !s) return std::unexpected(s.error());
    if (run.kept)
        if (auto s = run.kept->finish(); !s) return std::unexpected(s.error());
    std::error_code unknown;
    const bool was_taught =
        std::filesystem::exists(games_lessons_metrics(run.folder.games_lessons()), unknown);
    return LearnOutcome{!run.shell.stop().stop_requested(), run.done.rounds > 0 || was_taught, run.done,
                        before};
}

}  // namespace

base::Result<LearnOutcome> learn(const LearnRecipe& recipe, const LearnOptions& options,
                                 LearnObserver& observer, std::stop_token stop) {
    LearnRun run(recipe, options, observer, std::move(stop));
    return run_learning(run);
}

}  // namespace scholar::learning
