#pragma once

#include <cstdint>
#include <vector>

#include "learning/adam.hpp"
#include "learning/factors.hpp"
#include "nets/network.hpp"

namespace scholar::learning {

// Everything that training changes, for checkpoints.
struct ModelState {
    nets::FloatNetwork network;   // its transformer without the factors
    std::vector<Factor> factors;  // none: not factorised
    AdamMoments transformer;
    AdamMoments transformer_bias;
    AdamMoments output;
    AdamMoments output_bias;
    std::uint64_t steps = 0;

    // Before the first step.
    static ModelState begin(nets::FloatNetwork network, bool factorised);
};

}  // namespace scholar::learning
