#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "nets/conv/square_policy.hpp"

// A move's probability and its slopes by the logits that it is made of.

namespace scholar::nets {

struct ProbabilitySlopes {
    double probability = 0;
    std::vector<double> slopes;  // of each logit
};
// Of a softmax over all.
ProbabilitySlopes softmax_slopes(std::span<const double> logits, std::size_t index);

struct TwoStepSlopes {
    double probability = 0;
    std::map<int, double> slopes;  // by place (square_policy.hpp)
};
// As two_step_probabilities() has it.
TwoStepSlopes two_step_slopes(const std::function<double(int place)>& logits,
                              std::span<const SquareMove> moves, std::size_t index);

}  // namespace scholar::nets
