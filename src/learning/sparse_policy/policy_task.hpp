#pragma once

#include <memory>

#include "learning/run/device.hpp"
#include "learning/sparse_policy/policy_recipe.hpp"
#include "learning/training/task.hpp"

namespace scholar::learning {

// A sparse policy learns the moves of games: cross-entropy between the move played and the softmax over the
// legal moves, by kernels of our own on the CPU. It leaves
//   network.safetensors         the result, quantised
//   network-float.safetensors   before rounding: `initial` of another run
// Recipe and plan must outlive it.
std::unique_ptr<Task> make_sparse_policy_task(const Recipe& recipe, const SparsePolicyRecipe& plan,
                                              Device device);

}  // namespace scholar::learning
