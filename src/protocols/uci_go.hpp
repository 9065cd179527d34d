#pragma once

#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "chess/position.hpp"
#include "search/limits.hpp"

namespace scholar::protocols {

// The words after "go" as limits, for `position`'s side to move. An unknown word, a missing or wrong number,
// or an illegal search move is an error.
base::Result<search::Limits> parse_go(const chess::Position& position,
                                      const std::vector<std::string_view>& words);

}  // namespace scholar::protocols
