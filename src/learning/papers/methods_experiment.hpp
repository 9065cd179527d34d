#pragma once

#include "base/error.hpp"
#include "learning/papers/experiment.hpp"

namespace scholar::learning {

// Every system's networks under every search that can take them, each against one opponent
// (methods_matrix.cpp).
base::Status fill_matrix(Reproduction& work, const TakeFindings& take);

}  // namespace scholar::learning
