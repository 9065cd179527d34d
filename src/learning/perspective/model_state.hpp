#pragma once

#include <cstdint>
#include <vector>

#include "learning/optimise/adam.hpp"
#include "learning/perspective/factors.hpp"
#include "nets/perspective/network.hpp"

namespace scholar::learning {

// What the optimiser remembers of a hidden layer.
struct LayerMoments {
    AdamMoments weight;
    AdamMoments bias;
};

// Everything that training changes, for checkpoints.
struct ModelState {
    nets::FloatNetwork network;   // its transformer without the factors
    std::vector<Factor> factors;  // none: not factorised
    AdamMoments transformer;
    AdamMoments transformer_bias;
    std::vector<LayerMoments> hidden;
    AdamMoments output;
    AdamMoments output_bias;
    std::uint64_t steps = 0;

    // Before the first step.
    static ModelState begin(nets::FloatNetwork network, bool factorised);
};

// Calls each(name, shape, weights, moments) for all arrays of the network, as nets::for_each_weights().
template <class State, class Each>
void for_each_parameter(State& state, Each each) {
    std::vector moments{&state.transformer, &state.transformer_bias};
    for (auto& layer : state.hidden) moments.insert(moments.end(), {&layer.weight, &layer.bias});
    moments.insert(moments.end(), {&state.output, &state.output_bias});
    auto next = moments.begin();
    nets::for_each_weights(state.network, [&](const auto& name, const auto& shape, auto& weights) {
        each(name, shape, weights, **next++);
    });
}

}  // namespace scholar::learning
