#pragma once

#include <string>

#include "base/error.hpp"
#include "nets/linear/linear_network.hpp"

// The two halves of `scholar net explain`.

namespace scholar::cli {

// The value of a position as a sum of named parts. `least`: parts below so many Score units are not shown
// one by one in the table (JSON has all).
base::Status explain_position(const nets::FloatLinearNetwork& network, const std::string& name,
                              const std::string& fen, double least, bool json);

struct WeightsOptions {
    std::string name;     // of the network, for people
    std::string against;  // file of an older one; none if empty
    std::string feature;  // show the weights of those whose name contains it
    std::string plots;    // folder for drawings; none if empty
    bool json = false;
};
// Weights by group and stage.
base::Status explain_weights(const nets::FloatLinearNetwork& network, const WeightsOptions& options);

}  // namespace scholar::cli
