#pragma once

#include "search/mcts/tree.hpp"

namespace scholar::search::mcts {

// What a playout found at its end, for the side to move there: −1 to 1, and how likely a draw is.
struct Outcome {
    double value = 0;
    double draw = 0;
};

// The outcome of a node whose end is known without a network, or that is proven.
Outcome known_outcome(const Node& node);

// A playout came to `leaf` and waits for its evaluation: it counts in every node from there to the root until
// it is backed up or taken back.
void note_in_flight(Tree& tree, NodeId leaf);
void take_back(Tree& tree, NodeId leaf);
// Its outcome counts in every node from there to the root, from the side that moved to each.
void back_up(Tree& tree, NodeId leaf, Outcome outcome);

// The node has been proven: what that proves of the nodes above it, as far up as it does. A node is won by
// its quickest proven win, and lost where all its moves are proven to lose, by the slowest.
void prove_above(Tree& tree, NodeId proven);
// A child's proof for the side that moves there, and one half-move further away.
chess::Score proof_for_parent(const Node& child);

}  // namespace scholar::search::mcts
