#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "games/store.hpp"

// Stores made of stores. Inputs may be stores without their index (recovered), and the output may be one of
// the inputs: it is replaced in the end. The NAME.games.partial that the output grows as may not.

namespace scholar::games {

struct MergeJob {
    std::vector<std::filesystem::path> inputs;
    std::filesystem::path output;
    int compression_level = 12;  // of blocks that are packed again
    bool skip_damaged = false;   // leave damaged blocks out, rather than refuse the store
    std::function<void(std::uint64_t games)> progress = [](std::uint64_t) {};  // games dealt with so far
    std::stop_token stop;
};

struct MergeSummary {
    StoreSummary store;
    std::uint64_t blocks_copied = 0;     // byte for byte
    std::uint64_t blocks_packed = 0;     // read and packed again
    std::vector<std::string> recovered;  // a line for each input without its index
    std::vector<std::string> damaged;    // a line for each block that was left out
    std::uint64_t games_lost = 0;        // with these blocks
};

// All games of all inputs, in order. Blocks are copied byte for byte, each verified; only several small ones
// in a row are packed together, unless they have columns that this program does not know.
base::Result<MergeSummary> merge_stores(const MergeJob& job);

struct DedupSummary : MergeSummary {
    std::uint64_t games_read = 0;  // those lost left out
    std::uint64_t duplicates = 0;  // left out, because a copy is kept
    std::uint64_t too_short = 0;   // left out, copies or not
};

// The games of all inputs, in order, each once: of games with one start position and the same moves the copy
// with the most evaluations, then with the most tags, then the first is kept. Games of fewer than `min_plies`
// half-moves are left out. Blocks that lose no game are copied byte for byte where that leaves no small
// blocks; a block that loses some is refused if it has columns that this program does not know. Memory: 16
// bytes a game, and a bit.
base::Result<DedupSummary> dedup_stores(const MergeJob& job, std::uint32_t min_plies);

}  // namespace scholar::games
