#pragma once

#include "learning/selfplay_loop/learn_run.hpp"

namespace scholar::learning {

// Begins a run, or goes on with one, up to its first round. False: it was told to stop while it learnt from
// games.
base::Result<bool> begin_learning(LearnRun& run);

}  // namespace scholar::learning
