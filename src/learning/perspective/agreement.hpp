#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "games/sampler.hpp"
#include "nets/perspective/network.hpp"

namespace scholar::learning {

// How far a quantised network's scores are from those of the network it was rounded from, in Score units.
struct Agreement {
    std::size_t positions = 0;
    std::vector<double> bias;    // mean of quantised − float, by output bucket
    double mean_difference = 0;  // of |difference|
    double largest_difference = 0;
};

// `logits` are the float network's, of `samples`.
Agreement compare(const nets::Network& network, std::span<const games::Sample> samples,
                  std::span<const float> logits);

}  // namespace scholar::learning
