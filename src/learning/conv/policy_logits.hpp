#pragma once

#include <ATen/core/Tensor.h>
#include <string>
#include <utility>
#include <vector>

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
// logarithms of its two-step probabilities, among legal squares in each step; those of source and target are
// nets::source_target_logit().
at::Tensor policy_logits(nets::PolicyForm form, const at::Tensor& said, const at::Tensor& places);

// Of a policy of squares, −ln P(from) − ln P(to | from) − ln P(promotion), and of source and target −ln
// P(source) − ln P(target), of the moves wanted [position][move] (one a position, with probability 1; none:
// it counts nothing), the mean over positions, a scalar: each step among all squares, so that what is legal
// is to be learnt (A. Singh 2015, sections 2.3 and 3.3; J. Chu, S. Li and W. M. Loh 2020).
at::Tensor unmasked_squares_loss(nets::PolicyForm form, const at::Tensor& said, const at::Tensor& places,
                                 const at::Tensor& wanted);

// How often the squares of the move that was wanted are foretold, 0 to 1. Of source and target, "source" and
// "target": each the likeliest by its head among all 64 squares, whatever is legal and whatever the other
// says (of single answers, among the legal moves). Of any policy in squares, by the probabilities of the
// legal moves together: "legal source", the likeliest man to move; "legal target", the likeliest square to be
// reached; "target of the man", the likeliest move of the man that did move. Empty of any other policy.
std::vector<std::pair<std::string, double>> square_figures(nets::PolicyForm form, const at::Tensor& said,
                                                           const at::Tensor& places,
                                                           const at::Tensor& wanted);

}  // namespace scholar::learning
