#pragma once

#include <span>

#include "games/sample.hpp"
#include "learning/dense/dense_moves_recipe.hpp"
#include "learning/training/torch_network.hpp"
#include "nets/dense/dense_move_set.hpp"

// Includes libtorch and its modules.

namespace scholar::learning {

// What a network that judges moves reads of positions and their legal moves, in the order of
// chess::legal_moves(): the inputs of DenseMoveModules::forward().
Tensors dense_move_inputs(const nets::DenseShape& shape, std::span<const games::Sample> samples);

// Which move was made, and which there are: [position][kMaxMoves] each, of float and of bool.
Tensors dense_move_targets(std::span<const games::Sample> samples);

// The mean over positions: a scalar. `z` [position][kMaxMoves] of one judgement; what it says where there is
// no move is not looked at.
at::Tensor dense_move_loss(DenseMovesLoss loss, const at::Tensor& z, const Tensors& targets);
// The z [1][1] that has the least loss if it is said of every move.
at::Tensor best_move_constant(DenseMovesLoss loss, const Tensors& targets);

}  // namespace scholar::learning
