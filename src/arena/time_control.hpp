#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "base/error.hpp"

namespace scholar::arena {

// Seconds on a clock: `moves` per period of `base` (0: `base` is for the whole game), with `increment` after
// each move.
struct ClockControl {
    std::chrono::milliseconds base{0};
    std::chrono::milliseconds increment{0};
    int moves = 0;
};
struct MoveTimeControl {
    std::chrono::milliseconds time{0};
};
struct NodesControl {
    std::uint64_t nodes = 0;
};
struct DepthControl {
    int depth = 0;
};

// How long an engine may think: a clock for the game, or the same limit for every move.
struct TimeControl {
    using Clock = ClockControl;
    using MoveTime = MoveTimeControl;
    using Nodes = NodesControl;
    using Depth = DepthControl;

    std::variant<Clock, MoveTime, Nodes, Depth> kind;
};

// "10+0.1" (seconds and increment), "60", "40/60+0.5" (moves in a period), "movetime=0.1" or "0.1/move"
// (seconds), "nodes=5000", "depth=8". Anything else is refused, with what was expected.
base::Result<TimeControl> parse_time_control(std::string_view text);

// In the form that parse_time_control() reads; clocks as PGN's TimeControl tag has them.
std::string to_string(const TimeControl& control);

}  // namespace scholar::arena
