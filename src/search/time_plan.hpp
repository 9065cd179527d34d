#pragma once

#include <chrono>
#include <optional>

#include "search/limits.hpp"

namespace scholar::search {

// How long a search may take: no new iteration is begun after `soft`, and none goes on after `hard`.
struct TimePlan {
    Milliseconds soft;
    Milliseconds hard;
};

// Nothing if no limit speaks of time.
std::optional<TimePlan> plan_time(const Limits& limits);

}  // namespace scholar::search
