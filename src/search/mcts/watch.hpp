#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>

#include "chess/line.hpp"
#include "search/limits.hpp"
#include "search/time_manager.hpp"

namespace scholar::search::mcts {

// How far a tree search may go, in playouts and in time. An iteration ends when its playouts have doubled:
// depth n is 2ⁿ of them.
class Watch {
  public:
    using Clock = std::chrono::steady_clock;
    using Time = std::chrono::duration<double, std::milli>;

    Watch(const Limits& limits, const chess::Line& line, std::stop_token stop);

    const Limits& limits() const { return limits_; }
    const std::stop_token& stop() const { return stop_; }
    const std::optional<TimePlan>& time() const { return time_; }
    Clock::time_point started() const { return started_; }
    Clock::duration elapsed() const { return Clock::now() - started_; }

    // That many nodes of the limits are gone: whoever tried something else first has searched them.
    void spend(std::uint64_t nodes);
    std::uint64_t spent() const { return spent_; }
    // Not so many playouts as before: 2 to the power of `depth` at most.
    void limit_depth(int depth);
    // How many playouts may still be made after so many.
    std::uint64_t left(std::uint64_t playouts) const {
        return playouts >= most_playouts_ ? 0 : most_playouts_ - playouts;
    }
    // Whether it was told to stop, or has used what time it may.
    bool is_over(std::uint64_t playouts) const;
    // On a clock, how many playouts there is time for after so many; nothing where time is not to be saved.
    std::optional<double> expected(std::uint64_t playouts) const;

  private:
    bool may_end() const;
    Time used(std::uint64_t playouts) const;

    const Limits& limits_;
    const std::stop_token stop_;
    const Clock::time_point started_ = Clock::now();
    std::optional<TimePlan> time_;
    std::uint64_t spent_ = 0;
    std::uint64_t most_playouts_ = UINT64_MAX;
};

// Of the last iteration that is complete; the first from the beginning.
int depth_of(std::uint64_t playouts);

}  // namespace scholar::search::mcts
