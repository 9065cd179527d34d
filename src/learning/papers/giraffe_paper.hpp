#pragma once

#include "learning/papers/experiment.hpp"

namespace scholar::learning {

// M. Lai, "Giraffe: Using Deep Reinforcement Learning to Play Chess" (2015).
Paper giraffe_paper();

}  // namespace scholar::learning
