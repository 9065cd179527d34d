#pragma once

#include "base/error.hpp"
#include "nets/perspective/network.hpp"

namespace scholar::nets {

// How well a network survived rounding.
struct QuantisationReport {
    float largest_transformer = 0;  // largest weight as a float
    float largest_hidden = 0;       // of all hidden layers; 0: there are none
    float largest_output = 0;
    int transformer_bound = 0;      // largest sum that any legal board could reach, of 32,767
    std::int64_t hidden_bound = 0;  // the same for the sums of hidden layers, of 2,147,483,647
    std::int64_t output_bound = 0;  // and for the output sum
    int zero_rows = 0;              // features all of whose weights round to 0
    int dead_units = 0;             // units that no board can switch on
};

struct Quantised {
    Network network;
    QuantisationReport report;
};

// Rounds to integers. Refuses, with count and range, weights that do not fit in 16 bits or sums that could
// overflow on any board of at most 32 pieces.
base::Result<Quantised> quantise(const FloatNetwork& source);

// The report on a network that is rounded already, with the same refusals.
base::Result<QuantisationReport> check_bounds(const Network& network);

// The rounded weights as floats: rounded again they are the same.
FloatNetwork dequantise(const Network& network);

}  // namespace scholar::nets
