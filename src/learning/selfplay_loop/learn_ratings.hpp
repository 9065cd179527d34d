#pragma once

#include "learning/selfplay_loop/learn_run.hpp"

namespace scholar::learning {

// Lets the newest network play earlier ones, if it is time.
base::Status rate_course(LearnRun& run, const LearnStage& stage);
// Tells the status what all those games together say.
void note_ratings(LearnRun& run);

}  // namespace scholar::learning
