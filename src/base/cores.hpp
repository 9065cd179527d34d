#pragma once

#include <algorithm>
#include <thread>

namespace scholar::base {

// How many threads this machine runs at a time, at least 1: the number where nobody asked for another.
inline int cores() {
    return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

// As many as were asked for, or one a core (0).
inline int threads_or_cores(int wanted) {
    return wanted > 0 ? wanted : cores();
}

}  // namespace scholar::base
