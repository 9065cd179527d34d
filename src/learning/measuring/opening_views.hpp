#pragma once

#include <memory>
#include <string>
#include <vector>

#include "nets/perspective/network.hpp"

// What a network thinks of the opening: the moves that it would play, and how the game would go by them.

namespace scholar::learning {

struct OpeningMove {
    std::string move;     // SAN
    double expected = 0;  // White's result after it, 0 to 1
};

struct OpeningView {
    std::vector<OpeningMove> first_moves;  // all that White has at the start, the best first
    std::string line;                      // how the game would go on, in SAN
    std::vector<OpeningMove> replies;      // in the positions of opening_positions()
};

struct OpeningPosition {
    std::string name;   // "Sicilian"
    std::string moves;  // "1. e4 c5", for people
};
// Some that everybody knows.
const std::vector<OpeningPosition>& opening_positions();

// By searches to a fixed depth or number of nodes: the same each time.
OpeningView opening_view(const std::shared_ptr<const nets::Network>& network);

}  // namespace scholar::learning
