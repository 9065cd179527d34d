#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdlib>
#include <fmt/format.h>
#include <unistd.h>

#include "base/interrupt.hpp"
#include "learning/learn_screen.hpp"
#include "learning/learner.hpp"
#include "learning/recipe.hpp"
#include "learning/trainer.hpp"

// `scholar-train`: the trainers, in a program of their own so that the engine does not carry libtorch.

namespace {

using namespace scholar;

int report(const base::Error& error) {
    fmt::print(stderr, "scholar: {}\n", error.message);
    return 1;
}

int train(const std::string& path, const learning::TrainOptions& options) {
    const base::Interrupt interrupt;
    const auto recipe = learning::load_recipe(path);
    if (!recipe) return report(recipe.error());
    const auto outcome = learning::train(*recipe, options, interrupt.token());
    if (!outcome) return report(outcome.error());
    if (outcome->finished) return 0;
    fmt::print(stderr, "stopped at step {}; go on with: scholar train {} --resume\n", outcome->step, path);
    return 130;  // as a shell reports Ctrl-C
}

int learn(const std::string& path, const learning::LearnOptions& options) {
    const base::Interrupt interrupt;
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
    const std::string network = (options.output / "network.safetensors").string();
    const std::string again = fmt::format("scholar learn{} -o {} --resume", path.empty() ? "" : " " + path,
                                          options.output.string());
    if (outcome->finished) {
        fmt::print(stderr,
                   "learnt from {} games: {}\n"
                   "  play with it   option EvalFile in a chess program, or scholar match\n"
                   "  learn more     {}\n",
                   outcome->progress.games, network, again);
        return 0;
    }
    fmt::print(stderr, "stopped after {} games; go on with: {}\n", outcome->progress.games, again);
    return 130;
}

// OpenMP's threads spin while they wait, unless the environment said otherwise when the program was loaded.
// The reading threads, and whatever else runs on the machine, need those cores: two trainings side by side
// were ten times slower.
void wait_without_spinning(char** argv) {
    if (std::getenv("OMP_WAIT_POLICY") != nullptr) return;
    ::setenv("OMP_WAIT_POLICY", "passive", 1);
    ::execv("/proc/self/exe", argv);
    // Could not start again: slower, not wrong.
}

}  // namespace

int main(int argc, char** argv) {
    wait_without_spinning(argv);
    CLI::App app("Scholar's trainers");
    app.require_subcommand(1);
    std::string recipe;
    learning::TrainOptions options;
    CLI::App* command = app.add_subcommand("train", "Train a network as a recipe says");
    command->add_option("recipe", recipe, "The recipe, a TOML file (docs/training.md)")->required();
    CLI::Option* resume = command->add_flag("--resume", options.resume,
                                            "Go on from the last checkpoint, or begin if there is none");
    command->add_flag("--overwrite", options.overwrite, "Begin again, although the output folder holds a run")
        ->excludes(resume);
    command->add_flag("--json", options.json, "JSON lines on standard output, one record a line");
    learning::LearnOptions how;
    how.output = "runs/learn";
    std::string course;
    CLI::App* learner =
        app.add_subcommand("learn", "Learn chess by playing against oneself, from nothing but the rules");
    learner->add_option("recipe", course,
                        "A TOML file (docs/learning.md); default: recipes/learn.toml, built in");
    learner->add_option("--output,-o", how.output, "Folder of the run")->capture_default_str();
    learner->add_option("--minutes", how.minutes, "End after so long")->check(CLI::Range(0.001, 1e6));
    learner
        ->add_option("--core-minutes", how.core_minutes,
                     "End after so much CPU time, that of earlier runs included")
        ->check(CLI::Range(0.001, 1e6));
    learner->add_option("--until-games", how.games, "End with so many games, rounds being whole")
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000'000}));
    learner->add_option("--seed", how.seed, "Seed of weights, games and batches")->capture_default_str();
    learner->add_option("--threads", how.threads, "Threads; 0: one a core")
        ->check(CLI::Range(0, 1024))
        ->capture_default_str();
    CLI::Option* go_on = learner->add_flag("--resume", how.resume,
                                           "Go on from the last checkpoint, or begin if there is none");
    learner->add_flag("--overwrite", how.overwrite, "Begin again, although the output folder holds a run")
        ->excludes(go_on);
    learner->add_flag("--json", how.json, "JSON lines on standard output, one record a line");
    learner->footer(
        "Without a limit it learns until Ctrl-C, which leaves something to resume. The newest network is "
        "always\n"
        "OUTPUT/network.safetensors. The same seed and recipe give the same networks, with any number of "
        "threads.\n"
        "Example:\n  scholar learn --minutes 10");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);
        fmt::print(stderr, "scholar: {}; see --help\n", error.what());
        return 2;
    }
    if (learner->parsed()) return learn(course, how);
    return train(recipe, options);
}
