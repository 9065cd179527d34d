#pragma once

#include <vector>

#include "arena/match.hpp"
#include "learning/online_update.hpp"
#include "selfplay/recording_player.hpp"

namespace scholar::learning {

// What one side's searches said in a finished game, as learning needs it. `moves`: all of the game's, those
// of its opening included. A score that is a mate counts as certain; a leaf gives slopes where the score is
// exactly its static value. The last move of the side needs no expected reply if it mated.
std::vector<OnlinePrediction> predictions(const std::vector<selfplay::Thought>& thoughts,
                                          const std::vector<chess::Move>& moves, chess::Color side,
                                          bool mated);

}  // namespace scholar::learning
