#pragma once

#include <cstdint>
#include <memory>

#include "learning/training/recipe.hpp"
#include "learning/training/sample_source.hpp"
#include "nets/conv/planes.hpp"

// Does not include libtorch.

namespace scholar::learning {

// Positions of games with the moves that were played there, and with ratings where the input shows them.
// Refuses samples of which nobody has played a move.
base::Result<std::unique_ptr<SampleSource>> open_played_positions(const Recipe& recipe,
                                                                  const nets::PlanesInput& input,
                                                                  games::Split split, std::uint64_t seed);

}  // namespace scholar::learning
