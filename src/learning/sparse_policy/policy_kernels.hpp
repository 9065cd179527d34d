#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "learning/sparse_policy/policy_batch.hpp"

// The outputs of a sparse policy, forward and backward, of the places of some runs of a block. `width`, the
// number of units, is a multiple of 32. Every place, row and column is worked out by itself and in the order
// of the places, so that runs or columns may be shared out among threads as one likes, and the sums are the
// same to the last bit.

namespace scholar::learning {

// logits[slot] = bias of the row + units of the position [position][width] · weights of the row [row][width].
void row_logits(std::span<const RowRun> runs, const RowPlace* places, const float* units, std::size_t width,
                const float* weights, const float* biases, float* logits);

// Given the gradient of the logits [slot], adds to those of the weights and biases of the runs' rows.
void row_gradients(std::span<const RowRun> runs, const RowPlace* places, const float* units,
                   std::size_t width, const float* grads, float* weights, float* biases);

// And to those of the units [position][width], columns [from, to), which are multiples of 32.
void unit_gradients(std::span<const RowRun> runs, const RowPlace* places, std::size_t width, std::size_t from,
                    std::size_t to, const float* weights, const float* grads, float* units);

}  // namespace scholar::learning
