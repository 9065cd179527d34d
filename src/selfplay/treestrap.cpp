#include "selfplay/treestrap.hpp"

#include <utility>

namespace scholar::selfplay {

namespace {

Interval interval_of(const search::TappedNode& node) {
    const double expected = node.score.expected();
    switch (node.bound) {
        case search::Bound::Exact:
            return Interval::value(expected);
        case search::Bound::Lower:
            return Interval::at_least(expected);
        case search::Bound::Upper:
            return Interval::at_most(expected);
        case search::Bound::None:
            break;
    }
    return {};
}

}  // namespace

void TreeStrap::on_node(const search::TappedNode& node) {
    if (node.effort.half_moves() < plan_.least_depth) return;
    const chess::Position& position = node.line.current();
    if (plan_.quiet && (position.in_check() || (node.best && position.is_noisy(node.best)))) return;
    const Interval found = interval_of(node);
    const auto [place, is_new] = places_.try_emplace(position.key(), nodes_.size());
    if (is_new) {
        nodes_.push_back({position, found, node.effort});
        return;
    }
    TreeStrapNode& known = nodes_[place->second];
    if (node.effort < known.effort) return;
    const Interval both{std::max(known.expected.low, found.low), std::min(known.expected.high, found.high)};
    // Bounds that leave nothing were found by searches that had learnt more in between: the later one counts.
    known.expected = node.effort == known.effort && both.low <= both.high ? both : found;
    known.effort = node.effort;
}

std::vector<TreeStrapNode> TreeStrap::take(base::Random& random) {
    places_.clear();
    std::vector<TreeStrapNode> taken = std::exchange(nodes_, {});
    if (plan_.most_nodes == 0 || taken.size() <= plan_.most_nodes) return taken;
    for (std::size_t i = 0; i < plan_.most_nodes; ++i)
        std::swap(taken[i], taken[i + random.below(taken.size() - i)]);
    taken.resize(plan_.most_nodes);
    return taken;
}

}  // namespace scholar::selfplay
