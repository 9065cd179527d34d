#pragma once

#include <stop_token>

#include "base/error.hpp"
#include "learning/perspective/device.hpp"
#include "learning/training/recipe.hpp"
#include "learning/training/validation.hpp"

namespace scholar::learning {

struct TrainOptions {
    // Go on from the run's last checkpoint, or from the start of a run that has none yet. Where there is no
    // run: refused, or begun if that is said too.
    bool resume = false;
    bool or_begin = false;
    bool overwrite = false;  // begin again although the folder holds a run, whose files go
    bool json = false;       // JSON lines on standard output
    Device device = Device::Cpu;
};

struct TrainOutcome {
    bool finished =
        false;  // false: stopped; to resume goes on from the checkpoint, or begins if there is none yet
    std::uint64_t step = 0;
    ValidationReport validation;     // of the finished network
    double core_seconds_before = 0;  // spent by the runs that this one resumed
};

// Trains as the recipe says and leaves in its output folder:
//   untrained.safetensors      the network before training, quantised
//   network.safetensors        the result, quantised; network-float.safetensors: before rounding
//   checkpoint.safetensors     to go on from, and the one before it
//   metrics.jsonl, survey.json
// `stop` ends it cleanly after the current step, or in the survey before the first, without a checkpoint. A
// loss that is not a finite number ends it with an error.
base::Result<TrainOutcome> train(const Recipe& recipe, const TrainOptions& options, std::stop_token stop);

}  // namespace scholar::learning
