#pragma once

#include <memory>

#include "learning/conv/residual_recipe.hpp"
#include "learning/training/task.hpp"

// Does not include libtorch.

namespace scholar::learning {

// A residual network (nets/conv) that learns the moves of games and how they ended. Leaves, in the run's
// folder, network.safetensors for the engine, and network-unfolded.safetensors, with batch norm as it was
// trained, for another run to start from. `recipe` and `plan` must outlive it.
std::unique_ptr<Task> make_residual_task(const Recipe& recipe, const ResidualRecipe& plan, Device device);

}  // namespace scholar::learning
