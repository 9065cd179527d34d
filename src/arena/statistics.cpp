#include "arena/statistics.hpp"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace scholar::arena {

namespace {

constexpr double kNormalisedUnit = 800 / std::numbers::ln10;

// Of intervals.
constexpr double kConfidence = 0.95;

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

// What is known of the results before any game, in games and pairs beside those played.
// Half a game won and half a one lost, which is Jeffreys' prior of a probability: a score of 0 or 1 is no
// certainty.
constexpr double kPriorGames = 1;
// So many games that cannot be drawn: few draws do not show that there is nothing else.
constexpr double kDecisiveGames = 2;
// So many pairs whose games are independent of each other: few pairs that are alike do not show that their
// openings decide.
constexpr double kIndependentPairs = 4;

// An estimate of a spread from so few is itself uncertain: it may be as much larger, and is never taken for
// more than `most`.
double widened(double spread, double count, double most) {
    return std::max(spread, std::min(spread * (1 + 1 / count), most));
}

// What the games say of the expected score of one, as a beta distribution with parameters for points won and
// points lost. With games that are all won or all lost it is exactly Jeffreys' posterior.
struct Belief {
    double won = 0;
    double lost = 0;
};

Belief belief_in(const WinDrawLoss& results, const Pentanomial& pairs) {
    const auto squares = [](double count, double distance) { return count * distance * distance; };
    const auto wins = static_cast<double>(results.wins), draws = static_cast<double>(results.draws),
               losses = static_cast<double>(results.losses);
    const double games = wins + draws + losses;
    const double mean = (wins + draws / 2 + kPriorGames / 2) / (games + kPriorGames);
    const double most = mean * (1 - mean);  // the variance of games that cannot be drawn

    const double game_squares = squares(wins, 1 - mean) + squares(draws, 0.5 - mean) + squares(losses, mean);
    const double prior_squares =
        squares(kPriorGames / 2, 1 - mean) + squares(kPriorGames / 2, mean) + kDecisiveGames * most;
    const double variance = widened((game_squares + prior_squares) / (games + kPriorGames + kDecisiveGames),
                                    std::max(games, 1.0), most);

    // How pairs vary in comparison with two games that have nothing to do with each other.
    double ratio = 1;
    if (const double count = total_of(pairs); count > 0) {
        double pair_squares = 0;
        for (std::size_t i = 0; i < pairs.size(); ++i)
            pair_squares += squares(static_cast<double>(pairs[i]), static_cast<double>(i) / 2 - 2 * mean);
        const double weight = 2 * kIndependentPairs * variance;
        const double expected = game_squares * 2 * count / games;
        ratio = widened((pair_squares + weight) / (expected + weight), count, 1);
    }
    // A beta distribution of Σ parameters s has the variance most / (s + 1).
    const double sum = most * (games + kPriorGames + 1) / (ratio * variance) - 1;
    return {mean * sum, (1 - mean) * sum};
}

// A function that does not throw: what cannot be computed would be no number.
using Quiet = boost::math::policies::policy<
    boost::math::policies::domain_error<boost::math::policies::ignore_error>,
    boost::math::policies::pole_error<boost::math::policies::ignore_error>,
    boost::math::policies::overflow_error<boost::math::policies::ignore_error>,
    boost::math::policies::evaluation_error<boost::math::policies::ignore_error>,
    boost::math::policies::promote_double<false>>;

// The Elo below which it lies with this probability.
double elo_quantile(const Belief& belief, double probability) {
    double missing = 0;  // to 1, where a double cannot tell
    const double score = boost::math::ibeta_inv(belief.won, belief.lost, probability, &missing, Quiet());
    return 400 * (std::log10(score) - std::log10(missing));
}

// The lower end of the interval. Results come in steps, over which Jeffreys' interval is right on average and
// Clopper and Pearson's, which moves it by half a game, always: this is half-way between them.
double lower_end(const Belief& belief) {
    const double step = std::clamp(belief.won - kPriorGames / 2, 0.0, 0.25);
    return elo_quantile({belief.won - step, belief.lost + step}, (1 - kConfidence) / 2);
}

// `game_variance`: that of a game, which normalised Elo is a multiple of; 0 if all results were alike.
Rating rate_belief(const Belief& belief, double score, double games, double game_variance) {
    Rating rating;
    rating.score = score;
    rating.elo_low = lower_end(belief);
    rating.elo_high = -lower_end({belief.lost, belief.won});
    rating.elo_error = (rating.elo_high - rating.elo_low) / 2;
    // Of a score of 0 or 1 there is no Elo: as likely as not it is larger than this.
    rating.elo = score > 0 && score < 1 ? elo_of_score(score) : elo_quantile(belief, 0.5);
    rating.superiority = boost::math::ibetac(belief.won, belief.lost, 0.5, Quiet());

    rating.normalised_error = kConfidence95 / std::sqrt(games) * kNormalisedUnit;
    double sigma = std::sqrt(game_variance);
    if (game_variance <= 0) {
        // That of the belief, in which the games are worth one more.
        const double sum = belief.won + belief.lost;
        sigma = std::sqrt(belief.won * belief.lost / (sum * sum * (sum + 1)) * (games + 1));
        const double distance = (score - 0.5) / sigma;
        rating.normalised_error *= std::sqrt(1 + distance * distance / 2);
    }
    rating.normalised = score == 0.5 ? 0 : (score - 0.5) / sigma * kNormalisedUnit;
    return rating;
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
        return fit_t_value(observed, std::sqrt(games_each) * elo / kNormalisedUnit);
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
    // So, and not by 1/score − 1, it is 0 at ½ and not −0.
    return 400 * std::log10(score / (1 - score));
}

double elo_bound_of_sweep(std::uint64_t games) {
    return elo_of_score(std::pow(0.05, 1 / static_cast<double>(games)));
}

double score_of_elo(double elo) {
    return 1 / (1 + std::pow(10, -elo / 400));
}

std::optional<Rating> rate_pairs(const Pentanomial& pairs) {
    // A point in a pair may be two draws or a game each; the second says less.
    const WinDrawLoss games{pairs[2] + pairs[3] + 2 * pairs[4], pairs[1] + pairs[3],
                            2 * pairs[0] + pairs[1] + pairs[2]};
    auto rating = rate(games, pairs);
    if (rating) rating->draw_rate = 0;
    return rating;
}

std::optional<Rating> rate_games(const WinDrawLoss& games) {
    return rate(games, {});
}

std::optional<Rating> rate(const WinDrawLoss& games, const Pentanomial& pairs) {
    const auto count = static_cast<double>(games.games());
    if (count == 0) return std::nullopt;
    const auto by_game = moments_of_counts(counts_of(games));
    const double paired = total_of(pairs);
    // The σ of a game is √2 times that of the mean of a pair.
    const double variance = paired > 0 ? 2 * moments_of_counts(pairs).variance : by_game.variance;
    auto rating = rate_belief(belief_in(games, pairs), by_game.mean, count, variance);
    rating.draw_rate = static_cast<double>(games.draws) / count;
    return rating;
}

std::string elo_text(double elo, int decimals) {
    std::string text = fmt::format("{:+.{}f}", elo, decimals);
    // What is rounded to nothing has no sign that means anything.
    if (text.find_first_of("123456789") == std::string::npos && std::isfinite(elo)) text.front() = '+';
    return text;
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
