#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/error.hpp"
#include "games/openings.hpp"

namespace scholar::arena {

// So many different openings out of fewer: each goes on with two half-moves by lot that the default network
// thinks to leave the sides level, so that engines that always answer alike do not play the same games again.
// The given ones come first. Refused: openings that have not so many such ends.
base::Result<std::vector<games::Opening>> more_openings(const std::vector<games::Opening>& openings,
                                                        std::size_t count, std::uint64_t seed);

}  // namespace scholar::arena
