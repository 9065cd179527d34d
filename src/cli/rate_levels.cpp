#include "cli/rate_levels.hpp"

#include <fmt/format.h>
#include <optional>

#include "arena/ladder_games.hpp"
#include "arena/placement.hpp"
#include "base/progress.hpp"
#include "base/text.hpp"
#include "engine/strength.hpp"
#include "nets/container/any_network.hpp"
#include "nets/container/embedded.hpp"

namespace scholar::cli {

namespace {

// The name says all that a level is, so that games of another network or of other points do not count.
base::Result<std::string> name_of(const engine::Level& level) {
    const auto network = nets::parse_any_network(nets::default_network_file());
    if (!network) return std::unexpected(network.error());
    return fmt::format("Scholar {}, {} nodes, noise {:.0f}", network->content_name(), level.nodes,
                       level.noise);
}

}  // namespace

base::Status rate_levels(const LadderArguments& arguments, const std::stop_token& stop) {
    auto options = placement_options(arguments);
    if (!options) return std::unexpected(options.error());
    options->games = arguments.games.value_or(100);
    auto games = arena::LadderGames::open(arguments.results);
    if (!games) return std::unexpected(games.error());
    for (const auto& level : engine::levels()) {
        const auto name = name_of(level);
        if (!name) return std::unexpected(name.error());
        options->engine.emplace();
        options->engine->config.name = *name;
        options->engine->config.protocol = arena::Protocol::Internal;
        options->engine->config.options = {{"UCI_LimitStrength", "true"},
                                           {"UCI_Elo", std::to_string(level.elo)}};
        std::optional<base::Progress> progress;
        const auto placed = arena::place_on_ladder(
            *options, *games,
            [&](const arena::PlacementProgress& state) {
                const auto done = static_cast<std::uint64_t>(state.games);
                if (!progress)
                    progress.emplace(*name, static_cast<std::uint64_t>(state.wanted), "games", done);
                progress->update(done, state.estimate);
            },
            stop);
        progress.reset();
        if (!placed) return std::unexpected(placed.error());
        if (!placed->place) {
            fmt::print("{}: no place after {}\n", *name, base::counted(placed->games_known, "game"));
        } else {
            const arena::Place& place = *placed->place;
            fmt::print("{{.elo = {:.0f}, .nodes = {}, .noise = {:.0f}}},  // {}, {} games; was {}\n",
                       place.elo, level.nodes, level.noise,
                       arena::describe_place(place.kind, place.elo, place.error), place.games, level.elo);
        }
        if (stop.stop_requested()) break;
    }
    return {};
}

}  // namespace scholar::cli
