#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "base/error.hpp"
#include "evaluators/batch_evaluator.hpp"
#include "nets/container/any_network.hpp"
#include "search/mcts/chance.hpp"
#include "search/mcts/selection.hpp"
#include "search/search.hpp"
#include "search/tablebase_rules.hpp"

namespace scholar::search {

struct MctsOptions {
    static constexpr int kDefaultBatch = 8;
    static constexpr int kMostBatch = 1024;

    std::size_t megabytes = 16;  // what tree and values may take; where it is full, least visited nodes go
    int threads = 1;
    bool keeps_values = true;  // in a table, so that no position is valued twice
    // How many positions are evaluated together, at most; less where the evaluator takes less at once, and
    // while the tree is small.
    int batch = kDefaultBatch;
    // Whether a network that values positions one by one is asked when captures are over
    // (mcts/quiet_value.hpp).
    bool quiescence = true;
    mcts::Exploration exploration;
    mcts::Chance chance;
    TablebaseRules tablebases;  // min_depth means nothing
};

// The constants that are best for networks like the one that values positions, with quiescence or without.
mcts::Exploration default_exploration(const nets::AnyNetwork& value, bool quiescence);

// A Monte-Carlo tree search, by the value of one network and the policy of another or the same: from playout
// to playout the tree grows where moves are likely, good or little known (mcts/selection.hpp), and the most
// visited move is played. With one thread it is the same again. A node is a playout, that is, a visit of one
// of the root's moves; the root's own evaluation is none. It remembers the tree from move to move. Proven
// mates are backed up as such. Refused: networks without value or policy. Throws std::bad_alloc if there is
// not so much memory.
base::Result<std::unique_ptr<Search>> make_mcts(const nets::AnyNetwork& value, const nets::AnyNetwork& policy,
                                                const MctsOptions& options = {});
// The same by evaluators that give both, one for each thread.
std::unique_ptr<Search> make_mcts(std::vector<std::unique_ptr<evaluators::BatchEvaluator>> evaluators,
                                  const MctsOptions& options = {});

}  // namespace scholar::search
