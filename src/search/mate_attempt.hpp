#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>

#include "chess/line.hpp"
#include "search/search.hpp"
#include "search/time_manager.hpp"

namespace scholar::search {

// Asked for a mate in so many moves: by trying everything first, which proves it and that none is shorter.
// What is too far for that is left to the search that asks, until it has found one that is near enough.
struct MateAttempt {
    std::optional<SearchResult> found;  // the whole result, without its time
    std::uint64_t nodes = 0;
    bool complete = false;  // where nothing was found: there is none
};

// Spends at most half of what the limits (and their plan of time, as from `started`) have: the search has to
// find a move with the rest.
MateAttempt attempt_mate(const MateLimit& mate, const chess::Line& line, const Limits& limits,
                         const std::optional<TimePlan>& time, std::chrono::steady_clock::time_point started,
                         const std::stop_token& stop);

}  // namespace scholar::search
