#pragma once

#include <filesystem>

#include "base/error.hpp"

namespace scholar::learning {

// Writes report.md and its plots into the folder of a run of on-line learning, from its metrics.jsonl: the
// rating by games (the paper's figure 4), the weights of castling and of doubled pawns in each stage (figure
// 5), what the pieces came to be worth, the points against each opponent. The path of the report. A
// line of the metrics that is no record is an error with its number.
base::Result<std::filesystem::path> write_online_report(const std::filesystem::path& folder);

}  // namespace scholar::learning
