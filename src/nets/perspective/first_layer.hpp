#pragma once

#include <cstddef>
#include <cstdint>

#include "base/error.hpp"
#include "nets/perspective/feature_set.hpp"

namespace scholar::nets {

// The quantised first layer of a network on a feature set, whatever follows it: one row of weights for each
// feature, and a bias. It owns nothing.
struct FirstLayer {
    const FeatureSet* features;
    int width;
    const std::int16_t* weights;  // [feature][width], aligned to 64 bytes
    const std::int16_t* bias;     // [width], likewise

    const std::int16_t* row(int feature) const {
        return weights + static_cast<std::ptrdiff_t>(feature) * width;
    }
};

// What the sums of such a layer can come to.
struct FirstLayerReach {
    int bound = 0;       // the largest, of either sign, that any legal board could reach, of 32,767
    int zero_rows = 0;   // features all of whose weights are 0
    int dead_units = 0;  // units that no board can lift above 0
};

// Refuses a layer whose sums could leave 16 bits on any board of at most 32 pieces.
base::Result<FirstLayerReach> check_first_layer(const FirstLayer& layer);

}  // namespace scholar::nets
