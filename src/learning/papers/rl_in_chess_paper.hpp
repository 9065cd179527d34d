#pragma once

#include "learning/papers/experiment.hpp"

namespace scholar::learning {

// J. Chu, S. Li and W. M. Loh, "Reinforcement Learning in Chess" (2020).
Paper rl_in_chess_paper();

}  // namespace scholar::learning
