#pragma once

#include <cstddef>
#include <cstdint>

// The sparse first layer of a perspective network, forward and backward: the one hot spot of training. Widths
// are multiples of 32. Each call does a part of the work, so that threads share it without sharing memory
// that is written: forward by positions, backward by columns. Every element is summed in the same order
// however the work is shared, so the result does not depend on the number of threads.

namespace scholar::learning {

// Active features of a batch, as learning/batch.hpp lays them out.
struct SparseInput {
    const std::uint16_t* own;
    const std::uint16_t* enemy;
    const std::uint8_t* counts;
    int stride;
    std::int64_t positions;
};

// out[position][0…width) = clip(bias + Σ rows of own features, 0, 1), out[position][width…2 width) the same
// of the enemy's, for the positions [begin, end). transformer is [feature][width].
void sparse_forward(const SparseInput& input, const float* transformer, const float* bias, int width,
                    float* out, std::int64_t begin, std::int64_t end);

// Adds to the columns [begin, end) of grad_transformer and grad_bias, given the gradient of `activations`
// (what forward gave). begin and end are multiples of 32.
void sparse_backward(const SparseInput& input, const float* activations, const float* grad_activations,
                     int width, float* grad_transformer, float* grad_bias, int begin, int end);

}  // namespace scholar::learning
