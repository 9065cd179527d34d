#pragma once

#include "learning/selfplay_loop/learn_run.hpp"

namespace scholar::learning {

// What has been learnt so far, averaged if the recipe says so, with the piece values measured.
nets::FloatNetwork newest_weights(const LearnRun& run);
// Weights, rounded, become the network that plays.
base::Status install(LearnRun& run, nets::FloatNetwork network);
// The newest weights play from now on; where the recipe asks for it, only if they win a short match.
base::Status promote(LearnRun& run, const LearnStage& stage, RoundSummary& summary);
// Makes the network as large as the stage wants it. One that was given may be larger, or be of features that
// are not among those of the stage, or have hidden layers of its own: then it stays as it is.
base::Status grow(LearnRun& run, const LearnStage& stage);

}  // namespace scholar::learning
