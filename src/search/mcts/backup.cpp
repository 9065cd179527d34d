#include "search/mcts/backup.hpp"

#include <algorithm>

namespace scholar::search::mcts {

namespace {

using chess::Score;

// 0 where nothing is proven.
Score proof_of_moves(const Tree& tree, NodeId id) {
    bool all = true;
    Score best = -Score::infinite();
    for (const Edge& edge : tree.edges(id)) {
        const NodeId child = load(edge.child, std::memory_order_acquire);
        if (child == kNoNode || !tree[child].is_proven())
            all = false;
        else
            best = std::max(best, proof_for_parent(tree[child]));
    }
    return best.is_win() || all ? best : Score(0);
}

}  // namespace

Outcome known_outcome(const Node& node) {
    if (!node.is_proven()) return {0, kOne};
    return {node.proven().is_win() ? kOne : -kOne, 0};
}

void take_back(Tree& tree, NodeId leaf, NodeId top) {
    for (NodeId id = leaf; id != top; id = tree[id].parent) add(tree[id].in_flight, UINT32_MAX);
}

void back_up(Tree& tree, NodeId leaf, Outcome outcome, NodeId top, Gathered& gathered) {
    NodeId id = leaf;
    for (; id != top; id = tree[id].parent) {
        outcome.value = -outcome.value;
        Node& node = tree[id];
        add<std::int64_t>(node.value_sum, outcome.value);
        if (outcome.draw != 0) add<std::int64_t>(node.draw_sum, outcome.draw);
        add(node.visits, 1U);
        add(node.in_flight, UINT32_MAX);
    }
    gathered.value_sum -= outcome.value;
    gathered.draw_sum += outcome.draw;
    ++gathered.visits;
}

void hand_in(Tree& tree, NodeId top, const Gathered& gathered) {
    std::int64_t value_sum = gathered.value_sum;
    for (NodeId id = top; id != kNoNode; id = tree[id].parent) {
        Node& node = tree[id];
        add(node.value_sum, value_sum);
        if (gathered.draw_sum != 0) add(node.draw_sum, gathered.draw_sum);
        add(node.visits, gathered.visits);
        add(node.in_flight, UINT32_MAX);
        value_sum = -value_sum;
    }
}

void prove_above(Tree& tree, NodeId proven) {
    for (NodeId id = tree[proven].parent; id != kNoNode; id = tree[id].parent) {
        const Score proof = proof_of_moves(tree, id);
        if (proof == Score(0) || proof == tree[id].proven()) return;
        store(tree[id].proof, static_cast<std::int16_t>(proof.value()));
    }
}

Score proof_for_parent(const Node& child) {
    return (-child.proven()).from_table(1);
}

}  // namespace scholar::search::mcts
