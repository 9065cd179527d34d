#pragma once

#include <CLI/CLI.hpp>

#include "games/selection.hpp"

namespace scholar::cli {

// Options that choose among the games of a store, each with the name that parse_selection() gives it.
void add_selection_options(CLI::App& command, games::SelectionWords& words);

}  // namespace scholar::cli
