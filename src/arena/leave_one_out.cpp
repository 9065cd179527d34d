#include "arena/leave_one_out.hpp"

#include <cmath>

namespace scholar::arena {

namespace {

ResultPool without(const ResultPool& pool, std::size_t player) {
    ResultPool rest;
    for (const auto& [players, games] : pool.pairings()) {
        if (players.first == player || players.second == player) continue;
        const auto white = rest.player(pool.names()[players.first]);
        rest.add(white, rest.player(pool.names()[players.second]), games);
    }
    return rest;
}

}  // namespace

base::Result<std::vector<LargestMove>> leave_one_out(const ResultPool& pool, const RatingOptions& options) {
    const auto all = rate_pool(pool, options);
    if (!all) return std::unexpected(all.error());
    std::vector<LargestMove> moves;
    for (std::size_t out = 0; out < all->players.size(); ++out) {
        if (!all->players[out].has_rating()) continue;
        const ResultPool rest = without(pool, out);
        RatingOptions of_rest = options;
        // The anchor itself, or one who played nobody else.
        std::erase_if(of_rest.anchors, [&](const auto& anchor) { return !rest.find(anchor.first); });
        const auto rated = rate_pool(rest, of_rest);
        if (!rated) return std::unexpected(rated.error());
        std::vector<double> moved;
        std::vector<const PlayerRating*> before;
        for (std::size_t i = 0; i < all->players.size(); ++i) {
            const auto number = rest.find(all->players[i].name);
            if (!number || !all->players[i].has_rating() || !rated->players[*number].has_rating()) continue;
            before.push_back(&all->players[i]);
            moved.push_back(rated->players[*number].elo - all->players[i].elo);
        }
        double shift = 0;
        if (of_rest.anchors.empty())
            for (const double distance : moved) shift += distance / static_cast<double>(moved.size());
        LargestMove largest{.left_out = all->players[out].name, .moved = ""};
        for (std::size_t i = 0; i < moved.size(); ++i) {
            const double distance = moved[i] - shift;
            // Somebody without an error is an anchor, and does not move.
            if (before[i]->error <= 0) continue;
            if (!largest.moved.empty() &&
                std::abs(distance) * largest.error <= std::abs(largest.moved_by) * before[i]->error)
                continue;
            largest.moved = before[i]->name;
            largest.moved_by = distance;
            largest.error = before[i]->error;
        }
        moves.push_back(std::move(largest));
    }
    return moves;
}

}  // namespace scholar::arena
