#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.hpp"

namespace scholar::arena {

// Seconds on a clock: `moves` per period of `base` (0: `base` is for the rest of the game), with `increment`
// after each move. Then the periods of `later`, one after the other; the last one again and again.
struct ClockControl {
    std::chrono::milliseconds base{0};
    std::chrono::milliseconds increment{0};
    int moves = 0;
    std::vector<ClockControl> later{};
};
struct MoveTimeControl {
    std::chrono::milliseconds time{0};
};
struct NodesControl {
    std::uint64_t nodes = 0;
};
// So many for each move, drawn anew: every order of magnitude is as likely as any other (A. Singh,
// "Convolutional neural networks learn to play chess", 2015, section 3.6). The same match draws the same.
struct DrawnNodesControl {
    std::uint64_t least = 0;
    std::uint64_t most = 0;
    // `chance` from 0 to below 1.
    std::uint64_t nodes(double chance) const;
};
struct DepthControl {
    int depth = 0;
};

// How long an engine may think: a clock for the game, or the same limit for every move.
struct TimeControl {
    using Clock = ClockControl;
    using MoveTime = MoveTimeControl;
    using Nodes = NodesControl;
    using DrawnNodes = DrawnNodesControl;
    using Depth = DepthControl;

    std::variant<Clock, MoveTime, Nodes, DrawnNodes, Depth> kind;
};

// "10+0.1" (seconds and increment), "60", "40/60+0.5" (moves in a period), "40/60,20/30,10+1" (periods that
// differ), "movetime=0.1" or "0.1/move" (seconds), "nodes=5000", "nodes=10-1000", "depth=8". Seconds may be
// written as minutes and seconds ("5:00+3") or hours, minutes and seconds ("1:30:00"). Anything else is
// refused, with what was expected.
base::Result<TimeControl> parse_time_control(std::string_view text);

// In the form that parse_time_control() reads.
std::string to_string(const TimeControl& control);
// The same, but with ':' between the periods of a clock, as PGN's TimeControl tag has them.
std::string to_pgn_tag(const TimeControl& control);

}  // namespace scholar::arena
