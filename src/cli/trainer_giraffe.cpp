#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/trainer_commands.hpp"
#include "learning/segments/segment_learner.hpp"

namespace scholar::cli {

namespace {

struct GiraffeArguments {
    std::string recipe;
    learning::SegmentOptions options;
};

int learn(const GiraffeArguments& given, const std::stop_token& stop) {
    const auto recipe = learning::load_segment_recipe(given.recipe);
    if (!recipe) return report(recipe.error());
    const learning::SegmentOptions& options = given.options;
    const auto outcome = learning::learn_by_segments(*recipe, options, stop);
    if (!outcome) return report(outcome.error());
    std::string again = "scholar learn giraffe " + base::quoted(given.recipe, base::Quoting::Shell);
    if (!options.output.empty())
        again += " -o " + base::quoted(options.output.string(), base::Quoting::Shell);
    if (options.threads > 1) again += fmt::format(" --threads {}", options.threads);
    if (!outcome->finished && options.core_minutes > 0)
        again += fmt::format(" --core-minutes {}", options.core_minutes);
    fmt::print(stderr, "{} {} and {:.1f} core-minutes; go on with: {} --resume\n",
               outcome->finished ? "learnt in" : "stopped after",
               base::counted(outcome->iterations, "iteration"), outcome->core_seconds / 60, again);
    return 0;
}

}  // namespace

void add_learn_giraffe(Command learner, TrainerRun& run) {
    const auto given = std::make_shared<GiraffeArguments>();
    learning::SegmentOptions& how = given->options;
    const Command command = learner.add_subcommand(
        "giraffe",
        "Learn an evaluation by short stretches of self-play from positions of games, as Giraffe did");
    command
        .add_option("recipe", given->recipe,
                    "A TOML file (docs/giraffe.md): recipes/giraffe.toml, or recipes/giraffe-paper.toml")
        .required();
    command.add_option("--output,-o", how.output, "Folder of the run; default: the recipe's");
    command
        .add_option("--core-minutes", how.core_minutes,
                    "Stop after so many minutes of CPU time, those before --resume included")
        .check(range(0.001, 1e6));
    command.add_option("--minutes", how.minutes, "Stop after so many minutes of this run")
        .check(range(0.001, 1e6));
    command
        .add_option("--threads", how.threads,
                    "Threads that play; the network does not depend on how many there are")
        .check(range(1, 1024))
        .capture_default_str();
    command
        .add_option("--checkpoint-seconds", how.checkpoint_seconds,
                    "Seconds between checkpoints at least: a kill loses what was done in them, and an "
                    "iteration more")
        .check(range(0.0, 86'400.0))
        .capture_default_str();
    add_go_on_options(command, how.resume, how.overwrite);
    add_json_lines(command, how.json);
    command.footer(
        "Without a limit here or in the recipe it learns until Ctrl-C, which leaves something to resume.\n"
        "OUTPUT/network.safetensors is the newest network, OUTPUT/milestones has those after 1, 2, 5, 10, 20 "
        "core-minutes\n"
        "and so on, OUTPUT/metrics.jsonl says how each iteration went.\n"
        "Examples:\n  scholar learn giraffe recipes/giraffe.toml --core-minutes 120\n"
        "  scholar learn giraffe recipes/giraffe.toml --core-minutes 120 --resume");
    command.callback(
        [given, &run] { run = [given](const std::stop_token& stop) { return learn(*given, stop); }; });
}

}  // namespace scholar::cli
