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

}  // namespace scholar::arena
