#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "games/sample.hpp"
#include "nets/sparse_policy/sparse_policy_network.hpp"

namespace scholar::learning {

// Places in a block that use the same row of the output weights: [begin, end) of PolicyBlock::places.
struct RowRun {
    std::uint16_t row = 0;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
};
struct RowPlace {
    std::uint32_t position = 0;  // of the block
    std::uint32_t slot = 0;      // of the block's rows: [move][rows of a move]
};

// Positions that go forward and back together, and their rows in order: each row is then read once, and its
// gradient written once, for all moves of the block that use it.
struct PolicyBlock {
    static constexpr std::size_t kPositions = 512;

    std::size_t from = 0;  // positions of the batch
    std::size_t to = 0;
    std::vector<RowRun> runs;      // by row
    std::vector<RowPlace> places;  // of each run by slot
};

// Positions as a sparse policy reads them, their legal moves, and how likely each should be.
struct PolicyBatch {
    int stride = nets::FeatureSet::kMaxActive;
    int rows_of_a_move = 1;
    std::vector<std::uint16_t> features;  // [position][stride], of the side to move
    std::vector<std::uint8_t> counts;     // [position]
    std::vector<std::uint32_t> first;     // [position + 1]: of its moves, which lie one behind the other
    std::vector<float> wanted;            // [move]: its probability; all 0: the position teaches nothing
    std::vector<std::uint16_t> rows;      // [move][rows of a move]
    std::vector<PolicyBlock> blocks;

    std::size_t size() const { return counts.size(); }
    std::size_t moves() const { return wanted.size(); }
    // The place of a move among nets::kMoveNumbers.
    int move_number(std::size_t move) const {
        return rows[move * static_cast<std::size_t>(rows_of_a_move)] % nets::kMoveNumbers;
    }
};

// Of the moves that were played: of a sample without one, or whose move is not legal, nothing is wanted.
PolicyBatch encode_policy(std::span<const games::Sample> samples, const nets::SparsePolicyInfo& info);

}  // namespace scholar::learning
