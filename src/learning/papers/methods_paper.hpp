#pragma once

#include "learning/papers/experiment.hpp"

namespace scholar::learning {

// No paper: all systems beside each other.
Paper methods_paper();

}  // namespace scholar::learning
