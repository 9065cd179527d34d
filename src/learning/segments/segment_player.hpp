#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "base/error.hpp"
#include "learning/segments/segment.hpp"
#include "nets/container/any_network.hpp"
#include "search/alpha_beta/alpha_beta.hpp"

namespace scholar::learning {

struct SegmentPlan {
    int random_moves = 1;  // by lot, from each root; an odd number lets the other side punish them
    int plies = 12;        // half-moves of self-play behind them
    // Score units: where four searches in a row agree that one side is ahead by so much, it has won; 0: only
    // the rules end a segment.
    int decided = 0;
    std::uint64_t nodes = 512;
    std::size_t table_megabytes = 1;
    // exact_leaves is the learning mode, which TDLeaf needs. The tap is the player's own.
    search::AlphaBetaOptions search;
    std::optional<selfplay::TreeStrapPlan> treestrap;  // nothing: nodes inside searches are not asked for
};

// The segments of these roots, in their order. Random numbers are of (seed, `first` + number of the root),
// and what searches remember is forgotten after every kSharedMemory roots: so the segments are the same with
// any number of threads. Nothing if it was told to stop.
inline constexpr std::size_t kSharedMemory = 16;
base::Result<std::optional<std::vector<Segment>>> play_segments(const nets::AnyNetwork& network,
                                                                std::span<const chess::Position> roots,
                                                                const SegmentPlan& plan, std::uint64_t seed,
                                                                std::uint64_t first, int threads,
                                                                const std::stop_token& stop);

}  // namespace scholar::learning
