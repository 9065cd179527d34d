#pragma once

#include <memory>

#include "learning/linear/linear_recipe.hpp"
#include "learning/training/task.hpp"

// Fitting the linear evaluation (nets/linear/linear_network.hpp) to games: logistic regression of what is to
// be expected of a position on its features, all games at once. It is the best that such a network can know
// of these games, which what learns game by game (learning/online/online_learner.hpp) is measured by; engine
// authors call it Texel's tuning.

namespace scholar::learning {

// Both must outlive it.
std::unique_ptr<Task> make_linear_task(const Recipe& recipe, const LinearRecipe& plan, Device device);

}  // namespace scholar::learning
