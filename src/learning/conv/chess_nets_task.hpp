#pragma once

#include <memory>

#include "learning/conv/chess_nets_recipe.hpp"
#include "learning/training/task.hpp"

// Does not include libtorch.

namespace scholar::learning {

// ChessNet's networks, which learn from moves of games which man is moved and where it goes, and from how
// games ended what a position is worth (A. Singh 2015, chapter 2). Squares that a move cannot reach are not
// left out: what is legal is to be learnt. Leaves, in the run's folder, network.safetensors for the engine,
// and network-weights.safetensors for another run to start from. `recipe` and `plan` must outlive it.
std::unique_ptr<Task> make_chess_nets_task(const Recipe& recipe, const ChessNetsRecipe& plan, Device device);

}  // namespace scholar::learning
