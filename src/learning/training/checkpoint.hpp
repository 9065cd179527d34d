#pragma once

#include <cstdint>

#include "base/error.hpp"
#include "learning/run/run_settings.hpp"
#include "learning/training/sample_stream.hpp"
#include "nets/container/tensor_file.hpp"

namespace scholar::learning {

// What the loop knows of a run, beside what its task puts into the same checkpoint (Task::put). Both together
// are all that is needed to go on exactly where it stopped: the order of the data is fixed by the seed, the
// pass and the place.
struct TrainingProgress {
    std::uint64_t step = 0;
    StreamPlace place;
    std::uint64_t data_hash = 0;
    std::uint64_t samples = 0;  // trained on so far
    std::uint64_t clipped = 0;  // weights that had to be clipped so far
    double core_seconds = 0;    // spent so far, all threads together
    RunSettings settings;       // of the recipe
};

// In the metadata: kind, version, step, epoch, consumed, positions, clipped, core_milliseconds, data_hash,
// settings.
void put_progress(nets::TensorFile& file, const TrainingProgress& progress);
base::Result<TrainingProgress> take_progress(const nets::TensorFile& file);

}  // namespace scholar::learning
