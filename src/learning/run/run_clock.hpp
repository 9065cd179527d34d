#pragma once

#include <chrono>

#include "learning/run/run_time.hpp"

namespace scholar::learning {

// What a run has cost, from the moment at which the clock is made.
class RunClock {
  public:
    // By the clock on the wall, of this run alone, without its pauses.
    double seconds() const { return seconds_since(started_) - paused_; }
    // Of processor time, all threads and earlier runs that this one goes on from together, without pauses.
    double cores() const { return cores_before_ + core_seconds() - cores_at_start_; }

    // Spent by earlier runs, or by others for this one.
    void add_cores(double seconds) { cores_before_ += seconds; }

    // While it lives the clock stands still: what is done then is none of learning.
    class Pause {
      public:
        explicit Pause(RunClock& clock) : clock_(clock) {}
        ~Pause() {
            clock_.paused_ += seconds_since(started_);
            clock_.cores_before_ -= core_seconds() - cores_;
        }
        Pause(const Pause&) = delete;
        Pause& operator=(const Pause&) = delete;

      private:
        RunClock& clock_;
        std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
        double cores_ = core_seconds();
    };

  private:
    std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
    double cores_at_start_ = core_seconds();
    double cores_before_ = 0;
    double paused_ = 0;
};

}  // namespace scholar::learning
