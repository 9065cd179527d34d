#include "learning/selfplay_loop/learn_round.hpp"

#include <chrono>

#include "base/text.hpp"
#include "learning/run/run_time.hpp"
#include "learning/selfplay_loop/learn_saving.hpp"
#include "learning/selfplay_loop/learn_telling.hpp"
#include "learning/selfplay_loop/round_games.hpp"
#include "learning/selfplay_loop/run_history.hpp"
#include "selfplay/players.hpp"

namespace scholar::learning {

namespace {

// Positions from which games may begin.
constexpr std::size_t kStarts = 2'000;

}  // namespace

base::Result<std::optional<RoundSummary>> play_round(LearnRun& run, const LearnStage& stage) {
    const auto start = std::chrono::steady_clock::now();
    selfplay::Assignment assignment;
    assignment.seed = run.seed;
    assignment.generation = static_cast<std::uint32_t>(run.done.rounds);
    assignment.network = std::make_shared<nets::Network>(run.playing);
    assignment.plan = stage.play;
    assignment.plan.treestrap = run.recipe.nodes;
    assignment.plan.exact_leaves = run.recipe.lessons.where == LessonPlan::Where::Leaf;
    if (stage.play.own_start > 0)
        assignment.starts =
            std::make_shared<const std::vector<chess::Position>>(run.starts.begin(), run.starts.end());
    run.players->assign(assignment);
    LessonPlan plan = run.recipe.lessons;
    plan.lambda = stage.lambda;
    plan.result_weight = stage.result_weight;
    plan.own_weight = stage.own_weight;
    RoundGames round(plan, run.recipe.has_own_starts());
    base::Status keeping;
    const auto played =
        run.players->play(run.done.games, stage.games, run.shell.stop(), [&](selfplay::Record&& record) {
            run.shell.clock().add_cores(record.core_seconds_elsewhere);
            round.add(record, run.alarms.is_repeated(record.game.hash()));
            run.status.games_of_round = round.summary().games;
            tell(run, stage, false);
            if (run.kept && keeping) keeping = run.kept->add(record);
            if (record.number == run.done.games && is_sample_round(run.done.rounds))
                run.sample = std::move(record);
        });
    run.status.games_of_round = 0;
    run.recent = round.measured();
    if (!keeping) return std::unexpected(keeping.error());
    if (run.shell.stop().stop_requested() && (!played || *played < stage.games)) return std::nullopt;
    if (!played || *played < stage.games) {
        // With others it goes on with this round.
        if (auto s = save_learning(run); !s) return std::unexpected(s.error());
        if (!played) return std::unexpected(played.error());
        return base::fail("round {}: only {} of {} could be played", run.done.rounds, *played,
                          base::counted(stage.games, "game"));
    }
    for (const Lesson& lesson : round.lessons()) run.window.add(lesson);
    run.starts.insert(run.starts.end(), round.starts().begin(), round.starts().end());
    while (run.starts.size() > kStarts) run.starts.pop_front();
    RoundSummary summary = round.summary();
    run.done.games += summary.games;
    run.done.lessons += summary.lessons;
    summary.playing = seconds_since(start);
    return summary;
}

}  // namespace scholar::learning
