#include "base/progress.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <unistd.h>

namespace scholar::base {

std::string short_count(double value) {
    constexpr std::array<const char*, 5> units{"", " k", " M", " G", " T"};
    std::size_t unit = 0;
    // The bounds are those from which rounding would show a fourth figure.
    while (value >= 999.5 && unit + 1 < units.size()) {
        value /= 1000;
        ++unit;
    }
    if (unit == 0) return fmt::format("{:.0f}", value);
    return fmt::format("{:.{}f}{}", value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0, units[unit]);
}

std::string short_duration(std::chrono::seconds duration) {
    const auto s = duration.count();
    if (s >= 3600) return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
    return fmt::format("{}:{:02}", s / 60, s % 60);
}

Progress::Progress(std::string what, std::uint64_t total, std::string unit, std::uint64_t done_before)
    : what_(std::move(what)),
      unit_(std::move(unit)),
      total_(total),
      done_before_(done_before),
      terminal_(isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
    finish();
}

void Progress::update(std::uint64_t done, const std::string& note) {
    done_ = done;
    note_ = note;
    const auto now = Clock::now();
    const auto interval = terminal_ ? std::chrono::milliseconds(100) : std::chrono::milliseconds(15'000);
    if (now - drawn_ < interval) return;
    drawn_ = now;
    draw(false);
}

void Progress::finish() {
    if (finished_) return;
    finished_ = true;
    draw(true);
}

void Progress::draw(bool last) {
    const double seconds = std::max(1e-9, std::chrono::duration<double>(Clock::now() - start_).count());
    const std::uint64_t done_now = done_ - std::min(done_, done_before_);
    const double rate = static_cast<double>(done_now) / seconds;
    std::string line = what_ + " ";
    if (total_ > 0) {
        const double share = std::min(1.0, static_cast<double>(done_) / static_cast<double>(total_));
        if (terminal_) {
            constexpr int width = 24;
            const int full = static_cast<int>(share * width);
            line += fmt::format("[{:#<{}}{:.<{}}] ", "", full, "", width - full);
        }
        line += fmt::format("{:3.0f} % ", share * 100);
    }
    line += fmt::format("{} {}, {}/s, {}", short_count(static_cast<double>(done_)), unit_, short_count(rate),
                        short_duration(std::chrono::seconds(static_cast<long>(seconds))));
    if (total_ > done_ && done_now > 0 && !last)
        line += fmt::format(", {} left", short_duration(std::chrono::seconds(
                                             static_cast<long>(static_cast<double>(total_ - done_) / rate))));
    if (!note_.empty()) line += "  " + note_;
    if (terminal_)
        line = fmt::format("\r{}\x1b[K{}", line, last ? "\n" : "");
    else
        line += '\n';
    // Not fmt::print, which throws: that progress cannot be shown must not end the work.
    std::fputs(line.c_str(), stderr);
    std::fflush(stderr);
}

}  // namespace scholar::base
