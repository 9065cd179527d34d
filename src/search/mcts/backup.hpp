#pragma once

#include "search/mcts/tree.hpp"

namespace scholar::search::mcts {

// The outcome of a node whose end is known without a network, or that is proven.
Outcome known_outcome(const Node& node);

// What playouts below a node have found and its ancestors do not have yet: sums as a node's, for the side
// that moved there.
struct Gathered {
    std::int64_t value_sum = 0;
    std::int64_t draw_sum = 0;
    std::uint32_t visits = 0;
};

// A playout went from `top` down to `leaf`, and counted as on its way in every node below `top`: now it does
// so no longer, and has left nothing. kNoNode as `top`: it began above the root.
void take_back(Tree& tree, NodeId leaf, NodeId top = kNoNode);
// Nor now, but its outcome counts in each of them, from the side that moved there, and for `top` in
// `gathered`. It is that of the leaf's side to move.
void back_up(Tree& tree, NodeId leaf, Outcome outcome, NodeId top, Gathered& gathered);
// What was gathered counts in `top` and in all nodes above it, where one playout ends that was on its way.
void hand_in(Tree& tree, NodeId top, const Gathered& gathered);

// The node has been proven: what that proves of the nodes above it, as far up as it does. A node is won by
// its quickest proven win, and lost where all its moves are proven to lose, by the slowest. One thread at a
// time.
void prove_above(Tree& tree, NodeId proven);
// A child's proof for the side that moves there, and one half-move further away.
chess::Score proof_for_parent(const Node& child);

}  // namespace scholar::search::mcts
