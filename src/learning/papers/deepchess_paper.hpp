#pragma once

#include "learning/papers/experiment.hpp"

// R. Garita, H. Kebiri and T. Orujlu, "A soft implementation of DeepChess", after O. David, N. Netanyahu and
// L. Wolf, "DeepChess" (2016).

namespace scholar::learning {

// Its networks, their distillation, and the search that compares.
Paper deepchess_paper();

}  // namespace scholar::learning
