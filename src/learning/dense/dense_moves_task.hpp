#pragma once

#include <memory>

#include "learning/dense/dense_moves_recipe.hpp"
#include "learning/training/task.hpp"

// Does not include libtorch.

namespace scholar::learning {

// A dense network (nets/dense) learns which move was made, or is best, by two judgements as the engine has
// them: both are taught, the second with the places that the first gives at that moment. Leaves, in the run's
// folder, network.safetensors: what the engine reads, and what another run can start from. `recipe` and
// `plan` must outlive it.
std::unique_ptr<Task> make_dense_moves_task(const Recipe& recipe, const DenseMovesRecipe& plan,
                                            Device device);

}  // namespace scholar::learning
