#include "search/mcts/report.hpp"

#include <algorithm>
#include <tuple>

#include "search/root.hpp"

namespace scholar::search::mcts {

namespace {

using chess::Score;

// How good a move looks, to be compared.
struct Standing {
    int proof = 0;  // for its mover; 0: none, which lies between wins and losses
    std::uint32_t visits = 0;
    double mean = 0;

    auto operator<=>(const Standing&) const = default;
};

Standing standing_of(const Tree& tree, const Edge& edge) {
    if (edge.child == kNoNode || tree[edge.child].visits == 0) return {};
    const Node& child = tree[edge.child];
    return {child.is_proven() ? proof_for_parent(child).value() : 0, child.visits, child.mean()};
}

Score to_score(double value) {
    return Score::from_expected((value + 1) / 2);
}

const Node* child_of(const Tree& tree, const RootEdge& root_edge) {
    const NodeId child = tree.edges(tree.root())[static_cast<std::size_t>(root_edge.edge)].child;
    return child == kNoNode || tree[child].visits == 0 ? nullptr : &tree[child];
}

// For who moves at the root. Of a move without a visit what is known is the root's own evaluation.
Score score_of(const Tree& tree, const RootEdge& root_edge) {
    const Node* child = child_of(tree, root_edge);
    const Score searched = child == nullptr     ? to_score(-tree[tree.root()].mean())
                           : child->is_proven() ? proof_for_parent(*child)
                                                : to_score(child->mean());
    const auto& known = root_edge.tablebase_score;
    if (!known) return searched;
    const bool agrees = (known->is_win() && searched.is_win()) || (known->is_loss() && searched.is_loss());
    return agrees ? searched : *known;
}

std::optional<chess::Wdl> wdl_of(const Playouts& playouts, const RootEdge& root_edge) {
    if (!playouts.knows_wdl()) return std::nullopt;
    const Tree& tree = playouts.tree();
    const Score score = score_of(tree, root_edge);
    if (score.is_win()) return chess::Wdl{1, 0, 0};
    if (score.is_loss()) return chess::Wdl{0, 0, 1};
    const Node* child = child_of(tree, root_edge);
    const double value = child != nullptr ? child->mean() : -tree[tree.root()].mean();
    const double draw = (child != nullptr ? *child : tree[tree.root()]).mean_draw();
    return chess::Wdl{(1 - draw + value) / 2, draw, (1 - draw - value) / 2};
}

// The move, and then the best of each node, as far as there are visits.
std::vector<chess::Move> variation_of(const Tree& tree, const RootEdge& root_edge) {
    std::vector<chess::Move> variation;
    const Edge* edge = &tree.edges(tree.root())[static_cast<std::size_t>(root_edge.edge)];
    while (edge != nullptr) {
        variation.push_back(edge->move);
        const NodeId id = edge->child;
        edge = nullptr;
        if (id == kNoNode) break;
        Standing best;
        for (const Edge& next : tree.edges(id)) {
            if (next.child == kNoNode || tree[next.child].visits == 0) continue;
            const Standing standing = standing_of(tree, next);
            if (edge != nullptr && standing <= best) continue;
            best = standing;
            edge = &next;
        }
    }
    return variation;
}

LeafKind leaf_kind_of(const Tree& tree, const RootEdge& best, Score score) {
    if (score.is_mate()) return LeafKind::Mate;
    if (score.is_decisive() || best.tablebase_score == score) return LeafKind::Tablebase;
    const Node* child = child_of(tree, best);
    const bool drawn =
        child != nullptr && (child->kind == NodeKind::Draw || child->kind == NodeKind::Repetition);
    // Anything else is a mean.
    return drawn ? LeafKind::Draw : LeafKind::CutShort;
}

}  // namespace

void sort_best_first(const Tree& tree, std::vector<RootEdge>& edges) {
    const auto all = tree.edges(tree.root());
    std::ranges::sort(edges, [&](const RootEdge& a, const RootEdge& b) {
        const auto key = [&](const RootEdge& root_edge) {
            return std::tuple(root_edge.tablebase_rank,
                              standing_of(tree, all[static_cast<std::size_t>(root_edge.edge)]),
                              -root_edge.edge);
        };
        return key(a) > key(b);
    });
}

std::uint32_t visits_of(const Tree& tree, const RootEdge& root_edge) {
    const Node* child = child_of(tree, root_edge);
    return child == nullptr ? 0 : child->visits;
}

bool is_proven_edge(const Tree& tree, const RootEdge& root_edge) {
    const Node* child = child_of(tree, root_edge);
    return child != nullptr && child->is_proven();
}

bool is_decided(const Tree& tree, const std::vector<RootEdge>& edges) {
    bool all = true;
    for (const RootEdge& root_edge : edges) {
        const Node* child = child_of(tree, root_edge);
        if (child == nullptr || !child->is_proven())
            all = false;
        else if (proof_for_parent(*child).is_win())
            return true;
    }
    return all;
}

Counters counters_of(const Playouts& playouts, const Watch& watch) {
    Counters counters;
    counters.nodes = watch.spent() + playouts.count();
    counters.depth = depth_of(playouts.count());
    counters.selective_depth = std::max(1, playouts.longest());
    counters.tablebase_hits = playouts.tablebase_hits();
    counters.elapsed = watch.elapsed();
    counters.table_permille = playouts.tree().permille_full();
    return counters;
}

std::vector<RootLine> lines_of(const Playouts& playouts, const std::vector<RootEdge>& edges,
                               const Limits& limits) {
    std::vector<RootLine> lines;
    for (std::size_t i = 0; i < line_count(limits, edges.size()); ++i) {
        RootLine line;
        line.score = score_of(playouts.tree(), edges[i]);
        line.wdl = wdl_of(playouts, edges[i]);
        line.depth = depth_of(playouts.count());
        line.selective_depth = std::max(1, playouts.longest());
        line.variation = variation_of(playouts.tree(), edges[i]);
        lines.push_back(std::move(line));
    }
    return lines;
}

SearchResult result_of(const Playouts& playouts, const Watch& watch, const chess::Line& line,
                       const std::vector<RootEdge>& edges) {
    const Tree& tree = playouts.tree();
    SearchResult result;
    result.lines = lines_of(playouts, edges, watch.limits());
    result.principal_variation = result.lines.front().variation;
    result.best = result.principal_variation.front();
    if (result.principal_variation.size() > 1) result.ponder = result.principal_variation[1];
    result.score = result.lines.front().score;
    result.wdl = result.lines.front().wdl;
    result.leaf = line.current();
    for (const chess::Move move : result.principal_variation) result.leaf.make(move);
    result.leaf_kind = leaf_kind_of(tree, edges.front(), *result.score);
    result.counters = counters_of(playouts, watch);
    result.root_share = RootShare::Visits;
    double visits = 0;
    for (const RootEdge& edge : edges) visits += visits_of(tree, edge);
    const auto all = tree.edges(tree.root());
    for (const RootEdge& edge : edges)
        if (visits > 0)
            result.root_distribution.emplace_back(all[static_cast<std::size_t>(edge.edge)].move,
                                                  visits_of(tree, edge) / visits);
    return result;
}

}  // namespace scholar::search::mcts
