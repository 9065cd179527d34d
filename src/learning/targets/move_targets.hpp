#pragma once

#include <ATen/core/Tensor.h>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "chess/position.hpp"
#include "chess/types.hpp"
#include "games/sample.hpp"
#include "games/sampler.hpp"

// What a policy is to say: probabilities over the legal moves of each position. A network gives a logit to
// every move that a board could have; which of them are legal is known, so that it need not learn that: the
// others get no probability, as in the engine, and no gradient. Includes libtorch.

namespace scholar::learning {

// Refuses samples of which nobody has played a move.
base::Status expect_played_moves(const games::Sampling& sampling);

// One row a position, one column a legal move, in the order of chess::legal_moves(). Rows are as long as any
// position needs.
struct MoveTargets {
    at::Tensor places;  // where among a network's outputs the move's logit stands; −1: no more moves
    at::Tensor wanted;  // its probability, 0 to 1, 0 behind the last
};

// Where the logit of a legal move stands.
using PlaceOfMove = std::function<int(const chess::Position& position, chess::Move move)>;

// The move that was played has probability 1. Of a sample without one, or whose move is not legal, all are 0:
// it counts nothing in losses.
MoveTargets played_moves(std::span<const games::Sample> samples, const PlaceOfMove& place);

// Logits [position][output] as those of the legal moves [position][move], −∞ where there are no more.
at::Tensor legal_logits(const at::Tensor& logits, const at::Tensor& places);
// −Σ wanted · ln softmax(logits of legal moves), the mean over positions: a scalar.
at::Tensor move_loss(const at::Tensor& of_legal, const at::Tensor& wanted);
// How often the move that was wanted most is among the first `count` by the logits, 0 to 1. Moves with the
// same logit stand in the order of a fair draw: who says the same of all is right as often as chance.
double share_in_first(const at::Tensor& of_legal, const at::Tensor& wanted, int count);
// What is measured of a policy, by name: "first move", "in 3 moves" and so on as share_in_first() has it, and
// "loss of moves".
std::vector<std::pair<std::string, double>> move_figures(const at::Tensor& of_legal,
                                                         const at::Tensor& wanted);
// Single answers to all positions, [1][outputs], as logits:
// how often each move was wanted, and once more, so that none is impossible. It has its first guess right as
// often as the most frequent move that is legal;
at::Tensor frequent_moves(const MoveTargets& targets, int outputs);
// and the best there is, by move_loss(): how much each move is preferred wherever it can be made, whatever
// the position (the choice model of Luce, fitted by the steps of Hunter 2004, "MM algorithms for generalized
// Bradley-Terry models", section 5). Each move is once more preferred to one of middling strength, and once
// not.
at::Tensor preferred_moves(const MoveTargets& targets, int outputs);

// Win, draw and loss [position][3], for the side to move. A result between these (games::stages::Discount) is
// a draw for its part, so that what is expected is the same.
at::Tensor result_targets(std::span<const games::Sample> samples);
// The same as one number [position][1]: 1, 0, −1. What is not the result's weight has what a search expected
// there, from an evaluation in units of 1/400 of a logit, as Scholar's own games have it
// (selfplay/score_record.hpp); where there is none, the result has all.
at::Tensor value_targets(std::span<const games::Sample> samples, double result_weight = 1);
// −Σ wanted · ln softmax(logits), the mean over positions: a scalar.
at::Tensor result_loss(const at::Tensor& logits, const at::Tensor& wanted);
// Logits [1][3] of what was wanted on average.
at::Tensor average_result(const at::Tensor& wanted);
// (tanh(said) − wanted)², the mean over positions: a scalar.
at::Tensor value_loss(const at::Tensor& said, const at::Tensor& wanted);
// What is said [1][1] of what was wanted on average.
at::Tensor average_value(const at::Tensor& wanted);

}  // namespace scholar::learning
