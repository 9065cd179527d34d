#include "arena/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace scholar::arena {

namespace {

const double kNormalizedUnit = 800 / std::numbers::ln10;

// A distribution over results that are evenly spaced from 0 to 1.
template <std::size_t N>
using Shares = std::array<double, N>;

template <std::size_t N>
constexpr double value_of(std::size_t i) {
    return static_cast<double>(i) / (N - 1);
}

template <std::size_t N>
double total_of(const std::array<std::uint64_t, N>& counts) {
    double total = 0;
    for (const auto count : counts) total += static_cast<double>(count);
    return total;
}

struct Moments {
    double mean = 0;
    double variance = 0;
};

template <std::size_t N>
Moments moments(const Shares<N>& shares) {
    Moments result;
    for (std::size_t i = 0; i < N; ++i) result.mean += shares[i] * value_of<N>(i);
    for (std::size_t i = 0; i < N; ++i)
        result.variance += shares[i] * (value_of<N>(i) - result.mean) * (value_of<N>(i) - result.mean);
    return result;
}

template <std::size_t N>
Moments moments_of_counts(const std::array<std::uint64_t, N>& counts) {
    const double total = total_of(counts);
    Shares<N> shares;
    for (std::size_t i = 0; i < N; ++i) shares[i] = static_cast<double>(counts[i]) / total;
    return moments(shares);
}

// From the mean and the variance of `total` observations of `games_each` games; the σ of one is that of a
// game divided by the root of this.
Rating rate_moments(Moments observed, double total, double games_each) {
    const auto [mean, variance] = observed;
    const double error = std::sqrt(variance / total);
    const double low = mean - kConfidence95 * error;
    const double high = mean + kConfidence95 * error;

    Rating rating;
    rating.score = mean;
    rating.elo = elo_of_score(mean);
    if (variance > 0) {
        rating.elo_error = (elo_of_score(high) - elo_of_score(low)) / 2;
        const double sigma = std::sqrt(games_each * variance);
        rating.normalized = (mean - 0.5) / sigma * kNormalizedUnit;
        rating.normalized_error = kConfidence95 * error / sigma * kNormalizedUnit;
        rating.superiority = std::erfc(-(mean - 0.5) / error / std::numbers::sqrt2) / 2;
    } else {
        // All results alike say nothing about their spread.
        rating.elo_error = std::numeric_limits<double>::infinity();
        rating.normalized_error = rating.elo_error;
        rating.normalized = mean == 0.5 ? 0 : std::copysign(rating.elo_error, mean - 0.5);
        rating.superiority = mean > 0.5 ? 1 : mean < 0.5 ? 0 : 0.5;
    }
    return rating;
}

template <std::size_t N>
std::optional<Rating> rate_counts(const std::array<std::uint64_t, N>& counts, double games_each) {
    const double total = total_of(counts);
    if (total == 0) return std::nullopt;
    return rate_moments(moments_of_counts(counts), total, games_each);
}

// The zero of a function that falls from +∞ to −∞ between `low` and `high`, to the last bits of a double.
template <class Function>
double find_zero(Function&& f, double low, double high) {
    for (int i = 0; i < 200; ++i) {
        const double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high) break;
        (f(middle) > 0 ? low : high) = middle;
    }
    return low + (high - low) / 2;
}

// The distribution nearest to `observed` in likelihood under which `phi` has expectation 0: observed/(1 +
// θ·phi).
template <std::size_t N>
Shares<N> tilt(const Shares<N>& observed, const Shares<N>& phi) {
    const auto [lowest, highest] = std::ranges::minmax(phi);
    const double theta = find_zero(
        [&](double t) {
            double sum = 0;
            for (std::size_t i = 0; i < N; ++i) sum += observed[i] * phi[i] / (1 + t * phi[i]);
            return sum;
        },
        -1 / highest, -1 / lowest);
    Shares<N> result;
    for (std::size_t i = 0; i < N; ++i) result[i] = observed[i] / (1 + theta * phi[i]);
    return result;
}

template <std::size_t N>
Shares<N> fit_mean(const Shares<N>& observed, double mean) {
    Shares<N> phi;
    for (std::size_t i = 0; i < N; ++i) phi[i] = value_of<N>(i) - mean;
    return tilt(observed, phi);
}

// The fit with (mean − ½)/σ = `t`: the condition is linear in the shares only around a given mean and σ, so
// these are iterated, from a uniform distribution as the paper advises.
template <std::size_t N>
Shares<N> fit_t_value(const Shares<N>& observed, double t) {
    Shares<N> fitted;
    fitted.fill(1.0 / N);
    for (int round = 0; round < 50; ++round) {
        const auto [mean, variance] = moments(fitted);
        const double sigma = std::sqrt(variance);
        Shares<N> phi;
        for (std::size_t i = 0; i < N; ++i) {
            const double distance = (value_of<N>(i) - mean) / sigma;
            phi[i] = value_of<N>(i) - 0.5 - 0.5 * t * sigma * (1 + distance * distance);
        }
        const Shares<N> previous = fitted;
        fitted = tilt(observed, phi);
        double change = 0;
        for (std::size_t i = 0; i < N; ++i) change = std::max(change, std::abs(fitted[i] - previous[i]));
        if (change < 1e-9) break;
    }
    return fitted;
}

template <std::size_t N>
double ratio(const std::array<std::uint64_t, N>& counts, double games_each, double elo0, double elo1,
             EloModel model) {
    Shares<N> observed;
    double total = 0;
    for (std::size_t i = 0; i < N; ++i) {
        observed[i] = counts[i] == 0 ? 1e-3 : static_cast<double>(counts[i]);
        total += observed[i];
    }
    for (double& share : observed) share /= total;

    const auto fit = [&](double elo) {
        if (model == EloModel::Logistic) return fit_mean(observed, score_of_elo(elo));
        return fit_t_value(observed, std::sqrt(games_each) * elo / kNormalizedUnit);
    };
    const Shares<N> under0 = fit(elo0);
    const Shares<N> under1 = fit(elo1);
    double sum = 0;
    for (std::size_t i = 0; i < N; ++i) sum += observed[i] * (std::log(under1[i]) - std::log(under0[i]));
    return total * sum;
}

std::array<std::uint64_t, 3> counts_of(const WinDrawLoss& games) {
    return {games.losses, games.draws, games.wins};
}

}  // namespace

double elo_of_score(double score) {
    if (score <= 0) return -std::numeric_limits<double>::infinity();
    if (score >= 1) return std::numeric_limits<double>::infinity();
    return -400 * std::log10(1 / score - 1);
}

double elo_bound_of_sweep(std::uint64_t games) {
    return elo_of_score(std::pow(0.05, 1 / static_cast<double>(games)));
}

double score_of_elo(double elo) {
    return 1 / (1 + std::pow(10, -elo / 400));
}

std::optional<Rating> rate_pairs(const Pentanomial& pairs) {
    return rate_counts(pairs, 2);
}

std::optional<Rating> rate_games(const WinDrawLoss& games) {
    auto rating = rate_counts(counts_of(games), 1);
    if (rating) rating->draw_rate = static_cast<double>(games.draws) / static_cast<double>(games.games());
    return rating;
}

std::optional<Rating> rate(const WinDrawLoss& games, const Pentanomial& pairs) {
    const auto by_game = rate_games(games);
    if (!by_game || total_of(pairs) == 0) return by_game;
    const auto paired = moments_of_counts(pairs);
    const bool all_paired = 2 * total_of(pairs) == static_cast<double>(games.games());
    // Pairs that are all alike, and games beside them: the pairs' spread is not 0.
    if (paired.variance == 0 && !all_paired) return by_game;
    // Exactly the pairs' own mean if there is nothing else.
    const double mean = all_paired ? paired.mean : by_game->score;
    auto rating = rate_moments({mean, paired.variance}, static_cast<double>(games.games()) / 2, 2);
    rating.draw_rate = by_game->draw_rate;
    return rating;
}

double log_likelihood_ratio(const Pentanomial& pairs, double elo0, double elo1, EloModel model) {
    return ratio(pairs, 2, elo0, elo1, model);
}

double log_likelihood_ratio(const WinDrawLoss& games, double elo0, double elo1, EloModel model) {
    return ratio(counts_of(games), 1, elo0, elo1, model);
}

SprtBounds sprt_bounds(double alpha, double beta) {
    // As differences of logarithms: the ratio of a tiny rate is infinite.
    return {std::log(beta) - std::log1p(-alpha), std::log1p(-beta) - std::log(alpha)};
}

}  // namespace scholar::arena
