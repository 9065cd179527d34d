#pragma once

#include <filesystem>
#include <span>

#include "base/error.hpp"

namespace scholar::learning {

// Writes into `folder` report.md and its plots, in which the runs of `scholar learn` in these folders lie
// over one another; each is called as its folder is. The path of the report.
base::Result<std::filesystem::path> write_learn_overlay(std::span<const std::filesystem::path> paths,
                                                        const std::filesystem::path& folder);

}  // namespace scholar::learning
