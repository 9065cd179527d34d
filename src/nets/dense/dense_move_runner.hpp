#pragma once

#include <memory>
#include <span>
#include <vector>

#include "chess/position.hpp"
#include "chess/types.hpp"
#include "nets/aligned.hpp"
#include "nets/dense/dense_runner.hpp"

namespace scholar::nets {

// Judges the moves of one position after another by a network that has inputs of a move. What depends on the
// position alone is worked out once for all of its moves: whole blocks where they see nothing else, and of
// other blocks the part of their sums. Belongs to one thread; a copy is another's.
class DenseMoveRunner {
  public:
    explicit DenseMoveRunner(std::shared_ptr<const DenseNetwork> network);

    const DenseNetwork& network() const { return *network_; }
    // How likely each of `moves`, all legal ones of the position, is to be best: from 0 to 1, with a sum of
    // 1. By two judgements, as dense_move_set.hpp says. `out` has a place for each; there is at least one.
    void judge(const chess::Position& position, const chess::MoveList& moves, std::span<float> out);

    // From here on moves of this position are meant.
    void begin(const chess::Position& position);
    // z (dense_network.hpp) of a legal move of that position, whose place among all of them is `place` or
    // kNoPlace.
    float judge(chess::Move move, int place);

  private:
    struct Step {
        PackedDense::Block block;
        int fixed;         // of its inputs, from the first on, those that depend on the position alone
        std::size_t sums;  // where what these give begins in sums_
    };

    std::shared_ptr<const DenseNetwork> network_;
    std::shared_ptr<const PackedDense> packed_;
    std::vector<std::vector<Step>> once_;  // by layer but the last: blocks of the position alone
    std::vector<std::vector<Step>> each_;  // likewise: all others
    // By layer what goes into it, the last one's included; numbers of the position stay while moves change.
    std::vector<AlignedVector<float>> inputs_;
    AlignedVector<float> sums_;
    std::vector<int> scratch_;
    MoveView view_;
};

// What the probabilities of a position's moves are by what the network says of each, z; in place.
void to_probabilities(DenseOutput output, std::span<float> z);

}  // namespace scholar::nets
