#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "chess/line.hpp"
#include "evaluators/batch_evaluator.hpp"
#include "search/mcts/backup.hpp"
#include "search/mcts/mcts.hpp"
#include "search/mcts/tree.hpp"

namespace scholar::search::mcts {

// Grows a tree by playouts: each goes down from the root, to a position that is new or whose end is known.
class Playouts {
  public:
    // Throws std::bad_alloc if there is not so much memory as the options say.
    Playouts(std::unique_ptr<evaluators::BatchEvaluator> evaluator, const MctsOptions& options);

    // A search of the line's current position begins, which has a legal move: its root is evaluated, which is
    // no playout. What is known of it from the search before is kept, if the game went on from there.
    base::Status begin(const chess::Line& line);
    // Only these edges of the root are taken; empty: all.
    void allow(std::vector<std::uint8_t> allowed) { allowed_ = std::move(allowed); }
    // A batch of playouts, `most` ≥ 1 in number at most; none where the memory is full, or all that may be
    // taken is proven. An error is an evaluation's; what was waiting for one is then forgotten.
    base::Status run(std::uint64_t most);
    // Forgets everything.
    void clear();

    const Tree& tree() const { return tree_; }
    // Since begin().
    std::uint64_t count() const { return count_; }
    int longest() const { return longest_; }  // in half-moves
    std::uint64_t tablebase_hits() const { return tablebase_hits_; }
    bool is_full() const { return full_; }
    // Whether outcomes come with chances to win, draw and lose.
    bool knows_wdl() const { return evaluator_->abilities().has(nets::Ability::Wdl); }

  private:
    // How a playout's way down ended.
    enum class End : std::uint8_t {
        New,        // at a node that was made, and waits for its evaluation
        Known,      // where the outcome is known: it has been backed up
        Collision,  // at a node that waits for its evaluation: it is held up there until that has come
        Full,       // there was no memory for a new node
        Nowhere,    // all edges of the root that may be taken are proven
    };
    End descend();
    End arrive(NodeId parent, int edge);
    void come_again(NodeId id);
    base::Status evaluate_root();
    base::Status collect();
    std::size_t batch_size() const;
    std::string fen_of(NodeId id) const;
    NodeId find_kept(const chess::Line& line) const;

    std::unique_ptr<evaluators::BatchEvaluator> evaluator_;
    const MctsOptions options_;
    Tree tree_;
    chess::Line line_;  // the root's; a playout goes on from there and comes back
    int root_ply_ = 0;  // of that line
    std::vector<std::uint8_t> allowed_;
    std::vector<NodeId> waiting_;     // in the order in which they were submitted
    std::vector<NodeId> collisions_;  // where playouts are held up
    std::vector<evaluators::Opinion> opinions_;
    std::uint64_t count_ = 0;
    int longest_ = 0;
    std::uint64_t tablebase_hits_ = 0;
    bool full_ = false;
};

}  // namespace scholar::search::mcts
