#pragma once

#include <cstddef>
#include <vector>

#include "selfplay/interval.hpp"

namespace scholar::learning {

// An interval as the labels of a LabelledNode (learning/training/samples.hpp): what tasks whose networks
// judge positions learn from.
enum IntervalLabel : std::size_t { kLowLabel, kHighLabel, kIntervalLabels };

inline std::vector<float> labels_of(const selfplay::Interval& interval) {
    return {static_cast<float>(interval.low), static_cast<float>(interval.high)};
}

}  // namespace scholar::learning
