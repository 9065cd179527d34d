#include "arena/misfit.hpp"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <map>

namespace scholar::arena {

namespace {

// Of the points, squared: with less the deviation is far from normally distributed, as where one who always
// wins lost one of two games.
constexpr double kLeastVariance = 1;

}  // namespace

Misfit misfit_of(const ResultPool& pool, const PoolRatings& ratings) {
    struct Sum {
        double games = 0;
        double points = 0;
        double expected = 0;
        double variance = 0;
    };
    std::map<std::pair<std::size_t, std::size_t>, Sum> sums;  // by the smaller number, then the larger
    for (const auto& [players, games] : pool.pairings()) {
        const auto& [white, black] = players;
        const PlayerRating& first = ratings.players[white];
        const PlayerRating& second = ratings.players[black];
        if (!first.has_rating() || !second.has_rating()) continue;
        const auto chances =
            result_chances(first.elo - second.elo + ratings.white_advantage, ratings.draw_rate);
        const double score = chances.score();
        const double variance = chances.win + chances.draw / 4 - score * score;
        const auto count = static_cast<double>(games.games());
        const double points = static_cast<double>(games.wins) + static_cast<double>(games.draws) / 2;
        Sum& sum = sums[std::minmax(white, black)];
        sum.games += count;
        sum.points += white < black ? points : count - points;
        sum.expected += white < black ? count * score : count * (1 - score);
        sum.variance += count * variance;
    }
    Misfit misfit;
    for (const auto& [players, sum] : sums) {
        if (sum.variance < kLeastVariance) continue;
        const double deviation = (sum.points - sum.expected) / std::sqrt(sum.variance);
        misfit.pairs.push_back(
            {players.first, players.second, sum.games, sum.points, sum.expected, deviation});
        misfit.chi_square += deviation * deviation;
    }
    std::ranges::stable_sort(misfit.pairs, std::greater{},
                             [](const PairMisfit& pair) { return std::abs(pair.deviation); });
    double determined = 0;
    bool anchored = false;
    for (const auto& player : ratings.players) {
        determined += player.standing == Standing::Rated ? 1 : 0;
        anchored |= player.standing == Standing::Anchor;
    }
    // Without an anchor only differences are determined.
    if (!anchored) determined -= 1;
    misfit.freedom = static_cast<double>(misfit.pairs.size()) - determined;
    if (misfit.freedom > 0)
        misfit.chance = boost::math::cdf(boost::math::complement(
            boost::math::chi_squared_distribution<double>(misfit.freedom), misfit.chi_square));
    return misfit;
}

double remarkable_deviation(std::size_t pairs) {
    constexpr double kOneInTwenty = 0.05;
    const double share = kOneInTwenty / 2 / static_cast<double>(std::max<std::size_t>(1, pairs));
    return boost::math::quantile(boost::math::complement(boost::math::normal_distribution<double>(), share));
}

}  // namespace scholar::arena
