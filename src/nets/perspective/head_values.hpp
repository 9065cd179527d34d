#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "nets/perspective/network.hpp"

// What passes through a network's head, written for clarity: the reference of the fast ways
// (nets/perspective/hidden_layers.hpp, evaluators/network_evaluator.hpp), and for looking into networks.

namespace scholar::nets {

// What the head gets of one viewpoint of a position: the transformer's sums, clipped to 0…one and activated.
template <class T, class Net>
std::vector<T> viewpoint_inputs(const Net& network, const chess::Position& position, chess::Color viewpoint,
                                T one) {
    const Architecture& architecture = network.info.architecture;
    const auto width = static_cast<std::size_t>(architecture.width);
    ActiveFeatures active;
    architecture.features->encode(position, viewpoint, active);
    std::vector<T> sums(network.transformer_bias.begin(), network.transformer_bias.end());
    for (const std::uint16_t feature : active)
        for (std::size_t i = 0; i < width; ++i) sums[i] += network.transformer[feature * width + i];
    for (T& sum : sums) sum = std::clamp<T>(sum, 0, one);
    std::vector<T> inputs;
    inputs.reserve(static_cast<std::size_t>(architecture.outputs()));
    for (int i = 0; i < architecture.outputs(); ++i)
        inputs.push_back(activate(architecture.activation, sums[static_cast<std::size_t>(i)],
                                  sums[static_cast<std::size_t>(architecture.partner(i))]));
    return inputs;
}

// Of either viewpoint, own first.
template <class T, class Net>
std::vector<T> head_inputs(const Net& network, const chess::Position& position, T one) {
    const chess::Color us = position.side_to_move();
    std::vector<T> inputs = viewpoint_inputs(network, position, us, one);
    const std::vector<T> enemy = viewpoint_inputs(network, position, ~us, one);
    inputs.insert(inputs.end(), enemy.begin(), enemy.end());
    return inputs;
}

// What each layer of the head gets of a position, the first hidden layer (or the output, if there is none)
// first and the output last, by the position's output bucket. What comes from a hidden layer is
// 0…Network::kHiddenScale.
std::vector<std::vector<int>> head_values(const Network& network, const chess::Position& position);

}  // namespace scholar::nets
