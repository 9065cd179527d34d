#pragma once

#include <cstddef>
#include <memory>

#include "base/error.hpp"
#include "evaluators/comparator.hpp"
#include "nets/container/any_network.hpp"
#include "search/ordered/position_order.hpp"
#include "search/search.hpp"

namespace scholar::search {

struct OrderedOptions {
    std::size_t megabytes = 16;  // for positions and nodes that are remembered
    // Nothing but the tree: every move to the depth of the iteration, and captures behind it. For comparison,
    // and for what is to be proved.
    bool plain = false;
};

// A search that never sees a number: the positions at the ends of lines are compared with each other
// (O. David, N. Netanyahu and L. Wolf, "DeepChess", 2016, section 4).
class OrderedSearch : public Search {
  public:
    virtual const OrderCounts& counts() const = 0;  // since it was made
};

// As DeepChess's alpha-beta, bounds are positions. A window of two bounds it has not: alpha-beta's null
// windows, on which much of its speed depends, need a number between two others. What takes their place is
// SCOUT (J. Pearl, "Asymptotic properties of minimax trees and game-searching procedures", Artificial
// Intelligence 14 (1980)): the first move of a node is worked out, and of each other it is only tested
// whether it is better, which takes one comparison at each end of a line. With a table of positions and one
// of nodes, iterations, quiescence over captures, and, unless the search is plain, a pass that may refute,
// late moves looked at less deep, and checks at full depth. Margins it cannot have. One thread. A result has
// no score but that of a mate or a draw. Refused: a network without an order of positions.
base::Result<std::unique_ptr<OrderedSearch>> make_ordered_search(const nets::AnyNetwork& network,
                                                                 const OrderedOptions& options = {});
std::unique_ptr<OrderedSearch> make_ordered_search(std::unique_ptr<evaluators::Comparator> comparator,
                                                   const OrderedOptions& options = {});

}  // namespace scholar::search
