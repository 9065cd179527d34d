#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/error.hpp"
#include "chess/line.hpp"
#include "evaluators/batch_evaluator.hpp"
#include "search/mcts/crew.hpp"
#include "search/mcts/mcts.hpp"
#include "search/mcts/worker.hpp"

namespace scholar::search::mcts {

// Grows a tree by playouts: each goes down from the root, to a position that is new or whose end is known.
// Several threads do so in rounds; between two of them nobody is at work.
class Playouts {
  public:
    using Evaluators = std::vector<std::unique_ptr<evaluators::BatchEvaluator>>;

    // A thread for each evaluator, of which there is at least one. Throws std::bad_alloc if there is not so
    // much memory as the options say.
    Playouts(Evaluators evaluators, const MctsOptions& options);

    // A search of the line's current position begins, which has a legal move: its root is evaluated, which is
    // no playout. What is known of it from the search before is kept, if the game went on from there.
    base::Status begin(const chess::Line& line);
    // Only these edges of the root are taken; empty: all.
    void allow(std::vector<std::uint8_t> allowed) { shared_.allowed = std::move(allowed); }
    // A round of `most` ≥ 1 playouts. Fewer where the memory is full, the root has just been proven, all that
    // may be taken is, or is_over(), which any thread may call, says so of the number of all until now. An
    // error is an evaluation's; what was waiting for one is then forgotten.
    base::Status run(std::uint64_t most, const std::function<bool(std::uint64_t)>& is_over = never);
    // Where the memory is full: forgets what is below the least visited nodes. False where that does not give
    // room for many more.
    bool make_room();
    // Forgets everything.
    void clear();

    const Tree& tree() const { return shared_.tree; }
    // Since begin().
    std::uint64_t count() const { return shared_.count; }
    int longest() const;  // in half-moves
    std::uint64_t tablebase_hits() const;
    bool is_full() const { return shared_.full; }
    // Whether outcomes come with chances to win, draw and lose.
    bool knows_wdl() const { return workers_.front()->evaluator().abilities().has(nets::Ability::Wdl); }

  private:
    // What is done to the root's priors for one search.
    void change_root_priors();
    void restore_root_priors();
    static bool never(std::uint64_t /*count*/) { return false; }
    std::vector<Tree::Block*> blocks();
    NodeId find_kept(const chess::Line& line) const;

    Shared shared_;
    std::vector<std::unique_ptr<Worker>> workers_;
    Crew crew_;
    chess::Line line_;                // the root's
    std::vector<float> root_priors_;  // before they were changed; empty: they were not
};

}  // namespace scholar::search::mcts
