#pragma once

#include "nets/conv/conv_network.hpp"

namespace scholar::tests {

// A convolutional network with both heads, of random weights, too small to cost a test any time.
inline nets::ConvNetwork small_conv_network(nets::PlanesInput input, int rating_least = 0,
                                            int rating_most = 0) {
    nets::ConvShape shape;
    shape.input = input;
    shape.input.rating_least = rating_least;
    shape.input.rating_most = rating_most;
    shape.filters = 16;
    shape.blocks = 1;
    shape.policy_filters = 16;
    shape.value_filters = 2;
    shape.value_units = 8;
    return nets::random_conv_network(shape, 3);
}

}  // namespace scholar::tests
