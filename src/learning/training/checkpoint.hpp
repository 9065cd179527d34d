#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "learning/perspective/model.hpp"
#include "learning/run/checkpoint_files.hpp"
#include "learning/run/run_settings.hpp"
#include "learning/training/batch.hpp"

namespace scholar::learning {

// All that is needed to go on exactly where a run stopped. Training itself draws no random numbers: the order
// of the data is fixed by the seed, the pass and the place.
struct Checkpoint {
    ModelState model;
    StreamPlace place;
    std::uint64_t data_hash = 0;
    std::uint64_t positions = 0;  // trained on so far
    std::uint64_t clipped = 0;    // weights that had to be clipped so far
    double core_seconds = 0;      // spent so far, all threads together
    RunSettings settings;         // of the recipe
};

// In a run's folder: "checkpoint.safetensors", and the one before as "checkpoint.previous.safetensors".
// Refuses weights or moments that are not finite numbers, and leaves both as they were.
base::Status save_checkpoint(const std::filesystem::path& folder, const Checkpoint& checkpoint);

using LoadedCheckpoint = Loaded<Checkpoint>;
// Nothing if the folder has none. A damaged last checkpoint falls back on the one before; an error if neither
// is good.
base::Result<std::optional<LoadedCheckpoint>> load_checkpoint(const std::filesystem::path& folder);

}  // namespace scholar::learning
