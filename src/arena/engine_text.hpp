#pragma once

#include <optional>
#include <string_view>

#include "base/text.hpp"

namespace scholar::arena {

// The whole text as a number, as engines write it: also with a plus sign.
template <class T>
std::optional<T> parse_signed(std::string_view text) {
    if (text.starts_with('+')) text.remove_prefix(1);
    return base::parse_number<T>(text);
}

}  // namespace scholar::arena
