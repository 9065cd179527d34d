#pragma once

#include <cmath>
#include <concepts>
#include <limits>

namespace scholar::learning {

// By how much the engine's answer differs from the trainer's. What is no number differs from everything,
// without bound: a largest one would pass over it.
template <std::floating_point Engine, std::floating_point Trainer>
double difference_of(Engine engine, Trainer trainer) {
    const double by = std::abs(static_cast<double>(engine) - static_cast<double>(trainer));
    return std::isnan(by) ? std::numeric_limits<double>::infinity() : by;
}

}  // namespace scholar::learning
