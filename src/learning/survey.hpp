#pragma once

#include <filesystem>
#include <stop_token>
#include <vector>

#include "base/error.hpp"
#include "learning/evaluation_scales.hpp"
#include "learning/recipe.hpp"

namespace scholar::learning {

// What one pass over all positions of all training games says, before training: unfiltered, because an
// opening position that the sampler skips was still played in a training game.
struct Survey {
    EvaluationScales scales;
    // By place in the validation sample: whether the position occurs in no training game.
    std::vector<bool> unseen;
};

// `validation_keys` are Position::key()s. The result is kept in `cache` and read from there if data and
// recipe are still the same. Without a result if asked to stop: an error.
base::Result<Survey> survey(const Recipe& recipe, const std::vector<std::uint64_t>& validation_keys,
                            const std::filesystem::path& cache, std::stop_token stop);

}  // namespace scholar::learning
