#pragma once

#include <CLI/CLI.hpp>

#include "cli/command.hpp"

namespace scholar::cli {

// scholar games import | info | check | export: game stores made, looked into, verified and written as PGN
// again.
void add_games_command(CLI::App& app, Invocation& invocation);

}  // namespace scholar::cli
