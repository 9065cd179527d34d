#pragma once

#include <cstdint>
#include <span>

#include "search/mcts/tree.hpp"

namespace scholar::search::mcts {

// What decides between what is known to be good and what has not been looked at. The defaults are lc0's
// (LeelaChessZero/lc0, src/search/classic/params.cc), which were tuned together, for values from −1 to 1.
struct Exploration {
    // A move's worth is its mean value plus c(N) · P · √N / (1 + n), with the parent's visits N, the move's
    // own n and its prior P: PUCT (D. Silver et al., "A general reinforcement learning algorithm that masters
    // chess, shogi, and Go through self-play", Science 362 (2018), supplementary materials, "Search").
    // c(N) = cpuct + cpuct_factor · ln((N + cpuct_base) / cpuct_base); there the factor is 1.
    double cpuct = 1.745;
    double cpuct_base = 38'739;
    double cpuct_factor = 3.894;
    // First-play urgency: a move without visits counts as worth fpu_parent times the parent's mean value,
    // less fpu_reduction times the square root of what priors its visited moves have together. Both 0: such a
    // move is worth a draw, with which Q begins where nothing else is said (as in "RL in Chess").
    double fpu_parent = 1;
    double fpu_reduction = 0.33;
    // Where a network says how many half-moves are left, what is won is to end soon, and what is lost late: a
    // move's worth changes by moves_left_slope for each half-move that its position is nearer or further than
    // its parent, by moves_left_most at most, times 1.6521 w − 0.6521 w², w from 0 to 1 being how far its
    // value is beyond the threshold; nothing where the parent's is not. lc0 takes the mean below a position,
    // here it is what was said of it alone.
    double moves_left_most = 0.0345;
    double moves_left_slope = 0.0027;
    double moves_left_threshold = 0.8;
    // Priors are the policy's probabilities to the power of 1 / this, made to sum to 1 again.
    double policy_temperature = 1.359;
    // Of the root's; 0: the same.
    double root_policy_temperature = 0;
};

// The edge of an open node that the next playout takes. Of equals the first. Edges that are proven, which can
// only lose (or, at a root that is not the end of it, win), need no playout: −1 where there are no others.
// `allowed`, if it is not empty, says of each edge whether it may be taken.
int select_edge(const Tree& tree, NodeId id, const Exploration& exploration,
                std::span<const std::uint8_t> allowed = {});

}  // namespace scholar::search::mcts
