#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

namespace scholar::arena {

// Stops what runs too long. Its thread sleeps through whatever ends in time, so that watching over very many
// short searches costs nothing.
class Watchdog {
  public:
    using Clock = std::chrono::steady_clock;

    Watchdog() : thread_([this](const std::stop_token& stop) { watch(stop); }) {}
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;
    ~Watchdog() = default;

    // Asks `work` to stop at the deadline, unless disarm() comes first.
    void arm(Clock::time_point deadline, const std::stop_source& work) {
        const std::scoped_lock lock(mutex_);
        deadline_ = deadline;
        work_ = work;
        // A thread that wakes up sooner looks then when it has to.
        if (!wakes_ || deadline < *wakes_) changed_.notify_one();
    }
    // False: the deadline had passed.
    bool disarm() {
        const std::scoped_lock lock(mutex_);
        const bool in_time = deadline_.has_value();
        deadline_.reset();
        return in_time;
    }

  private:
    void watch(const std::stop_token& stop) {
        std::unique_lock lock(mutex_);
        while (!stop.stop_requested()) {
            wakes_ = deadline_;
            if (!deadline_) {
                changed_.wait(lock, stop, [this] { return deadline_.has_value(); });
            } else if (Clock::now() >= *deadline_) {
                deadline_.reset();
                work_.request_stop();
            } else {
                const Clock::time_point until = *deadline_;
                changed_.wait_until(lock, stop, until, [&] { return deadline_ && *deadline_ < until; });
            }
        }
    }

    std::mutex mutex_;  // of everything but the thread
    std::condition_variable_any changed_;
    std::optional<Clock::time_point> deadline_;  // nothing: not armed
    std::optional<Clock::time_point> wakes_;     // when the thread wakes up by itself
    std::stop_source work_{std::nostopstate};
    std::jthread thread_;  // the last to be made and the first to end
};

}  // namespace scholar::arena
