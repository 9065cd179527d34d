#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace scholar::base {

// Of the names that are known the one that was probably meant; nothing if none is near.
std::optional<std::string> nearest(std::string_view name, std::span<const std::string> known);

// The end of an error line about a name that is not known: "did you mean 'x'?" if one is near, else
// "expected one of a, b, c".
std::string hint(std::string_view name, std::span<const std::string> known);

}  // namespace scholar::base
