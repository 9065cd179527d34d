#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace scholar::arena {

// Splits as a shell does, without expanding anything: words between blanks, '…' and "…" around blanks (also
// within a word), a backslash before a character that is to lose its meaning. A quote that is not closed is
// refused.
base::Result<std::vector<std::string>> split_words(std::string_view text);

// The same for the command that starts a program: refused too if there is no word, or if the first one, which
// names the program, is empty.
base::Result<std::vector<std::string>> split_command(std::string_view text);

}  // namespace scholar::arena
