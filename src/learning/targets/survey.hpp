#pragma once

#include <filesystem>
#include <optional>
#include <stop_token>
#include <vector>

#include "base/error.hpp"
#include "learning/run/metrics.hpp"
#include "learning/targets/evaluation_scales.hpp"
#include "learning/targets/target_rule.hpp"
#include "learning/training/recipe.hpp"

namespace scholar::learning {

// What one pass over all positions of all training games says, before training: unfiltered, because an
// opening position that the sampler skips was still played in a training game.
struct Survey {
    EvaluationScales scales;
    // By place in the validation sample: whether the position occurs in no training game.
    std::vector<bool> unseen;
};

// What positions are compared by: Position::key(), and where the recipe turns boards over (stage `mirror`),
// that of the board with White to move, whoever was: a position and its mirror image are then the same to the
// network.
std::uint64_t survey_key(const Recipe& recipe, const chess::Position& position);

// `validation_keys` are survey_key()s. The result is kept in `cache` and read from there if data and
// recipe are still the same. Nothing if asked to stop.
base::Result<std::optional<Survey>> survey(const Recipe& recipe,
                                           const std::vector<std::uint64_t>& validation_keys,
                                           const std::filesystem::path& cache, std::stop_token stop);

// What positions should be judged as, with the scales of a survey in `folder`, which are said. Nothing if
// asked to stop.
base::Result<std::optional<TargetRule>> surveyed_rule(const Recipe& recipe, const TargetPlan& plan,
                                                      const std::filesystem::path& folder,
                                                      const Metrics& metrics, const std::stop_token& stop);

}  // namespace scholar::learning
