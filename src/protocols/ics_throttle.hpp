#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace scholar::protocols::ics {

using Clock = std::chrono::steady_clock;

// How fast commands may go to the server: a bucket of `burst` that fills up again, one each `interval`.
struct ThrottleSettings {
    int burst = 8;
    std::chrono::milliseconds interval{250};
    // Beyond that, new ones that are not urgent are dropped, and urgent ones take the place of such. Of the
    // urgent ones the session has but a few at a time.
    std::size_t most_waiting = 64;
};

struct Command {
    std::string text;
    bool urgent = false;  // goes before all that are not
};

// Commands on their way to the server, never faster than allowed. One that already waits is not added again.
class CommandQueue {
  public:
    CommandQueue(const ThrottleSettings& settings, Clock::time_point now)
        : settings_(settings), tokens_(settings.burst), filled_(now) {}

    void push(Command command);
    // The next one, if it may go now.
    std::optional<Command> next(Clock::time_point now);
    // Takes one back that still waits.
    void withdraw(std::string_view text);
    void clear() { waiting_.clear(); }
    bool empty() const { return waiting_.empty(); }
    std::size_t size() const { return waiting_.size(); }

  private:
    void fill(Clock::time_point now);

    ThrottleSettings settings_;
    int tokens_;
    Clock::time_point filled_;
    std::deque<Command> waiting_;
};

}  // namespace scholar::protocols::ics
