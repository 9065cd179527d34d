#pragma once

#include <functional>
#include <stop_token>

#include "base/error.hpp"
#include "cli/arguments.hpp"
#include "learning/run/device.hpp"

// The subcommands of `scholar-train`.

namespace scholar::cli {

// What the command line asked for; its exit status, unless it was interrupted: main() answers for that.
using TrainerRun = std::function<int(const std::stop_token&)>;

// Each adds its subcommand, which sets `run` when it is given.
void add_train(Command app, TrainerRun& run);
void add_learn(Command app, TrainerRun& run);
void add_reproduce(Command app, TrainerRun& run);
// Of `learn`.
void add_learn_knightcap(Command learn, TrainerRun& run);
void add_learn_giraffe(Command learn, TrainerRun& run);

// Where a network is trained: unless --gpu is given, `device` stays what it is.
void add_gpu_option(Command command, learning::Device& device);

// What each run takes: --resume and --overwrite, of which only one may be given, and --json.
struct GoOnOptions {
    Option resume;
    Option overwrite;
};
GoOnOptions add_go_on_options(Command command, bool& resume, bool& overwrite);
void add_json_lines(Command command, bool& json);

// Prints the error on one line; the exit status that goes with it.
int report(const base::Error& error);

}  // namespace scholar::cli
