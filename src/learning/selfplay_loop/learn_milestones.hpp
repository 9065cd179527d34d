#pragma once

#include "learning/selfplay_loop/learn_run.hpp"

namespace scholar::learning {

// Keeps the network that plays where it is time for a milestone, and lets it play on the ladder if the user
// wants that.
base::Status keep_milestone(LearnRun& run);

}  // namespace scholar::learning
