#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/error.hpp"
#include "learning/perspective/model.hpp"
#include "learning/perspective/model_state.hpp"

// Networks that become larger while they learn: small ones learn soonest, large ones learn most.

namespace scholar::learning {

// The same function with `width` units for each viewpoint, at least as many as before: the new ones have
// random weights in, as those of a new network, and none out. The same seed gives the same network.
nets::FloatNetwork widened(const nets::FloatNetwork& network, int width, std::uint64_t seed);
// What the optimiser remembers of the new units: no mean gradient, and for its square the mean of the
// others'.
ModelState widened(const ModelState& model, int width, std::uint64_t seed);

// For each feature of `finer` the one of `coarser` that says the same of the board while the own king stands
// on e to h, or, where the boards are mirrored in both or in neither, anywhere. Nothing if a king bucket of
// `finer` is not within one of `coarser`, or the boards are mirrored in `coarser` alone.
std::optional<std::vector<std::size_t>> coarser_features(const nets::FeatureSet& coarser,
                                                         const nets::FeatureSet& finer);
// Each feature's weights become those of all features made of it, which learn apart from here on: the same
// function, but where boards become mirrored and the own king stands on a to d, which the network then
// takes for the other wing. Throws std::invalid_argument without coarser_features().
nets::FloatNetwork refined(const nets::FloatNetwork& network, const nets::FeatureSet& finer);
// The optimiser remembers of a feature what it did of the one that it was made of.
ModelState refined(const ModelState& model, const nets::FeatureSet& finer);

// Each head becomes those of the ranges of pieces that lie in its own, which learn apart from here on: the
// same function. `output_buckets` is one of Architecture::kOutputBuckets, no fewer than before.
nets::FloatNetwork bucketed(const nets::FloatNetwork& network, int output_buckets);
// The optimiser remembers of a head what it did of the one that it was made of, for its share of the
// positions. Throws std::invalid_argument where the old heads do not become whole numbers of new ones.
ModelState bucketed(const ModelState& model, int output_buckets);

// How far from 0 the logits are that a network keeps when it gets hidden layers.
constexpr float kDeepenedRange = 13;
// A network without hidden layers gets some. In each of them a few units hand on what the output was, cut
// into slices (a unit's range is 0…1), and the others have random weights in, as those of a new network, and
// none out: the same function while its logits are within ±kDeepenedRange, beyond which they stay there.
// Throws std::invalid_argument where there are hidden layers already, or shall be none.
nets::FloatNetwork deepened(const nets::FloatNetwork& network, const std::vector<int>& hidden,
                            std::uint64_t seed);
// What the optimiser remembers of the new weights: no mean gradient, and for its square that of the logit
// times the square of the unit's share of the logit (1 where it has none yet). So their first steps are no
// longer than others.
ModelState deepened(const ModelState& model, const std::vector<int>& hidden, std::uint64_t seed);
// Why training within `clip` would cut the weights that deepened() makes of a network that was trained within
// it; `deep` is what it becomes. The message goes behind "clip_output".
base::Status check_deepening(const nets::Architecture& deep, const WeightClip& clip);

}  // namespace scholar::learning
