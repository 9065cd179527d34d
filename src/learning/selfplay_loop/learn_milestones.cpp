#include "learning/selfplay_loop/learn_milestones.hpp"

#include <nlohmann/json.hpp>

#include "arena/placement.hpp"
#include "learning/measuring/ladder_place.hpp"
#include "learning/measuring/milestone_places.hpp"
#include "learning/run/milestones.hpp"
#include "learning/selfplay_loop/learn_saving.hpp"
#include "learning/selfplay_loop/run_history.hpp"
#include "nets/perspective/network_file.hpp"

namespace scholar::learning {

namespace {

// Lets a milestone play on the ladder. The time that it takes is none of learning.
base::Status place(LearnRun& run, int minutes, const std::filesystem::path& network) {
    if (run.shell.stop().stop_requested()) return {};
    auto ladder = arena::built_in_ladder();
    if (!ladder) return std::unexpected(ladder.error());
    if (!arena::can_place(*ladder)) return {};
    LadderPlan plan{std::move(*ladder), run.folder.ladder_games(), run.options.ladder_games, run.threads(),
                    run.seed};
    plan.watch = [&](int games) {
        run.status.placing = {minutes, games, run.options.ladder_games};
        // From a thread that plays there, in which nothing may be thrown.
        try {
            run.observer.on_status(run.status, false);
        } catch (const std::exception&) {
            run.status.placing.reset();
        }
    };
    run.observer.on_notice(fmt::format("the network after {} core-minutes plays {} games on the ladder",
                                       minutes, run.options.ladder_games));
    const auto placed = [&] {
        const RunClock::Pause pause(run.shell.clock());
        return place_network(plan, milestone_name(minutes, run.playing), network, run.shell.stop());
    }();
    run.status.placing.reset();
    if (!placed) {
        run.observer.on_notice("warning: no place on the ladder: " + placed.error().message);
        return {};
    }
    if (!*placed) {
        if (!run.shell.stop().stop_requested())
            run.observer.on_notice(
                "warning: no place on the ladder: too few games to meet players of known strength");
        return {};
    }
    run.status.place = **placed;
    run.status.place->core_seconds = run.cores();
    return run.shell.metrics().record(ladder_record(*run.status.place, run.done.rounds));
}

}  // namespace

base::Status keep_milestone(LearnRun& run) {
    while (Milestones::is_due(run.done.milestones, run.cores())) {
        // Of several that are due, this network is only the last.
        while (Milestones::is_due(run.done.milestones + 1, run.cores())) ++run.done.milestones;
        const int minutes = Milestones::minutes(run.done.milestones);
        const auto path = run.folder.milestone(minutes);
        if (auto s = nets::save_network(path, run.playing); !s) return s;
        if (run.options.ladder_games > 0) {
            // The games take long: whoever stops or kills them finds this network, and places it, when the
            // run goes on.
            if (auto s = save_learning(run); !s) return s;
            if (auto s = place(run, minutes, path); !s) return s;
            if (run.shell.stop().stop_requested()) return {};
        }
        ++run.done.milestones;
        // That it has its place is in the records: a run that goes on must not say it again.
        if (run.options.ladder_games > 0)
            if (auto s = save_learning(run); !s) return s;
    }
    return {};
}

}  // namespace scholar::learning
