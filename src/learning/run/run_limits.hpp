#pragma once

#include <algorithm>
#include <cstdint>

#include "learning/run/run_clock.hpp"

namespace scholar::learning {

// How far a run goes; 0: that is no limit. Whichever comes first ends it.
struct RunLimits {
    std::uint64_t steps = 0;  // earlier runs that it goes on from included
    std::uint64_t games = 0;  // likewise
    double core_minutes = 0;  // likewise
    double minutes = 0;       // of this run, by the clock
};

// How far it has come, or had when it began.
struct RunCounts {
    std::uint64_t steps = 0;
    std::uint64_t games = 0;
    double core_seconds = 0;
};

inline bool is_reached(const RunLimits& limits, const RunCounts& now, double seconds) {
    return (limits.steps > 0 && now.steps >= limits.steps) ||
           (limits.games > 0 && now.games >= limits.games) ||
           (limits.core_minutes > 0 && now.core_seconds >= 60 * limits.core_minutes) ||
           (limits.minutes > 0 && seconds >= 60 * limits.minutes);
}

// From 0 to 1. The limit that will end the run is the one of which it has done the largest share of what was
// left when it began.
inline double share_done(const RunLimits& limits, const RunCounts& before, const RunCounts& now,
                         double seconds) {
    const auto share = [](double from, double at, double limit) {
        return limit > from ? std::min(1.0, (at - from) / (limit - from)) : 0;
    };
    const auto count = [&](std::uint64_t from, std::uint64_t at, std::uint64_t limit) {
        return share(static_cast<double>(from), static_cast<double>(at), static_cast<double>(limit));
    };
    return std::max({count(before.steps, now.steps, limits.steps),
                     count(before.games, now.games, limits.games),
                     share(before.core_seconds, now.core_seconds, 60 * limits.core_minutes),
                     share(0, seconds, 60 * limits.minutes)});
}

}  // namespace scholar::learning
