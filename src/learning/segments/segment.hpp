#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "chess/position.hpp"
#include "chess/score.hpp"
#include "search/search.hpp"
#include "selfplay/treestrap.hpp"

// Stretches of self-play from positions of games (M. Lai, "Giraffe", 2015, section 4.5).

namespace scholar::learning {

// One search of a segment.
struct SegmentSearch {
    chess::Position position;  // that was searched
    chess::Score score;        // for its side to move
    chess::Move best;          // that was played
    // Where the principal variation ends, and whether the score is exactly that position's static value; if
    // not, why not.
    chess::Position leaf;
    search::LeafKind leaf_kind = search::LeafKind::CutShort;
    std::uint64_t nodes = 0;

    // White's expected result, 0 to 1.
    double white() const { return chess::PovScore(score, position.side_to_move()).white().expected(); }
};

// The half-moves that one network played against itself from a root on.
struct Segment {
    std::vector<SegmentSearch> searches;
    // White's result, where the rules ended it, or what all agreed on; nothing: it was cut off, and the last
    // search's score is only the last prediction.
    std::optional<double> outcome;
    std::vector<selfplay::TreeStrapNode> nodes;  // inside the searches, if they were asked for
};

}  // namespace scholar::learning
