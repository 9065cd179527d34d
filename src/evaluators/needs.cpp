#include "evaluators/needs.hpp"

namespace scholar::evaluators {

std::string_view to_string(Role role) {
    switch (role) {
        case Role::Value:
            return "value";
        case Role::Policy:
            return "policy";
        case Role::Order:
            return "order";
    }
    return "";
}

std::string_view option_of(Role role) {
    switch (role) {
        case Role::Value:
            return "EvalFile";
        case Role::Policy:
            return "PolicyFile";
        case Role::Order:
            return "OrderFile";
    }
    return "";
}

const nets::AnyNetwork& Networks::find(const Need& need) const {
    if (given(need.role)) return given(need.role);
    for (const nets::AnyNetwork& network : by_role)
        if (network && network.abilities().has_any(need.any_of)) return network;
    return given(need.role);
}

base::Status check(std::string_view search, std::span<const Need> needs, const Networks& networks) {
    for (const Need& need : needs) {
        const nets::AnyNetwork& network = networks.find(need);
        const std::string wanted = nets::to_string(need.any_of, " or ");
        if (!network) {
            if (need.optional) continue;
            return base::fail("Search {} needs {}: {} is empty, expected a network that gives that", search,
                              wanted, option_of(need.role));
        }
        if (!network.abilities().has_any(need.any_of))
            return base::fail("Search {} needs {}: {} is {}, which gives {}", search, wanted,
                              option_of(need.role), network.description(),
                              nets::to_string(network.abilities()));
        if (need.position_alone && !network.reads().position_alone())
            return base::fail(
                "Search {} keeps answers by position: {} is {}, which reads the position's past too", search,
                option_of(need.role), network.description());
    }
    return {};
}

}  // namespace scholar::evaluators
