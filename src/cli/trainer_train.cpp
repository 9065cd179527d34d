#include <filesystem>
#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/trainer_commands.hpp"
#include "learning/reports/train_report.hpp"
#include "learning/run/run_files.hpp"
#include "learning/training/recipe.hpp"
#include "learning/training/trainer.hpp"

namespace scholar::cli {

namespace {

struct TrainArguments {
    std::string recipe;
    learning::TrainOptions options;
    bool report = false;
};

int train(const TrainArguments& given, const std::stop_token& stop) {
    const auto recipe = learning::load_recipe(given.recipe);
    if (!recipe) return report(recipe.error());
    if (given.report) {
        const auto written = learning::write_train_report(recipe->output);
        if (!written) return report(written.error());
        fmt::print("wrote {}\n", written->string());
        return 0;
    }
    const auto outcome = learning::train(*recipe, given.options, stop);
    if (!outcome) return report(outcome.error());
    std::error_code error;
    const bool has_network = std::filesystem::exists(recipe->output / learning::kNetworkFile, error);
    if (!outcome->finished)
        fmt::print(stderr, "stopped at step {}{}; go on with: scholar train {} --resume\n", outcome->step,
                   has_network ? "" : ", before there is a network (--write with --minutes makes one)",
                   base::quoted(given.recipe, base::Quoting::Shell));
    return 0;
}

}  // namespace

void add_train(Command app, TrainerRun& run) {
    const auto given = std::make_shared<TrainArguments>();
    const Command command = app.add_subcommand("train", "Train a network as a recipe says");
    command.add_option("recipe", given->recipe, "The recipe, a TOML file (docs/training.md)").required();
    const GoOnOptions go_on = add_go_on_options(command, given->options.resume, given->options.overwrite);
    command
        .add_option("--minutes", given->options.minutes,
                    "Stop after so many minutes by the clock, to be resumed")
        .check(range(0.001, 1e6));
    command
        .add_option("--core-minutes", given->options.core_minutes,
                    "Stop after so many minutes of CPU time, those before --resume included")
        .check(range(0.001, 1e6));
    const Option writes = command.add_flag(
        "--write", given->options.writes_unfinished,
        "If --minutes or --core-minutes end it before the recipe does, write the network as it is then");
    command
        .add_flag("--report", given->report,
                  "Write OUTPUT/report.md: how the run went, which may still go on or have been killed")
        .excludes(go_on.resume)
        .excludes(go_on.overwrite)
        .excludes(writes);
    add_gpu_option(command, given->options.device);
    add_json_lines(command, given->options.json);
    command.callback(
        [given, &run] { run = [given](const std::stop_token& stop) { return train(*given, stop); }; });
}

}  // namespace scholar::cli
