#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "search/alpha_beta/alpha_beta.hpp"
#include "search/limits.hpp"
#include "search/table.hpp"
#include "search/time_manager.hpp"

namespace scholar::search {

// What one thread has done. Written by that thread alone, read by all.
struct alignas(64) ThreadCounters {
    std::atomic<std::uint64_t> nodes{0};
    std::atomic<std::uint64_t> tablebase_hits{0};

    // Cheaper than an atomic addition, and enough for one writer.
    static void increment(std::atomic<std::uint64_t>& counter) {
        counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }
};

// What the threads of one search share beside the table: its limits, its watch and the sign to stop.
struct SharedSearch {
    using Watch = std::chrono::steady_clock;

    SharedSearch(const Limits& search_limits, std::stop_token stop_token, int threads)
        : limits(search_limits),
          outer_stop(std::move(stop_token)),
          node_limit(limits.find<NodeLimit>() ? limits.find<NodeLimit>()->nodes : UINT64_MAX),
          counters(static_cast<std::size_t>(threads)) {
        if (const auto depth = limits.find<DepthLimit>())
            last_depth = std::clamp(depth->depth, 1, chess::kMaxPly - 1);
    }

    const Limits& limits;
    const std::stop_token outer_stop;
    const std::uint64_t node_limit;
    const Watch::time_point started = Watch::now();
    std::optional<TimePlan> time;
    int last_depth = chess::kMaxPly - 1;  // of the iterations
    std::atomic<bool> stop{false};
    std::vector<ThreadCounters> counters;  // by thread

    std::uint64_t nodes() const {
        std::uint64_t sum = 0;
        for (const ThreadCounters& thread : counters) sum += thread.nodes.load(std::memory_order_relaxed);
        return sum;
    }
    std::uint64_t tablebase_hits() const {
        std::uint64_t sum = 0;
        for (const ThreadCounters& thread : counters)
            sum += thread.tablebase_hits.load(std::memory_order_relaxed);
        return sum;
    }
    Watch::duration elapsed() const { return Watch::now() - started; }
    // By the watch that the time plan goes by, which may be one that counts nodes.
    std::chrono::duration<double, std::milli> used() const {
        using Time = std::chrono::duration<double, std::milli>;
        if (limits.nodes_per_second == 0) return elapsed();
        return Time(1000.0 * static_cast<double>(nodes()) / static_cast<double>(limits.nodes_per_second));
    }
    // While the opponent is still thinking, only a stop ends the search.
    bool is_pondering() const {
        const auto ponder = limits.find<PonderLimit>();
        return ponder && !ponder->hit.stop_requested();
    }
    bool may_end() const { return !limits.is_infinite() && !is_pondering(); }
};

}  // namespace scholar::search
