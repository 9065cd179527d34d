#pragma once

#include <cstdint>

#include "learning/model_state.hpp"

// Networks that become wider while they learn: narrow ones learn soonest, wide ones learn most.

namespace scholar::learning {

// The same function with `width` units for each viewpoint, at least as many as before: the new ones have
// random weights in, as those of a new network, and none out. The same seed gives the same network.
nets::FloatNetwork widened(const nets::FloatNetwork& network, int width, std::uint64_t seed);
// What the optimiser remembers of the new units is nothing.
ModelState widened(const ModelState& model, int width, std::uint64_t seed);

}  // namespace scholar::learning
