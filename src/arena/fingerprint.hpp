#pragma once

#include <string>
#include <vector>

#include "games/openings.hpp"

namespace scholar::arena {

// A hash of all positions and moves, in hexadecimal: other openings have another.
std::string fingerprint(const std::vector<games::Opening>& openings);

}  // namespace scholar::arena
