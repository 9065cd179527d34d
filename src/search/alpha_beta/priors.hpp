#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "chess/movegen.hpp"
#include "evaluators/move_policy.hpp"

namespace scholar::search {

// What a policy says of a node's moves before any is searched.
class MovePriors {
  public:
    // Of all legal moves; at least one.
    void ask(evaluators::MovePolicy& policy, const chess::Position& position);
    // How likely the move is, 0 to 1.
    float probability(chess::Move move) const;
    // What that is worth in the order of moves, in units of the histories' sum: nothing for a move that is as
    // likely as the mean.
    int order(chess::Move move) const;

  private:
    chess::MoveList moves_;
    std::array<float, chess::kMaxMoves> probabilities_{};
};

}  // namespace scholar::search
