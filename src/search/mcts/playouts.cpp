#include "search/mcts/playouts.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace scholar::search::mcts {

Playouts::Playouts(Evaluators evaluators, const MctsOptions& options)
    : shared_(options), crew_(evaluators.size()) {
    for (auto& evaluator : evaluators)
        workers_.push_back(std::make_unique<Worker>(shared_, std::move(evaluator)));
}

std::vector<Tree::Block*> Playouts::blocks() {
    std::vector<Tree::Block*> blocks;
    blocks.reserve(workers_.size());
    for (const auto& worker : workers_) blocks.push_back(&worker->block());
    return blocks;
}

void Playouts::clear() {
    root_priors_.clear();
    shared_.tree.clear(blocks());
    shared_.values.clear();
    line_ = chess::Line();
}

base::Status Playouts::begin(const chess::Line& line) {
    restore_root_priors();
    const NodeId kept = find_kept(line);
    if (kept != kNoNode)
        shared_.tree.keep(kept, blocks());
    else
        shared_.tree.clear(blocks());
    line_ = line;
    shared_.allowed.clear();
    shared_.count = 0;
    shared_.full = false;
    for (const auto& worker : workers_) worker->begin(line);
    if (kept == kNoNode)
        if (auto status = workers_.front()->make_root(); !status) {
            shared_.tree.clear(blocks());
            return status;
        }
    change_root_priors();
    return {};
}

void Playouts::change_root_priors() {
    const Exploration& exploration = shared_.options.exploration;
    const double noise = shared_.options.chance.noise;
    const double temperature = exploration.root_policy_temperature;
    if (noise <= 0 && (temperature <= 0 || temperature == exploration.policy_temperature)) return;
    const std::span<Edge> edges = shared_.tree.edges(shared_.tree.root());
    for (const Edge& edge : edges) root_priors_.push_back(edge.prior);
    if (temperature > 0) {
        // They are to the power of 1 / the other temperature already. The first is the largest.
        const auto exponent = static_cast<float>(exploration.policy_temperature / temperature);
        const float largest = edges.front().prior;
        float sum = 0;
        for (Edge& edge : edges) sum += edge.prior = std::pow(edge.prior / largest, exponent);
        for (Edge& edge : edges) edge.prior /= sum;
    }
    if (noise <= 0) return;
    base::Random random(shared_.options.chance.seed, static_cast<std::uint64_t>(line_.ply()));
    add_noise(edges, shared_.options.chance, random);
    // They have no order any more: who says which may be taken looks at all.
    shared_.allowed.assign(edges.size(), 1);
}

void Playouts::restore_root_priors() {
    if (!root_priors_.empty() && shared_.tree.root() != kNoNode) {
        const std::span<Edge> edges = shared_.tree.edges(shared_.tree.root());
        for (std::size_t i = 0; i < edges.size(); ++i) edges[i].prior = root_priors_[i];
    }
    root_priors_.clear();
}

base::Status Playouts::run(std::uint64_t most, const std::function<bool(std::uint64_t)>& is_over) {
    shared_.is_over = is_over;
    shared_.root_proof = shared_.tree[shared_.tree.root()].proven();
    shared_.left = static_cast<std::int64_t>(std::min<std::uint64_t>(most, INT64_MAX));
    shared_.workers = static_cast<int>(workers_.size());
    shared_.ended = shared_.full.load();
    std::vector<base::Status> ended(workers_.size());
    crew_.run([&](std::size_t number) {
        ended[number] = workers_[number]->work();
        if (!ended[number]) shared_.ended = true;
    });
    for (base::Status& status : ended)
        if (!status) return std::move(status);
    return {};
}

bool Playouts::make_room() {
    constexpr int kStillFull = 750;  // thousandths
    shared_.tree.thin_out(blocks());
    shared_.full = shared_.tree.permille_full() > kStillFull;
    return !shared_.full;
}

int Playouts::longest() const {
    int longest = 0;
    for (const auto& worker : workers_) longest = std::max(longest, worker->longest());
    return longest;
}

std::uint64_t Playouts::tablebase_hits() const {
    std::uint64_t hits = 0;
    for (const auto& worker : workers_) hits += worker->tablebase_hits();
    return hits;
}

// The node that the line now comes to, if the tree's root line is its beginning and all of the way was
// visited.
NodeId Playouts::find_kept(const chess::Line& line) const {
    const int steps = line.ply() - line_.ply();
    if (shared_.tree.root() == kNoNode || steps < 0) return kNoNode;
    for (int back = 0; back <= line_.ply(); ++back)
        if (line.ago(steps + back) != line_.ago(back)) return kNoNode;
    NodeId id = shared_.tree.root();
    for (int step = steps; step > 0 && id != kNoNode; --step) {
        const auto edges = shared_.tree.edges(id);
        const auto played = std::ranges::find_if(edges, [&](const Edge& edge) {
            return edge.child != kNoNode && line.ago(step).after(edge.move) == line.ago(step - 1);
        });
        id = played == edges.end() ? kNoNode : played->child;
    }
    return id != kNoNode && shared_.tree[id].kind == NodeKind::Open ? id : kNoNode;
}

}  // namespace scholar::search::mcts
