#include "search/mcts/selection.hpp"

#include <algorithm>
#include <cmath>

namespace scholar::search::mcts {

namespace {

// The best so far among edges that are compared by the same measure.
struct BestEdge {
    int edge = -1;
    double worth = 0;

    void offer(int other, double its_worth) {
        if (edge < 0 || its_worth > worth) *this = {other, its_worth};
    }
};

}  // namespace

int select_edge(const Tree& tree, NodeId id, const Exploration& exploration,
                std::span<const std::uint8_t> allowed) {
    const Node& node = tree[id];
    const double visits = node.visits;
    const double cpuct =
        exploration.cpuct +
        exploration.cpuct_factor * std::log((visits + exploration.cpuct_base) / exploration.cpuct_base);
    // Its first visit was its own.
    const double scale = cpuct * std::sqrt(std::max(1.0, visits - 1));

    // Moves without a visit are all worth the same, but for their share of attention: one look is enough for
    // that and for the visited priors.
    BestEdge visited;
    BestEdge fresh;
    double visited_priors = 0;
    int number = -1;
    for (const Edge& edge : tree.edges(id)) {
        ++number;
        double share = edge.prior;
        if (edge.child != kNoNode) {
            const Node& child = tree[edge.child];
            if (child.visits > 0) visited_priors += edge.prior;
            if (child.is_proven()) continue;
            share /= 1.0 + child.visits + child.in_flight;
            if (child.visits > 0) {
                if (allowed.empty() || allowed[static_cast<std::size_t>(number)] != 0)
                    visited.offer(number, child.mean() + scale * share);
                continue;
            }
        }
        if (allowed.empty() || allowed[static_cast<std::size_t>(number)] != 0) fresh.offer(number, share);
    }
    if (fresh.edge < 0) return visited.edge;
    const double urgency = -node.mean() - exploration.fpu_reduction * std::sqrt(visited_priors);
    const double worth = urgency + scale * fresh.worth;
    if (visited.edge < 0 || worth > visited.worth) return fresh.edge;
    return worth == visited.worth ? std::min(fresh.edge, visited.edge) : visited.edge;
}

}  // namespace scholar::search::mcts
