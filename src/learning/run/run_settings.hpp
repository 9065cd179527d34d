#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"

// What a run was begun with: a run that goes on must be given the same, and need not be told what is noted.

namespace scholar::learning {

// ("section.key", value) of everything that was read of a recipe, defaults included.
using RunSettings = std::vector<std::pair<std::string, std::string>>;

constexpr std::uint64_t kDefaultSeed = 1;

// The seed among the settings of a run.
RunSettings with_seed(RunSettings settings, std::uint64_t seed);
std::optional<std::uint64_t> seed_of(const RunSettings& settings);

// Whether the settings of an earlier run agree with those of now; else an error that names each difference.
base::Status check_unchanged(const RunSettings& now, const RunSettings& before);

}  // namespace scholar::learning
