#include "arena/pairing.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace scholar::arena {

namespace {

// Of the fastest gain: what a more varied field is worth. More to a whole pool, whose players' styles all
// others are measured against.
constexpr double kNearlyBest = 0.7;
constexpr double kNearlyBestOfPool = 0.35;

// What is known of the candidates so far.
struct Knowledge {
    std::vector<double> elo;
    SymmetricMatrix covariance{0};
    double draw_rate = 0.3;
};

Knowledge know(const PairingTask& task) {
    const std::size_t size = task.candidates.size();
    Knowledge result;
    result.covariance = SymmetricMatrix(size);
    RatingOptions options;
    double center = 0;
    ResultPool pool = task.played;
    std::vector<std::size_t> number(size);
    for (std::size_t i = 0; i < size; ++i) {
        number[i] = pool.player(task.candidates[i].name);
        if (const auto anchor = task.candidates[i].anchor) {
            options.anchors.emplace(task.candidates[i].name, *anchor);
            center += *anchor;
        }
    }
    if (!options.anchors.empty()) center /= static_cast<double>(options.anchors.size());
    // Whose games say nothing yet is taken to be like the others, who need no such help.
    auto ratings = rate_pool(pool, options);
    if (ratings) {
        double sum = 0;
        int rated = 0;
        for (std::size_t i = 0; i < size; ++i) {
            const auto& player = ratings->players[number[i]];
            if (player.has_rating()) {
                sum += player.elo;
                ++rated;
            } else {
                options.prior_of.insert(player.name);
            }
        }
        if (rated > 0) options.prior_mean = sum / rated;
        if (!options.prior_of.empty()) {
            options.prior = task.prior;
            ratings = rate_pool(pool, options);
        }
    }
    if (ratings) {
        for (std::size_t i = 0; i < size; ++i) {
            result.elo.push_back(ratings->players[number[i]].elo);
            for (std::size_t k = 0; k <= i; ++k)
                result.covariance.at(i, k) = ratings->covariance.get(number[i], number[k]);
        }
        result.draw_rate = ratings->draw_rate;
        return result;
    }
    // Before the first game.
    for (std::size_t i = 0; i < size; ++i) {
        result.elo.push_back(task.candidates[i].anchor.value_or(center));
        result.covariance.at(i, i) = task.candidates[i].anchor ? 0 : task.prior * task.prior;
    }
    return result;
}

// Opponents of the focus from all over the ladder: of those in order of rating the one in the middle of each
// of `pairs` parts, the inner parts first.
std::size_t spread_opponent(const PairingTask& task, const Knowledge& known, int pairs_so_far) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < task.candidates.size(); ++i)
        if (i != *task.focus) order.push_back(i);
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return known.elo[i]; });
    std::vector<double> places;
    places.reserve(static_cast<std::size_t>(task.spread_pairs));
    for (int i = 0; i < task.spread_pairs; ++i) places.push_back((i + 0.5) / task.spread_pairs);
    std::ranges::stable_sort(places, {}, [](double place) { return std::abs(place - 0.5); });
    const auto at = static_cast<std::size_t>(places[static_cast<std::size_t>(pairs_so_far)] *
                                             static_cast<double>(order.size()));
    return order[std::min(at, order.size() - 1)];
}

}  // namespace

std::optional<std::pair<std::size_t, std::size_t>> choose_pairing(const PairingTask& task) {
    const std::size_t size = task.candidates.size();
    if (size < 2) return std::nullopt;
    const Knowledge known = know(task);

    // Pairs of games, half ones counted half.
    SymmetricMatrix played(size);
    std::map<std::size_t, std::size_t> candidate_of;  // by the pool's number
    for (std::size_t i = 0; i < size; ++i)
        if (const auto number = task.played.find(task.candidates[i].name)) candidate_of.emplace(*number, i);
    for (const auto& [players, games] : task.played.pairings()) {
        const auto first = candidate_of.find(players.first);
        const auto second = candidate_of.find(players.second);
        if (first != candidate_of.end() && second != candidate_of.end())
            played.add(first->second, second->second, static_cast<double>(games.games()) / 2);
    }
    for (const auto& [a, b] : task.under_way) played.add(a, b, 1);

    if (task.focus) {
        double pairs = 0;
        for (std::size_t i = 0; i < size; ++i)
            if (i != *task.focus) pairs += played.get(*task.focus, i);
        if (const int so_far = static_cast<int>(pairs); so_far < task.spread_pairs)
            return std::pair(*task.focus, spread_opponent(task, known, so_far));
    }

    // Without a focus: one of those with the fewest games.
    std::optional<std::size_t> next = task.focus;
    if (!next) {
        std::vector<double> games(size);
        for (std::size_t i = 0; i < size; ++i)
            if (const auto number = task.played.find(task.candidates[i].name))
                games[i] = static_cast<double>(task.played.record(*number).games());
        for (const auto& [a, b] : task.under_way) {
            games[a] += 2;
            games[b] += 2;
        }
        next = std::ranges::min_element(games) - games.begin();
    }

    struct Choice {
        std::size_t a;
        std::size_t b;
        double gain;
    };
    std::vector<Choice> choices;
    double best = 0;
    const auto& c = known.covariance;
    for (std::size_t a = 0; a < size; ++a)
        for (std::size_t b = 0; b < a; ++b) {
            if (a != *next && b != *next) continue;
            const double spread = c.get(a, a) + c.get(b, b) - 2 * c.get(a, b);
            // Where the difference is uncertain, so is what a game would tell: the information is averaged
            // over five points of its distribution.
            double weight = 0;
            for (const double sigmas : {-1.4, -0.7, 0.0, 0.7, 1.4})
                weight += 2 *
                          game_information(known.elo[a] - known.elo[b] + sigmas * std::sqrt(spread),
                                           known.draw_rate) /
                          5;
            double reduction = 0;
            for (std::size_t k = 0; k < size; ++k)
                if (!task.focus || k == *task.focus)
                    reduction += std::pow(c.get(k, a) - c.get(k, b), 2) * weight / (1 + weight * spread);
            const double gain = reduction / (task.candidates[a].seconds + task.candidates[b].seconds);
            choices.push_back({a, b, gain});
            best = std::max(best, gain);
        }
    const Choice* chosen = nullptr;
    for (const auto& choice : choices) {
        if (choice.gain < (task.focus ? kNearlyBest : kNearlyBestOfPool) * best) continue;
        if (chosen == nullptr || played.at(choice.a, choice.b) < played.at(chosen->a, chosen->b) ||
            (played.at(choice.a, choice.b) == played.at(chosen->a, chosen->b) && choice.gain > chosen->gain))
            chosen = &choice;
    }
    if (chosen == nullptr) return std::nullopt;
    return std::pair(chosen->a, chosen->b);
}

}  // namespace scholar::arena
