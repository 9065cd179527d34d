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
        if (edge.child == kNoNode || !tree[edge.child].is_proven())
            all = false;
        else
            best = std::max(best, proof_for_parent(tree[edge.child]));
    }
    return best.is_win() || all ? best : Score(0);
}

}  // namespace

Outcome known_outcome(const Node& node) {
    if (!node.is_proven()) return {0, 1};
    return {node.proven().is_win() ? 1.0 : -1.0, 0};
}

void note_in_flight(Tree& tree, NodeId leaf) {
    for (NodeId id = leaf; id != kNoNode; id = tree[id].parent) ++tree[id].in_flight;
}

void take_back(Tree& tree, NodeId leaf) {
    for (NodeId id = leaf; id != kNoNode; id = tree[id].parent) --tree[id].in_flight;
}

void back_up(Tree& tree, NodeId leaf, Outcome outcome) {
    for (NodeId id = leaf; id != kNoNode; id = tree[id].parent) {
        outcome.value = -outcome.value;
        Node& node = tree[id];
        ++node.visits;
        node.value_sum += outcome.value;
        node.draw_sum += outcome.draw;
    }
}

void prove_above(Tree& tree, NodeId proven) {
    for (NodeId id = tree[proven].parent; id != kNoNode; id = tree[id].parent) {
        const Score proof = proof_of_moves(tree, id);
        if (proof == Score(0) || proof == tree[id].proven()) return;
        tree[id].proof = static_cast<std::int16_t>(proof.value());
    }
}

Score proof_for_parent(const Node& child) {
    return (-child.proven()).from_table(1);
}

}  // namespace scholar::search::mcts
