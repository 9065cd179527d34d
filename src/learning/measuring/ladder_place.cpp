#include "learning/measuring/ladder_place.hpp"

#include "arena/placement.hpp"
#include "games/openings.hpp"

namespace scholar::learning {

std::optional<LadderPlace> place_by_games(const arena::ResultPool& games, const arena::Ladder& ladder,
                                          const std::string& name) {
    const arena::ResultPool all = arena::with_record(ladder, games);
    const arena::RatingOptions options = arena::rating_options(ladder, all);
    // Without anybody of known strength its rating would be on no scale.
    if (options.anchors.empty()) return std::nullopt;
    const auto rated = arena::rate_pool(all, options);
    if (!rated) return std::nullopt;
    const auto place = arena::place_of(ladder, *rated, name);
    if (!place) return std::nullopt;
    return LadderPlace{0, place->elo, place->error, place->games, place->kind};
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
    const auto placed = arena::place_on_ladder(
        options, *games,
        [&](const arena::PlacementProgress& state) {
            if (plan.watch) plan.watch(state.games);
        },
        stop);
    if (!placed) return std::unexpected(placed.error());
    if (placed->interrupted) return std::nullopt;
    return place_by_games(games->record().pool(), plan.ladder, placed->engine);
}

}  // namespace scholar::learning
