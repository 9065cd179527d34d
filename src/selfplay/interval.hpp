#pragma once

#include <algorithm>

// What a search that stops at bounds says of a position.

namespace scholar::selfplay {

// Between which expected results, of the side to move and from 0 to 1, the right one lies as far as somebody
// knows. A value has both ends at the same place; a lower bound ends at 1, an upper one begins at 0. What is
// said outside is to be moved to the nearest end, what is said inside is right: so a lower bound teaches only
// who says less, an upper one only who says more (J. Veness, D. Silver, W. Uther, A. Blair, "Bootstrapping
// from game tree search", 2009, section 4).
struct Interval {
    double low = 0;
    double high = 1;

    static Interval value(double expected) { return {expected, expected}; }
    static Interval at_least(double expected) { return {expected, 1}; }
    static Interval at_most(double expected) { return {0, expected}; }

    // What should have been said instead.
    double nearest(double said) const { return std::clamp(said, low, high); }
    // For the other side.
    Interval turned() const { return {1 - high, 1 - low}; }
    bool operator==(const Interval&) const = default;
};

}  // namespace scholar::selfplay
