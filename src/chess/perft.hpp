#pragma once

#include <cstdint>
#include <stop_token>
#include <utility>
#include <vector>

#include "chess/position.hpp"

namespace scholar::chess {

// The number of legal move sequences of `depth` half-moves; the last ply is counted without being played.
// After a stop request, which is heeded within milliseconds, the count is incomplete.
std::uint64_t perft(const Position& position, int depth, const std::stop_token& stop = {});

// The same for each first move; depth ≥ 1. `threads` share the work, split two half-moves deep.
std::vector<std::pair<Move, std::uint64_t>> perft_divide(const Position& position, int depth, int threads = 1,
                                                         const std::stop_token& stop = {});

}  // namespace scholar::chess
