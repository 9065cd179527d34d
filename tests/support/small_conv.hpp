#pragma once

#include "nets/conv/conv_network.hpp"

namespace scholar::tests {

// A convolutional network with both heads, of random weights, too small to cost a test any time.
inline nets::ConvNetwork small_conv_network(nets::PlanesLayout input) {
    nets::ConvShape shape;
    shape.input = input;
    shape.filters = 16;
    shape.blocks = 1;
    shape.policy_filters = 16;
    shape.value_filters = 2;
    shape.value_units = 8;
    return nets::random_conv_network(shape, 3);
}

}  // namespace scholar::tests
