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

// Prints the error on one line; the exit status that goes with it.
int report(const base::Error& error);

}  // namespace scholar::cli
