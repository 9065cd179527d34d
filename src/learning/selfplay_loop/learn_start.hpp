#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "learning/selfplay_loop/games_lessons.hpp"
#include "learning/selfplay_loop/learn_run.hpp"

namespace scholar::learning {

// The network that a new run starts from: random, given, or one that a recipe names.
base::Result<nets::FloatNetwork> first_network(const LearnRun& run);
// It plays before it learns: as integers, into which it must fit.
base::Status check_fits(const LearnRun& run, const nets::FloatNetwork& first);
// What it is after it has learnt other people's games; nothing if it was told to stop meanwhile.
base::Result<std::optional<LearntFromGames>> taught_by_games(const LearnRun& run,
                                                             const nets::FloatNetwork& start);
// Lessons of the course that it passes over.
std::uint64_t head_start(const LearnRun& run, const nets::FloatNetwork& network);
// What a new run starts from, for people.
std::string describe_beginning(const LearnRun& run);

}  // namespace scholar::learning
