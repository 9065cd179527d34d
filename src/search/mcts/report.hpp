#pragma once

#include <optional>
#include <vector>

#include "chess/line.hpp"
#include "search/mcts/playouts.hpp"
#include "search/mcts/watch.hpp"
#include "search/root_moves.hpp"

namespace scholar::search::mcts {

// A move at the root that may be played.
struct RootEdge {
    int edge;  // its place among the root's edges
    // What the endgame tables say of it (RootMove).
    int tablebase_rank = 0;
    std::optional<chess::Score> tablebase_score;
};

// The moves that may be played, the best first: what the tables put first; a proven win, the quickest first;
// the most visits, then the best mean value, then the policy's order; a proven loss, the slowest first.
void sort_best_first(const Tree& tree, std::vector<RootEdge>& edges);
// How often a move was visited.
std::uint32_t visits_of(const Tree& tree, const RootEdge& root_edge);
// Whether its result is proven.
bool is_proven_edge(const Tree& tree, const RootEdge& root_edge);
// Whether no playout can change what is played: the best of them is proven to win, or all are proven.
bool is_decided(const Tree& tree, const std::vector<RootEdge>& edges);

// The counters of the search that `playouts` has done.
Counters counters_of(const Playouts& playouts, const Watch& watch);
// One line for each of the best moves, as many as the limits ask for; `edges` are sorted.
std::vector<RootLine> lines_of(const Playouts& playouts, const std::vector<RootEdge>& edges,
                               const Limits& limits);
// The whole result, from sorted edges, of which there is at least one.
SearchResult result_of(const Playouts& playouts, const Watch& watch, const chess::Line& line,
                       const std::vector<RootEdge>& edges);

}  // namespace scholar::search::mcts
