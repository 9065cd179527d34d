#pragma once

#include <filesystem>

#include "base/error.hpp"
#include "learning/papers/reproduction.hpp"

// The experiments of J. Baxter, A. Tridgell and L. Weaver, "KnightCap: a chess program that learns by
// combining TD(λ) with game-tree search" (1998), sections 4 and 5, at a size that a laptop finishes in hours,
// with the paper's figures beside ours.

namespace scholar::learning {

// Runs what has not been run yet: the main experiment with seeds 1, 2, … `seeds`, the same by a rule of our
// own, the start with all weights alike, self-play, and what came out against each other and on the ladder.
// After each of them report.md in the output folder says all that is known so far. The path of the report.
base::Result<std::filesystem::path> reproduce_knightcap(const ReproductionOptions& options, int seeds,
                                                        const std::stop_token& stop);

}  // namespace scholar::learning
