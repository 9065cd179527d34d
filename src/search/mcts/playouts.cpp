#include "search/mcts/playouts.hpp"

#include <algorithm>
#include <utility>

#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "search/mcts/leaf.hpp"
#include "search/mcts/selection.hpp"

namespace scholar::search::mcts {

namespace {

// Outcomes that are known cost nothing: so many of them at once, and then the clock is looked at again.
constexpr int kMostKnown = 256;
// A batch is at most this share of the root's visits: the choice of its last leaf knows nothing of what the
// first one brings.
constexpr std::uint32_t kVisitsPerLeaf = 8;
// Where a line of the tree ends, whatever is there.
constexpr int kLongest = chess::kMaxPly - 1;

}  // namespace

Playouts::Playouts(std::unique_ptr<evaluators::BatchEvaluator> evaluator, const MctsOptions& options)
    : evaluator_(std::move(evaluator)), options_(options), tree_(options.megabytes) {}

void Playouts::clear() {
    tree_.clear();
    line_ = chess::Line();
}

base::Status Playouts::begin(const chess::Line& line) {
    const NodeId kept = find_kept(line);
    if (kept != kNoNode)
        tree_.keep(kept);
    else
        tree_.clear();
    line_ = line;
    root_ply_ = line.ply();
    line_.reserve_ahead(chess::kMaxPly);
    allowed_.clear();
    count_ = 0;
    longest_ = 0;
    tablebase_hits_ = 0;
    full_ = false;
    return kept != kNoNode ? base::Status() : evaluate_root();
}

base::Status Playouts::evaluate_root() {
    const chess::MoveList moves = chess::legal_moves(line_.current());
    const NodeId root = tree_.create(kNoNode, 0, moves);
    note_in_flight(tree_, root);
    waiting_.push_back(root);
    evaluator_->submit(line_, moves);
    const base::Status status = collect();
    if (!status) tree_.clear();
    return status;
}

std::size_t Playouts::batch_size() const {
    const std::size_t wanted = std::min(static_cast<std::size_t>(options_.batch), evaluator_->capacity());
    return std::clamp<std::size_t>(tree_[tree_.root()].visits / kVisitsPerLeaf, 1, wanted);
}

base::Status Playouts::run(std::uint64_t most) {
    const std::size_t size = batch_size();
    int known = 0;
    bool going = !full_;
    while (going && most > waiting_.size() && waiting_.size() < size && collisions_.size() < size &&
           known < kMostKnown) {
        switch (descend()) {
            case End::New:
                break;
            case End::Known:
                ++known;
                --most;
                going = !tree_[tree_.root()].is_proven();
                break;
            case End::Collision:
                break;
            case End::Full:
                full_ = true;
                going = false;
                break;
            case End::Nowhere:
                going = false;
                break;
        }
    }
    return collect();
}

Playouts::End Playouts::descend() {
    NodeId id = tree_.root();
    End end = End::Nowhere;
    for (bool goes_on = true; goes_on;) {
        const Node& node = tree_[id];
        const bool is_root = id == tree_.root();
        const bool branches = node.kind == NodeKind::Open && line_.ply() - root_ply_ < kLongest;
        const std::span<const std::uint8_t> allowed =
            is_root ? std::span<const std::uint8_t>(allowed_) : std::span<const std::uint8_t>();
        const int edge = branches ? select_edge(tree_, id, options_.exploration, allowed) : -1;
        goes_on = edge >= 0;
        if (goes_on) {
            const Edge& taken = tree_.edges(id)[static_cast<std::size_t>(edge)];
            line_.push(taken.move);
            if (taken.child != kNoNode) {
                id = taken.child;
                continue;
            }
            end = arrive(id, edge);
            goes_on = false;
        } else if (node.kind == NodeKind::Pending) {
            note_in_flight(tree_, id);
            collisions_.push_back(id);
            end = End::Collision;
        } else if (!is_root) {
            come_again(id);
            end = End::Known;
        }
    }
    while (line_.ply() > root_ply_) line_.pop();
    return end;
}

void Playouts::come_again(NodeId id) {
    const Node& node = tree_[id];
    // Where a line is as long as lines may be, the mean of what was found there is all that is known.
    const bool is_known = node.kind != NodeKind::Open || node.is_proven();
    back_up(tree_, id, is_known ? known_outcome(node) : Outcome{-node.mean(), node.mean_draw()});
    ++count_;
    longest_ = std::max(longest_, line_.ply() - root_ply_);
}

// The line has come to a position that is not in the tree.
Playouts::End Playouts::arrive(NodeId parent, int edge) {
    const chess::MoveList moves = chess::legal_moves(line_.current());
    const LeafRules rules = ask_rules(line_, moves, root_ply_, options_.tablebases);
    if (rules.asked_tables) ++tablebase_hits_;
    const bool is_known = rules.kind != NodeKind::Pending;
    const NodeId id = tree_.create(parent, edge, is_known ? chess::MoveList() : moves);
    if (id == kNoNode) return End::Full;
    longest_ = std::max(longest_, line_.ply() - root_ply_);
    if (!is_known) {
        note_in_flight(tree_, id);
        waiting_.push_back(id);
        evaluator_->submit(line_, moves);
        return End::New;
    }
    Node& node = tree_[id];
    node.kind = rules.kind;
    node.proof = static_cast<std::int16_t>(rules.proof.value());
    back_up(tree_, id, known_outcome(node));
    ++count_;
    if (node.is_proven()) prove_above(tree_, id);
    return End::Known;
}

// All that waits gets its evaluation.
base::Status Playouts::collect() {
    for (const NodeId id : collisions_) take_back(tree_, id);
    collisions_.clear();
    if (waiting_.empty()) return {};
    const std::vector<NodeId> asked = std::exchange(waiting_, {});
    for (const NodeId id : asked) take_back(tree_, id);
    if (auto status = evaluator_->collect(opinions_); !status) return status;
    if (opinions_.size() != asked.size())
        return base::fail("{} positions were evaluated, expected {}", opinions_.size(), asked.size());
    for (std::size_t i = 0; i < asked.size(); ++i) {
        const auto outcome =
            open_node(tree_, asked[i], opinions_[i], options_.exploration.policy_temperature);
        if (!outcome) return base::fail("{}: {}", fen_of(asked[i]), outcome.error().message);
        back_up(tree_, asked[i], *outcome);
        if (asked[i] != tree_.root()) ++count_;
    }
    return {};
}

// The node that the line now comes to, if the tree's root line is its beginning and all of the way was
// visited.
NodeId Playouts::find_kept(const chess::Line& line) const {
    const int steps = line.ply() - line_.ply();
    if (tree_.root() == kNoNode || steps < 0) return kNoNode;
    for (int back = 0; back <= line_.ply(); ++back)
        if (line.ago(steps + back) != line_.ago(back)) return kNoNode;
    NodeId id = tree_.root();
    for (int step = steps; step > 0 && id != kNoNode; --step) {
        const auto edges = tree_.edges(id);
        const auto played = std::ranges::find_if(edges, [&](const Edge& edge) {
            return edge.child != kNoNode && line.ago(step).after(edge.move) == line.ago(step - 1);
        });
        id = played == edges.end() ? kNoNode : played->child;
    }
    return id != kNoNode && tree_[id].kind == NodeKind::Open ? id : kNoNode;
}

std::string Playouts::fen_of(NodeId id) const {
    std::vector<chess::Move> moves;
    for (; tree_[id].parent != kNoNode; id = tree_[id].parent)
        moves.push_back(tree_.edges(tree_[id].parent)[tree_[id].edge_of_parent].move);
    chess::Position position = line_.current();
    for (auto move = moves.rbegin(); move != moves.rend(); ++move) position.make(*move);
    return chess::to_fen(position);
}

}  // namespace scholar::search::mcts
