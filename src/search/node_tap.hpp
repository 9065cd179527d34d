#pragma once

#include "chess/line.hpp"
#include "chess/score.hpp"
#include "chess/types.hpp"
#include "search/effort.hpp"
#include "search/search.hpp"

namespace scholar::search {

// A node above the horizon that the search is through with. It is one while it is told of: the references end
// with the call.
struct TappedNode {
    const chess::Line& line;  // its end is the node's position
    int ply;                  // half-moves from the root
    Effort effort;            // that the node had to spend
    chess::Score score;       // for its side to move
    Bound bound;              // of that
    chess::Move best;         // or the one that refutes; none if no move is known to be better than another
};

// Who learns from the nodes inside a search. It is called from every thread of the search, between two nodes:
// what it does costs the search time.
class NodeTap {
  public:
    virtual ~NodeTap() = default;
    virtual void on_node(const TappedNode& node) = 0;
};

}  // namespace scholar::search
