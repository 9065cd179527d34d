#pragma once

#include "base/error.hpp"
#include "learning/papers/experiment.hpp"

namespace scholar::learning {

// Of middling strength: it is beaten by the best that play it and beats the weakest.
Contender methods_opponent();

// Every system's networks under every search that can take them, each against one opponent
// (methods_matrix.cpp).
base::Status fill_matrix(Reproduction& work, const TakeFindings& take);
// The methods of recipes/methods.toml for the same time, from the same games and one from its own
// (methods_learning.cpp).
base::Status compare_learning(Reproduction& work, const TakeFindings& take);

}  // namespace scholar::learning
