#pragma once

#include <memory>

#include "base/error.hpp"
#include "nets/container/any_network.hpp"
#include "search/search.hpp"

namespace scholar::search {

// Plays the move that a policy finds the likeliest: what it knows without any search. The distribution over
// the root's moves is the policy's, among the moves that may be played; a score is there where the network
// gives one. Refused: a network without a policy.
base::Result<std::unique_ptr<Search>> make_policy_player(const nets::AnyNetwork& network);

}  // namespace scholar::search
