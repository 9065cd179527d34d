#include "search/mcts/tree.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <new>

namespace scholar::search::mcts {

Tree::Tree(std::size_t bytes)
    : capacity_(static_cast<std::uint32_t>(std::min<std::size_t>(bytes / sizeof(Unit), UINT32_MAX))),
      units_(std::make_unique_for_overwrite<Unit[]>(capacity_)) {
    static_assert(offsetof(Node, record) == 7 && offsetof(Head, record) == 7 &&
                  offsetof(Filler, record) == 7);
}

void Tree::clear(std::span<Block* const> blocks) {
    for (Block* block : blocks) *block = {};
    end_ = kFirst;
    root_ = kNoNode;
}

void Tree::fill(Block& block) {
    if (block.next_ != block.end_) new (&units_[block.next_]) Filler{block.end_ - block.next_};
    block = {};
}

NodeId Tree::allocate(Block& block, NodeId units) {
    if (block.end_ - block.next_ < units) {
        NodeId begin = end_;
        NodeId size = 0;
        do {
            if (capacity_ - begin < units) return kNoNode;
            size = std::min(capacity_ - begin, kBlockUnits);
        } while (!end_.compare_exchange_weak(begin, begin + size));
        fill(block);
        block.next_ = begin;
        block.end_ = begin + size;
    }
    const NodeId id = block.next_;
    block.next_ += units;
    return id;
}

NodeId Tree::create(Block& block, NodeId parent, int edge, NodeKind kind, chess::Score proof) {
    const NodeId id = allocate(block, kNodeUnits);
    if (id == kNoNode) return kNoNode;
    Node& node = *new (&units_[id]) Node;
    node.parent = parent;
    node.edge_of_parent = static_cast<std::uint8_t>(edge);
    node.kind = kind;
    node.proof = static_cast<std::int16_t>(proof.value());
    node.in_flight = 1;
    return id;
}

bool Tree::attach(Block& block, NodeId id) {
    const Node& node = (*this)[id];
    const std::size_t edge = node.edge_of_parent;
    if (!replace(edges(node.parent)[edge].child, kNoNode, id)) {
        block.next_ = id;  // it was the last
        return false;
    }
    std::uint8_t& reached = head((*this)[node.parent].edges).reached;
    for (std::size_t before = load(reached); before <= edge; before = load(reached))
        if (replace(reached, static_cast<std::uint8_t>(before), static_cast<std::uint8_t>(edge + 1))) break;
    return true;
}

NodeId Tree::create_root(Block& block) {
    return root_ = create(block, kNoNode, 0, NodeKind::Pending, chess::Score(0));
}

bool Tree::open(Block& block, NodeId id, std::span<const Edge> edges) {
    const NodeId at = allocate(block, units_of_edges(edges.size()));
    Node& node = (*this)[id];
    if (at == kNoNode) {
        store(node.kind, NodeKind::Valued, std::memory_order_release);
        return false;
    }
    new (&units_[at]) Head{id, static_cast<std::uint8_t>(edges.size())};
    Edge* place = reinterpret_cast<Edge*>(&units_[at + 1]);
    for (const Edge& edge : edges) new (place++) Edge(edge);
    node.edges = at;
    store(node.kind, NodeKind::Open, std::memory_order_release);
    return true;
}

void Tree::remove(NodeId leaf) {
    const Node& node = (*this)[leaf];
    for (NodeId id = node.parent; id != kNoNode; id = (*this)[id].parent) {
        (*this)[id].visits -= node.visits;
        (*this)[id].draw_sum -= node.draw_sum;
    }
    edges(node.parent)[node.edge_of_parent].child = kNoNode;
}

bool Tree::may_lose_moves(NodeId id) const {
    return (*this)[id].kind == NodeKind::Open && id != root_ && !(*this)[id].is_proven();
}

void Tree::mark(NodeId id, const Cut& cut) {
    Node& node = (*this)[id];
    node.stays = true;
    if (node.edges == kNoNode) return;
    if (node.visits <= cut.without_moves && may_lose_moves(id)) {
        node.edges = kNoNode;
        node.kind = NodeKind::Valued;
        return;
    }
    head(node.edges).stays = true;
    for (const Edge& edge : edges(id)) {
        if (edge.child == kNoNode) continue;
        if (cut.repetitions && (*this)[edge.child].kind == NodeKind::Repetition)
            remove(edge.child);
        else
            mark(edge.child, cut);
    }
}

template <class Visit>
void Tree::for_each_record(const Visit& visit) const {
    for (NodeId at = kFirst, units = 0; at < end_; at += units) {
        const RecordKind kind = head(at).record;
        switch (kind) {
            case RecordKind::Filler:
                units = reinterpret_cast<const Filler&>(units_[at]).units;
                break;
            case RecordKind::Node:
                units = kNodeUnits;
                break;
            case RecordKind::Edges:
                units = units_of_edges(head(at).count);
                break;
        }
        visit(at, kind, units);
    }
}

// Whoever knows where it is learns where it will be.
void Tree::move_node(NodeId from, NodeId to) {
    Node& node = (*this)[from];
    node.stays = false;
    if (node.parent != kNoNode) edges(node.parent)[node.edge_of_parent].child = to;
    if (node.edges != kNoNode) head(node.edges).owner = to;
    for (const Edge& edge : edges(from))
        if (edge.child != kNoNode) (*this)[edge.child].parent = to;
    std::memmove(static_cast<void*>(&units_[to]), &units_[from], sizeof(Node));
}

void Tree::move_edges(NodeId from, NodeId to, NodeId units) {
    head(from).stays = false;
    (*this)[head(from).owner].edges = to;
    std::memmove(static_cast<void*>(&units_[to]), &units_[from], units * sizeof(Unit));
}

// What stays moves to where the last that stayed ends, in one walk through the memory.
void Tree::compact(NodeId root, std::span<Block* const> blocks) {
    for (Block* block : blocks) fill(*block);
    NodeId to = kFirst;
    for_each_record([&](NodeId from, RecordKind kind, NodeId units) {
        if (kind == RecordKind::Node && (*this)[from].stays) {
            if (from == root) root_ = to;
            move_node(from, to);
        } else if (kind == RecordKind::Edges && head(from).stays) {
            move_edges(from, to, units);
        } else {
            return;
        }
        to += units;
    });
    end_ = to;
}

void Tree::keep(NodeId root, std::span<Block* const> blocks) {
    mark(root, {.repetitions = true});
    (*this)[root].parent = kNoNode;
    compact(root, blocks);
}

// By powers of 2, as visits differ by far more than that.
std::uint32_t Tree::visits_that_lose_moves(NodeId units) const {
    std::array<std::uint64_t, 33> below{};  // by the bits of the visits of whose moves they are: units
    for_each_record([&](NodeId at, RecordKind kind, NodeId its_units) {
        if (kind == RecordKind::Filler) return;
        const NodeId owner = kind == RecordKind::Node ? (*this)[at].parent : head(at).owner;
        if (owner != kNoNode && may_lose_moves(owner))
            below[static_cast<std::size_t>(std::bit_width((*this)[owner].visits))] += its_units;
    });
    std::uint64_t taken = end_;
    std::size_t bits = 0;
    while (taken > units && bits + 1 < below.size()) taken -= std::min(taken, below[++bits]);
    return static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1);
}

void Tree::thin_out(std::span<Block* const> blocks) {
    for (Block* block : blocks) fill(*block);
    mark(root_, {.without_moves = visits_that_lose_moves(capacity_ / 2)});
    compact(root_, blocks);
}

}  // namespace scholar::search::mcts
