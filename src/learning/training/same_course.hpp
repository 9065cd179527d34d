#pragma once

#include <cstdint>

#include "base/error.hpp"
#include "learning/training/recipe.hpp"

namespace scholar::learning {

// Whether a run that has done so many steps by the settings `before` may go on by `now`: all that its weights
// come from is the same. Where and when it is written, how long it lasts and what its rate will be may be
// others, if every step done had the rate that it now would have: the network at the end is then the one that
// the recipe of now would have given from the beginning. Else an error that names what differs.
base::Status check_same_course(const Recipe& now, const RunSettings& before, std::uint64_t done);

}  // namespace scholar::learning
