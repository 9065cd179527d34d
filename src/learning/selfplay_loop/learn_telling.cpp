#include "learning/selfplay_loop/learn_telling.hpp"

#include <nlohmann/json.hpp>
#include <vector>

#include "learning/selfplay_loop/alarms.hpp"
#include "learning/selfplay_loop/run_history.hpp"

namespace scholar::learning {

void tell(LearnRun& run, const LearnStage& stage, bool round_ended) {
    run.done.core_seconds = run.cores();
    run.status.progress = run.done;
    run.status.stage = stage;
    run.status.next = run.recipe.next_stage_from(run.done.head_start + run.done.lessons);
    run.status.network = nets::to_string(run.playing.info.architecture);
    run.status.piece_values = run.piece_values;
    run.status.seconds = run.shell.clock().seconds();
    run.status.share_done = run.shell.share_done({.games = run.done.games + run.status.games_of_round});
    run.observer.on_status(run.status, round_ended);
}

base::Status report_round(LearnRun& run, const LearnStage& stage, const RoundSummary& round) {
    std::vector<chess::Position> positions;
    positions.reserve(run.recent.size());
    for (const games::Sample& sample : run.recent) positions.push_back(sample.position);
    const std::vector<std::string> alarms = run.alarms.check(round, measure_activity(run.playing, positions));
    run.status.round = round;
    run.status.alarms = run.alarms.ringing();
    tell(run, stage, true);
    for (const std::string& line : alarms) {
        run.observer.on_notice(line);
        if (auto status =
                run.shell.metrics().record({{"kind", "alarm"}, {"step", run.done.rounds}, {"text", line}});
            !status)
            return status;
    }
    if (run.sample) {
        if (auto status = run.shell.metrics().record(game_record(*run.sample, run.done.rounds)); !status)
            return status;
        run.sample.reset();
    }
    return run.shell.metrics().record(
        round_record(run.done, round, stage, run.window.size(), run.playing.info));
}

}  // namespace scholar::learning
