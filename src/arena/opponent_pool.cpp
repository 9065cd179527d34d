#include "arena/opponent_pool.hpp"

#include <algorithm>
#include <cmath>

namespace scholar::arena {

base::Result<OpponentPool> OpponentPool::find(const Ladder& ladder,
                                              std::span<const games::Opening> openings) {
    OpponentPool pool;
    pool.time_margin_ = ladder.time_margin;
    for (const LadderPlayer& player : ladder.players) {
        auto found = find_player(ladder, player, openings);
        if (!found) {
            pool.skipped_.push_back({player.config.name, found.error().message});
            continue;
        }
        const Glicko rating = player.anchor ? Glicko{*player.anchor, kAnchorDeviation} : Glicko{};
        pool.opponents_.push_back({std::move(*found), ladder.control_of(player), rating});
    }
    if (pool.opponents_.empty())
        return base::fail("no opponent that can play, expected at least one{}",
                          pool.skipped_.empty() ? ""
                                                : fmt::format(" ({}: {})", pool.skipped_.front().name,
                                                              pool.skipped_.front().reason));
    return pool;
}

std::optional<std::size_t> OpponentPool::choose(const Glicko& player, double spread,
                                                base::Random& random) const {
    std::vector<std::size_t> numbers;
    std::vector<double> squares;  // of the differences, in spreads
    for (std::size_t i = 0; i < opponents_.size(); ++i) {
        if (!opponents_[i].plays) continue;
        numbers.push_back(i);
        squares.push_back(std::pow((opponents_[i].rating.rating - player.rating) / spread, 2));
    }
    if (numbers.empty()) return std::nullopt;
    // Against the nearest, so that somebody has a chance however far all are.
    const double least = std::ranges::min(squares);
    std::vector<double> sums;
    sums.reserve(squares.size());
    double sum = 0;
    for (const double square : squares) sums.push_back(sum += std::exp((least - square) / 2));
    const auto drawn = std::ranges::upper_bound(sums, random.unit() * sum);
    return numbers[std::min(static_cast<std::size_t>(drawn - sums.begin()), numbers.size() - 1)];
}

}  // namespace scholar::arena
