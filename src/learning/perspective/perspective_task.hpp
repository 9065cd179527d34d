#pragma once

#include <memory>

#include "learning/run/device.hpp"
#include "learning/training/task.hpp"

namespace scholar::learning {

struct Recipe;

// A perspective network learns what positions of games are worth: binary cross-entropy between σ(logit) and
// the recipe's target (learning/perspective/batch.hpp), by kernels of our own on the CPU. It leaves
//   untrained.safetensors      the network before training, quantised
//   network.safetensors        the result, quantised; network-float.safetensors: before rounding
//   survey.json                what is known of all training positions
// The recipe is of the kind "perspective" and must outlive it.
std::unique_ptr<Task> make_perspective_task(const Recipe& recipe, Device device);

}  // namespace scholar::learning
