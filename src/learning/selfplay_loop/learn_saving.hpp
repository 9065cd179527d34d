#pragma once

#include "learning/selfplay_loop/learn_checkpoint.hpp"
#include "learning/selfplay_loop/learn_run.hpp"

namespace scholar::learning {

// Writes a checkpoint of all that the run is.
base::Status save_learning(LearnRun& run);
// Makes the run what it was at a checkpoint. Refuses one of another recipe, seed or beginning.
base::Status resume_learning(LearnRun& run, LearnCheckpoint from);

}  // namespace scholar::learning
