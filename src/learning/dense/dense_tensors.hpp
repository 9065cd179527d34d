#pragma once

#include <span>

#include "games/sample.hpp"
#include "learning/dense/dense_recipe.hpp"
#include "learning/training/samples.hpp"
#include "learning/training/torch_network.hpp"
#include "nets/dense/dense_feature_set.hpp"

// Includes libtorch and its modules.

namespace scholar::learning {

// What a dense network reads of positions: [position][features.size()].
at::Tensor dense_inputs(const nets::DenseFeatureSet& features, std::span<const games::Sample> samples);
at::Tensor dense_inputs(const nets::DenseFeatureSet& features, std::span<const LabelledNode> nodes);

// What should be said, [position], where only that is known to lie between `low` and `high`: what `z` says if
// it lies there, else the nearer end (selfplay/interval.hpp). All are White's expected results, 0
// to 1.
at::Tensor nearest_wanted(const at::Tensor& z, const at::Tensor& low, const at::Tensor& high);

// The mean over positions: a scalar. `z` and `wanted`, White's expected result from 0 to 1, are [position].
at::Tensor dense_loss(DenseLoss loss, const at::Tensor& z, const at::Tensor& wanted);
// The z [1] that has the least loss if it is said of all positions.
at::Tensor best_constant(DenseLoss loss, const at::Tensor& wanted);

}  // namespace scholar::learning
