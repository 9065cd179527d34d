#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace scholar::arena {

// The words, as a shell would split them, of the command that starts a program. Refused, too, if there is no
// word, or if the first one, which names the program, is empty.
base::Result<std::vector<std::string>> split_command(std::string_view text);

}  // namespace scholar::arena
