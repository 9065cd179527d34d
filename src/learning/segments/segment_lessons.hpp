#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "learning/segments/segment.hpp"
#include "selfplay/interval.hpp"

// From a segment to positions with what a network should say of them.

namespace scholar::learning {

enum class SegmentMethod : std::uint8_t {
    TdLeaf,     // the leaves of the searches to their λ-returns: the paper's
    TdRoot,     // the positions searched to them
    TreeStrap,  // the positions inside the searches to what these found for them
};

struct SegmentLessonPlan {
    SegmentMethod method = SegmentMethod::TdRoot;
    double lambda = 0.7;
    // Of TdLeaf and TdRoot: only the first search of a segment teaches, and its error is that of table 2, as
    // the paper's text says; otherwise each search, by the formula there.
    bool only_first = false;
    // Of TdRoot: not where the position is in check or the move takes or promotes.
    bool quiet = true;
};

struct SegmentLesson {
    chess::Position position;
    selfplay::Interval expected;  // for the side to move
};

// What is a fixed target (a mate, a draw by rule, a win by tables) and what was cut short are returns that
// earlier searches learn, and no leaves that learn.
std::vector<SegmentLesson> lessons_of(const Segment& segment, const SegmentLessonPlan& plan);

}  // namespace scholar::learning
