#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string_view>

#include "base/error.hpp"
#include "nets/container/any_network.hpp"
#include "search/search.hpp"
#include "search/table.hpp"

namespace scholar::engine {

constexpr int kBenchDepth = 16;

struct BenchResult {
    std::uint64_t nodes;  // the search's fingerprint: the same on every machine
    std::chrono::nanoseconds elapsed;
};

// Searches a fixed set of positions to a fixed depth, each from a fresh start, with a table of its own:
// nothing but the network and the depth counts. Reports each position's number (from 1), FEN and nodes.
// Refused: what make_alpha_beta() refuses.
base::Result<BenchResult> bench(const nets::AnyNetwork& network, int depth,
                                const std::function<void(int, std::string_view, std::uint64_t)>& on_position);

// The same with a search and its table. After a stop request the count is incomplete.
BenchResult bench(search::Search& searcher, search::Table& table, int depth,
                  const std::function<void(int, std::string_view, std::uint64_t)>& on_position,
                  const std::stop_token& stop);

}  // namespace scholar::engine
