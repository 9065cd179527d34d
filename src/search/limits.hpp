#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <variant>
#include <vector>

#include "chess/types.hpp"

namespace scholar::search {

using Milliseconds = std::chrono::milliseconds;

// How far one search may go. Times are signed: a clock may already be below zero.
struct DepthLimit {
    int depth;  // iterations
};
struct NodeLimit {
    std::uint64_t nodes;
};
struct MoveTimeLimit {
    Milliseconds time;  // for this move, all of it
};
struct ClockLimit {
    Milliseconds remaining;  // of the side to move
    Milliseconds increment{0};
    std::optional<int> moves_to_go;  // to the next time control; nothing: the rest of the game
};
struct MateLimit {
    int moves;  // stop when a mate in so many moves is proved
};
struct InfiniteLimit {};  // until told to stop, even when there is nothing left to find
// The opponent is still thinking: time does not end the search until `hit` is requested (the expected move
// was played). From then on it does, counted from the search's start.
struct PonderLimit {
    std::stop_token hit;
};

using Limit =
    std::variant<DepthLimit, NodeLimit, MoveTimeLimit, ClockLimit, MateLimit, InfiniteLimit, PonderLimit>;

// Several limits may hold at once: the first that is reached ends the search. None at all is as infinite.
struct Limits {
    std::vector<Limit> limits;
    std::vector<chess::Move> root_moves;  // only these; empty: all
    // Kept back from clocks, not from a MoveTimeLimit, for what passes between us and who keeps them.
    Milliseconds move_overhead{10};
    // How many of the best moves to find the scores and variations of.
    int multi_pv = 1;
    // Not 0: times are counted in nodes, so many to the second, and not on a watch. The same search then ends
    // at the same node on any machine.
    std::uint64_t nodes_per_second = 0;

    template <class T>
    std::optional<T> find() const {
        for (const Limit& limit : limits)
            if (const T* found = std::get_if<T>(&limit)) return *found;
        return std::nullopt;
    }
    // Whether the search may only end when it is told to.
    bool is_infinite() const {
        return find<InfiniteLimit>() || limits.empty() || (limits.size() == 1 && find<PonderLimit>());
    }
};

}  // namespace scholar::search
