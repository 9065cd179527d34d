#pragma once

#include <cstddef>
#include <variant>
#include <vector>

#include "chess/position.hpp"
#include "games/sample.hpp"

// What tasks learn from (learning/training/sample_source.hpp gives it, in the order of a run's seed).

namespace scholar::learning {

// A position of a game that White won and one of a game that White lost (DeepChess, 2016, section 3.2): which
// of them is better for White is what is to be learnt.
struct SamplePair {
    games::Sample won;
    games::Sample lost;
    // By lot: the order in which they are to be shown.
    bool lost_first = false;
};

// A position of which something is known: of a search, of a table, of whoever made it.
struct LabelledNode {
    chess::Position position;
    // What each means, and how many there are, is between who made the node and the task.
    std::vector<float> labels;
};

using Samples = std::variant<std::vector<games::Sample>, std::vector<SamplePair>, std::vector<LabelledNode>>;

inline std::size_t count_of(const Samples& samples) {
    return std::visit([](const auto& all) { return all.size(); }, samples);
}

}  // namespace scholar::learning
