#include "cli/rate_ladder.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>

#include "arena/ladder.hpp"
#include "arena/ladder_games.hpp"
#include "arena/leave_one_out.hpp"
#include "arena/misfit.hpp"
#include "arena/placement.hpp"
#include "base/files.hpp"
#include "base/progress.hpp"
#include "base/streams.hpp"
#include "base/text.hpp"
#include "cli/engine_words.hpp"
#include "cli/output.hpp"
#include "cli/rating_table.hpp"
#include "games/openings.hpp"

namespace scholar::cli {

base::Result<arena::PlacementOptions> placement_options(const LadderArguments& arguments) {
    arena::PlacementOptions options;
    auto ladder = arguments.file.empty() ? arena::built_in_ladder() : arena::read_ladder(arguments.file);
    if (!ladder) return std::unexpected(ladder.error());
    options.ladder = std::move(*ladder);
    if (arguments.fresh) options.ladder.record = {};
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
    options.games = arguments.games.value_or(arguments.engine.empty() ? 0 : 100);
    options.target_error = arguments.target;
    options.concurrency = arguments.concurrency;
    options.seed = arguments.seed;
    return options;
}

namespace {

std::string name_in(const arena::PlacementResult& result, std::size_t player) {
    return result.ratings->players[player].name;
}

Json misfit_json(const arena::PlacementResult& result, const arena::Misfit& misfit) {
    Json pairs = Json::array();
    for (const auto& pair : misfit.pairs)
        pairs.push_back({{"first", name_in(result, pair.first)},
                         {"second", name_in(result, pair.second)},
                         {"games", pair.games},
                         {"points", pair.points},
                         {"expected", pair.expected},
                         {"deviation", pair.deviation}});
    Json json{{"chi_square", misfit.chi_square}, {"freedom", misfit.freedom}};
    if (misfit.chance) json["chance"] = *misfit.chance;
    json["pairs"] = std::move(pairs);
    return json;
}

Json place_json(const arena::Place& place) {
    Json json{{"kind", arena::to_string(place.kind)},
              {"elo", place.elo},
              {"error", place.error},
              {"games", place.games}};
    if (!place.player.empty()) json["beyond"] = place.player;
    return json;
}

void print_json(const arena::PlacementResult& result, const std::vector<arena::LargestMove>& moves) {
    Json json = result.ratings ? rating_json(*result.ratings) : Json::object();
    if (!result.engine.empty()) json["engine"] = result.engine;
    if (result.place) json["place"] = place_json(*result.place);
    if (result.ratings) json["misfit"] = misfit_json(result, arena::misfit_of(result.pool, *result.ratings));
    if (!moves.empty()) {
        auto& list = json["leave_one_out"] = Json::array();
        for (const auto& move : moves)
            list.push_back({{"left_out", move.left_out},
                            {"moved", move.moved},
                            {"by", move.moved_by},
                            {"error", move.error}});
    }
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
    if (result.engine.empty()) return "";
    if (!result.place)
        return fmt::format("{}: no place yet: none of its games is against a player of known strength\n",
                           result.engine);
    const arena::Place& place = *result.place;
    std::string text = fmt::format("{}: {} after {}", result.engine,
                                   arena::describe_place(place.kind, place.elo, place.error),
                                   base::counted(place.games, "game"));
    const bool above = place.kind == arena::PlaceKind::MoreThan;
    if (!place.player.empty())
        text += fmt::format(", the place of {}: the ladder has nobody {}", place.player,
                            above ? "stronger" : "weaker");
    else if (place.kind != arena::PlaceKind::Rated)
        text += fmt::format(": it {} all of them, so no more is certain (95 %)", above ? "won" : "lost");
    return text + "\n";
}

// How well one number for each player explains the games, and where it does not.
std::string misfit_text(const arena::PlacementResult& result) {
    const arena::Misfit misfit = arena::misfit_of(result.pool, *result.ratings);
    if (!misfit.chance) return "";
    std::string text =
        fmt::format("misfit: chi-square {:.1f} with {:.0f} degrees of freedom over {} of players",
                    misfit.chi_square, misfit.freedom, base::counted(misfit.pairs.size(), "pair"));
    text += *misfit.chance < 0.001
                ? ", by chance in fewer than 1 of 1,000 such pools\n"
                : fmt::format(", by chance in {:.1f} % of such pools\n", 100 * *misfit.chance);
    const double limit = arena::remarkable_deviation(misfit.pairs.size());
    for (const auto& pair : misfit.pairs) {
        if (std::abs(pair.deviation) < limit) break;
        text += fmt::format(
            "  {} scored {:.1f} of {:.0f} against {}, expected {:.1f} ({:+.1f} standard errors)\n",
            name_in(result, pair.first), pair.points, pair.games, name_in(result, pair.second), pair.expected,
            pair.deviation);
    }
    return text;
}

std::string moves_text(const std::vector<arena::LargestMove>& moves) {
    // Those that matter most first; the others move nobody far.
    constexpr std::size_t kShown = 10;
    const auto share = [](const arena::LargestMove& move) {
        return move.error > 0 ? std::abs(move.moved_by) / move.error : 0;
    };
    std::vector<arena::LargestMove> sorted = moves;
    std::ranges::stable_sort(sorted, std::greater{}, share);
    const double worst = sorted.empty() ? 0 : share(sorted.front());
    if (sorted.size() > kShown) sorted.resize(kShown);
    std::string text;
    for (const auto& move : sorted) {
        text += fmt::format("without {}: most moves {}, by {:+.1f} of its ± {:.1f}\n", move.left_out,
                            move.moved, move.moved_by, move.error);
    }
    if (moves.size() > sorted.size())
        text += fmt::format("without each of the {} others all move less\n", moves.size() - sorted.size());
    if (!moves.empty()) text += fmt::format("the largest move is {:.2f} of the error\n", worst);
    return text;
}

void print_text(const arena::PlacementResult& result, const arena::Ladder& ladder,
                const std::vector<arena::LargestMove>& moves) {
    if (result.ratings) {
        fmt::print("{}", rating_table(*result.ratings, {result.engine}));
        fmt::print("{}", misfit_text(result));
    } else {
        fmt::print("no games yet: no table\n");
    }
    fmt::print("{}{}", moves_text(moves), verdict(result));
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
        fmt::print("failed: {}: {} in {}, the last {}\n", failure.player, failure.failure,
                   base::counted(failure.games, "game"), failure.last);
    if (result.interrupted)
        fmt::print("interrupted after {}: the same command goes on\n",
                   base::counted(result.games_played, "game"));
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
                        "say otherwise; without it the ladder's own players are rated, and play each other "
                        "if --games "
                        "asks for more games than they have")
        .needs(ladder)
        .group(group);
    command
        .add_option(
            "--games", arguments.games,
            "End with so many games of the engine in --results, earlier ones included (default: 100); "
            "without an engine, so many of each player, the ladder's own games included (default: "
            "none are played)")
        .check(range(0, 10'000'000))
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
    arguments.trace = add_trace_option(command);
    command
        .add_flag("--levels", arguments.levels,
                  "Place the points between which the levels of Scholar's own UCI_Elo lie, --games each, and "
                  "print them as engine/strength.cpp has them")
        .needs(ladder)
        .group(group);
    command
        .add_flag("--fresh", arguments.fresh,
                  "Without the games that come with the ladder: to rate its players anew on this machine")
        .needs(ladder)
        .group(group);
    command
        .add_flag("--leave-one-out", arguments.leave_one_out,
                  "Show who moves most when each player in turn is left out with all his games")
        .needs(ladder)
        .group(group);
    command
        .add_option(
            "--record", arguments.record,
            "Write the ladder's games and those of --results to this file, as a ladder's file names it in "
            "'games'; compressed if its name ends with .zst. Games that are in both count twice: begin "
            "another --results with it")
        .needs(ladder)
        .group(group);
}

namespace {

base::Status write_record(const std::string& path, const arena::Ladder& ladder,
                          const arena::LadderRecord& played) {
    arena::LadderRecord all = ladder.record;
    all.games.insert(all.games.end(), played.games.begin(), played.games.end());
    all.players.insert(played.players.begin(), played.players.end());
    std::string text = arena::compact_text(all);
    constexpr int kLevel = 19;
    if (path.ends_with(".zst")) text = base::compress_block(text, kLevel);
    return base::write_atomically(path, text);
}

}  // namespace

base::Status rate_on_ladder(const LadderArguments& arguments, const arena::ResultPool& more, bool json,
                            const std::stop_token& stop) {
    auto options = placement_options(arguments);
    if (!options) return std::unexpected(options.error());
    options->more_games = more;
    const auto trace = open_trace(arguments.trace);
    if (!trace) return std::unexpected(trace.error());
    if (options->engine) options->engine->config.trace = *trace;
    for (auto& player : options->ladder.players) player.config.trace = *trace;
    auto games = arena::LadderGames::open(arguments.results);
    if (!games) return std::unexpected(games.error());
    // Better said now than after the last game.
    if (!arena::can_place(options->ladder))
        fmt::print(stderr,
                   "warning: no player of known strength can play here: there will be no rating on the "
                   "ladder's scale\n");
    base::Result<arena::PlacementResult> result;
    {
        std::optional<base::Progress> progress;
        result = arena::place_on_ladder(
            *options, *games,
            [&](const arena::PlacementProgress& state) {
                const auto done = static_cast<std::uint64_t>(state.games);
                if (!progress)
                    progress.emplace("ladder", static_cast<std::uint64_t>(state.wanted), "games", done);
                progress->update(done, state.estimate);
            },
            stop);
    }
    if (!result) return std::unexpected(result.error());
    std::vector<arena::LargestMove> moves;
    if (arguments.leave_one_out && result->ratings) {
        auto found = arena::leave_one_out(result->pool, arena::rating_options(options->ladder, result->pool));
        if (!found) return std::unexpected(found.error());
        moves = std::move(*found);
    }
    if (json)
        print_json(*result, moves);
    else
        print_text(*result, options->ladder, moves);
    if (auto status = finish_trace(*trace); !status) return status;
    if (!arguments.record.empty()) return write_record(arguments.record, options->ladder, games->record());
    return {};
}

}  // namespace scholar::cli
