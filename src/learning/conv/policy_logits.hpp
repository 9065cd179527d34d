#pragma once

#include <ATen/core/Tensor.h>

#include "chess/position.hpp"
#include "nets/conv/conv_network.hpp"

// What a convolutional policy says, for each of its forms (nets/conv/conv_network.hpp). Includes libtorch.

namespace scholar::learning {

// How many numbers a policy of this form says of a position.
int policy_size(nets::PolicyForm form);

// Moves are numbered by place, 0 to policy_places() − 1: the places of MoveTargets, and of single answers.
// Where a policy has a logit for each move, that is where the logit stands.
int policy_places(nets::PolicyForm form);
int policy_place(nets::PolicyForm form, const chess::Position& position, chess::Move move);

// Logits of the legal moves [position][move], −∞ where there are no more: of what a network has said
// [position][policy_size()] or of one answer to all [1][policy_places()]. Those of a policy of squares are
// logarithms of its two-step probabilities, among legal squares in each step.
at::Tensor policy_logits(nets::PolicyForm form, const at::Tensor& said, const at::Tensor& places);

// Of a policy of squares, −ln P(from) − ln P(to | from) − ln P(promotion) of the moves wanted
// [position][move] (one a position, with probability 1; none: it counts nothing), the mean over positions, a
// scalar: each step among all squares, so that what is legal is to be learnt (A. Singh 2015, sections 2.3
// and 3.3).
at::Tensor unmasked_squares_loss(const at::Tensor& said, const at::Tensor& places, const at::Tensor& wanted);

}  // namespace scholar::learning
