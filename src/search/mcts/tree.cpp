#include "search/mcts/tree.hpp"

#include <algorithm>
#include <cstring>
#include <new>

namespace scholar::search::mcts {

namespace {

// In place of the parent of a node that is being forgotten.
constexpr NodeId kForgotten = UINT32_MAX;

}  // namespace

Tree::Tree(std::size_t megabytes)
    : capacity_(static_cast<std::uint32_t>(
          std::min<std::size_t>(megabytes * 1024 * 1024 / sizeof(Unit), kForgotten))),
      units_(std::make_unique_for_overwrite<Unit[]>(capacity_)) {}

NodeId Tree::create(NodeId parent, int edge, const chess::MoveList& moves) {
    const auto count = static_cast<std::size_t>(moves.size());
    const NodeId size = units_of(count);
    if (capacity_ - end_ < size) return kNoNode;
    const NodeId id = end_;
    end_ += size;
    Node& node = *new (&units_[id]) Node;
    node.parent = parent;
    node.edge_count = static_cast<std::uint8_t>(count);
    node.edge_of_parent = static_cast<std::uint8_t>(edge);
    Edge* place = reinterpret_cast<Edge*>(&units_[id + kNodeUnits]);
    for (const chess::Move move : moves) new (place++) Edge{kNoNode, 0, move};
    if (parent != kNoNode) edges(parent)[static_cast<std::size_t>(edge)].child = id;
    return id;
}

void Tree::remove(NodeId leaf) {
    const Node& node = (*this)[leaf];
    for (NodeId id = node.parent; id != kNoNode; id = (*this)[id].parent) {
        (*this)[id].visits -= node.visits;
        (*this)[id].draw_sum -= node.draw_sum;
    }
    edges(node.parent)[node.edge_of_parent].child = kNoNode;
}

// Since parents come first, one walk through the memory is enough: whether a node stays is known from its
// parent when it is come to, and it moves to where the last one that stayed ends.
void Tree::keep(NodeId root) {
    NodeId to = kFirst;
    for (NodeId from = kFirst, size = 0; from < end_; from += size) {
        Node& node = (*this)[from];
        size = units_of(node.edge_count);
        bool stays = from == root || (from > root && node.parent != kForgotten);
        if (stays && node.kind == NodeKind::Repetition) {
            remove(from);
            stays = false;
        }
        for (const Edge& edge : edges(from))
            if (edge.child != kNoNode) (*this)[edge.child].parent = stays ? to : kForgotten;
        if (!stays) continue;
        if (from == root)
            node.parent = kNoNode;
        else
            edges(node.parent)[node.edge_of_parent].child = to;
        std::memmove(static_cast<void*>(&units_[to]), &units_[from], size * sizeof(Unit));
        to += size;
    }
    end_ = to;
}

}  // namespace scholar::search::mcts
