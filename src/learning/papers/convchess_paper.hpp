#pragma once

#include "learning/papers/experiment.hpp"

// A. Singh, "Convolutional neural networks learn to play chess" (2015).

namespace scholar::learning {

// The experiments of chapter 3, those of section 2.2.3 that it names without figures, and games.
Paper convchess_paper();

}  // namespace scholar::learning
