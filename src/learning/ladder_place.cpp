#include "learning/ladder_place.hpp"

#include <algorithm>

#include "arena/child_process.hpp"
#include "arena/ladder_games.hpp"
#include "arena/placement.hpp"
#include "games/openings.hpp"

namespace scholar::learning {

bool can_place(const arena::Ladder& ladder) {
    return std::ranges::any_of(ladder.players, [&](const arena::LadderPlayer& player) {
        if (!player.anchor) return false;
        return player.config.protocol == arena::Protocol::Internal ||
               arena::find_program(player.config.command.front(), ladder.folders);
    });
}

base::Result<std::optional<LadderPlace>> place_network(const LadderPlan& plan, const std::string& name,
                                                       const std::filesystem::path& network,
                                                       const std::stop_token& stop) {
    arena::PlacementOptions options;
    options.ladder = plan.ladder;
    options.engine.emplace();
    options.engine->config.name = name;
    options.engine->config.protocol = arena::Protocol::Internal;
    options.engine->config.options = plan.options;
    options.engine->config.options.emplace_back("EvalFile", network.string());
    options.engine->time_control = plan.control;
    options.games = plan.games;
    options.concurrency = plan.threads;
    options.seed = plan.seed;
    auto openings = games::parse_openings(arena::embedded_openings(), "the built-in openings");
    if (!openings) return std::unexpected(openings.error());
    options.openings = std::move(*openings);
    auto games = arena::LadderGames::open(plan.results.string());
    if (!games) return std::unexpected(games.error());
    const auto placed = arena::place_on_ladder(options, *games, [](const arena::PlacementProgress&) {}, stop);
    if (!placed) return std::unexpected(placed.error());
    if (placed->interrupted || !placed->ratings) return std::nullopt;
    const auto& players = placed->ratings->players;
    const auto player = std::ranges::find(players, placed->engine, &arena::PlayerRating::name);
    // Without games that lead to somebody of known strength its rating would be on no scale.
    const bool has_scale = std::ranges::any_of(
        players, [](const arena::PlayerRating& each) { return each.standing == arena::Standing::Anchor; });
    if (player == players.end() || !has_scale) return std::nullopt;
    LadderPlace place;
    place.games = player->games.games();
    if (player->has_rating()) {
        place.elo = player->elo;
        place.error = player->error;
    } else if (placed->with_prior) {
        place.elo = placed->with_prior->elo;
        place.error = placed->with_prior->error;
        place.with_prior = true;
    } else {
        return std::nullopt;
    }
    return place;
}

}  // namespace scholar::learning
