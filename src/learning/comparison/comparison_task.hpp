#pragma once

#include <memory>

#include "learning/comparison/comparison_recipe.hpp"
#include "learning/training/task.hpp"

// Does not include libtorch.

namespace scholar::learning {

// A comparison network (nets/comparison) learns which of two positions is better: that of a game that White
// won, or that of a game that White lost. Leaves, in the run's folder, network.safetensors: what the engine
// reads, and what another run can begin with or be taught by. `recipe` and `plan` must outlive it.
std::unique_ptr<Task> make_comparison_task(const Recipe& recipe, const ComparisonRecipe& plan, Device device);

}  // namespace scholar::learning
