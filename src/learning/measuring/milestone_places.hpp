#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "learning/measuring/ladder_place.hpp"
#include "learning/selfplay_loop/learn_folder.hpp"
#include "nets/perspective/network.hpp"

// Where the milestones of a run of `scholar learn` stand on the ladder.

namespace scholar::learning {

// What a milestone is called there: another network after as long is another player.
std::string milestone_name(int minutes, const nets::Network& network);

// Lets each milestone of the run play until the file `plan.results` has as many games of it as the plan
// wants; `begins` hears of each before its games, `tell` once it has its place. An error: a run without
// milestones, a damaged one, or nobody of known strength to play.
base::Status place_milestones(const LearnFolder& folder, const LadderPlan& plan,
                              const std::function<void(int minutes)>& begins,
                              const std::function<void(int minutes, const LadderPlace&)>& tell,
                              const std::stop_token& stop);

// By the games in the run's LearnFolder::ladder_games(), whoever let them be played, all of them rated
// together; from the first milestone on. Those that have no games, or none that lead to the ladder's anchors,
// are left out.
base::Result<std::vector<LadderPlace>> milestone_places(const LearnFolder& folder);

}  // namespace scholar::learning
