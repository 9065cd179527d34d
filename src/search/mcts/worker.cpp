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

// How long a thread stays: of a node's visits so small a share that those above it hardly notice that they
// wait for it; and not at all where that is less than it is worth.
constexpr std::uint32_t kVisitsPerStay = 32;
constexpr std::uint32_t kFewestPlayoutsOfStay = 8;
constexpr std::uint32_t kMostPlayoutsOfStay = 64;

}  // namespace

Shared::Shared(const MctsOptions& search_options)
    : options(search_options),
      tree(options.megabytes * 1024 * 1024 - bytes_of_values(options)),
      values(bytes_of_values(options)) {}

std::uint32_t Shared::take(std::uint32_t wanted) {
    const std::int64_t before = left.fetch_sub(wanted, std::memory_order_relaxed);
    const auto granted = static_cast<std::uint32_t>(std::clamp<std::int64_t>(before, 0, wanted));
    if (granted < wanted) give_back(wanted - granted);
    return granted;
}

Worker::Worker(Shared& shared, std::unique_ptr<evaluators::BatchEvaluator> evaluator)
    : shared_(shared), tree_(shared.tree), evaluator_(std::move(evaluator)) {}

void Worker::begin(const chess::Line& line) {
    line_ = line;
    root_ply_ = line.ply();
    stay_ = {};
    stay_.ply = root_ply_;
    granted_ = 0;
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
        if (!trouble_) break;
        // All that could be done here waits for what others do.
        if (goes_on && waiting_.empty() && !collisions_.empty()) std::this_thread::yield();
        if (trouble_ = collect(); !trouble_) break;
    }
    leave();
    return std::exchange(trouble_, {});
}

// Playouts, until so many wait that they are a batch, or are held up. False where the round has no more.
bool Worker::gather() {
    size_ = batch_size();
    int known = 0;
    while (waiting_.size() < size_ && collisions_.size() < size_ && known < kMostKnown) {
        if (granted_ == 0) granted_ = shared_.take(1);
        if (granted_ == 0) return false;
        --granted_;
        const End end = descend();
        if (end == End::New) continue;
        if (end == End::Known) {
            ++known;
            if (tree_[tree_.root()].proven() == shared_.root_proof) continue;
        } else {
            ++granted_;
            if (end == End::Collision) continue;
            if (end == End::Full) shared_.full = true;
        }
        shared_.ended = true;
        return false;
    }
    return true;
}

Worker::End Worker::descend() {
    if (stay_.left == 0) leave();
    const End end = go_down();
    if (stay_.left > 0) --stay_.left;
    // Nothing more is to be found there.
    if ((end != End::New && end != End::Known) || (stay_.top != kNoNode && tree_[stay_.top].is_proven()))
        stay_.left = 0;
    while (line_.ply() > stay_.ply) line_.pop();
    return end;
}

bool Worker::is_worth_staying(NodeId id) const {
    return id != kNoNode && load(tree_[id].visits) >= kVisitsPerStay * kFewestPlayoutsOfStay;
}

// Playouts begin there from now on, if it is worth that: the one that is on its way is the first.
void Worker::stay_at(NodeId id) {
    if (shared_.workers == 1 || size_ > 1 || !is_worth_staying(id)) return;
    // And something is left for the others.
    const auto fair = static_cast<std::uint32_t>(
        std::clamp<std::int64_t>(shared_.left / (2 * shared_.workers), 0, kMostPlayoutsOfStay));
    const std::uint32_t playouts = std::min(load(tree_[id].visits) / kVisitsPerStay, fair);
    if (playouts < kFewestPlayoutsOfStay) return;
    const std::uint32_t more = shared_.take(playouts - 1);
    granted_ += more;
    stay_ = {id, line_.ply(), more + 1, {}};
}

// What was found since stay_at() is handed in.
void Worker::leave() {
    if (stay_.top != kNoNode) {
        hand_in(tree_, stay_.top, stay_.gathered);
        shared_.count += stay_.gathered.visits;
    }
    if (granted_ > 0) shared_.give_back(std::exchange(granted_, 0U));
    stay_ = {};
    stay_.ply = root_ply_;
    while (line_.ply() > root_ply_) line_.pop();
}

Worker::End Worker::go_down() {
    NodeId id = stay_.top;
    if (id == kNoNode) {
        id = tree_.root();
        add(tree_[id].in_flight, 1U);
    }
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
                take_back(tree_, id, stay_.top);
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
                take_back(tree_, id, stay_.top);
                return End::Nowhere;
            }
            // Another thread has proven it since this one chose it: the next way down leads elsewhere.
            if (kind == NodeKind::Open && branches) return hold_up(id);
            come_again(id);
            return End::Known;
        }
        const Edge& taken = tree_.edges(id)[static_cast<std::size_t>(edge)];
        const NodeId child = load(taken.child, std::memory_order_acquire);
        if (stay_.top == kNoNode && !is_worth_staying(child)) stay_at(id);
        line_.push(taken.move);
        if (child == kNoNode) return arrive(id, edge);
        id = child;
        add(tree_[id].in_flight, 1U);
    }
}

Worker::End Worker::hold_up(NodeId id) {
    collisions_.push_back(id);
    return End::Collision;
}

void Worker::count_playout(NodeId leaf, Outcome outcome) {
    back_up(tree_, leaf, outcome, stay_.top, stay_.gathered);
    if (stay_.top == kNoNode && leaf != tree_.root()) ++shared_.count;
}

void Worker::come_again(NodeId id) {
    const Node& node = tree_[id];
    const NodeKind kind = node.seen_kind();
    // Where a line is as long as lines may be, the mean of what was found there is all that is known.
    const bool is_known = (kind != NodeKind::Open && kind != NodeKind::Valued) || node.is_proven();
    count_playout(id, is_known ? known_outcome(node)
                               : Outcome{static_cast<std::int32_t>(-node.mean() * kOne),
                                         static_cast<std::int32_t>(node.mean_draw() * kOne)});
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
        take_back(tree_, parent, stay_.top);
        return End::Full;
    }
    if (outcome) store(tree_[id].moves_left, outcome->moves_left);
    if (!tree_.attach(block_, id)) return hold_up(parent);
    longest_ = std::max(longest_, line_.ply() - root_ply_);
    if (kind == NodeKind::Pending) {
        ask(id, Wanted::Value, key, moves);
        return End::New;
    }
    count_playout(id, outcome ? *outcome : known_outcome(tree_[id]));
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
    for (const NodeId id : collisions_) take_back(tree_, id, stay_.top);
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
        store(tree_[asked.node].moves_left, outcome->moves_left);
    }
    if (asked.wanted == Wanted::Value && opinion.probabilities.empty()) {
        store(tree_[asked.node].kind, NodeKind::Valued, std::memory_order_release);
    } else {
        const double temperature = shared_.options.exploration.policy_temperature;
        if (auto status = make_edges(asked.moves, opinion, temperature, edges_); !status)
            return fail(status.error());
        // Or the next playouts would come to it again, and ask again, for ever.
        if (!tree_.open(block_, asked.node, edges_)) shared_.full = shared_.ended = true;
    }
    if (!outcome) return {};
    count_playout(asked.node, *outcome);
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
