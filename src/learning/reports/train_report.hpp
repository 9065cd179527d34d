#pragma once

#include <filesystem>

#include "base/error.hpp"

namespace scholar::learning {

// Writes report.md and its plots into the folder of a run of training, from its metrics.jsonl: each figure of
// the validations by the positions seen (pairs, nodes), the network's beside those of the constant and of the
// others that it was measured with. Of a run that goes on, or was killed, too. The path of the report.
// Refused: a run that has not been validated yet, or whose task says its validations in a form of its own; a
// line of the metrics that is no record.
base::Result<std::filesystem::path> write_train_report(const std::filesystem::path& folder);

}  // namespace scholar::learning
