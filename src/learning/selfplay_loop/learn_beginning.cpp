#include "learning/selfplay_loop/learn_beginning.hpp"

#include <nlohmann/json.hpp>

#include "arena/placement.hpp"
#include "base/text.hpp"
#include "games/store_journal.hpp"
#include "learning/run/device.hpp"
#include "learning/run/milestones.hpp"
#include "learning/selfplay_loop/games_course.hpp"
#include "learning/selfplay_loop/games_lessons.hpp"
#include "learning/selfplay_loop/learn_checkpoint.hpp"
#include "learning/selfplay_loop/learn_saving.hpp"
#include "learning/selfplay_loop/learn_start.hpp"
#include "learning/selfplay_loop/run_history.hpp"

namespace scholar::learning {

namespace {

// The random numbers of the batches, apart from those of games.
constexpr std::uint64_t kDrawStream = 0x1E55025;

base::Status keep_recipe(const LearnRun& run, bool in_place_of_another) {
    if (!in_place_of_another) {
        const auto kept = run.folder.kept_recipe();
        if (!kept) return std::unexpected(kept.error());
        if (*kept) return {};
    }
    return run.folder.keep_recipe(run.recipe.name, run.recipe.text);
}

// What the folder holds, once nothing that was given is known to refuse the run that takes its place.
base::Status remove_run(const LearnRun& run) {
    std::vector<std::string> inputs = run.options.games_files;
    for (const std::string& given : {run.options.from, run.recipe.network.initial})
        if (!given.empty()) inputs.push_back(given);
    if (auto s = run.folder.check_inputs(inputs); !s) return s;
    if (!run.options.games_files.empty())
        if (auto s = check_games(run.options.games_files, run.shell.stop()); !s) return s;
    return run.folder.remove_run();
}

// A run that stops keeping its games leaves a whole store of those that it has kept.
base::Status open_kept_games(LearnRun& run) {
    std::error_code unknown;
    const bool ends = !run.recipe.keep_games && run.resumed &&
                      std::filesystem::exists(games::journal_path(run.folder.kept_games()), unknown);
    if (!run.recipe.keep_games && !ends) return {};
    std::string all;
    for (const auto& [key, value] : settled(run.settings(), 0)) all += fmt::format("{}={}\n", key, value);
    auto kept = KeptGames::open(run.folder.kept_games(), all, run.done.games);
    if (!ends) {
        if (!kept) return std::unexpected(kept.error());
        run.kept.emplace(std::move(*kept));
        return {};
    }
    if (const base::Status finished = kept ? kept->finish() : std::unexpected(kept.error()); !finished)
        run.observer.on_notice("warning: the store of the games kept so far could not be finished: " +
                               finished.error().message);
    return {};
}

// Says so where other people's games were too few to learn anything from them that holds for others.
void warn_if_nothing_holds(const LearnRun& run) {
    const auto course = read_games_course(games_lessons_metrics(run.folder.games_lessons()));
    if (!course || course->validations.empty()) return;
    const GamesCourse::Validation& last = course->validations.back();
    if (last.held_out == 0 || last.network < last.material) return;
    run.observer.on_notice(fmt::format(
        "warning: on {} of games held out the loss is {:.4f}, no better than that of counting pieces, "
        "{:.4f}: nothing was learnt that holds for other games; more games help",
        base::counted(last.held_out, "position"), last.network, last.material));
}

// False: told to stop while it learnt from games.
base::Result<bool> begin_anew(LearnRun& run) {
    run.draws = base::Random(run.seed, kDrawStream);
    auto network = first_network(run);
    if (!network) return std::unexpected(network.error());
    if (auto s = check_fits(run, *network); !s) return std::unexpected(s.error());
    if (run.options.overwrite)
        if (auto s = remove_run(run); !s) return std::unexpected(s.error());
    if (auto s = run.folder.create(); !s) return std::unexpected(s.error());
    if (auto s = run.shell.be_alone(); !s) return std::unexpected(s.error());
    // For who goes on before there is a checkpoint; that of games which are gone on with stays until they
    // have agreed to this one.
    if (auto s = keep_recipe(run, !games_lessons_begun(run.folder.games_lessons())); !s)
        return std::unexpected(s.error());
    if (!run.options.games_files.empty()) {
        auto taught = taught_by_games(run, *network);
        if (!taught) return std::unexpected(taught.error());
        if (!*taught) return false;
        warn_if_nothing_holds(run);
        network = std::move((*taught)->network);
        run.shell.clock().add_cores((*taught)->core_seconds_before);
    }
    if (run.begins_taught()) {
        run.done.head_start = head_start(run, *network);
        run.done.refill = run.stage_now().window;
    }
    run.beginning = describe_beginning(run);
    run.model.emplace(*network, run.recipe.network.factorise, run.options.device);
    run.piece_values = network->info.piece_values;
    return true;
}

}  // namespace

base::Result<bool> begin_learning(LearnRun& run) {
    if (auto there = check_device(run.options.device); !there) return std::unexpected(there.error());
    if (const std::string warning = prepare_torch(run.threads()); !warning.empty())
        run.observer.on_notice("warning: " + warning);
    // From before the first look at what is there.
    if (auto s = run.shell.be_alone(); !s) return std::unexpected(s.error());
    auto loaded = load_learn_checkpoint(run.options.output);
    const bool games_begun = games_lessons_begun(run.folder.games_lessons());
    if (!run.options.resume && !run.options.overwrite && games_begun && loaded && !*loaded)
        return base::fail("{}: already learns from games: --resume goes on with it, --overwrite begins again",
                          run.options.output.string());
    RunShell::Found found{std::nullopt, run.folder.has_begun()};
    if (!loaded)
        found.checkpoint = std::unexpected(loaded.error());
    else if (*loaded)
        found.checkpoint = " of " + base::counted((*loaded)->checkpoint.progress.games, "game");
    const auto goes_on = run.shell.goes_on(found);
    if (!goes_on) return std::unexpected(goes_on.error());
    if (*goes_on) {
        if (!(*loaded)->warning.empty()) run.observer.on_notice("warning: " + (*loaded)->warning);
        if (auto s = resume_learning(run, std::move((*loaded)->checkpoint)); !s)
            return std::unexpected(s.error());
    } else if (run.options.resume && games_begun && run.options.games_files.empty()) {
        return base::fail(
            "{}: was stopped while it learnt from games; to go on, give it --games with the same files",
            run.options.output.string());
    }
    run.players = run.options.players ? run.options.players : selfplay::make_local_players(run.threads());
    if (!run.resumed) {
        const auto begun = begin_anew(run);
        if (!begun || !*begun) return begun;
    }
    if (run.options.ladder_games > 0) {
        const auto ladder = arena::built_in_ladder();
        if (ladder && !arena::can_place(*ladder))
            run.observer.on_notice("warning: no player of the ladder can play here: no places on the ladder");
    }
    if (run.resumed)
        if (auto s = run.folder.create(); !s) return std::unexpected(s.error());
    // Of a run that goes on, too: stages that lie ahead may have changed.
    if (auto s = keep_recipe(run, true); !s) return std::unexpected(s.error());
    if (run.done.head_start > 0)
        run.observer.on_notice(
            fmt::format("it has learnt before: its course begins where others come to after {}",
                        base::counted(run.done.head_start, "position")));
    if (auto s = run.shell.open_metrics(run.resumed ? std::optional(run.done.rounds) : std::nullopt); !s)
        return std::unexpected(s.error());
    if (auto s = open_kept_games(run); !s) return std::unexpected(s.error());
    if (auto s = run.shell.metrics().record(start_record(
            {run.options.program, run.beginning, run.seed, run.threads(), run.recipe.settings, run.resumed},
            run.done.rounds));
        !s)
        return std::unexpected(s.error());
    // What was learnt before the first round left no networks.
    if (!run.resumed)
        while (Milestones::is_due(run.done.milestones, run.cores())) ++run.done.milestones;
    return true;
}

}  // namespace scholar::learning
