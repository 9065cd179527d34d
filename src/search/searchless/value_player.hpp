#pragma once

#include <memory>
#include <string_view>

#include "base/error.hpp"
#include "nets/container/any_network.hpp"
#include "search/search.hpp"

namespace scholar::search {

// Plays the move that leads to the best value one half-move ahead, with mates and draws by rule as what they
// are: what a network knows of positions without any search. It always looks at all moves, whatever the
// limits, unless it is stopped. Refused: a network that gives no value.
base::Result<std::unique_ptr<Search>> make_value_player(const nets::AnyNetwork& network);

// The same by comparing: plays the move after which the position is better than after any before it. There
// are no scores, but of mates and draws; a draw by rule is as good as the position after a pass. Refused: a
// network without an order.
base::Result<std::unique_ptr<Search>> make_order_player(const nets::AnyNetwork& network);

}  // namespace scholar::search
