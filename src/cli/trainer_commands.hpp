#pragma once

#include <functional>
#include <string>

#include "base/error.hpp"
#include "cli/arguments.hpp"
#include "learning/device.hpp"

// The subcommands of `scholar-train`.

namespace scholar::cli {

// What the command line asked for; its exit status.
using TrainerRun = std::function<int()>;

// Each adds its subcommand, which sets `run` when it is given.
void add_train(Command app, TrainerRun& run);
void add_learn(Command app, TrainerRun& run);
void add_reproduce(Command app, TrainerRun& run);
// Of `learn`.
void add_learn_knightcap(Command learn, TrainerRun& run);

// Where a network is trained: unless --gpu is given, `device` stays what it is.
void add_gpu_option(Command command, learning::Device& device);

// Prints the error on one line; the exit status that goes with it.
int report(const base::Error& error);
// Text as one word of a command line that is to be typed.
std::string shell_word(const std::string& text);

}  // namespace scholar::cli
