#pragma once

#include <cstddef>
#include <cstdint>

#include "learning/perspective/batch.hpp"

namespace scholar::learning {

// Random distinct features of `features`, 2 to 32 a position and viewpoint. No targets.
Batch random_batch(std::size_t positions, std::uint64_t seed, int features = 768);

}  // namespace scholar::learning
