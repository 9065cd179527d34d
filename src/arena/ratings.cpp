#include "arena/ratings.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "base/hint.hpp"
#include "base/text.hpp"

namespace scholar::arena {

namespace {

// One natural unit of rating, the factor e in the odds, in Elo.
const double kUnit = 400 / std::numbers::ln10;

// One game by the model, at a difference of ratings `delta` and λ = ln ν. In logarithms the three results are
// as u : λ : -u, where u(delta, λ) is such that the expected score is logistic in `delta`.
struct GameModel {
    double win = 0;
    double draw = 0;
    double loss = 0;
    double u = 0;
    double log_sum = 0;   // logarithm of exp(u) + ν + exp(-u)
    double mean = 0;      // of wins less losses
    double variance = 0;  // of the same
    // Derivatives of u.
    double u_delta = 0;
    double u_lambda = 0;
    double u_delta_delta = 0;
    double u_delta_lambda = 0;
    double u_lambda_lambda = 0;

    GameModel(double delta, double lambda) {
        const double nu = std::exp(lambda);
        // For the stronger side: its expected score is 1 - low. From draw = ν·√(win·loss) and the score
        // follows a quadratic equation for the share of draws; `root` is √(win·loss).
        const double low = 1 / (1 + std::exp(std::abs(delta)));
        const double product = low * (1 - low);
        const double root = 2 * product / (nu / 2 + std::sqrt(nu * nu / 4 + (4 - nu * nu) * product));
        draw = nu * root;
        const double more = 1 - low - draw / 2;
        const double less = root * root / more;
        const bool ahead = delta >= 0;
        win = ahead ? more : less;
        loss = ahead ? less : more;
        u = std::log(more / root) * (ahead ? 1 : -1);
        log_sum = -std::log(root);
        mean = (1 - 2 * low) * (ahead ? 1 : -1);
        variance = 4 * product - draw;

        // By implicit differentiation of mean(u, λ) = tanh(delta/2).
        const double mean_uu = mean * (draw - 2 * variance);
        const double mean_u_lambda = draw * (2 * mean * mean - 1 + draw);
        const double mean_lambda_lambda = mean * draw * (2 * draw - 1);
        u_delta = 2 * product / variance;
        u_lambda = mean * draw / variance;
        u_delta_delta = -(2 * mean * product + mean_uu * u_delta * u_delta) / variance;
        u_delta_lambda = -(mean_uu * u_lambda + mean_u_lambda) * u_delta / variance;
        u_lambda_lambda =
            -(mean_uu * u_lambda * u_lambda + 2 * mean_u_lambda * u_lambda + mean_lambda_lambda) / variance;
    }
};

double count(std::uint64_t games) {
    return static_cast<double>(games);
}

// λ at which equals draw so often.
double lambda_of(double draw_rate) {
    return std::log(2 * draw_rate / (1 - draw_rate));
}

// Whom we can give a rating: those from whom points lead to the core and back. Reached: by steps to players
// whom one scored against.
class Connections {
  public:
    explicit Connections(const ResultPool& pool)
        : scored_against_(pool.names().size()), conceded_to_(pool.names().size()) {
        const auto scored = [&](std::size_t by, std::size_t against) {
            scored_against_[by].push_back(against);
            conceded_to_[against].push_back(by);
        };
        for (const auto& [players, games] : pool.pairings()) {
            if (games.wins + games.draws > 0) scored(players.first, players.second);
            if (games.losses + games.draws > 0) scored(players.second, players.first);
        }
    }

    // Everybody whom steps lead to from one of these.
    std::vector<bool> below(const std::vector<std::size_t>& from) const {
        return walk(from, {&scored_against_});
    }
    std::vector<bool> above(const std::vector<std::size_t>& from) const {
        return walk(from, {&conceded_to_});
    }
    std::vector<bool> around(const std::vector<std::size_t>& from) const {
        return walk(from, {&scored_against_, &conceded_to_});
    }

  private:
    using Steps = std::vector<std::vector<std::size_t>>;
    std::vector<bool> walk(const std::vector<std::size_t>& from, const std::vector<const Steps*>& by) const {
        std::vector<bool> seen(scored_against_.size());
        std::vector<std::size_t> open = from;
        for (const auto player : from) seen[player] = true;
        while (!open.empty()) {
            const auto player = open.back();
            open.pop_back();
            for (const auto* steps : by)
                for (const auto next : (*steps)[player])
                    if (!seen[next]) {
                        seen[next] = true;
                        open.push_back(next);
                    }
        }
        return seen;
    }

    Steps scored_against_;
    Steps conceded_to_;
};

// Without anchors the core is whichever group of players, connected among each other, has most games.
std::vector<std::size_t> largest_group(const ResultPool& pool, const Connections& connections) {
    const std::size_t size = pool.names().size();
    std::vector<double> games(size);
    for (const auto& [players, results] : pool.pairings()) {
        games[players.first] += count(results.games());
        games[players.second] += count(results.games());
    }
    std::vector<std::size_t> by_games(size);
    std::iota(by_games.begin(), by_games.end(), 0);
    std::ranges::stable_sort(by_games, std::greater{}, [&](std::size_t player) { return games[player]; });
    std::vector<bool> grouped(size);
    std::vector<std::size_t> best;
    double best_games = -1;
    for (const auto seed : by_games) {
        if (grouped[seed]) continue;
        const auto below = connections.below({seed});
        const auto above = connections.above({seed});
        std::vector<std::size_t> group;
        double total = 0;
        for (std::size_t player = 0; player < size; ++player)
            if (below[player] && above[player]) {
                group.push_back(player);
                grouped[player] = true;
                total += games[player];
            }
        if (total > best_games) {
            best_games = total;
            best = std::move(group);
        }
    }
    return best;
}

std::vector<Standing> standings(const ResultPool& pool, const RatingOptions& options) {
    const std::size_t size = pool.names().size();
    std::vector<Standing> result(size, Standing::Rated);
    std::vector<std::size_t> core;
    for (std::size_t player = 0; player < size; ++player)
        if (options.anchors.contains(pool.names()[player])) {
            result[player] = Standing::Anchor;
            core.push_back(player);
        }
    if (options.prior > 0 && options.prior_of.empty()) return result;
    const Connections connections(pool);
    if (core.empty()) core = largest_group(pool, connections);
    const auto below = connections.below(core);
    const auto above = connections.above(core);
    for (std::size_t player = 0; player < size; ++player) {
        if (result[player] == Standing::Anchor || (below[player] && above[player])) continue;
        if (options.prior > 0 && options.prior_of.contains(pool.names()[player])) continue;
        result[player] = above[player]   ? Standing::Above
                         : below[player] ? Standing::Below
                                         : Standing::Unconnected;
    }
    return result;
}

constexpr std::size_t kFixed = std::numeric_limits<std::size_t>::max();

// The likelihood as a function of its unknowns: the ratings that are not given, White's advantage, λ.
class Likelihood {
  public:
    Likelihood(const ResultPool& pool, const RatingOptions& options, const std::vector<Standing>& standing)
        : options_(options), rating_(pool.names().size()), unknown_(pool.names().size(), kFixed) {
        double sum = 0;
        for (const auto& [name, elo] : options.anchors) sum += elo / kUnit;
        if (!options.anchors.empty()) center_ = sum / static_cast<double>(options.anchors.size());
        if (options.prior_mean) center_ = *options.prior_mean / kUnit;
        for (std::size_t player = 0; player < rating_.size(); ++player) {
            const auto anchor = options.anchors.find(pool.names()[player]);
            rating_[player] = anchor == options.anchors.end() ? center_ : anchor->second / kUnit;
            if (standing[player] != Standing::Rated) continue;
            unknown_[player] = ratings_++;
            if (options.prior > 0 &&
                (options.prior_of.empty() || options.prior_of.contains(pool.names()[player])))
                with_prior_.push_back(player);
        }
        // Whoever is infinitely far from the others leaves no trace in their likelihood.
        for (const auto& [players, games] : pool.pairings())
            if (has_rating(standing[players.first]) && has_rating(standing[players.second]))
                games_.push_back({players.first, players.second, games});
        white_ = options.white_advantage ? ratings_ : kFixed;
        lambda_at_ = ratings_ + (options.white_advantage ? 1 : 0);
        std::uint64_t all = 0;
        std::uint64_t draws = 0;
        for (const auto& [white, black, results] : games_) {
            all += results.games();
            draws += results.draws;
        }
        lambda_ = lambda_of((count(draws) + 0.5) / (count(all) + 1));
        free_ = options.anchors.empty() && with_prior_.empty() && ratings_ > 0;
    }

    std::size_t unknowns() const { return lambda_at_ + 1; }
    std::size_t ratings() const { return ratings_; }
    std::size_t white() const { return white_; }
    std::size_t lambda_at() const { return lambda_at_; }
    // Whether only differences are determined.
    bool free() const { return free_; }
    double rating(std::size_t player) const { return rating_[player]; }
    std::size_t unknown(std::size_t player) const { return unknown_[player]; }
    double white_advantage() const { return advantage_; }
    double lambda() const { return lambda_; }

    double value() const {
        double sum = 0;
        for (const auto& [white, black, results] : games_) {
            const GameModel model(rating_[white] - rating_[black] + advantage_, lambda_);
            sum += (count(results.wins) - count(results.losses)) * model.u + count(results.draws) * lambda_ -
                   count(results.games()) * model.log_sum;
        }
        for (const auto player : with_prior_) sum -= square(rating_[player] - center_) * precision() / 2;
        if (white_ != kFixed) sum -= square(advantage_) * white_precision() / 2;
        sum += options_.draw_prior * (lambda_ / 2 - std::log(2 + std::exp(lambda_)));
        return sum;
    }

    // The gradient and the negative second derivatives.
    void derive(std::vector<double>& gradient, SymmetricMatrix& information) const {
        gradient.assign(unknowns(), 0);
        information = SymmetricMatrix(unknowns());
        for (const auto& [white, black, results] : games_) {
            const GameModel model(rating_[white] - rating_[black] + advantage_, lambda_);
            const double games = count(results.games());
            const double of_u = count(results.wins) - count(results.losses) - games * model.mean;
            const double of_draws = count(results.draws) - games * model.draw;
            const double variance = games * model.variance;
            const double covariance = -games * model.mean * model.draw;
            const double draw_variance = games * model.draw * (1 - model.draw);

            const double delta_delta = variance * square(model.u_delta) - of_u * model.u_delta_delta;
            const double delta_lambda =
                (variance * model.u_lambda + covariance) * model.u_delta - of_u * model.u_delta_lambda;
            const double lambda_lambda = variance * square(model.u_lambda) + 2 * covariance * model.u_lambda +
                                         draw_variance - of_u * model.u_lambda_lambda;

            const std::array<std::pair<std::size_t, double>, 3> parts{
                {{unknown_[white], 1}, {unknown_[black], -1}, {white_, 1}}};
            for (std::size_t a = 0; a < parts.size(); ++a) {
                if (parts[a].first == kFixed) continue;
                gradient[parts[a].first] += of_u * model.u_delta * parts[a].second;
                information.add(parts[a].first, lambda_at_, delta_lambda * parts[a].second);
                for (std::size_t b = 0; b <= a; ++b)
                    if (parts[b].first != kFixed)
                        information.add(parts[a].first, parts[b].first,
                                        delta_delta * parts[a].second * parts[b].second);
            }
            gradient[lambda_at_] += of_draws + of_u * model.u_lambda;
            information.add(lambda_at_, lambda_at_, lambda_lambda);
        }
        for (const auto player : with_prior_) {
            gradient[unknown_[player]] -= (rating_[player] - center_) * precision();
            information.add(unknown_[player], unknown_[player], precision());
        }
        if (white_ != kFixed) {
            gradient[white_] -= advantage_ * white_precision();
            information.add(white_, white_, white_precision());
        }
        const double share = std::exp(lambda_) / (2 + std::exp(lambda_));
        gradient[lambda_at_] += options_.draw_prior * (0.5 - share);
        information.add(lambda_at_, lambda_at_, options_.draw_prior * share * (1 - share));
    }

    void move(const std::vector<double>& step, double factor) {
        for (std::size_t player = 0; player < rating_.size(); ++player)
            if (unknown_[player] != kFixed) rating_[player] += factor * step[unknown_[player]];
        if (white_ != kFixed) advantage_ += factor * step[white_];
        lambda_ += factor * step[lambda_at_];
    }

  private:
    struct Games {
        std::size_t white;
        std::size_t black;
        WinDrawLoss results;
    };
    static double square(double x) { return x * x; }
    static bool has_rating(Standing standing) {
        return standing == Standing::Anchor || standing == Standing::Rated;
    }
    double precision() const { return square(kUnit / options_.prior); }
    double white_precision() const {
        return options_.white_prior > 0 ? square(kUnit / options_.white_prior) : 0;
    }

    const RatingOptions& options_;
    std::vector<double> rating_;
    std::vector<std::size_t> unknown_;     // by player: which unknown its rating is
    std::vector<std::size_t> with_prior_;  // players
    std::vector<Games> games_;
    std::size_t ratings_ = 0;
    std::size_t white_ = kFixed;
    std::size_t lambda_at_ = 0;
    double center_ = 0;
    double advantage_ = 0;
    double lambda_ = 0;
    bool free_ = false;
};

// Where only differences are determined, the information says nothing about the ratings' mean. With this
// added it does, and neither the maximum nor the differences change.
double add_mean(const Likelihood& likelihood, SymmetricMatrix& information) {
    double largest = 0;
    for (std::size_t i = 0; i < likelihood.ratings(); ++i) largest = std::max(largest, information.at(i, i));
    // Where a single player has a rating, nothing is known of it: any weight will do.
    if (largest <= 0) largest = 1;
    const double weight = largest / static_cast<double>(likelihood.ratings());
    for (std::size_t a = 0; a < likelihood.ratings(); ++a)
        for (std::size_t b = 0; b <= a; ++b) information.at(a, b) += weight;
    return weight;
}

// Newton's method, with steps halved while they lead down, and damped where the likelihood is not concave.
// Leaves the factor of the information at the maximum.
base::Result<SymmetricMatrix> maximize(Likelihood& likelihood, double& mean_weight) {
    constexpr int kMostSteps = 200;
    std::vector<double> gradient;
    SymmetricMatrix information(0);
    double value = likelihood.value();
    for (int round = 0; round < kMostSteps; ++round) {
        likelihood.derive(gradient, information);
        if (likelihood.free()) mean_weight = add_mean(likelihood, information);
        SymmetricMatrix factor = information;
        bool damped = false;
        for (double damping = 1e-4; !factorize(factor); damping *= 10) {
            if (damping > 1e6) return base::fail("ratings: the games do not determine them");
            damped = true;
            factor = information;
            for (std::size_t i = 0; i < factor.size(); ++i)
                factor.at(i, i) += damping * (std::abs(information.at(i, i)) + 1e-6);
        }
        std::vector<double> step = gradient;
        solve(factor, step);
        double longest = 0;
        for (const double part : step) longest = std::max(longest, std::abs(part));
        if (longest < 1e-8 && !damped) return factor;
        // No rating moves by more than some 500 Elo at once: far out the likelihood is nearly flat.
        double length = std::min(1.0, 3 / longest);
        likelihood.move(step, length);
        double next = likelihood.value();
        while (next < value - 1e-9 * std::abs(value) && length > 1e-10) {
            likelihood.move(step, -length / 2);
            length /= 2;
            next = likelihood.value();
        }
        value = next;
    }
    return base::fail("ratings: no maximum of the likelihood found in {}", base::counted(kMostSteps, "step"));
}

// What the games of a player who won all of those against rated players (`won`), or lost all, say of his
// rating: at the bound they come by chance once in twenty times. Nothing without such games.
std::optional<double> bound_of(const ResultPool& pool, const PoolRatings& ratings, std::size_t player,
                               bool won) {
    struct Meeting {
        double elo;  // of the opponent, with White's advantage
        double games;
    };
    std::vector<Meeting> meetings;
    for (const auto& [players, games] : pool.pairings()) {
        const bool is_white = players.first == player;
        if (!is_white && players.second != player) continue;
        const auto& other = ratings.players[is_white ? players.second : players.first];
        if (!other.has_rating()) continue;
        meetings.push_back({other.elo + (is_white ? -1 : 1) * ratings.white_advantage, count(games.games())});
    }
    if (meetings.empty()) return std::nullopt;
    const auto log_chance = [&](double elo) {
        double sum = 0;
        for (const auto& [other, games] : meetings) {
            const auto chances = result_chances(elo - other, ratings.draw_rate);
            sum += games * std::log(won ? chances.win : chances.loss);
        }
        return sum;
    };
    constexpr double kOneInTwenty = 0.05;
    constexpr double kFar = 10'000;
    double low = -kFar, high = kFar;
    for (int round = 0; round < 60; ++round) {
        const double middle = (low + high) / 2;
        const bool is_likely = log_chance(middle) >= std::log(kOneInTwenty);
        (is_likely == won ? high : low) = middle;
    }
    return (low + high) / 2;
}

}  // namespace

std::size_t ResultPool::player(std::string_view name) {
    const auto found = numbers_.find(name);
    if (found != numbers_.end()) return found->second;
    names_.emplace_back(name);
    numbers_.emplace(name, names_.size() - 1);
    return names_.size() - 1;
}

std::optional<std::size_t> ResultPool::find(std::string_view name) const {
    const auto found = numbers_.find(name);
    if (found == numbers_.end()) return std::nullopt;
    return found->second;
}

void ResultPool::add(std::size_t white, std::size_t black, games::GameResult result) {
    const auto white_points = games::points(result, chess::White);
    if (!white_points) return;
    add(white, black,
        {*white_points == 1 ? 1U : 0U, *white_points == 0.5 ? 1U : 0U, *white_points == 0 ? 1U : 0U});
}

void ResultPool::add(std::size_t white, std::size_t black, const WinDrawLoss& games) {
    // Nobody can be compared with himself.
    if (white == black || games.games() == 0) return;
    WinDrawLoss& sum = pairings_[{white, black}];
    sum.wins += games.wins;
    sum.draws += games.draws;
    sum.losses += games.losses;
}

void ResultPool::add(const ResultPool& other) {
    for (const auto& [players, games] : other.pairings_) {
        const auto white = player(other.names_[players.first]);
        add(white, player(other.names_[players.second]), games);
    }
}

WinDrawLoss ResultPool::record(std::size_t player) const {
    WinDrawLoss sum;
    for (const auto& [players, games] : pairings_) {
        if (players.first != player && players.second != player) continue;
        sum.wins += players.first == player ? games.wins : games.losses;
        sum.losses += players.first == player ? games.losses : games.wins;
        sum.draws += games.draws;
    }
    return sum;
}

std::uint64_t ResultPool::games() const {
    std::uint64_t sum = 0;
    for (const auto& [players, games] : pairings_) sum += games.games();
    return sum;
}

ResultPool ResultPool::with_games(std::uint64_t at_least) const {
    std::vector<std::uint64_t> played(names_.size());
    for (const auto& [players, games] : pairings_) {
        played[players.first] += games.games();
        played[players.second] += games.games();
    }
    ResultPool result;
    for (const auto& [players, games] : pairings_) {
        if (played[players.first] < at_least || played[players.second] < at_least) continue;
        const auto white = result.player(names_[players.first]);
        result.add(white, result.player(names_[players.second]), games);
    }
    return result;
}

double PlayerRating::score() const {
    return games.games() == 0 ? 0 : (count(games.wins) + count(games.draws) / 2) / count(games.games());
}

double PoolRatings::difference_error(std::size_t a, std::size_t b) const {
    return std::sqrt(std::max(0.0, covariance.get(a, a) + covariance.get(b, b) - 2 * covariance.get(a, b)));
}

std::optional<double> PoolRatings::superiority(std::size_t a, std::size_t b) const {
    if (!players[a].has_rating() || !players[b].has_rating()) return std::nullopt;
    const double difference = players[a].elo - players[b].elo;
    const double error = difference_error(a, b);
    if (error == 0) return difference > 0 ? 1 : difference < 0 ? 0 : 0.5;
    return std::erfc(-difference / error / std::numbers::sqrt2) / 2;
}

base::Result<PoolRatings> rate_pool(const ResultPool& pool, const RatingOptions& options) {
    const std::size_t size = pool.names().size();
    if (pool.pairings().empty()) return base::fail("ratings: no games with a result, expected at least one");
    if (size > kMostRatedPlayers)
        return base::fail("ratings: {}, expected at most {}: leave out those with few games",
                          base::counted(size, "player"), kMostRatedPlayers);
    for (const auto& [name, elo] : options.anchors) {
        if (pool.find(name)) continue;
        std::string hint = base::hint(name, pool.names());
        constexpr std::size_t kShortList = 12;
        if (size > kShortList && !hint.starts_with("did you mean"))
            hint = fmt::format("expected one of the {} who played", size);
        return base::fail("anchor '{}': no player has this name, {}", name, hint);
    }

    const auto standing = standings(pool, options);
    Likelihood likelihood(pool, options, standing);
    double mean_weight = 0;
    auto factor = maximize(likelihood, mean_weight);
    if (!factor) return std::unexpected(factor.error());
    const SymmetricMatrix covariance = inverse(*factor);

    PoolRatings result;
    result.log_likelihood = likelihood.value();
    result.covariance = SymmetricMatrix(size);
    result.players.resize(size);
    // What add_mean() put in comes out as a variance of the mean.
    const double of_mean =
        likelihood.free() ? 1 / (mean_weight * std::pow(static_cast<double>(likelihood.ratings()), 2)) : 0;
    for (std::size_t a = 0; a < size; ++a)
        for (std::size_t b = 0; b <= a; ++b)
            if (likelihood.unknown(a) != kFixed && likelihood.unknown(b) != kFixed)
                result.covariance.at(a, b) =
                    (covariance.get(likelihood.unknown(a), likelihood.unknown(b)) - of_mean) * kUnit * kUnit;
    for (std::size_t i = 0; i < size; ++i) {
        PlayerRating& player = result.players[i];
        player.name = pool.names()[i];
        player.standing = standing[i];
        if (!player.has_rating()) continue;
        player.elo = likelihood.rating(i) * kUnit;
        player.error = kConfidence95 * std::sqrt(std::max(0.0, result.covariance.at(i, i)));
    }
    std::vector<double> rated_games(size);
    for (const auto& [players, games] : pool.pairings()) {
        PlayerRating& white = result.players[players.first];
        PlayerRating& black = result.players[players.second];
        white.games.wins += games.wins;
        white.games.draws += games.draws;
        white.games.losses += games.losses;
        black.games.wins += games.losses;
        black.games.draws += games.draws;
        black.games.losses += games.wins;
        const auto meet = [&](std::size_t player, std::size_t other) {
            if (!result.players[other].has_rating()) return;
            rated_games[player] += count(games.games());
            result.players[player].opponents += count(games.games()) * result.players[other].elo;
        };
        meet(players.first, players.second);
        meet(players.second, players.first);
    }
    for (std::size_t i = 0; i < size; ++i)
        if (rated_games[i] > 0) result.players[i].opponents /= rated_games[i];

    if (options.white_advantage) {
        result.white_advantage = likelihood.white_advantage() * kUnit;
        result.white_advantage_error =
            kConfidence95 * kUnit * std::sqrt(covariance.at(likelihood.white(), likelihood.white()));
    }
    const double nu = std::exp(likelihood.lambda());
    result.draw_rate = nu / (2 + nu);
    result.draw_rate_error = kConfidence95 * result.draw_rate * (1 - result.draw_rate) *
                             std::sqrt(covariance.at(likelihood.lambda_at(), likelihood.lambda_at()));
    for (std::size_t i = 0; i < size; ++i)
        if (standing[i] == Standing::Above || standing[i] == Standing::Below)
            result.players[i].bound = bound_of(pool, result, i, standing[i] == Standing::Above);
    return result;
}

ResultChances result_chances(double elo, double draw_rate) {
    const GameModel model(elo / kUnit, lambda_of(draw_rate));
    return {model.win, model.draw, model.loss};
}

double game_information(double elo, double draw_rate) {
    const GameModel model(elo / kUnit, lambda_of(draw_rate));
    return model.variance * model.u_delta * model.u_delta / (kUnit * kUnit);
}

}  // namespace scholar::arena
