#pragma once

#include <memory>

#include "nets/container/any_network.hpp"
#include "search/search.hpp"

namespace scholar::search {

// Plays the move that leads to the best static value, with mates and draws by rule as what they are: what a
// network knows without any search. It always looks at all moves, whatever the limits, unless it is stopped.
std::unique_ptr<Search> make_one_ply(const nets::AnyNetwork& network);

}  // namespace scholar::search
