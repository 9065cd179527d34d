#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "evaluators/batch_evaluator.hpp"
#include "games/held_out.hpp"
#include "nets/conv/chess_nets.hpp"

// What a value says of positions of games, beside how these ended and what stands on the board (A. Singh,
// "Convolutional neural networks learn to play chess", 2015, section 3.5).

namespace scholar::arena {

// A pawn 1, a knight and a bishop 3, a rook 5, a queen 9 (the paper's table 3.6), ours less theirs.
int material_balance(const chess::Position& position);

// All from the side to move's view.
struct ValuedPosition {
    double value = 0;    // −1 to 1
    double outcome = 0;  // of the game: −1, 0, 1
    int to_end = 0;      // half-moves that were still played, 1 before the last one
    int material = 0;    // material_balance()
};

// Of the set's positions, in their order; those of games without a result are left out. Where it is told to
// stop, of the first ones. Refuses what has no value; one that is no more exact than a Score is not more
// exact here.
base::Result<std::vector<ValuedPosition>> value_positions(const games::HeldOutSet& set,
                                                          evaluators::BatchEvaluator& value,
                                                          const std::stop_token& stop);
// Of ChessNet's network of the value, as it says it: Scores would make nothing of small ones.
base::Result<std::vector<ValuedPosition>> value_positions(const games::HeldOutSet& set,
                                                          std::shared_ptr<const nets::ChessNets> networks,
                                                          const std::stop_token& stop);

// Pearson's; 0 where one of them never differs. As many of both.
double correlation(std::span<const double> first, std::span<const double> second);
// Of values with material.
double correlation_with_material(std::span<const ValuedPosition> positions);

// How much of a position's outcome its value got right: 1 where both have the same sign, ½ where the value is
// 0.
double got_right(const ValuedPosition& position);

// Of positions of decided games that are about as far from the end.
struct ValueAtDistance {
    std::string name;  // "1 to 4"
    std::uint64_t positions = 0;
    double winners = 0;  // mean of the values where the winner was to move
    double losers = 0;
    double right = 0;  // how often value and outcome had the same sign; a value of 0 is half of that
};
// The last 4, 10, 20, 40, 80 half-moves, and those before; rows without positions are left out.
std::vector<ValueAtDistance> values_by_distance(std::span<const ValuedPosition> positions);

}  // namespace scholar::arena
