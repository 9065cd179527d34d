#pragma once

#include <cstdint>

#include "learning/perspective/panels.hpp"
#include "nets/perspective/architecture.hpp"

// A perspective network, forward and backward, the one hot spot of training: for some positions of a batch
// and some panels (learning/perspective/panels.hpp) of the width. What a call gives depends on nothing but
// its arguments' values: panels may be shared out among threads as one likes, and the sums are the same to
// the last bit.

namespace scholar::learning {

// Active features of a batch, as learning/perspective/batch.hpp lays them out, and each position's output
// bucket. With one viewpoint there is nothing of the enemy's: counts are [position].
struct PerspectiveInput {
    const std::uint16_t* own;
    const std::uint16_t* enemy;
    const std::uint8_t* counts;
    const std::uint8_t* buckets;
    int stride;
    std::int64_t positions;
    int viewpoints = 2;  // one only where units_forward() is meant
};

// As nets::FloatNetwork has them, but for the transformer, which is in panels.
struct PerspectiveWeights {
    const float* transformer;
    const float* transformer_bias;
    const float* output;  // this and its bias: not for those with hidden layers
    const float* output_bias;
    std::size_t features;
    std::size_t width;
    std::size_t outputs;  // of a viewpoint: nets::Architecture::outputs()
    nets::Activation activation;
};

// Of the same shapes as the weights.
struct PerspectiveGradients {
    float* transformer;
    float* transformer_bias;
    float* output;
    float* output_bias;
};

// Positions that go forward and back together, at most. Many, as threads wait for each other once a block.
constexpr std::int64_t kBlock = 2'048;

// Which part of the work: positions [from, to), at most a block, of a panel of what the output gets, and of
// the next one too if `both` (which reads the features once for the two).
struct PerspectivePart {
    std::int64_t from;
    std::int64_t to;
    std::size_t panel;
    bool both;
};

// Whether there are parts with both. Where units are paired, two panels of these go together anyhow.
constexpr bool may_take_both(nets::Activation activation) {
    return nets::group_size(activation) == 1;
}

// clipped[panel of units][kBlock: position − from][own, enemy][column of the panel] = clip(bias + Σ rows of
// the features, 0, 1); partial[panel of what the output gets][kBlock: position − from] = Σ over the panel's
// columns and both viewpoints of activation × output weight. All panels' partials and the output bias add up
// to the logit. Panels count from the network's first.
void perspective_forward(const PerspectiveInput& input, const PerspectiveWeights& weights,
                         const PerspectivePart& part, float* clipped, float* partial);

// Given what forward wrote and the gradient of the logits [position − from], adds to the gradients of the
// part's panels (not to that of the output bias).
void perspective_backward(const PerspectiveInput& input, const PerspectiveWeights& weights,
                          const PerspectivePart& part, const float* clipped, const float* grads,
                          const PerspectiveGradients& gradients);

// The same where more than a sum follows: units[position of the batch][own, enemy][outputs] = activation, the
// part's panels of it; of both viewpoints, or of the input's one…
void units_forward(const PerspectiveInput& input, const PerspectiveWeights& weights,
                   const PerspectivePart& part, float* clipped, float* units);

// …and, given the gradient of all that, added to the gradients of transformer and its bias.
void units_backward(const PerspectiveInput& input, const PerspectiveWeights& weights,
                    const PerspectivePart& part, const float* clipped, const float* grads,
                    const PerspectiveGradients& gradients);

}  // namespace scholar::learning
