#pragma once

#include <memory>

#include "learning/comparison/encoder_recipe.hpp"
#include "learning/training/task.hpp"

// Does not include libtorch.

namespace scholar::learning {

// Pos2Vec (DeepChess, section 3), or one that imitates its codes (4.2). Leaves, in the run's folder,
// network.safetensors: the weights, which a comparison network can begin with (`initial`). `recipe` and
// `plan` must outlive it.
std::unique_ptr<Task> make_encoder_task(const Recipe& recipe, const EncoderRecipe& plan, Device device);

}  // namespace scholar::learning
