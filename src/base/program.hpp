#pragma once

#include <string>

#include "base/error.hpp"

// The program that runs. Linux tells both by /proc, except in the archive for other Linuxes
// (tools/archive.sh), in which a launcher beside its own C library loads the program: there /proc names the
// loader.

namespace scholar::base {

// Absolute path of what starts this program again: its own file, or its launcher.
Result<std::string> program_command();

// The file that holds this program's code.
Result<std::string> program_file();

}  // namespace scholar::base
