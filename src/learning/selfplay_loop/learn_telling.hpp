#pragma once

#include "learning/selfplay_loop/learn_run.hpp"

namespace scholar::learning {

// Tells the observer how far the run is.
void tell(LearnRun& run, const LearnStage& stage, bool round_ended);
// Records a round, its alarms and its sample game, and tells the observer.
base::Status report_round(LearnRun& run, const LearnStage& stage, const RoundSummary& round);

}  // namespace scholar::learning
