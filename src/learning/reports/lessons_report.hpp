#pragma once

#include <filesystem>
#include <string>

#include "base/error.hpp"
#include "learning/selfplay_loop/games_course.hpp"

namespace scholar::learning {

// What the report of a run says of its learning from other people's games: Markdown, with a plot in the run's
// folder.
base::Result<std::string> describe_lessons(const std::filesystem::path& run, const GamesCourse& course);

}  // namespace scholar::learning
