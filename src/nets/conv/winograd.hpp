#pragma once

#include <cstddef>

// Convolutions of 3 × 3 on boards of 8 × 8, around which stands 0, by minimal filtering, F(4 × 4, 3 × 3)
// (Lavin and Gray 2016, "Fast algorithms for convolutional neural networks", section 4.3): a board is four
// tiles of 4 × 4 outputs, a tile is turned into 36 points, and at each point filters are a product of
// matrices. A quarter of the products of a plain convolution, with an error of some 1e-5 of the largest
// sum. Forward and, for training, both gradients.
//
// All in float32, through Highway. Boards are [position][square][filter], squares as [rank][file]; filters
// come in multiples of kWinogradMultiple. Weights of a layer are [output][input][rank][file] outside, and at
// the 36 points [panel][point][input][kWinogradMultiple outputs]. What a call gives depends on nothing but
// its arguments' values.

namespace scholar::nets {

constexpr int kWinogradMultiple = 16;
constexpr std::size_t kWinogradPoints = 36;
// Positions that are worked on at once, as is fastest for 32 and for 64 filters (measured on Zen 3).
constexpr std::size_t kWinogradTogether = 12;

// Inputs and outputs are filters of the layer as it stands in the network.
struct WinogradShape {
    std::size_t inputs;
    std::size_t outputs;

    std::size_t weights() const { return kWinogradPoints * inputs * outputs; }
    WinogradShape turned() const { return {outputs, inputs}; }
};

// How many floats of scratch a call needs.
std::size_t winograd_scratch(const WinogradShape& shape);

// The layer's weights at the points, shape.weights() numbers…
void winograd_weights(const WinogradShape& shape, const float* weights, float* points);
// …and those by which the gradient of its inputs is a convolution of its outputs' gradient, of the shape
// shape.turned().
void winograd_turned_weights(const WinogradShape& shape, const float* weights, float* points);

// What is done to the sums before they are written.
struct WinogradEpilogue {
    const float* bias = nullptr;  // one for each output; null: none
    bool adds = false;            // to what is there already
    // At the end one of these, or none:
    bool rectifies = false;        // ReLU
    const float* slope = nullptr;  // one for each output, by which what is below 0 is multiplied (PReLU)
};

// `out` = the convolution of `in`.
void winograd_convolve(const WinogradShape& shape, const float* points, const float* in,
                       std::size_t positions, float* out, float* scratch,
                       const WinogradEpilogue& epilogue = {});

// Adds to `sums`, shape.weights() numbers, the gradient of the weights at the points, of these positions:
// `gradient` is that of the outputs.
void winograd_gradient(const WinogradShape& shape, const float* in, const float* gradient,
                       std::size_t positions, float* sums, float* scratch);
// The same of the weights.
void winograd_gradient_of_weights(const WinogradShape& shape, const float* sums, float* gradient);

}  // namespace scholar::nets
