#pragma once

#include <chrono>
#include <cstdint>

#include "base/error.hpp"
#include "learning/run/run_shell.hpp"
#include "learning/training/checkpoint.hpp"
#include "learning/training/recipe.hpp"
#include "learning/training/sample_stream.hpp"
#include "learning/training/task.hpp"

namespace scholar::learning {

// Step after step, with what comes between: records, validations, checkpoints. It knows nothing of what is
// learnt.
class TrainingLoop {
  public:
    // All must outlive it. `now` is where the run stands.
    TrainingLoop(const Recipe& recipe, Task& task, RunShell& shell, TrainingProgress now);

    // Until the last step, or until the run is over; then there is a checkpoint. A loss that is not a finite
    // number is an error.
    base::Status run(std::unique_ptr<SampleSource> source);
    // Of the network as it is; also in measured().
    base::Status measure();

    const TrainingProgress& now() const { return now_; }
    bool is_done() const { return now_.step >= recipe_.schedule.steps; }
    const Measurement& measured() const { return measured_; }

  private:
    using Clock = std::chrono::steady_clock;
    // Means since the last record.
    struct Mean {
        double loss = 0;
        double constant = 0;
        std::uint64_t steps = 0;
    };
    struct Spent {
        StepTimes steps;
        double measuring = 0;
        double checkpoints = 0;
        Clock::time_point start = Clock::now();
    };

    base::Status step(SampleStream& stream);
    base::Status record_mean(double rate);
    base::Status checkpoint();
    void say_times(const SampleStream& stream, std::uint64_t first, std::string_view unit) const;

    const Recipe& recipe_;
    Task& task_;
    RunShell& shell_;
    TrainingProgress now_;
    Mean mean_;
    std::string note_;  // of the last record, for the progress
    Spent spent_;
    Measurement measured_;
};

}  // namespace scholar::learning
