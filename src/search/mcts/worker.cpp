#include "search/mcts/worker.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "search/mcts/backup.hpp"
#include "search/mcts/leaf.hpp"
#include "search/mcts/selection.hpp"

namespace scholar::search::mcts {

namespace {

using evaluators::Wanted;

// Outcomes that are known cost nothing: so many of them at once, and then the clock is looked at again.
constexpr int kMostKnown = 256;
// A batch is at most this share of the root's visits: the choice of its last leaf knows nothing of what the
// first one brings.
constexpr std::uint32_t kVisitsPerLeaf = 8;
// Where a line of the tree ends, whatever is there.
constexpr int kLongest = chess::kMaxPly - 1;
// Of the memory, what remembers values: of a tree's nodes about as many as it has room for.
constexpr std::size_t kValuesShare = 16;

std::size_t bytes_of_values(const MctsOptions& options) {
    return options.keeps_values ? options.megabytes * 1024 * 1024 / kValuesShare : 0;
}

}  // namespace

Shared::Shared(const MctsOptions& search_options)
    : options(search_options),
      tree(options.megabytes * 1024 * 1024 - bytes_of_values(options)),
      values(bytes_of_values(options)) {}

bool Shared::take() {
    if (left.fetch_sub(1, std::memory_order_relaxed) > 0) return true;
    give_back();
    return false;
}

Worker::Worker(Shared& shared, std::unique_ptr<evaluators::BatchEvaluator> evaluator)
    : shared_(shared), tree_(shared.tree), evaluator_(std::move(evaluator)) {}

void Worker::begin(const chess::Line& line) {
    line_ = line;
    root_ply_ = line.ply();
    line_.reserve_ahead(chess::kMaxPly);
    longest_ = 0;
    tablebase_hits_ = 0;
}

base::Status Worker::make_root() {
    ask(tree_.create_root(block_), Wanted::All, evaluator_->key(line_), chess::legal_moves(line_.current()));
    return collect();
}

std::size_t Worker::batch_size() const {
    const std::size_t wanted =
        std::min(static_cast<std::size_t>(shared_.options.batch), evaluator_->capacity());
    return std::clamp<std::size_t>(load(tree_[tree_.root()].visits) / kVisitsPerLeaf, 1, wanted);
}

base::Status Worker::work() {
    bool goes_on = true;
    while (goes_on && !shared_.ended && !shared_.is_over(shared_.count)) {
        goes_on = gather();
        if (!trouble_) return std::exchange(trouble_, {});
        // All that could be done here waits for what others do.
        if (goes_on && waiting_.empty() && !collisions_.empty()) std::this_thread::yield();
        if (auto status = collect(); !status) return status;
    }
    return {};
}

// Playouts, until so many wait that they are a batch, or are held up. False where the round has no more.
bool Worker::gather() {
    size_ = batch_size();
    int known = 0;
    while (waiting_.size() < size_ && collisions_.size() < size_ && known < kMostKnown) {
        if (!shared_.take()) return false;
        const End end = descend();
        if (end == End::New) continue;
        if (end == End::Known) {
            ++known;
            if (tree_[tree_.root()].proven() == shared_.root_proof) continue;
        } else {
            shared_.give_back();
            if (end == End::Collision) continue;
            if (end == End::Full) shared_.full = true;
        }
        shared_.ended = true;
        return false;
    }
    return true;
}

Worker::End Worker::descend() {
    const End end = go_down();
    while (line_.ply() > root_ply_) line_.pop();
    return end;
}

Worker::End Worker::go_down() {
    NodeId id = tree_.root();
    add(tree_[id].in_flight, 1U);
    while (true) {
        Node& node = tree_[id];
        const bool is_root = id == tree_.root();
        const bool branches = line_.ply() - root_ply_ < kLongest;
        NodeKind kind = node.seen_kind();
        if (kind == NodeKind::Valued && branches) {
            // It is here for the second time: now its moves are worth a question.
            if (replace(node.kind, kind, NodeKind::Pending))
                ask(id, Wanted::Policy, 0, chess::legal_moves(line_.current()));
            if (waiting_.size() < size_) return hold_up(id);
            // With that the batch is complete, and the way goes on.
            trouble_ = collect();
            if (!trouble_) return End::Trouble;
            kind = node.seen_kind();
            if (kind == NodeKind::Valued) {
                take_back(tree_, id);
                return End::Full;
            }
        }
        if (kind == NodeKind::Pending) return hold_up(id);
        const int edge = kind == NodeKind::Open && branches
                             ? select_edge(tree_, id, shared_.options.exploration,
                                           is_root ? std::span<const std::uint8_t>(shared_.allowed)
                                                   : std::span<const std::uint8_t>())
                             : -1;
        if (edge < 0) {
            if (is_root) {
                take_back(tree_, id);
                return End::Nowhere;
            }
            // Another thread has proven it since this one chose it: the next way down leads elsewhere.
            if (kind == NodeKind::Open && branches) return hold_up(id);
            come_again(id);
            return End::Known;
        }
        const Edge& taken = tree_.edges(id)[static_cast<std::size_t>(edge)];
        line_.push(taken.move);
        const NodeId child = load(taken.child, std::memory_order_acquire);
        if (child == kNoNode) return arrive(id, edge);
        id = child;
        add(tree_[id].in_flight, 1U);
    }
}

Worker::End Worker::hold_up(NodeId id) {
    collisions_.push_back(id);
    return End::Collision;
}

void Worker::come_again(NodeId id) {
    const Node& node = tree_[id];
    const NodeKind kind = node.seen_kind();
    // Where a line is as long as lines may be, the mean of what was found there is all that is known.
    const bool is_known = (kind != NodeKind::Open && kind != NodeKind::Valued) || node.is_proven();
    back_up(tree_, id,
            is_known ? known_outcome(node)
                     : Outcome{static_cast<std::int32_t>(-node.mean() * kOne),
                               static_cast<std::int32_t>(node.mean_draw() * kOne)});
    ++shared_.count;
    longest_ = std::max(longest_, line_.ply() - root_ply_);
}

// The line has come to a position that is not in the tree.
Worker::End Worker::arrive(NodeId parent, int edge) {
    const std::uint64_t key = evaluator_->key(line_);
    shared_.values.prefetch(key);
    const chess::MoveList moves = chess::legal_moves(line_.current());
    const LeafRules rules = ask_rules(line_, moves, root_ply_, shared_.options.tablebases);
    if (rules.asked_tables) ++tablebase_hits_;
    std::optional<Outcome> outcome;
    NodeKind kind = rules.kind;
    if (kind == NodeKind::Pending) {
        outcome = shared_.values.find(key);
        if (outcome) kind = NodeKind::Valued;
    }
    const NodeId id = tree_.create(block_, parent, edge, kind, rules.proof);
    if (id == kNoNode) {
        take_back(tree_, parent);
        return End::Full;
    }
    if (!tree_.attach(block_, id)) return hold_up(parent);
    longest_ = std::max(longest_, line_.ply() - root_ply_);
    if (kind == NodeKind::Pending) {
        ask(id, Wanted::Value, key, moves);
        return End::New;
    }
    back_up(tree_, id, outcome ? *outcome : known_outcome(tree_[id]));
    ++shared_.count;
    if (tree_[id].is_proven()) {
        const std::scoped_lock lock(shared_.proofs);
        prove_above(tree_, id);
    }
    return End::Known;
}

void Worker::ask(NodeId id, Wanted wanted, std::uint64_t key, const chess::MoveList& moves) {
    waiting_.push_back({id, wanted, key, moves});
    evaluator_->submit_part(line_, moves, wanted);
}

// All that waits gets its evaluation.
base::Status Worker::collect() {
    for (const NodeId id : collisions_) take_back(tree_, id);
    collisions_.clear();
    if (waiting_.empty()) return {};
    base::Status status = evaluator_->collect(opinions_);
    if (status && opinions_.size() != waiting_.size())
        status = base::fail("{} positions were evaluated, expected {}", opinions_.size(), waiting_.size());
    for (std::size_t i = 0; status && i < waiting_.size(); ++i) status = take(waiting_[i], opinions_[i]);
    waiting_.clear();
    return status;
}

base::Status Worker::take(const Asked& asked, const evaluators::Opinion& opinion) {
    const auto fail = [&](const base::Error& error) {
        return base::fail("{}: {}", fen_of(asked.node), error.message);
    };
    std::optional<Outcome> outcome;
    if (asked.wanted != Wanted::Policy) {
        const auto value = outcome_of(opinion);
        if (!value) return fail(value.error());
        outcome = *value;
        shared_.values.store(asked.key, *outcome);
    }
    if (asked.wanted == Wanted::Value && opinion.probabilities.empty()) {
        store(tree_[asked.node].kind, NodeKind::Valued, std::memory_order_release);
    } else {
        const double temperature = shared_.options.exploration.policy_temperature;
        if (auto status = make_edges(asked.moves, opinion, temperature, edges_); !status)
            return fail(status.error());
        if (!tree_.open(block_, asked.node, edges_)) shared_.full = true;
    }
    if (!outcome) return {};
    back_up(tree_, asked.node, *outcome);
    if (asked.node != tree_.root()) ++shared_.count;
    return {};
}

std::string Worker::fen_of(NodeId id) const {
    std::vector<chess::Move> moves;
    for (; tree_[id].parent != kNoNode; id = tree_[id].parent)
        moves.push_back(tree_.edges(tree_[id].parent)[tree_[id].edge_of_parent].move);
    chess::Position position = line_.ago(line_.ply() - root_ply_);
    for (auto move = moves.rbegin(); move != moves.rend(); ++move) position.make(*move);
    return chess::to_fen(position);
}

}  // namespace scholar::search::mcts
