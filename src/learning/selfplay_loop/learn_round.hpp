#pragma once

#include <optional>

#include "learning/selfplay_loop/learn_run.hpp"

namespace scholar::learning {

// Plays a round of games, whose lessons go into the window. Nothing if it was told to stop before all of them
// were played: then the window is as it was.
base::Result<std::optional<RoundSummary>> play_round(LearnRun& run, const LearnStage& stage);

}  // namespace scholar::learning
