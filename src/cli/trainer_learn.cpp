#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <thread>

#include "base/interrupt.hpp"
#include "cli/trainer_commands.hpp"
#include "learning/learn_folder.hpp"
#include "learning/learn_report.hpp"
#include "learning/learn_screen.hpp"
#include "learning/learner.hpp"
#include "learning/milestone_places.hpp"
#include "learning/run_history.hpp"

namespace scholar::cli {

namespace {

struct Given {
    std::string recipe;  // "": the one that is built in
    learning::LearnOptions options;
    std::string reported;  // the run whose report is to be written again, and nothing else
};

int learn(const std::string& path, const learning::LearnOptions& options) {
    const base::Interrupt interrupt;
    // --games takes all words that follow it, a recipe's name too.
    for (const std::string& file : options.games_files)
        if (file.ends_with(".toml"))
            return report({fmt::format("{}: is a recipe, expected games: name it before --games", file)});
    const auto recipe = path.empty()
                            ? learning::parse_learn_recipe(learning::default_learn_recipe(), "learn.toml")
                            : learning::load_learn_recipe(path);
    if (!recipe) return report(recipe.error());
    base::Result<learning::LearnOutcome> outcome;
    {
        const auto screen = learning::make_learn_screen(options.json);
        outcome = learning::learn(*recipe, options, *screen, interrupt.token());
    }
    if (!outcome) return report(outcome.error());
    // Without a report it has learnt all the same.
    std::string how_it_went;
    if (outcome->has_learnt) {
        const auto written = learning::write_learn_report(options.output);
        if (written)
            how_it_went = fmt::format("  how it went    {}\n", written->string());
        else
            fmt::print(stderr, "warning: no report: {}\n", written.error().message);
    }
    const std::string network = (options.output / "network.safetensors").string();
    std::string again =
        fmt::format("scholar learn{} -o {} --resume", path.empty() ? "" : " " + shell_word(path),
                    shell_word(options.output.string()));
    // Before the first checkpoint nothing else remembers what the run begins with.
    if (!outcome->finished && outcome->progress.rounds == 0) {
        for (const std::string& file : options.games_files) again += " --games " + shell_word(file);
        if (options.only_games) again += " --only-games";
        if (!options.from.empty()) again += " --from " + shell_word(options.from);
        if (options.seed) again += fmt::format(" --seed {}", *options.seed);
    }
    if (outcome->finished) {
        fmt::print(stderr,
                   "learnt from {}: {}\n"
                   "  play with it   option EvalFile in a chess program, or scholar match\n"
                   "{}"
                   "  learn more     {}\n",
                   outcome->progress.rounds > 0 ? fmt::format("{} games", outcome->progress.games)
                   : outcome->has_learnt        ? "the games that it was given"
                                                : "no games yet",
                   network, how_it_went, again);
        return 0;
    }
    fmt::print(stderr, "stopped after {} games; go on with: {}\n", outcome->progress.games, again);
    return 130;
}

// The milestones play on the ladder before, if they are to.
int report_again(const std::string& folder, const learning::LearnOptions& options) {
    bool stopped = false;
    if (options.ladder_games > 0) {
        auto ladder = arena::parse_ladder(arena::embedded_ladder(), "the built-in ladder");
        if (!ladder) return report(ladder.error());
        const base::Interrupt interrupt;
        const learning::LearnFolder run(folder);
        learning::LadderPlan plan{std::move(*ladder), run.ladder_games(), options.ladder_games};
        plan.threads = options.threads > 0
                           ? options.threads
                           : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
        const auto history = learning::read_run_history(run.metrics());
        if (!history) return report(history.error());
        plan.seed = options.seed.value_or(history->start.seed);
        const auto tell = [](int minutes, const learning::LadderPlace& place) {
            fmt::print(stderr, "after {} core-minutes {:.0f} ± {:.0f}, {} games\n", minutes, place.elo,
                       place.error, place.games);
        };
        if (const auto s = learning::place_milestones(run, plan, tell, interrupt.token()); !s)
            return report(s.error());
        stopped = interrupt.token().stop_requested();
    }
    const auto written = learning::write_learn_report(folder);
    if (!written) return report(written.error());
    fmt::print("{}\n", written->string());
    return stopped ? 130 : 0;
}

}  // namespace

void add_learn(Command app, TrainerRun& run) {
    const auto given = std::make_shared<Given>();
    learning::LearnOptions& how = given->options;
    how.output = "runs/learn";
    how.program = "Scholar " SCHOLAR_VERSION;
    const Command learner =
        app.add_subcommand("learn", "Learn chess by playing against oneself, from nothing but the rules");
    learner.add_option("recipe", given->recipe,
                       "A TOML file (docs/learning.md); default: recipes/learn.toml, built in");
    learner.add_option("--output,-o", how.output, "Folder of the run").capture_default_str();
    learner.add_option("--minutes", how.minutes, "End after so long, games on the ladder left out")
        .check(range(0.001, 1e6));
    learner
        .add_option("--core-minutes", how.core_minutes,
                    "End after so much CPU time, that of earlier runs included")
        .check(range(0.001, 1e6));
    learner.add_option("--until-games", how.games, "End with so many games, rounds being whole")
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
    const Option go_on =
        learner.add_flag("--resume", how.resume, "Go on from the last checkpoint, or begin if there is none");
    learner.add_flag("--overwrite", how.overwrite, "Begin again, although the output folder holds a run")
        .excludes(go_on);
    learner
        .add_option("--checkpoint-seconds", how.checkpoint_seconds,
                    "Seconds between checkpoints at least; a kill costs these and a round more")
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
                "Write the report of the run in this folder again, as the end of a run does, and learn "
                "nothing; with --ladder-games its milestones play before, as many games as they still lack")
            .type_name("FOLDER");
    learner.add_flag("--json", how.json, "JSON lines on standard output, one record a line");
    learner.footer(
        "Without a limit it learns until Ctrl-C, which leaves something to resume. The newest network is "
        "always\n"
        "OUTPUT/network.safetensors; OUTPUT/report.md says at the end how it went. The same seed and recipe "
        "give "
        "the\n"
        "same networks, with any number of threads.\n"
        "Example:\n  scholar learn --minutes 10");
    add_learn_knightcap(learner, run);
    learner.callback([given, learner, report_only, &run] {
        if (const auto given_to = learner.subcommands(); !given_to.empty()) {
            for (const Option option : learner.options())
                if (option.count() > 0)
                    refuse(option.name(),
                           fmt::format("stands before '{}', expected behind it", given_to.front()));
            return;
        }
        run = [given, again = report_only.count() > 0] {
            return again ? report_again(given->reported, given->options)
                         : learn(given->recipe, given->options);
        };
    });
}

}  // namespace scholar::cli
