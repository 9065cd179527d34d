#pragma once

#include <cstdint>
#include <string>

#include "base/error.hpp"
#include "nets/perspective/network.hpp"

namespace scholar::learning {

// Which network a recipe trains: its section [network].
struct NetworkPlan {
    nets::Architecture architecture;
    bool factorise = false;  // ModelState
    std::string initial;     // a float network to go on from; "": a random one
};

// The network before the first step. Refuses an initial one of another architecture.
base::Result<nets::FloatNetwork> start_network(const NetworkPlan& plan, std::uint64_t seed);

}  // namespace scholar::learning
