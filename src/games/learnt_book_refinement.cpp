#include "games/learnt_book_refinement.hpp"

#include <algorithm>
#include <cmath>

#include "games/learnt_book_beliefs.hpp"

namespace scholar::games {

double search_importance(const LearntPosition& position) {
    if (position.opinion &&
        (position.opinion->score.is_decisive() || position.opinion->depth >= chess::kMaxPly - 1))
        return 0;
    double known = 1;
    for (const LearntMove& move : position.moves)
        for (const OpponentTally& tally : move.opponents)
            known += effective_games(tally.games(), BeliefOptions{}.opponent_games);
    if (position.opinion)
        known += static_cast<double>(position.opinion->nodes) / static_cast<double>(kNodesOfAGame);
    return position.games / std::sqrt(known);
}

std::optional<SearchTask> next_search(const BookGraph& graph, std::uint64_t min_nodes) {
    const LearntPosition* best = nullptr;
    double highest = 0;
    for (const auto& [key, position] : graph.state().positions) {
        const double importance = search_importance(position);
        if (importance <= highest) continue;
        best = &position;
        highest = importance;
    }
    if (best == nullptr) return std::nullopt;
    const std::uint64_t before = best->opinion ? best->opinion->nodes : 0;
    return SearchTask{best->position, std::max(min_nodes, 2 * before)};
}

}  // namespace scholar::games
