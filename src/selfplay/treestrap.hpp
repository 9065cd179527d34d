#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/random.hpp"
#include "chess/position.hpp"
#include "search/node_tap.hpp"
#include "selfplay/interval.hpp"

// TreeStrap (J. Veness, D. Silver, W. Uther, A. Blair, "Bootstrapping from game tree search", 2009): every
// node inside a search is moved to the value, or to the bound, that the search found for it. A target for any
// network that judges positions.

namespace scholar::selfplay {

struct TreeStrapPlan {
    // A node must have had so many half-moves to spend.
    int least_depth = 1;
    // Of one search, by lot; 0: all of them.
    std::size_t most_nodes = 0;
    // Without nodes that are in check or whose best move takes or promotes: what a leaf is asked of is quiet.
    bool quiet = true;
};

struct TreeStrapNode {
    chess::Position position;
    Interval expected;
    search::Effort effort;
};

// Listens to searches of one thread.
class TreeStrap final : public search::NodeTap {
  public:
    explicit TreeStrap(const TreeStrapPlan& plan) : plan_(plan) {}

    // A position counts once: with what most effort found of it, and of several bounds that took as much with
    // what is left between them.
    void on_node(const search::TappedNode& node) override;
    // What the searches since the last call have found, in the order in which positions were first met.
    std::vector<TreeStrapNode> take(base::Random& random);

  private:
    const TreeStrapPlan plan_;
    std::vector<TreeStrapNode> nodes_;
    std::unordered_map<std::uint64_t, std::size_t> places_;  // in nodes_, by key
};

}  // namespace scholar::selfplay
