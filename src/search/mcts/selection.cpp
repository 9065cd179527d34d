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

// lc0's, with its constants (LeelaChessZero/lc0, src/search/classic).
constexpr double kLengthLinear = 1.6521;
constexpr double kLengthSquare = -0.6521;

// What it adds to a move's worth that so many half-moves more are left behind it than at its parent.
double worth_of_length(const Exploration& exploration, double longer, double value) {
    const double threshold = exploration.moves_left_threshold;
    const double beyond = std::max(0.0, (std::abs(value) - threshold) / (1 - threshold));
    const double most = exploration.moves_left_most;
    const double effect = std::clamp(exploration.moves_left_slope * longer, -most, most) *
                          (kLengthLinear * beyond + kLengthSquare * beyond * beyond);
    return value > 0 ? -effect : effect;
}

// Between what two nodes say is left, in half-moves.
double half_moves_between(std::uint16_t later, std::uint16_t earlier) {
    return (static_cast<double>(later) - static_cast<double>(earlier)) / kMovesLeftUnit;
}

}  // namespace

int select_edge(const Tree& tree, NodeId id, const Exploration& exploration,
                std::span<const std::uint8_t> allowed) {
    const Node& node = tree[id];
    const double visits = load(node.visits);
    const double cpuct =
        exploration.cpuct +
        exploration.cpuct_factor * std::log((visits + exploration.cpuct_base) / exploration.cpuct_base);
    // Its first visit was its own.
    const double scale = cpuct * std::sqrt(std::max(1.0, visits - 1));

    // Of the moves beyond all that were tried only the likeliest, the first, can be the best.
    const auto all = tree.edges(id);
    const auto tried = static_cast<std::size_t>(tree.reached(id));
    const auto edges = allowed.empty() ? all.first(std::min(tried + 1, all.size())) : all;
    const auto may_be_taken = [&](int edge) {
        return allowed.empty() || allowed[static_cast<std::size_t>(edge)] != 0;
    };
    // Each is somewhere else in memory: they are on their way while the first is looked at.
    for (const Edge& edge : edges.first(std::min(tried, edges.size())))
        __builtin_prefetch(&tree[load(edge.child)]);

    const std::uint16_t left = load(node.moves_left);
    const bool counts_length = left != 0 && exploration.moves_left_most > 0 &&
                               std::abs(node.mean()) > exploration.moves_left_threshold;

    // Moves without a visit are all worth the same, but for their share of attention: one look is enough for
    // that and for the visited priors.
    BestEdge visited;
    BestEdge fresh;
    double visited_priors = 0;
    int number = -1;
    for (const Edge& edge : edges) {
        ++number;
        double share = edge.prior;
        const NodeId id_of_child = load(edge.child, std::memory_order_acquire);
        if (id_of_child != kNoNode) {
            const Node& child = tree[id_of_child];
            const std::uint32_t its_visits = load(child.visits);
            if (its_visits > 0) visited_priors += edge.prior;
            if (child.is_proven()) continue;
            share /= 1.0 + its_visits + load(child.in_flight);
            if (its_visits > 0) {
                if (!may_be_taken(number)) continue;
                double worth = child.mean() + scale * share;
                if (const std::uint16_t its_left = counts_length ? load(child.moves_left) : 0; its_left != 0)
                    worth += worth_of_length(exploration, half_moves_between(its_left, left), child.mean());
                visited.offer(number, worth);
                continue;
            }
        }
        if (may_be_taken(number)) fresh.offer(number, share);
    }
    if (fresh.edge < 0) return visited.edge;
    const double urgency =
        -exploration.fpu_parent * node.mean() - exploration.fpu_reduction * std::sqrt(visited_priors);
    const double worth = urgency + scale * fresh.worth;
    if (visited.edge < 0 || worth > visited.worth) return fresh.edge;
    return worth == visited.worth ? std::min(fresh.edge, visited.edge) : visited.edge;
}

}  // namespace scholar::search::mcts
