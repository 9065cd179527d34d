#pragma once

#include <cstdint>
#include <vector>

#include "base/error.hpp"
#include "chess/line.hpp"
#include "evaluators/batch_evaluator.hpp"
#include "search/mcts/tree.hpp"
#include "search/tablebase_rules.hpp"

namespace scholar::search::mcts {

// What the rules and the endgame tables say of a position that a playout came to, without a network.
struct LeafRules {
    NodeKind kind = NodeKind::Pending;  // Pending: they say nothing
    chess::Score proof;                 // of a Decided one, for its side to move; else 0
    bool asked_tables = false;          // and they knew
};
// `moves` are the line's legal ones. A position that stood before within the search, whose root is at ply
// `root`, is a draw: whoever could repeat once can again.
LeafRules ask_rules(const chess::Line& line, const chess::MoveList& moves, int root,
                    const TablebaseRules& tablebases);

// What the network says a position is worth. Refused, with what is wrong ("…, expected …"): an opinion
// without an expected result.
base::Result<Outcome> outcome_of(const evaluators::Opinion& opinion);

// A node's edges by what the network says of its moves: with their priors, and in order. `edges` keeps its
// memory from one call to the next. Refused likewise: probabilities that are none, or have no sum.
base::Status make_edges(const chess::MoveList& moves, const evaluators::Opinion& opinion,
                        double policy_temperature, std::vector<Edge>& edges);

}  // namespace scholar::search::mcts
