#pragma once

#include <CLI/CLI.hpp>

#include "games/selection.hpp"

namespace scholar::cli {

// Options that choose among the games of a store, each with the name that parse_selection() gives it.
void add_selection_options(CLI::App& command, games::SelectionWords& words);
// Those that say which games are for validation and test; the others have them too.
void add_share_options(CLI::App& command, games::SelectionWords& words);

// A check for options that are counts: refuses a sign, which would be read as a huge number.
CLI::Validator whole_number();

}  // namespace scholar::cli
