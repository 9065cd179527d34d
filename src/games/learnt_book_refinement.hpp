#pragma once

#include <cstdint>
#include <optional>

#include "chess/position.hpp"
#include "games/learnt_book_graph.hpp"

// Which positions of a learnt book a program that has time should search.

namespace scholar::games {

// How much a search of a position would help: the games that came through it, times how uncertain it is,
//     1 / √(1 + Σ n_o + nodes / kNodesOfAGame)
// with the n_o of games/learnt_book_beliefs.hpp over all its moves, and the nodes already spent on it. 0
// where a mate or an endgame table has decided, or a search came to the end of what it can look ahead, as in
// a dead draw.
double search_importance(const LearntPosition& position);

struct SearchTask {
    chess::Position position;
    std::uint64_t nodes = 0;
};
// The position of most importance, of equals that of the smallest key, with twice the nodes that were spent
// on it before, or `min_nodes`. Nothing in a book without positions.
std::optional<SearchTask> next_search(const BookGraph& graph, std::uint64_t min_nodes);

}  // namespace scholar::games
