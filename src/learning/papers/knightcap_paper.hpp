#pragma once

#include "learning/papers/experiment.hpp"

// J. Baxter, A. Tridgell and L. Weaver, "KnightCap: a chess program that learns by combining TD(λ) with
// game-tree search" (1998).

namespace scholar::learning {

// The experiments of sections 4 and 5, and one of our own.
Paper knightcap_paper();

}  // namespace scholar::learning
