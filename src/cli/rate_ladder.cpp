#include "cli/rate_ladder.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

#include "arena/ladder.hpp"
#include "arena/ladder_games.hpp"
#include "arena/placement.hpp"
#include "base/progress.hpp"
#include "cli/engine_words.hpp"
#include "cli/output.hpp"
#include "cli/rating_table.hpp"
#include "games/openings.hpp"

namespace scholar::cli {

namespace {

base::Result<arena::PlacementOptions> placement_options(const LadderArguments& arguments) {
    arena::PlacementOptions options;
    auto ladder = arguments.file.empty()
                      ? arena::parse_ladder(arena::embedded_ladder(), "the built-in ladder")
                      : arena::read_ladder(arguments.file);
    if (!ladder) return std::unexpected(ladder.error());
    options.ladder = std::move(*ladder);
    if (!arguments.time_control.empty()) {
        const auto control = arena::parse_time_control(arguments.time_control);
        if (!control) return base::fail_in("--tc", control.error());
        options.ladder.time_control = *control;
    }
    if (!arguments.engine.empty()) {
        auto engine = parse_engine_words(arguments.engine);
        if (!engine) return std::unexpected(engine.error());
        options.engine.emplace();
        options.engine->config = std::move(engine->config);
        options.engine->time_control = engine->time_control;
    }
    auto openings = arguments.openings.empty()
                        ? games::parse_openings(arena::embedded_openings(), "the built-in openings")
                        : games::read_openings(arguments.openings);
    if (!openings) return std::unexpected(openings.error());
    options.openings = std::move(*openings);
    options.games = arguments.games;
    options.target_error = arguments.target;
    options.concurrency = arguments.concurrency;
    options.seed = arguments.seed;
    return options;
}

void print_json(const arena::PlacementResult& result) {
    Json json = result.ratings ? rating_json(*result.ratings) : Json::object();
    if (!result.engine.empty()) json["engine"] = result.engine;
    if (result.with_prior)
        json["with_prior"] = {{"elo", result.with_prior->elo}, {"error", result.with_prior->error}};
    Json skipped = Json::array();
    for (const auto& player : result.skipped)
        skipped.push_back({{"name", player.name}, {"reason", player.reason}});
    json["skipped"] = std::move(skipped);
    Json failures = Json::array();
    for (const auto& failure : result.failures)
        failures.push_back({{"name", failure.player},
                            {"failure", failure.failure},
                            {"games", failure.games},
                            {"last", failure.last}});
    json["failures"] = std::move(failures);
    json["games_played"] = result.games_played;
    json["games_known"] = result.games_known;
    json["interrupted"] = result.interrupted;
    print(json);
}

// What the table says of the engine, in a sentence.
std::string verdict(const arena::PlacementResult& result) {
    if (result.engine.empty() || !result.ratings) return "";
    for (const auto& player : result.ratings->players) {
        if (player.name != result.engine) continue;
        if (player.has_rating())
            return fmt::format("{}: {:.0f} ± {:.0f} after {} games\n", player.name, player.elo, player.error,
                               player.games.games());
        std::string text = fmt::format("{}: {} of {} games won, {} drawn: no rating yet", player.name,
                                       player.games.wins, player.games.games(), player.games.draws);
        if (result.with_prior)
            text += fmt::format("; with a prior, {:.0f} ± {:.0f}", result.with_prior->elo,
                                result.with_prior->error);
        return text + "\n";
    }
    return "";
}

void print_text(const arena::PlacementResult& result, const arena::Ladder& ladder) {
    if (result.ratings) fmt::print("{}", rating_table(*result.ratings, {result.engine}));
    fmt::print("{}", verdict(result));
    std::string noted;
    for (const auto& player : ladder.players) {
        if (player.note.empty()) continue;
        const bool skipped = std::ranges::any_of(
            result.skipped, [&](const auto& other) { return other.name == player.config.name; });
        if (!skipped)
            noted += fmt::format("{}{} ({})", noted.empty() ? "" : ", ", player.config.name, player.note);
    }
    if (!noted.empty()) fmt::print("on other terms: {}\n", noted);
    for (const auto& player : result.skipped) fmt::print("skipped: {}: {}\n", player.name, player.reason);
    for (const auto& failure : result.failures)
        fmt::print("failed: {}: {} in {} game{}, the last {}\n", failure.player, failure.failure,
                   failure.games, failure.games == 1 ? "" : "s", failure.last);
    if (result.interrupted)
        fmt::print("interrupted after {} games: the same command goes on\n", result.games_played);
}

}  // namespace

void add_ladder_options(Command command, LadderArguments& arguments) {
    const std::string group = "With --ladder";
    const Option ladder =
        command
            .add_option(
                "--ladder",
                [&arguments](const std::vector<std::string>& file) {
                    arguments.wanted = true;
                    if (!file.empty()) arguments.file = file.front();
                },
                "Play on the ladder in this file (default: the built-in one, ladder/ladder.toml). Files of "
                "games are named before it")
            .expected(0, 1)
            .type_name("[FILE]")
            .group(group);
    command
        .add_option("--engine", arguments.engine,
                    std::string(kEngineHelp) +
                        ", tc. The engine to place, with Threads=1 and Hash=16 if it has them and you do not "
                        "say otherwise; without it the ladder's own players play each other")
        .needs(ladder)
        .group(group);
    command
        .add_option("--games", arguments.games,
                    "End with so many games of the engine in --results, earlier "
                    "ones included; without an engine, of anybody")
        .capture_default_str()
        .check(range(1, 10'000'000))
        .needs(ladder)
        .group(group);
    command.add_option("--target", arguments.target, "End when its rating is known to ± so many Elo (95 %)")
        .check(range(0.1, 10'000.0))
        .needs(ladder)
        .group(group);
    command
        .add_option("--results", arguments.results,
                    "File of games, a line of JSON each: what is there counts, what is played is appended")
        .capture_default_str()
        .needs(ladder)
        .group(group);
    command
        .add_option(
            "--openings", arguments.openings,
            "File of positions or PGN games (default: the built-in 100 positions of openings/first.epd)")
        .needs(ladder)
        .group(group);
    command
        .add_option(
            "--tc", arguments.time_control,
            "Another time control than the ladder's, for a trial: its ratings then mean something else")
        .needs(ladder)
        .group(group);
    command.add_option("--concurrency", arguments.concurrency, "Games at a time")
        .capture_default_str()
        .check(range(1, 1024))
        .needs(ladder)
        .group(group);
    command.add_option("--seed", arguments.seed, "Seed of the order of the openings")
        .capture_default_str()
        .needs(ladder)
        .group(group);
}

base::Status rate_on_ladder(const LadderArguments& arguments, const arena::ResultPool& more, bool json,
                            const std::stop_token& stop) {
    auto options = placement_options(arguments);
    if (!options) return std::unexpected(options.error());
    options->more_games = more;
    auto games = arena::LadderGames::open(arguments.results);
    if (!games) return std::unexpected(games.error());
    // Better said now than after the last game.
    if (!arena::can_place(options->ladder))
        fmt::print(
            stderr,
            "warning: no player of known strength is installed: there will be no rating on its scale\n");
    base::Result<arena::PlacementResult> result;
    {
        std::optional<base::Progress> progress;
        result = arena::place_on_ladder(
            *options, *games,
            [&](const arena::PlacementProgress& state) {
                const auto done = static_cast<std::uint64_t>(state.games);
                if (!progress)
                    progress.emplace("ladder", static_cast<std::uint64_t>(arguments.games), "games", done);
                progress->update(done, state.estimate);
            },
            stop);
    }
    if (!result) return std::unexpected(result.error());
    if (json)
        print_json(*result);
    else
        print_text(*result, options->ladder);
    return {};
}

}  // namespace scholar::cli
