#include "cli/rating_table.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include "base/text.hpp"

namespace scholar::cli {

namespace {

using arena::PlayerRating;
using arena::Standing;

std::string_view name_of(Standing standing) {
    switch (standing) {
        case Standing::Anchor:
            return "anchor";
        case Standing::Rated:
            return "rated";
        case Standing::Above:
            return "above them";
        case Standing::Below:
            return "below them";
        case Standing::Unconnected:
            return "unconnected";
    }
    return "";
}

// Those with a rating first.
int place_of(const PlayerRating& player) {
    switch (player.standing) {
        case Standing::Anchor:
        case Standing::Rated:
            return 0;
        case Standing::Above:
            return 1;
        case Standing::Below:
            return 2;
        case Standing::Unconnected:
            break;
    }
    return 3;
}

double percent(double part, double whole) {
    return whole == 0 ? 0 : 100 * part / whole;
}

}  // namespace

std::vector<std::size_t> by_rating(const arena::PoolRatings& ratings) {
    std::vector<std::size_t> order(ratings.players.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
        const auto& one = ratings.players[a];
        const auto& other = ratings.players[b];
        if (place_of(one) != place_of(other)) return place_of(one) < place_of(other);
        return one.elo > other.elo;
    });
    return order;
}

std::string rating_table(const arena::PoolRatings& ratings, const std::vector<std::string>& marked) {
    std::size_t width = 6;
    for (const auto& player : ratings.players) width = std::max(width, base::width_of(player.name));
    std::string text =
        fmt::format("  {:>4}  {}  {:>7} {:>6} {:>7} {:>7} {:>7} {:>7}\n", "rank",
                    base::padded("player", width), "Elo", "±", "games", "score", "draws", "against");
    int rank = 0;
    for (const auto i : by_rating(ratings)) {
        const auto& player = ratings.players[i];
        const auto games = static_cast<double>(player.games.games());
        const bool mark = std::ranges::find(marked, player.name) != marked.end();
        text += mark ? "> " : "  ";
        text += player.has_rating() ? fmt::format("{:>4}  ", ++rank) : fmt::format("{:>4}  ", "-");
        text += base::padded(player.name, width);
        switch (player.standing) {
            case Standing::Anchor:
                text += fmt::format("  {:>7.1f} {:>6}", player.elo, "anchor");
                break;
            case Standing::Rated:
                text += fmt::format("  {:>7.1f} {:>6.1f}", player.elo, player.error);
                break;
            default:
                text += fmt::format(
                    "  {:>14}", player.bound
                                    ? fmt::format("{} {:.0f}", player.standing == Standing::Above ? ">" : "<",
                                                  *player.bound)
                                    : std::string(name_of(player.standing)));
        }
        text += fmt::format(" {:>7} {:>5.1f} % {:>5.1f} %", player.games.games(), 100 * player.score(),
                            percent(static_cast<double>(player.games.draws), games));
        text += player.opponents != 0 ? fmt::format(" {:>7.1f}\n", player.opponents)
                                      : fmt::format(" {:>7}\n", "-");
    }
    text += fmt::format("White's advantage {:+.1f} ± {:.1f} Elo; draws among equals {:.1f} ± {:.1f} %\n",
                        ratings.white_advantage, ratings.white_advantage_error, 100 * ratings.draw_rate,
                        100 * ratings.draw_rate_error);
    return text;
}

Json rating_json(const arena::PoolRatings& ratings) {
    Json players = Json::array();
    const auto order = by_rating(ratings);
    for (std::size_t at = 0; at < order.size(); ++at) {
        const auto& player = ratings.players[order[at]];
        Json entry{{"name", player.name}, {"standing", name_of(player.standing)}};
        if (player.has_rating()) {
            entry["elo"] = player.elo;
            entry["error"] = player.error;
        }
        if (player.bound) entry["bound"] = *player.bound;
        entry["games"] = player.games.games();
        entry["wins"] = player.games.wins;
        entry["draws"] = player.games.draws;
        entry["losses"] = player.games.losses;
        entry["score"] = player.score();
        entry["opponents"] = player.opponents;
        if (at + 1 < order.size())
            if (const auto superiority = ratings.superiority(order[at], order[at + 1]))
                entry["superiority_over_next"] = *superiority;
        players.push_back(std::move(entry));
    }
    return {{"players", std::move(players)},
            {"white_advantage", ratings.white_advantage},
            {"white_advantage_error", ratings.white_advantage_error},
            {"draw_rate", ratings.draw_rate},
            {"draw_rate_error", ratings.draw_rate_error},
            {"log_likelihood", ratings.log_likelihood}};
}

}  // namespace scholar::cli
