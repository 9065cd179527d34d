#include "search/mate_attempt.hpp"

#include <algorithm>

#include "search/mate_solver.hpp"

namespace scholar::search {

namespace {

SearchResult result_of_mate(const chess::Position& root, const std::vector<chess::Move>& variation,
                            std::uint64_t nodes) {
    const auto plies = static_cast<int>(variation.size());
    SearchResult result;
    result.best = variation.front();
    if (plies > 1) result.ponder = variation[1];
    result.score = chess::Score::mate_in(plies);
    result.principal_variation = variation;
    result.counters.nodes = nodes;
    result.counters.depth = result.counters.selective_depth = plies;
    result.lines.push_back({result.score, Bound::Exact, std::nullopt, plies, plies, variation});
    result.root_distribution.emplace_back(result.best, 1.0);
    result.leaf = root;
    for (const chess::Move move : variation) result.leaf.make(move);
    result.leaf_kind = LeafKind::Mate;
    return result;
}

}  // namespace

MateAttempt attempt_mate(const MateLimit& mate, const chess::Line& line, const Limits& limits,
                         const std::optional<TimePlan>& time, std::chrono::steady_clock::time_point started,
                         const std::stop_token& stop) {
    constexpr std::uint64_t kMostNodes = 50'000'000;
    std::optional<MateSolver::Clock::time_point> deadline;
    std::uint64_t nodes = kMostNodes;
    if (const auto limit = limits.find<NodeLimit>()) nodes = std::min(nodes, limit->nodes / 2);
    if (time && limits.nodes_per_second > 0)
        nodes = std::min(nodes, static_cast<std::uint64_t>(time->maximum.count() / 2000 *
                                                           static_cast<double>(limits.nodes_per_second)));
    else if (time)
        deadline = started + std::chrono::ceil<std::chrono::milliseconds>(time->maximum / 2);
    MateSolver solver(nodes, stop, deadline);
    const auto variation = solver.solve(line.current(), mate.moves, limits.root_moves);
    MateAttempt attempt{std::nullopt, solver.nodes(), solver.complete()};
    if (variation) attempt.found = result_of_mate(line.current(), *variation, solver.nodes());
    return attempt;
}

}  // namespace scholar::search
