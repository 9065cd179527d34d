#pragma once

#include "cli/arguments.hpp"
#include "games/selection.hpp"

namespace scholar::cli {

// Options that choose among the games of a store, each with the name that parse_selection() gives it.
void add_selection_options(Command command, games::SelectionWords& words);
// Those that say which games are for validation and test; the others have them too.
void add_share_options(Command command, games::SelectionWords& words);

// A check for options that are counts: refuses a sign, which would be read as a huge number.
Check whole_number();

}  // namespace scholar::cli
