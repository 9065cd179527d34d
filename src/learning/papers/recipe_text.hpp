#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"

// Recipes that a paper's experiments vary.

namespace scholar::learning {

// As a text in TOML, whose escapes are those of JSON.
std::string in_toml(const std::string& text);
// A list of them, as [data] stores wants it: ["a", "b"].
std::string in_toml(std::span<const std::string> texts);

// The recipe called so, with each first text by the second in its place. Refused: one that is not there.
base::Result<std::string> with_replaced(std::string_view name, std::string recipe,
                                        const std::vector<std::pair<std::string, std::string>>& replaced);

}  // namespace scholar::learning
