#include "arena/move_opinion.hpp"

#include <algorithm>

namespace scholar::arena {

namespace {

double share_of(const MoveOpinion& opinion, chess::Move move) {
    for (const auto& [candidate, share] : opinion.shares)
        if (candidate == move) return share;
    return 0;
}

}  // namespace

std::optional<double> share_within(const MoveOpinion& opinion, chess::Move move, int count, int legal) {
    const auto& ranked = opinion.ranked;
    if (opinion.shares.empty()) {
        const auto known = static_cast<std::ptrdiff_t>(ranked.size());
        const auto place = std::ranges::find(ranked, move) - ranked.begin();
        if (place < known) return place < count ? 1 : 0;
        if (known < std::min(count, legal)) return std::nullopt;
        return 0;
    }
    const chess::Move first = ranked.empty() ? chess::Move::none() : ranked.front();
    if (first && first == move) return 1;
    const double share = share_of(opinion, move);
    double before = first ? 1 : 0;
    double equal = 0;  // the move itself among them
    int listed = first ? 1 : 0;
    for (const auto& [candidate, other] : opinion.shares) {
        if (first && candidate == first) continue;
        ++listed;
        before += other > share ? 1 : 0;
        equal += other == share ? 1 : 0;
    }
    if (share == 0) equal += std::max(0, legal - listed);
    return std::clamp((count - before) / std::max(1.0, equal), 0.0, 1.0);
}

std::optional<double> probability_of(const MoveOpinion& opinion, chess::Move move) {
    if (!opinion.are_probabilities) return std::nullopt;
    return share_of(opinion, move);
}

}  // namespace scholar::arena
