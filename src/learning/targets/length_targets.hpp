#pragma once

#include <ATen/core/Tensor.h>
#include <span>

#include "games/sample.hpp"

// How many half-moves a game still has, as a head of a network learns it. Includes libtorch.

namespace scholar::learning {

// What such a head counts in while it is trained, in half-moves: its numbers are about 1 then.
inline constexpr double kLengthUnit = 20;

// Half-moves from the position to the game's end, the one played there included [position][1], of
// kLengthUnit.
at::Tensor length_targets(std::span<const games::Sample> samples);
// P. J. Huber's (1964), squared up to ten half-moves and linear beyond, the mean over positions: a scalar. Of
// a few long games the mean would be learnt otherwise.
at::Tensor length_loss(const at::Tensor& said, const at::Tensor& wanted);
// By how many half-moves it is wrong, on average.
double length_error(const at::Tensor& said, const at::Tensor& wanted);
// What is said [1][1] where always the same is: what half of the games exceed.
at::Tensor average_length(const at::Tensor& wanted);

}  // namespace scholar::learning
