#pragma once

#include <chrono>
#include <cstdint>

#include "engine/engine.hpp"

namespace scholar::engine {

constexpr int kBenchDepth = 12;

struct BenchResult {
    std::uint64_t nodes;  // the search's fingerprint: the same on every machine
    std::chrono::nanoseconds elapsed;
};

// Searches a fixed set of positions to a fixed depth, each from a fresh start.
BenchResult bench(Engine& engine, int depth,
                  const std::function<void(int, std::string_view, std::uint64_t)>& on_position);

}  // namespace scholar::engine
