#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "chess/score.hpp"
#include "chess/types.hpp"
#include "search/mcts/shared.hpp"

// The tree of a Monte-Carlo search, and the memory that it lives in.

namespace scholar::search::mcts {

// A place in the tree's memory, in units of 8 bytes.
using NodeId = std::uint32_t;
constexpr NodeId kNoNode = 0;

// Values and shares of draws are whole numbers of so small a unit, that of a float below 1: their sums are
// exact, and the same in whatever order threads add.
inline constexpr int kOneBits = 23;
inline constexpr std::int32_t kOne = 1 << kOneBits;

// Of half-moves that are left to the end of a game; and how many bits hold any of their numbers.
inline constexpr int kMovesLeftUnit = 8;
inline constexpr int kMovesLeftBits = 14;

// What a playout found at its end.
struct Outcome {
    std::int32_t value = 0;        // of kOne: the expected result, −1 (lost) to 1 (won)
    std::int32_t draw = 0;         // of kOne: how likely a draw is, 0 to 1
    std::uint16_t moves_left = 0;  // as Node::moves_left

    bool operator==(const Outcome&) const = default;
};

// A move at a node. Edges are in the order of their priors, the largest first.
struct Edge {
    NodeId child = kNoNode;  // shared; kNoNode: not visited yet
    float prior = 0;         // how likely the policy finds the move, 0 to 1; those of a node make 1
    chess::Move move;
};

// A search ends when its root has been visited so often: the count is of 32 bits, and a batch comes on top.
inline constexpr std::uint32_t kMostVisits = 4'000'000'000;

enum class NodeKind : std::uint8_t {
    Pending,     // somebody has asked for its value or its moves' priors, which are not there yet
    Valued,      // its value is known, and nothing of its moves
    Open,        // its value and the priors of its moves are known
    Draw,        // by rule, or by an endgame table
    Repetition,  // a draw because the position stood before within the search: true only under this root
    Decided,     // mate, or won or lost by an endgame table
};

// What lies in the tree's memory. Each record has its kind in the same place.
enum class RecordKind : std::uint8_t { Filler, Node, Edges };

// A position on one path from the root. Two paths to one position are two nodes.
struct Node {
    NodeId parent = kNoNode;
    std::uint8_t edge_of_parent = 0;    // its place among the parent's edges
    NodeKind kind = NodeKind::Pending;  // shared
    bool stays = false;                 // while the tree is cut back
    RecordKind record = RecordKind::Node;
    // Sums over its visits, shared. The value is the expected result from −1 (lost) to 1 (won) *for the side
    // that moved here*, which is whose choice the node is; the share of draws is the same for both sides.
    std::int64_t value_sum = 0;   // of kOne
    std::uint32_t visits = 0;     // shared
    std::uint32_t in_flight = 0;  // shared: playouts through it that have not ended, the virtual loss
    std::int64_t draw_sum = 0;    // of kOne
    NodeId edges = kNoNode;       // where they are, if it is open
    std::int16_t proof = 0;       // shared: a Score as below, or 0
    // Shared: how many half-moves its network says are left to the end of the game, of 1 / kMovesLeftUnit,
    // and 1; 0: it has not said.
    std::uint16_t moves_left = 0;

    // Of its visits, of which there is at least one.
    double mean() const { return static_cast<double>(load(value_sum)) / kOne / load(visits); }
    double mean_draw() const { return static_cast<double>(load(draw_sum)) / kOne / load(visits); }
    // Whether its result is known whatever is played: won or lost for its side to move, by mate or by an
    // endgame table.
    bool is_proven() const { return load(proof) != 0; }
    // That result with its distance from this node, for its side to move.
    chess::Score proven() const { return chess::Score(load(proof)); }
    // What else a thread wrote into it is seen by whoever sees its kind.
    NodeKind seen_kind() const { return load(kind, std::memory_order_acquire); }
};

// Nodes, and the edges of those that are open, in one piece of memory that is never exceeded:
//
//     | Node, 40 bytes | Node | 8 bytes, Edge, 12 bytes | Edge | … | up to the next 8 bytes | Node | …
//
// Each thread fills a block of it at a time.
class Tree {
  public:
    // Where a thread makes its next nodes.
    class Block {
        friend Tree;
        NodeId next_ = kNoNode;
        NodeId end_ = kNoNode;
    };

    // Takes the memory when it is first used. Throws std::bad_alloc if there is not so much.
    explicit Tree(std::size_t bytes);

    // No nodes are left. Of threads only one may be at work: then, and in keep(). Their blocks are told.
    void clear(std::span<Block* const> blocks);
    // Makes an open node the root, and forgets all that is not below it. Draws by repetition are forgotten
    // too, with their visits: what they repeat may now stand before the root, where once is not enough. Ids
    // change.
    void keep(NodeId root, std::span<Block* const> blocks);
    // Forgets what is below the least visited nodes, so that half of the memory is free, or as much as can
    // be: they are Valued again, and keep what their visits have found. Neither the root nor proven nodes,
    // so that a proof that the root has is whole; one below a node that loses its moves is forgotten with
    // them. Ids change. Of threads only one may be at work.
    void thin_out(std::span<Block* const> blocks);

    // A node of that kind and proof at an edge of `parent`, through which one playout is on its way. kNoNode
    // where the memory is full. Nobody comes to it before attach(), which fails where another thread's node
    // is there already: then the new one is gone.
    NodeId create(Block& block, NodeId parent, int edge, NodeKind kind, chess::Score proof);
    bool attach(Block& block, NodeId id);
    // The same for a tree without nodes.
    NodeId create_root(Block& block);
    // A pending node gets its moves, which are in order. False, and it is Valued, where the memory is full.
    bool open(Block& block, NodeId id, std::span<const Edge> edges);

    // kNoNode: there is none.
    NodeId root() const { return root_; }
    Node& operator[](NodeId id) { return *reinterpret_cast<Node*>(&units_[id]); }
    const Node& operator[](NodeId id) const { return *reinterpret_cast<const Node*>(&units_[id]); }
    // Of an open node; else there are none.
    std::span<Edge> edges(NodeId id) {
        const NodeId at = (*this)[id].edges;
        if (at == kNoNode) return {};
        return {reinterpret_cast<Edge*>(&units_[at + 1]), head(at).count};
    }
    std::span<const Edge> edges(NodeId id) const { return const_cast<Tree*>(this)->edges(id); }
    // Of an open node, how many edges there are up to the last one that leads to a node.
    int reached(NodeId id) const { return load(head((*this)[id].edges).reached); }
    std::size_t bytes_taken() const { return end_ * sizeof(Unit); }
    // How much of the memory is taken, in thousandths.
    int permille_full() const { return static_cast<int>(std::uint64_t{1000} * end_ / capacity_); }

  private:
    struct alignas(8) Unit {
        std::byte bytes[8];
    };
    // Before the edges of a node.
    struct Head {
        NodeId owner = kNoNode;
        std::uint8_t count = 0;    // no position has more than 218 moves
        std::uint8_t reached = 0;  // shared
        bool stays = false;        // as a node's
        RecordKind record = RecordKind::Edges;
    };
    // What of a block is not used.
    struct Filler {
        NodeId units = 0;
        std::uint8_t unused[3] = {};
        RecordKind record = RecordKind::Filler;
    };
    static constexpr NodeId kFirst = 1;  // 0 is kNoNode
    static constexpr NodeId kNodeUnits = sizeof(Node) / sizeof(Unit);
    static constexpr NodeId kBlockUnits = 2048;  // that is 16 KiB
    static_assert(sizeof(Node) == 40 && sizeof(Edge) == 12 && sizeof(Head) == 8 && sizeof(Filler) == 8);

    Head& head(NodeId at) { return *reinterpret_cast<Head*>(&units_[at]); }
    const Head& head(NodeId at) const { return *reinterpret_cast<const Head*>(&units_[at]); }
    static NodeId units_of_edges(std::size_t edges) {
        return 1 + static_cast<NodeId>((edges * sizeof(Edge) + sizeof(Unit) - 1) / sizeof(Unit));
    }
    NodeId allocate(Block& block, NodeId units);
    // So that a walk over the memory finds its way past what a block has left; it then has nothing.
    void fill(Block& block);
    // What stays of a tree that is cut back.
    struct Cut {
        bool repetitions = false;         // draws by repetition are cut off
        std::uint32_t without_moves = 0;  // and what is below nodes with no more visits than that
    };
    void mark(NodeId id, const Cut& cut);
    // Leaves what is marked.
    void compact(NodeId root, std::span<Block* const> blocks);
    bool may_lose_moves(NodeId id) const;
    // Nodes with at most so many visits are to lose what is below them, so that about `units` stay, or fewer.
    std::uint32_t visits_that_lose_moves(NodeId units) const;
    // Calls visit(id, kind, units) for each record, in the order of the memory.
    template <class Visit>
    void for_each_record(const Visit& visit) const;
    // Takes a draw's visits from all nodes above it, and leaves its edge without a child.
    void remove(NodeId leaf);
    void move_node(NodeId from, NodeId to);
    void move_edges(NodeId from, NodeId to, NodeId units);

    std::uint32_t capacity_;
    std::unique_ptr<Unit[]> units_;
    std::atomic<NodeId> end_ = kFirst;
    NodeId root_ = kNoNode;
};

}  // namespace scholar::search::mcts
