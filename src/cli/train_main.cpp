#include <CLI/CLI.hpp>
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
    const auto recipe = learning::load_learn_recipe(path);
    if (!recipe) return report(recipe.error());
    base::Result<learning::LearnOutcome> outcome;
    {
        const auto screen = learning::make_learn_screen(options.json);
        outcome = learning::learn(*recipe, options, *screen, interrupt.token());
    }
    if (!outcome) return report(outcome.error());
    if (outcome->finished) return 0;
    fmt::print(stderr, "stopped after {} games; go on with: scholar learn {} -o {} --resume\n",
               outcome->progress.games, path, options.output.string());
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
    CLI::App* learner = app.add_subcommand("learn", "Learn from self-play, from nothing or from a network");
    learner->add_option("recipe", recipe, "The recipe, a TOML file (docs/learning.md)")->required();
    learner->add_option("--output,-o", how.output, "Folder of the run")->required();
    learner->add_option("--seed", how.seed, "Seed of weights, games and batches")->capture_default_str();
    learner->add_option("--threads", how.threads, "Threads; 0: one a core")->capture_default_str();
    learner->add_option("--core-minutes", how.core_minutes, "End after so much CPU time; 0: no end");
    learner->add_option("--games", how.games, "End after so many games, rounds being whole; 0: no end");
    CLI::Option* go_on = learner->add_flag("--resume", how.resume,
                                           "Go on from the last checkpoint, or begin if there is none");
    learner->add_flag("--overwrite", how.overwrite, "Begin again, although the output folder holds a run")
        ->excludes(go_on);
    learner->add_flag("--json", how.json, "JSON lines on standard output, one record a line");
    CLI11_PARSE(app, argc, argv);
    if (learner->parsed()) return learn(recipe, how);
    return train(recipe, options);
}
