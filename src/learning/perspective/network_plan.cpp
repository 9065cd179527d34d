#include "learning/perspective/network_plan.hpp"

#include "nets/perspective/network_file.hpp"

namespace scholar::learning {

base::Result<nets::FloatNetwork> start_network(const NetworkPlan& plan, std::uint64_t seed) {
    if (plan.initial.empty()) return nets::FloatNetwork::random(plan.architecture, seed);
    auto network = nets::load_float_network(plan.initial);
    if (network && network->info.architecture != plan.architecture)
        return base::fail("{}: {}, expected {} as the recipe says", plan.initial,
                          nets::to_string(network->info.architecture), nets::to_string(plan.architecture));
    return network;
}

}  // namespace scholar::learning
