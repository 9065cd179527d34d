#pragma once

#include <cstdint>
#include <stop_token>

#include "base/error.hpp"
#include "learning/run/device.hpp"
#include "learning/training/measurement.hpp"
#include "learning/training/recipe.hpp"

namespace scholar::learning {

struct TrainOptions {
    // Go on from the run's last checkpoint, or from the start of a run that has none yet. Where there is no
    // run: refused, or begun if that is said too.
    bool resume = false;
    bool or_begin = false;
    bool overwrite = false;  // begin again although the folder holds a run, whose files go
    bool json = false;       // JSON lines on standard output
    Device device = Device::Cpu;
    // Stop as if told to, to be resumed, after so long by the clock, or so much processor time, earlier runs
    // that this one resumes included; 0: only at the end of the recipe.
    double minutes = 0;
    double core_minutes = 0;
    // If one of these ends it before the recipe does, write the network as it is then, and measure it; to
    // resume goes on all the same.
    bool writes_unfinished = false;
};

struct TrainOutcome {
    bool finished =
        false;  // false: stopped; to resume goes on from the checkpoint, or begins if there is none yet
    std::uint64_t step = 0;
    Measurement measured;            // of the network that was written; else the last there was
    double core_seconds_before = 0;  // spent by the runs that this one resumed
};

// Trains as the recipe says, by the task that its [network] names, and leaves in its output folder:
//   checkpoint.safetensors     to go on from, and the one before it
//   metrics.jsonl
// and what the task writes, its network above all.
// `stop` ends it cleanly after the current step, or before the first, without a checkpoint. A loss that is
// not a finite number ends it with an error.
base::Result<TrainOutcome> train(const Recipe& recipe, const TrainOptions& options, std::stop_token stop);

}  // namespace scholar::learning
