#include <cstdlib>
#include <fmt/format.h>
#include <unistd.h>

#include "base/interrupt.hpp"
#include "cli/output.hpp"
#include "cli/trainer_commands.hpp"

// `scholar-train`: the trainers, in a program of their own so that the engine does not carry libtorch.

namespace {

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

namespace scholar::cli {

void add_gpu_option(Command command, learning::Device& device) {
    command.add_flag_callback(
        "--gpu", [&device] { device = learning::Device::Gpu; },
        "Train on the GPU that libtorch finds; needs a libtorch that was built for it (docs/training.md)");
}

GoOnOptions add_go_on_options(Command command, bool& resume, bool& overwrite) {
    const Option go_on =
        command.add_flag("--resume", resume, "Go on with the run that the output folder holds");
    const Option again =
        command.add_flag("--overwrite", overwrite, "Begin again, although the output folder holds a run")
            .excludes(go_on);
    return {go_on, again};
}

void add_json_lines(Command command, bool& json) {
    command.add_flag("--json", json, "JSON lines on standard output, one record a line");
}

int report(const base::Error& error) {
    fmt::print(stderr, "scholar: {}\n", error.message);
    return 1;
}

// No reason to end without a word.
static int run_safely(const TrainerRun& run, const std::stop_token& stop) try {
    return run(stop);
} catch (const std::exception& error) {
    return report({error.what()});
}

}  // namespace scholar::cli

int main(int argc, char** argv) {
    using namespace scholar;
    wait_without_spinning(argv);
    cli::CommandLine command_line("Scholar's trainers", "scholar");
    const cli::Command app = command_line.command();
    app.require_subcommand(1, 1);
    cli::TrainerRun run;
    cli::add_train(app, run);
    cli::add_learn(app, run);
    cli::add_reproduce(app, run);
    const auto read = command_line.parse(argc, argv);
    if (!read) {
        fmt::print(stderr, "scholar: {}; see --help\n", read.error().message);
        return 2;
    }
    if (*read == cli::CommandLine::Read::Commanded) {
        const base::Interrupt interrupt;
        const int status = cli::run_safely(run, interrupt.token());
        return interrupt.token().stop_requested() ? base::kInterruptedStatus : status;
    }
    const auto flushed = cli::flush_output();
    return flushed ? 0 : cli::report(flushed.error());
}
