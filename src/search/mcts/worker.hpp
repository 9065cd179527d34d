#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "chess/line.hpp"
#include "evaluators/batch_evaluator.hpp"
#include "search/mcts/backup.hpp"
#include "search/mcts/mcts.hpp"
#include "search/mcts/tree.hpp"
#include "search/mcts/value_table.hpp"

namespace scholar::search::mcts {

// What the threads of a search have in common.
struct Shared {
    // Throws std::bad_alloc if there is not so much memory as the options say.
    explicit Shared(const MctsOptions& options);

    const MctsOptions options;
    Tree tree;
    ValueTable values;
    std::mutex proofs;  // held by whoever proves

    // Of a round of playouts.
    std::vector<std::uint8_t> allowed;           // edges of the root; empty: all
    std::function<bool(std::uint64_t)> is_over;  // after so many playouts
    chess::Score root_proof;                     // when it began
    int workers = 1;
    std::atomic<bool> ended = false;  // before they all are: nothing is left to do

    // Of a search.
    std::atomic<bool> full = false;  // the memory

    // What threads change all the time has a cache line of its own.
    alignas(64) std::atomic<std::int64_t> left = 0;  // playouts that no thread has taken
    std::atomic<std::uint64_t> count = 0;            // of playouts that are in all their nodes

    // How many playouts, of `wanted`, may begin: they are no longer left.
    std::uint32_t take(std::uint32_t wanted);
    void give_back(std::uint32_t playouts) { left += playouts; }
};

// One thread's part of the playouts: an evaluator, a path, and what waits for its evaluation.
class Worker {
  public:
    Worker(Shared& shared, std::unique_ptr<evaluators::BatchEvaluator> evaluator);

    // A search of the line's current position begins.
    void begin(const chess::Line& line);
    // Gives a tree without nodes its root, evaluated and open.
    base::Status make_root();
    // Playouts, until the round ends. An error is an evaluation's.
    base::Status work();

    const evaluators::BatchEvaluator& evaluator() const { return *evaluator_; }
    Tree::Block& block() { return block_; }
    int longest() const { return longest_; }  // in half-moves, since begin()
    std::uint64_t tablebase_hits() const { return tablebase_hits_; }

  private:
    // How a playout's way down ended.
    enum class End : std::uint8_t {
        New,        // at a node that was made, and waits for its evaluation
        Known,      // where the outcome is known: it has been backed up
        Collision,  // at a node that waits for an evaluation: it is held up there until that has come
        Full,       // there was no memory for a new node
        Nowhere,    // all edges of the root that may be taken are proven
        Trouble,    // an evaluation failed: trouble_
    };
    // Where several threads go down a tree, each writes into the same few nodes near the root, and waits for
    // what the others have written there. So a thread stays for some playouts below one node, and only then
    // hands in what they have found to those above. Not where evaluations are worked out in batches: they
    // take far longer than that.
    struct Stay {
        NodeId top = kNoNode;  // kNoNode: playouts begin at the root
        int ply = 0;           // of the line there
        std::uint32_t left = 0;
        Gathered gathered{};
    };
    // A node that has been submitted, and for what.
    struct Asked {
        NodeId node;
        evaluators::Wanted wanted;
        std::uint64_t key;  // of its value
        chess::MoveList moves;
    };
    End descend();
    End go_down();
    bool is_worth_staying(NodeId id) const;
    void stay_at(NodeId id);
    void leave();
    void count_playout(NodeId leaf, Outcome outcome);
    End arrive(NodeId parent, int edge);
    End hold_up(NodeId id);
    void come_again(NodeId id);
    void ask(NodeId id, evaluators::Wanted wanted, std::uint64_t key, const chess::MoveList& moves);
    bool gather();
    base::Status collect();
    base::Status take(const Asked& asked, const evaluators::Opinion& opinion);
    std::size_t batch_size() const;
    std::string fen_of(NodeId id) const;

    Shared& shared_;
    Tree& tree_;
    std::unique_ptr<evaluators::BatchEvaluator> evaluator_;
    Tree::Block block_;
    chess::Line line_;  // the root's; a playout goes on from there and comes back
    int root_ply_ = 0;  // of that line
    Stay stay_;
    std::uint32_t granted_ = 0;       // playouts that this thread may begin
    std::size_t size_ = 1;            // of the batch that is being gathered
    std::vector<Asked> waiting_;      // in the order in which they were submitted
    std::vector<NodeId> collisions_;  // where playouts are held up
    std::vector<evaluators::Opinion> opinions_;
    std::vector<Edge> edges_;
    base::Status trouble_;
    int longest_ = 0;
    std::uint64_t tablebase_hits_ = 0;
};

}  // namespace scholar::search::mcts
