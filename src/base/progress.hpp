#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

namespace scholar::base {

// One line of progress on standard error: redrawn in place on a terminal, a plain line now and then
// elsewhere. total 0: the end is not known, no bar and no time left. What was `done_before`, in an earlier
// run, counts as done, but not for the rate and the time left.
class Progress {
  public:
    Progress(std::string what, std::uint64_t total, std::string unit, std::uint64_t done_before = 0);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    // Draws when enough time has passed since the last time. `note` goes to the end of the line.
    void update(std::uint64_t done, const std::string& note = {});
    // Draws the last state and ends the line. Called by the destructor if not before.
    void finish();

  private:
    void draw(bool last);

    using Clock = std::chrono::steady_clock;
    std::string what_;
    std::string unit_;
    std::string note_;
    std::uint64_t total_;
    std::uint64_t done_before_;
    std::uint64_t done_ = done_before_;
    bool terminal_;
    bool finished_ = false;
    Clock::time_point start_ = Clock::now();
    Clock::time_point drawn_ = start_;
};

// "1.2 k", "34 M": three figures.
std::string short_count(double value);
// "1:02:03" or "2:03".
std::string short_duration(std::chrono::seconds duration);

}  // namespace scholar::base
