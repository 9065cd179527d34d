#pragma once

#include <cstdint>

#include "nets/architecture.hpp"

// A perspective network, forward and backward, the one hot spot of training: for some positions of a batch
// and some columns (units) of the width. Columns go in groups of kGroup. What a call gives depends on
// nothing but its arguments' values: columns may be shared out among threads as one likes, and the sums are
// the same to the last bit.

namespace scholar::learning {

constexpr int kGroup = 32;

// Active features of a batch, as learning/batch.hpp lays them out, and each position's output bucket.
struct PerspectiveInput {
    const std::uint16_t* own;
    const std::uint16_t* enemy;
    const std::uint8_t* counts;
    const std::uint8_t* buckets;
    int stride;
    std::int64_t positions;
};

// As nets::FloatNetwork has them.
struct PerspectiveWeights {
    const float* transformer;
    const float* transformer_bias;
    const float* output;
    const float* output_bias;
    int width;
    int output_buckets;
    nets::Activation activation;
};

// Of the same shapes as the weights.
struct PerspectiveGradients {
    float* transformer;
    float* transformer_bias;
    float* output;
    float* output_bias;
};

// Which part of the work: positions [from, to) and columns [begin, end), multiples of kGroup.
struct PerspectivePart {
    std::int64_t from;
    std::int64_t to;
    int begin;
    int end;
};

// clipped[position − from][own, enemy][column] = clip(bias + Σ rows of the features, 0, 1); partial[group ×
// (to − from) + position − from] = Σ over the group's columns and both viewpoints of activation × output
// weight. All groups' partials and the output bias add up to the logit.
void perspective_forward(const PerspectiveInput& input, const PerspectiveWeights& weights,
                         const PerspectivePart& part, float* clipped, float* partial);

// Given what forward wrote and the gradient of the logits [position − from], adds to the gradients of the
// part's columns (not to that of the output bias).
void perspective_backward(const PerspectiveInput& input, const PerspectiveWeights& weights,
                          const PerspectivePart& part, const float* clipped, const float* grads,
                          const PerspectiveGradients& gradients);

}  // namespace scholar::learning
