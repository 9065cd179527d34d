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
    run.status.piece_values = run.piece_values;
    run.status.seconds = run.shell.clock().seconds();
    run.status.share_done = run.shell.share_done({.games = run.done.games + run.status.games_of_round});
    run.observer.on_status(run.status, round_ended);
}

base::Status report_round(LearnRun& run, const LearnStage& stage, const RoundSummary& round) {
    run.status.round = round;
    tell(run, stage, true);
    std::vector<chess::Position> positions;
    positions.reserve(run.recent.size());
    for (const games::Sample& sample : run.recent) positions.push_back(sample.position);
    for (const std::string& line : run.alarms.check(round, measure_activity(run.playing, positions))) {
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
    return run.shell.metrics().record(round_record(run.done, round, stage, run.playing.info));
}

}  // namespace scholar::learning
