#include "learning/network_plan.hpp"

#include "nets/network_file.hpp"

namespace scholar::learning {

base::Result<nets::FloatNetwork> start_network(const NetworkPlan& plan, std::uint64_t seed) {
    if (plan.initial.empty()) return nets::FloatNetwork::random(plan.architecture, seed);
    auto network = nets::load_float_network(plan.initial);
    if (network && network->info.architecture != plan.architecture)
        return base::fail("{}: {}, expected {} as the recipe says", plan.initial,
                          nets::to_string(network->info.architecture), nets::to_string(plan.architecture));
    return network;
}

base::Result<nets::FloatNetwork> network_of_kind(const std::string& path, nets::Architecture architecture) {
    auto network = nets::load_float_network(path);
    if (!network) return network;
    architecture.width = network->info.architecture.width;
    if (network->info.architecture != architecture)
        return base::fail("{}: {}, expected {} or another width, as the recipe says", path,
                          nets::to_string(network->info.architecture), nets::to_string(architecture));
    return network;
}

}  // namespace scholar::learning
