#pragma once

#include <memory>

#include "evaluators/linear_evaluator.hpp"
#include "evaluators/network_evaluator.hpp"
#include "nets/container/any_network.hpp"

namespace scholar::evaluators {

// The evaluator of each kind of network.
inline NetworkEvaluator make_evaluator(std::shared_ptr<const nets::Network> network) {
    return NetworkEvaluator(std::move(network));
}
inline LinearEvaluator make_evaluator(std::shared_ptr<const nets::LinearNetwork> network) {
    return LinearEvaluator(std::move(network));
}

// Calls use(evaluator) with that of the network: here, and nowhere else, a kind of network becomes a type.
template <class Use>
decltype(auto) with_evaluator(const nets::AnyNetwork& network, Use&& use) {
    return network.visit([&use](const auto& known) { return use(make_evaluator(known)); });
}

}  // namespace scholar::evaluators
