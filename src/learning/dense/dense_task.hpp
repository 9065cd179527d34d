#pragma once

#include <memory>

#include "learning/dense/dense_recipe.hpp"
#include "learning/training/task.hpp"

// Does not include libtorch.

namespace scholar::learning {

// A dense network (nets/dense) learns what positions of games are worth to White. Leaves, in the run's
// folder, network.safetensors: what the engine reads, and what another run can start from. `recipe` and
// `plan` must outlive it.
std::unique_ptr<Task> make_dense_task(const Recipe& recipe, const DenseRecipe& plan, Device device);

}  // namespace scholar::learning
