#pragma once

#include <cstdint>

#include "base/error.hpp"
#include "chess/line.hpp"
#include "evaluators/batch_evaluator.hpp"
#include "search/mcts/backup.hpp"
#include "search/mcts/selection.hpp"
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

// Opens a pending node by what the network says: its outcome; its edges get their priors and are put in
// order. Refused, with what is wrong ("…, expected …"), and the node stays pending: an opinion without an
// expected result, or whose probabilities are none, or have no sum.
base::Result<Outcome> open_node(Tree& tree, NodeId id, const evaluators::Opinion& opinion,
                                double policy_temperature);

}  // namespace scholar::search::mcts
