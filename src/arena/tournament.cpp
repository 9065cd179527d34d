#include "arena/tournament.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <tuple>

#include "arena/match_output.hpp"
#include "base/text.hpp"

namespace scholar::arena {

namespace {

// With more the table is wider than a screen.
constexpr std::size_t kMostColumns = 14;

struct Row {
    double points = 0;
    double games = 0;
    std::vector<double> against;  // points, by engine
    std::vector<double> met;      // games, by engine
};

std::vector<Row> rows_of(const MatchResult& result) {
    const std::size_t size = result.engines.size();
    std::vector<Row> rows(size, Row{0, 0, std::vector<double>(size), std::vector<double>(size)});
    for (const auto& encounter : result.encounters) {
        const auto games = static_cast<double>(encounter.score.games());
        const double points =
            static_cast<double>(encounter.score.wins) + static_cast<double>(encounter.score.draws) / 2;
        for (int side = 0; side < 2; ++side) {
            const auto own = static_cast<std::size_t>(encounter.engines[side]);
            const auto other = static_cast<std::size_t>(encounter.engines[1 - side]);
            const double own_points = side == 0 ? points : games - points;
            rows[own].points += own_points;
            rows[own].games += games;
            rows[own].against[other] += own_points;
            rows[own].met[other] += games;
        }
    }
    return rows;
}

std::string rating_text(const PlayerRating* player) {
    if (player == nullptr) return "–";
    if (player->has_rating()) return fmt::format("{:+.0f} ± {:.0f}", player->elo, player->error);
    if (!player->bound) return "–";
    return fmt::format("{} {:+.0f}", player->standing == Standing::Above ? ">" : "<", *player->bound);
}

}  // namespace

ResultPool pool_of(const MatchResult& result) {
    ResultPool pool;
    for (const auto& encounter : result.encounters) {
        const auto first = pool.player(result.engines[static_cast<std::size_t>(encounter.engines[0])].name);
        const auto second = pool.player(result.engines[static_cast<std::size_t>(encounter.engines[1])].name);
        pool.add(first, second, encounter.score);
    }
    return pool;
}

base::Result<PoolRatings> rate_tournament(const MatchResult& result) {
    RatingOptions options;
    options.white_advantage = false;
    return rate_pool(pool_of(result), options);
}

std::string describe_tournament(const MatchResult& result) {
    const std::vector<Row> rows = rows_of(result);
    const auto ratings = rate_tournament(result);
    const auto rating_of = [&](std::size_t engine) -> const PlayerRating* {
        if (!ratings) return nullptr;
        const auto found =
            std::ranges::find(ratings->players, result.engines[engine].name, &PlayerRating::name);
        return found == ratings->players.end() || found->games.games() == 0 ? nullptr : &*found;
    };
    // By rating; those above all first, those below all last, and those without a game behind them.
    const auto height = [&](std::size_t engine) {
        const PlayerRating* player = rating_of(engine);
        const double points = rows[engine].points;
        if (player == nullptr) return std::tuple(-2, 0.0, points);
        if (player->has_rating()) return std::tuple(0, player->elo, points);
        const int side = player->standing == Standing::Above ? 1 : -1;
        return std::tuple(side, player->bound.value_or(0), points);
    };
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, std::greater{}, height);

    std::size_t width = 6;
    for (const auto& engine : result.engines) width = std::max(width, base::width_of(engine.name));
    std::string text = base::counted(result.games(), "game") + "\n";
    text += fmt::format("  rank  {}  {:>14} {:>8} {:>6}", base::padded("engine", width), "Elo", "points",
                        "games");
    const bool cross = rows.size() <= kMostColumns;
    for (std::size_t at = 0; cross && at < order.size(); ++at) text += fmt::format(" {:>6}", at + 1);
    text += "\n";
    for (std::size_t at = 0; at < order.size(); ++at) {
        const std::size_t engine = order[at];
        const Row& row = rows[engine];
        text += fmt::format("  {:>4}  {}  ", at + 1, base::padded(result.engines[engine].name, width));
        constexpr std::size_t kRating = 14;
        text += base::right_aligned(rating_text(rating_of(engine)), kRating);
        text += fmt::format(" {:>8.1f} {:>6.0f}", row.points, row.games);
        for (const auto other : order) {
            if (!cross) break;
            text += row.met[other] > 0 ? fmt::format(" {:>6.1f}", row.against[other])
                                       : fmt::format(" {:>6}", engine == other ? "-" : ".");
        }
        text += "\n";
    }
    return text + describe_engines(result) + describe_end(result);
}

}  // namespace scholar::arena
