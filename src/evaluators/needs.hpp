#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "nets/container/any_network.hpp"

namespace scholar::evaluators {

// What a network is for in a player. One network may fill several.
enum class Role : std::uint8_t {
    Value,   // how good a position is: option EvalFile
    Policy,  // which moves are likely: PolicyFile
    Order,   // which of two positions is better: OrderFile
};
constexpr std::array kRoles{Role::Value, Role::Policy, Role::Order};
// "value", …, and the option that names its network.
std::string_view to_string(Role role);
std::string_view option_of(Role role);

// What a search needs of the network of a role.
struct Need {
    Role role;
    nets::Abilities any_of;  // one of these is enough
    // Whether a position alone, without its past, must decide the answer, because the search keeps answers by
    // position.
    bool position_alone = false;
    bool optional = false;  // it does without, where the role is empty
};

// The networks that a player has been given, by role; none where a role is empty.
struct Networks {
    std::array<nets::AnyNetwork, kRoles.size()> by_role;

    const nets::AnyNetwork& given(Role role) const { return by_role.at(static_cast<std::size_t>(role)); }
    nets::AnyNetwork& given(Role role) { return by_role.at(static_cast<std::size_t>(role)); }
    bool operator==(const Networks&) const = default;
    // The network that fills a need: the role's own or, where that is empty, the first of another role that
    // can. None if there is none.
    const nets::AnyNetwork& find(const Need& need) const;
};

// Whether a search finds what it needs: else one line that names it, the network and what is missing.
base::Status check(std::string_view search, std::span<const Need> needs, const Networks& networks);

}  // namespace scholar::evaluators
