#pragma once

#include "search/mcts/tree.hpp"

namespace scholar::search::mcts {

// The outcome of a node whose end is known without a network, or that is proven.
Outcome known_outcome(const Node& node);

// A playout went down to `leaf`, and counted as on its way in every node from there to the root: now it does
// so no longer, and has left nothing.
void take_back(Tree& tree, NodeId leaf);
// Nor now, but its outcome counts in each of them, from the side that moved there. It is that of the leaf's
// side to move.
void back_up(Tree& tree, NodeId leaf, Outcome outcome);

// The node has been proven: what that proves of the nodes above it, as far up as it does. A node is won by
// its quickest proven win, and lost where all its moves are proven to lose, by the slowest. One thread at a
// time.
void prove_above(Tree& tree, NodeId proven);
// A child's proof for the side that moves there, and one half-move further away.
chess::Score proof_for_parent(const Node& child);

}  // namespace scholar::search::mcts
