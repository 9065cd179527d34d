#pragma once

#include "learning/selfplay_loop/learn_run.hpp"

namespace scholar::learning {

// Trains on as many lessons of the window as the round is good for, and notes in the summary how that went.
base::Status train_round(LearnRun& run, const LearnStage& stage, RoundSummary& summary);

}  // namespace scholar::learning
