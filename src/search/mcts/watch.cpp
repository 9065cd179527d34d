#include "search/mcts/watch.hpp"

#include <algorithm>
#include <bit>

#include "search/root.hpp"

namespace scholar::search::mcts {

Watch::Watch(const Limits& limits, const chess::Line& line, std::stop_token stop)
    : limits_(limits), stop_(std::move(stop)), time_(plan_time(limits, game_ply(line), Tunables{})) {
    if (const auto nodes = limits.find<NodeLimit>()) most_playouts_ = nodes->nodes;
    if (const auto depth = limits.find<DepthLimit>()) limit_depth(depth->depth);
}

void Watch::spend(std::uint64_t nodes) {
    spent_ += nodes;
    if (const auto limit = limits_.find<NodeLimit>())
        most_playouts_ = std::min(most_playouts_, limit->nodes - std::min(limit->nodes, spent_));
}

void Watch::limit_depth(int depth) {
    most_playouts_ = std::min(most_playouts_, std::uint64_t{1} << std::clamp(depth, 1, 63));
}

bool Watch::may_end() const {
    const auto ponder = limits_.find<PonderLimit>();
    const bool ponders = ponder && !ponder->hit.stop_requested();
    return !ponders && !limits_.is_infinite();
}

Watch::Time Watch::used(std::uint64_t playouts) const {
    if (limits_.nodes_per_second == 0) return elapsed();
    return Time(1000.0 * static_cast<double>(playouts + spent_) /
                static_cast<double>(limits_.nodes_per_second));
}

bool Watch::is_over(std::uint64_t playouts) const {
    if (stop_.stop_requested()) return true;
    if (!time_ || !may_end()) return false;
    return used(playouts) >= (time_->flexible ? time_->optimum : time_->maximum);
}

std::optional<double> Watch::expected(std::uint64_t playouts) const {
    if (!time_ || !time_->flexible || !may_end() || playouts == 0) return std::nullopt;
    const double used_share = used(playouts) / time_->optimum;
    return used_share > 0 ? std::optional(static_cast<double>(playouts) * (1 / used_share - 1))
                          : std::nullopt;
}

int depth_of(std::uint64_t playouts) {
    return std::max(1, static_cast<int>(std::bit_width(playouts)) - 1);
}

}  // namespace scholar::search::mcts
