#include <algorithm>
#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <span>
#include <vector>

#include "base/cores.hpp"
#include "base/progress.hpp"
#include "base/text.hpp"
#include "cli/trainer_commands.hpp"
#include "learning/measuring/milestone_places.hpp"
#include "learning/reports/learn_overlay.hpp"
#include "learning/reports/learn_report.hpp"
#include "learning/reports/learn_screen.hpp"
#include "learning/run/run_files.hpp"
#include "learning/selfplay_loop/learn_folder.hpp"
#include "learning/selfplay_loop/learner.hpp"
#include "learning/selfplay_loop/run_history.hpp"

namespace scholar::cli {

namespace {

std::string in_shell(const std::string& text) {
    return base::quoted(text, base::Quoting::Shell);
}

struct LearnArguments {
    std::string recipe;  // "": the one that is built in
    learning::LearnOptions options;
    // The run whose report is to be written again, and nothing else; several: laid over one another.
    std::vector<std::string> reported;
};

// The one that is named; of a run that goes on, else, its own; else the one that is built in.
base::Result<learning::LearnRecipe> find_recipe(const std::string& path,
                                                const learning::LearnOptions& options) {
    if (!path.empty()) return learning::load_learn_recipe(path);
    if (options.resume) {
        const auto kept = learning::LearnFolder(options.output).kept_recipe();
        if (!kept) return std::unexpected(kept.error());
        if (*kept) return learning::load_learn_recipe(**kept);
    }
    return learning::parse_learn_recipe(learning::default_learn_recipe(), "learn.toml");
}

// The command that goes on with the run.
std::string resuming_command(const std::string& recipe, const learning::LearnOptions& options,
                             const learning::LearnOutcome& outcome) {
    const bool has_checkpoint = outcome.finished || outcome.progress.rounds > 0;
    std::string command = "scholar learn";
    // Nor is it known which recipe is meant where games of an earlier call were learnt from by another.
    if (!has_checkpoint && !recipe.empty()) command += " " + in_shell(recipe);
    command += " -o " + in_shell(options.output.string()) + " --resume";
    if (options.threads > 0) command += fmt::format(" --threads {}", options.threads);
    if (options.device == learning::Device::Gpu) command += " --gpu";
    // The limits of the whole run, which is not at its end; --minutes was this call's.
    if (!outcome.finished && options.core_minutes > 0)
        command += fmt::format(" --core-minutes {}", options.core_minutes);
    if (!outcome.finished && options.games > 0) command += fmt::format(" --until-games {}", options.games);
    if (options.checkpoint_seconds != learning::LearnOptions{}.checkpoint_seconds)
        command += fmt::format(" --checkpoint-seconds {}", options.checkpoint_seconds);
    if (options.checkpoint_lessons > 0)
        command += fmt::format(" --checkpoint-lessons {}", options.checkpoint_lessons);
    if (options.ladder_games > 0) command += fmt::format(" --ladder-games {}", options.ladder_games);
    // Before the first checkpoint nothing else remembers what the run begins with.
    if (!has_checkpoint) {
        for (const std::string& file : options.games_files) command += " --games " + in_shell(file);
        if (options.only_games) command += " --only-games";
        if (!options.from.empty()) command += " --from " + in_shell(options.from);
        if (options.seed) command += fmt::format(" --seed {}", *options.seed);
    }
    return command;
}

std::string whole_path(const std::filesystem::path& path) {
    std::error_code unknown;
    const auto whole = std::filesystem::absolute(path, unknown);
    return (unknown ? path : whole.lexically_normal()).string();
}

// What the run has come to, and what can be done with it.
void say_outcome(const std::string& recipe, const learning::LearnOptions& options,
                 const learning::LearnOutcome& outcome) {
    std::string text = outcome.finished ? "learnt from " : "stopped after ";
    text += outcome.progress.rounds == 0 && outcome.has_learnt
                ? "the games that it was given"
                : base::counted(outcome.progress.games, "game");
    if (outcome.has_learnt) {
        std::error_code unknown;
        const auto self = std::filesystem::read_symlink("/proc/self/exe", unknown);
        text += fmt::format(
            "\n  play with it   in a chess program: command {}, option EvalFile = {}\n"
            "                 (a copy of it while it learns: each round replaces it)\n",
            whole_path(self.parent_path() / "scholar"), whole_path(options.output / learning::kNetworkFile));
        // Without a report it has learnt all the same.
        if (const auto written = learning::write_learn_report(options.output))
            text += fmt::format("  how it went    {}\n", whole_path(*written));
        else
            text += fmt::format("  how it went    no report: {}\n", written.error().message);
        text += "  learn more     ";
    } else {
        text += "; go on with: ";
    }
    fmt::print(stderr, "{}{}\n", text, resuming_command(recipe, options, outcome));
}

int learn(const std::string& path, const learning::LearnOptions& options, const std::stop_token& stop) {
    // --games takes all words that follow it, a recipe's name too.
    for (const std::string& file : options.games_files)
        if (file.ends_with(".toml"))
            return report({fmt::format("{}: is a recipe, expected games: name it before --games", file)});
    const auto recipe = find_recipe(path, options);
    if (!recipe) return report(recipe.error());
    base::Result<learning::LearnOutcome> outcome;
    {
        const auto screen = learning::make_learn_screen(options.json);
        outcome = learning::learn(*recipe, options, *screen, stop);
    }
    if (!outcome) return report(outcome.error());
    say_outcome(path, options, *outcome);
    return 0;
}

int overlay(const std::vector<std::string>& folders, const std::filesystem::path& output) {
    const std::vector<std::filesystem::path> runs(folders.begin(), folders.end());
    const auto written = learning::write_learn_overlay(runs, output);
    if (!written) return report(written.error());
    fmt::print("{}\n", written->string());
    return 0;
}

// The milestones play on the ladder before, if they are to.
int report_again(const std::string& folder, const learning::LearnOptions& options,
                 const std::stop_token& stop) {
    if (const auto s = learning::LearnFolder(folder).check_is_run(); !s) return report(s.error());
    if (options.ladder_games > 0) {
        auto ladder = arena::built_in_ladder();
        if (!ladder) return report(ladder.error());
        const learning::LearnFolder run(folder);
        learning::LadderPlan plan{std::move(*ladder), run.ladder_games(), options.ladder_games};
        plan.threads = base::threads_or_cores(options.threads);
        const auto history = learning::read_run_history(run.metrics());
        if (!history) return report(history.error());
        plan.seed = options.seed.value_or(history->start.seed);
        std::optional<base::Progress> shown;
        int placing = 0;
        const auto begins = [&](int minutes) { placing = minutes; };
        plan.watch = [&](int games) {
            const auto done = static_cast<std::uint64_t>(games);
            if (!shown)
                shown.emplace(fmt::format("after {} core-minutes", placing),
                              static_cast<std::uint64_t>(options.ladder_games), "games", done);
            shown->update(done);
        };
        const auto tell = [&](int minutes, const learning::LadderPlace& place) {
            shown.reset();
            fmt::print(stderr, "after {} core-minutes {}, {}\n", minutes,
                       arena::describe_place(place.kind, place.elo, place.error),
                       base::counted(place.games, "game"));
        };
        const auto placed = learning::place_milestones(run, plan, begins, tell, stop);
        shown.reset();
        if (!placed) return report(placed.error());
    }
    const auto written = learning::write_learn_report(folder);
    if (!written) return report(written.error());
    fmt::print("{}\n", written->string());
    return 0;
}

}  // namespace

void add_learn(Command app, TrainerRun& run) {
    const auto given = std::make_shared<LearnArguments>();
    learning::LearnOptions& how = given->options;
    how.output = "runs/learn";
    how.program = "Scholar " SCHOLAR_VERSION;
    const Command learner =
        app.add_subcommand("learn", "Learn chess by playing against oneself, from nothing but the rules");
    learner.add_option("recipe", given->recipe,
                       "A TOML file (docs/learning.md); default: that of the run which --resume goes on "
                       "with, or recipes/learn.toml, built in");
    learner.add_option("--output,-o", how.output, "Folder of the run").capture_default_str();
    learner
        .add_option("--minutes", how.minutes,
                    "Stop after so many minutes. Games on the ladder do not count; learning from --games "
                    "does, but is not cut short")
        .check(range(0.001, 1e6));
    learner
        .add_option("--core-minutes", how.core_minutes,
                    "Stop after so many minutes of CPU time, those before --resume included")
        .check(range(0.001, 1e6));
    learner
        .add_option("--until-games", how.games,
                    "Stop once it has played so many games, at the end of a round")
        .check(range(std::uint64_t{1}, std::uint64_t{1'000'000'000'000}));
    learner.add_option("--seed", how.seed,
                       "Seed of weights, games and batches; default: 1, or that of the run to resume");
    learner.add_option("--threads", how.threads, "Threads; 0: one a core")
        .check(range(0, 1024))
        .capture_default_str();
    add_gpu_option(learner, how.device);
    const Option games =
        learner.add_option("--games", how.games_files,
                           "Games to learn from before it plays: PGN, compressed or not, or game stores");
    learner.add_flag("--only-games", how.only_games, "Never play: learn from --games alone").needs(games);
    learner.add_option("--from", how.from,
                       "A network to begin with, instead of random weights; its architecture takes the "
                       "place of the recipe's");
    add_go_on_options(learner, how.resume, how.overwrite);
    learner
        .add_option(
            "--checkpoint-seconds", how.checkpoint_seconds,
            "Seconds between checkpoints at least: a kill loses what was done in them, and a round more")
        .check(range(0.0, 86'400.0))
        .capture_default_str();
    learner
        .add_option(
            "--checkpoint-lessons", how.checkpoint_lessons,
            "Keep only the newest so many positions of the window in checkpoints: small files, but a run "
            "that goes on is then no longer exactly the one that was never stopped; 0: all")
        .check(range(std::size_t{0}, std::size_t{1} << 32))
        .capture_default_str();
    learner
        .add_option("--ladder-games", how.ladder_games,
                    "Place the milestones on the ladder (scholar rate --ladder) with so many games each; 0: "
                    "not. Some seconds a game, which count for no limit")
        .check(range(0, 100'000))
        .capture_default_str();
    const Option report_only =
        learner
            .add_option(
                "--report", given->reported,
                "Write the report of the run in this folder, which may still go on or have been killed, and "
                "learn nothing; with --ladder-games its milestones play before, as many games as they still "
                "lack. Of several folders: one report in OUTPUT, in which they lie over one another")
            .type_name("FOLDER")
            .expected(1, 100);
    add_json_lines(learner, how.json);
    learner.footer(
        "Without a limit it learns until Ctrl-C, which leaves something to resume. The newest network is "
        "always\n"
        "OUTPUT/network.safetensors; OUTPUT/report.md says at the end how it went. The same seed and recipe "
        "give the\n"
        "same networks on one kind of processor, with any number of threads (networks with hidden layers: "
        "with the same).\n"
        "Examples:\n"
        "  scholar learn --minutes 10                             from nothing\n"
        "  scholar learn --resume --minutes 60                    on with it\n"
        "  scholar learn --games my.pgn.zst -o runs/mine          from these games first\n"
        "  scholar learn --from runs/learn/milestones/005-core-minutes.safetensors -o runs/other\n"
        "  scholar learn --report runs/learn --ladder-games 100   how strong are its milestones?");
    add_learn_knightcap(learner, run);
    add_learn_giraffe(learner, run);
    learner.callback([given, learner, report_only, &run] {
        if (const auto given_to = learner.subcommands(); !given_to.empty()) {
            for (const Option option : learner.options())
                if (option.count() > 0)
                    refuse(option.name(),
                           fmt::format("stands before '{}', expected behind it", given_to.front()));
            return;
        }
        if (report_only.count() > 0) {
            constexpr std::array<std::string_view, 4> kOfReport{"--report", "--ladder-games", "--threads",
                                                                "--seed"};
            constexpr std::array<std::string_view, 2> kOfOverlay{"--report", "--output"};
            const bool several = given->reported.size() > 1;
            const std::span<const std::string_view> fitting =
                several ? std::span<const std::string_view>(kOfOverlay) : kOfReport;
            for (const Option option : learner.options())
                if (option.count() > 0 && std::ranges::find(fitting, option.name()) == fitting.end())
                    refuse(option.name(), several ? "does not go with --report of several runs"
                                                  : "does not go with --report, which learns nothing");
            if (several && learner.option("--output").count() == 0)
                refuse("--report",
                       "names several runs, expected --output beside it, for a folder of its own");
        }
        run = [given, again = report_only.count() > 0](const std::stop_token& stop) {
            if (given->reported.size() > 1) return overlay(given->reported, given->options.output);
            return again ? report_again(given->reported.front(), given->options, stop)
                         : learn(given->recipe, given->options, stop);
        };
    });
}

}  // namespace scholar::cli
