#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "chess/score.hpp"
#include "chess/types.hpp"

// The tree of a Monte-Carlo search, and the memory that it lives in.

namespace scholar::search::mcts {

// A node's place in the tree's memory, in units of 16 bytes.
using NodeId = std::uint32_t;
constexpr NodeId kNoNode = 0;

// A move at a node. Edges are in the order of their priors, the largest first, as soon as those are known.
struct Edge {
    NodeId child = kNoNode;  // kNoNode: not visited yet
    float prior = 0;         // how likely the policy finds the move, 0 to 1; those of a node make 1
    chess::Move move;
};

// A search ends when its root has been visited so often: the count is of 32 bits, and a batch comes on top.
inline constexpr std::uint32_t kMostVisits = 4'000'000'000;

enum class NodeKind : std::uint8_t {
    Pending,     // its evaluation has been asked for and is not there yet
    Open,        // its value and the priors of its moves are known
    Draw,        // by rule, or by an endgame table
    Repetition,  // a draw because the position stood before within the search: true only under this root
    Decided,     // mate, or won or lost by an endgame table
};

// A position on one path from the root. Two paths to one position are two nodes.
struct Node {
    // Sums over its visits. The value is the expected result from −1 (lost) to 1 (won) *for the side that
    // moved here*, which is whose choice the node is; the share of draws is the same for both sides.
    double value_sum = 0;
    double draw_sum = 0;
    std::uint32_t visits = 0;
    NodeId parent = kNoNode;
    std::uint16_t in_flight = 0;      // playouts through it that wait for an evaluation: the virtual loss
    std::int16_t proof = 0;           // a Score as below, or 0
    std::uint8_t edge_count = 0;      // no position has more than 218 moves
    std::uint8_t edge_of_parent = 0;  // its place among the parent's edges
    NodeKind kind = NodeKind::Pending;

    // Of its visits, of which there is at least one.
    double mean() const { return value_sum / visits; }
    double mean_draw() const { return draw_sum / visits; }
    // Whether its result is known whatever is played: won or lost for its side to move, by mate or by an
    // endgame table.
    bool is_proven() const { return proof != 0; }
    // That result with its distance from this node, for its side to move.
    chess::Score proven() const { return chess::Score(proof); }
};

// Nodes with their edges, one after the other in one piece of memory that is never exceeded:
//
//     | Node, 32 bytes | Edge, 12 bytes | Edge | … | up to the next 16 bytes | Node | …
//
// A parent always comes before its children.
class Tree {
  public:
    // Takes the memory when it is first used. Throws std::bad_alloc if there is not so much.
    explicit Tree(std::size_t megabytes);

    // No nodes are left.
    void clear() { end_ = kFirst; }
    // The root, or the child at an edge of `parent`, which then leads to it. kNoNode, and nothing has
    // changed, where the memory is full.
    NodeId create(NodeId parent, int edge, const chess::MoveList& moves);
    // Makes an open node the root, and forgets all that is not below it. Draws by repetition are forgotten
    // too, with their visits: what they repeat may now stand before the root, where once is not enough. Ids
    // change.
    void keep(NodeId root);

    // kNoNode: there is none.
    NodeId root() const { return end_ == kFirst ? kNoNode : kFirst; }
    Node& operator[](NodeId id) { return *reinterpret_cast<Node*>(&units_[id]); }
    const Node& operator[](NodeId id) const { return *reinterpret_cast<const Node*>(&units_[id]); }
    std::span<Edge> edges(NodeId id) {
        return {reinterpret_cast<Edge*>(&units_[id + kNodeUnits]), (*this)[id].edge_count};
    }
    std::span<const Edge> edges(NodeId id) const {
        return {reinterpret_cast<const Edge*>(&units_[id + kNodeUnits]), (*this)[id].edge_count};
    }
    // How much of the memory is taken, in thousandths.
    int permille_full() const { return static_cast<int>(std::uint64_t{1000} * end_ / capacity_); }

  private:
    struct alignas(16) Unit {
        std::byte bytes[16];
    };
    static constexpr NodeId kFirst = 1;  // 0 is kNoNode
    static constexpr NodeId kNodeUnits = sizeof(Node) / sizeof(Unit);
    static_assert(sizeof(Node) == 32 && sizeof(Edge) == 12);

    // Takes a draw's visits from all nodes above it, and leaves its edge without a child.
    void remove(NodeId leaf);
    static NodeId units_of(std::size_t edges) {
        return kNodeUnits + static_cast<NodeId>((edges * sizeof(Edge) + sizeof(Unit) - 1) / sizeof(Unit));
    }

    std::uint32_t capacity_;
    std::unique_ptr<Unit[]> units_;
    NodeId end_ = kFirst;
};

}  // namespace scholar::search::mcts
