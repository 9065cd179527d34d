#pragma once

#include <functional>
#include <stop_token>

#include "base/error.hpp"
#include "cli/arguments.hpp"

namespace scholar::cli {

// What the command line asked for. Each add_…_command() adds one subcommand with its options to `app`, and
// sets `run` from the subcommand's callback; main() runs it, prints an error as one line and exits non-zero.
struct Invocation {
    std::function<base::Status(std::stop_token)> run;
    // What the program exits with where `run` succeeds.
    int exit_code = 0;
    // Instead of `run`: makes another program of this process, before anything was done to its signals.
    // Returns only if it cannot.
    std::function<base::Status()> become;
};

}  // namespace scholar::cli
