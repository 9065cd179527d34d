#pragma once

#include <filesystem>

#include "base/error.hpp"

namespace scholar::learning {

// Writes report.md into the folder of a run of `scholar learn`, with the plots and the games that it shows in
// report/ beside it: from metrics.jsonl, the networks that the run kept and their games on the ladder, at any
// time. Gives the report's path. Refused: a run without a complete round.
base::Result<std::filesystem::path> write_learn_report(const std::filesystem::path& run);

}  // namespace scholar::learning
