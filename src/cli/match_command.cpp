#include <cmath>
#include <cstdio>
#include <memory>

#include "arena/ladder.hpp"
#include "arena/match.hpp"
#include "arena/match_output.hpp"
#include "arena/match_state.hpp"
#include "arena/roster.hpp"
#include "arena/sprt.hpp"
#include "arena/tournament.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/engine_words.hpp"
#include "cli/match_json.hpp"
#include "cli/match_watch.hpp"
#include "cli/sprt_words.hpp"
#include "cli/trace_option.hpp"

namespace scholar::cli {

namespace {

struct MatchArguments {
    std::vector<std::string> engines;
    std::string players;
    std::string format = "round-robin";
    std::string openings;
    std::size_t opening_plies = 10'000;
    int games = 100;
    std::string time_control = "10+0.1";
    int concurrency = 1;
    std::uint64_t seed = 1;
    std::string pgn;
    std::string log;
    bool json = false;
    std::string event = "Scholar match";
    std::string state;
    std::string tablebases;
    std::string draw;
    std::string resign;
    int max_plies = 0;
    int time_margin = 50;
    std::string sprt;
    TraceSetting trace;
};

// Who meets whom: "round-robin", "gauntlet", "neighbours=3".
base::Result<std::vector<arena::Pairing>> pairings_of(const std::string& format, int engines) {
    if (format == "round-robin") return arena::round_robin(engines);
    if (format == "gauntlet") return arena::gauntlet(engines);
    constexpr std::string_view kNeighbours = "neighbours=";
    if (format.starts_with(kNeighbours)) {
        const auto distance = base::parse_number<int>(std::string_view(format).substr(kNeighbours.size()));
        if (distance && *distance >= 1) return arena::neighbours(engines, *distance);
    }
    return base::fail("--format is '{}', expected round-robin, gauntlet or neighbours=N", format);
}

// Those that --engine names, and the players of a file that are installed.
base::Status add_engines(const MatchArguments& arguments, const arena::TimeControl& control,
                         arena::MatchOptions& options) {
    options.engines.clear();
    options.time_controls.clear();
    for (const auto& words : arguments.engines) {
        auto engine = parse_engine_words(words);
        if (!engine) return std::unexpected(engine.error());
        options.engines.push_back(std::move(engine->config));
        options.time_controls.push_back(engine->time_control.value_or(control));
    }
    if (!arguments.players.empty()) {
        auto ladder = arguments.players == "built-in" ? arena::built_in_ladder()
                                                      : arena::read_ladder(arguments.players);
        if (!ladder) return std::unexpected(ladder.error());
        for (const auto& player : ladder->players) {
            auto found = arena::find_player(*ladder, player, options.openings);
            if (!found) {
                fmt::print(stderr, "skipped: {}: {}\n", player.config.name, found.error().message);
                continue;
            }
            options.time_controls.push_back(ladder->control_of(player));
            options.engines.push_back(std::move(found->config));
        }
    }
    if (options.engines.size() < 2)
        return base::fail("match: {} engine{}, expected at least two", options.engines.size(),
                          options.engines.size() == 1 ? "" : "s");
    auto pairings = pairings_of(arguments.format, static_cast<int>(options.engines.size()));
    if (!pairings) return std::unexpected(pairings.error());
    options.pairings = std::move(*pairings);
    if (options.engines.size() > 2 && !arguments.sprt.empty())
        return base::fail("--sprt tests two engines, and there are {}", options.engines.size());
    return {};
}

base::Result<arena::MatchOptions> match_options(const MatchArguments& arguments) {
    arena::MatchOptions options;
    const auto control = arena::parse_time_control(arguments.time_control);
    if (!control) return base::fail_in("--tc", control.error());
    auto openings = games::read_openings(arguments.openings, arguments.opening_plies);
    if (!openings) return std::unexpected(openings.error());
    options.openings = std::move(*openings);
    if (auto status = add_engines(arguments, *control, options); !status)
        return std::unexpected(status.error());
    options.games = arguments.games;
    options.concurrency = arguments.concurrency;
    options.seed = arguments.seed;
    options.max_plies = arguments.max_plies;
    options.time_margin = std::chrono::milliseconds(arguments.time_margin);
    if (!arguments.draw.empty()) {
        auto& rule = options.draw.emplace();
        if (auto status = read_number_settings(
                "--draw", arguments.draw,
                {{"moves", &rule.moves}, {"score", &rule.score}, {"after", &rule.after}});
            !status)
            return std::unexpected(status.error());
        if (rule.moves < 1) return base::fail("--draw: moves is 0, expected at least 1");
    }
    if (!arguments.resign.empty()) {
        auto& rule = options.resign.emplace();
        int two_sided = 0;
        if (auto status = read_number_settings(
                "--resign", arguments.resign,
                {{"moves", &rule.moves}, {"score", &rule.score}, {"twosided", &two_sided}});
            !status)
            return std::unexpected(status.error());
        if (two_sided > 1) return base::fail("--resign: twosided is {}, expected 0 or 1", two_sided);
        rule.two_sided = two_sided == 1;
        if (rule.moves < 1) return base::fail("--resign: moves is 0, expected at least 1");
    }
    if (!arguments.tablebases.empty()) {
        auto tables = tablebases::Tablebases::open(arguments.tablebases);
        if (!tables) return base::fail_in("--tablebases", tables.error());
        options.tablebases = std::move(*tables);
    }
    return options;
}

base::Status run_match(const MatchArguments& arguments, std::stop_token stop) {
    auto options = match_options(arguments);
    if (!options) return std::unexpected(options.error());
    const auto trace = open_trace(arguments.trace);
    if (!trace) return std::unexpected(trace.error());
    for (auto& engine : options->engines) engine.trace = *trace;

    std::optional<arena::SprtSettings> sprt;
    if (!arguments.sprt.empty()) {
        auto settings = parse_sprt(arguments.sprt);
        if (!settings) return std::unexpected(settings.error());
        sprt = *settings;
    }

    std::vector<arena::MatchObserver*> observers;
    std::unique_ptr<arena::MatchState> state;
    arena::EarlierGames earlier;
    if (!arguments.state.empty()) {
        auto opened =
            arena::MatchState::open(arguments.state, *options,
                                    {.pgn = arguments.pgn, .json = arguments.log, .event = arguments.event});
        if (!opened) return std::unexpected(opened.error());
        state = std::move(*opened);
        observers.push_back(state.get());
        earlier = state->earlier();
        if (!earlier.games.empty())
            fmt::print(stderr, "{}: goes on after {}\n", arguments.state,
                       base::counted(earlier.games.size(), "game"));
    }
    std::optional<arena::PgnOutput> pgn;
    if (!arguments.pgn.empty() && !state) {
        auto file = arena::LineAppender::open(arguments.pgn);
        if (!file) return std::unexpected(file.error());
        observers.push_back(&pgn.emplace(std::move(*file), *options, arguments.event));
    }
    std::optional<arena::JsonOutput> json;
    if (!arguments.log.empty() && !state) {
        auto file = arena::LineAppender::open(arguments.log);
        if (!file) return std::unexpected(file.error());
        observers.push_back(&json.emplace(std::move(*file)));
    }
    const auto played = watch_match(*options, sprt, observers, earlier, stop);
    if (!played) return std::unexpected(played.error());
    const arena::MatchResult& result = played->match;
    if (arguments.json) {
        Json outcome = match_json(result);
        if (played->test) outcome["sprt"] = played->test->describe();
        print(outcome);
    } else {
        fmt::print(
            "{}", options->engines.size() > 2 ? arena::describe_tournament(result) : arena::describe(result));
        if (played->test) fmt::print("  SPRT         {}\n", played->test->describe());
    }
    if (!result.problem.empty()) return base::fail("the match ended early: {}", result.problem);
    return finish_trace(*trace);
}

}  // namespace

void add_match_command(Command app, Invocation& invocation) {
    const Command command = app.add_subcommand(
        "match", "Play engines against each other from an opening file: a match of two, or a tournament");
    command.footer(
        "Each opening is played twice, with both colours. The order of the openings depends on the seed "
        "alone.\n"
        "An engine that makes an illegal move, crashes, stalls, floods or oversteps the time loses that game "
        "and is named.\n"
        "Example:\n"
        "  scholar match --engine 'name=new option.Hash=64' --engine 'cmd=\"gnuchess --uci\"' \\\n"
        "    --openings book.epd --games 100 --tc 10+0.1 --pgn games.pgn\n"
        "More engines than two play a tournament, each pairing --games games, and end with a table of\n"
        "points and ratings:\n"
        "  scholar match --engine name=a --engine 'name=b option.Hash=1' --engine cmd=stockfish \\\n"
        "    --openings book.epd --games 20 --tc 1+0.01 --state tournament.state");
    auto arguments = std::make_shared<MatchArguments>();
    command
        .add_option(
            "--engine", arguments->engines,
            std::string(kEngineHelp) + ", tc (a time control of its own). Give it once for each engine")
        .allow_extra_args(false);
    command.add_option(
        "--players", arguments->players,
        "Engines of a file like ladder/ladder.toml, with the time controls that it gives them, "
        "besides those of --engine; built-in: the ladder's own");
    command
        .add_option(
            "--format", arguments->format,
            "Who of more than two engines meets whom: round-robin (everybody everybody), gauntlet (the "
            "first each of the others), neighbours=N (each the next N in the order in which they are "
            "given)")
        .capture_default_str();
    command
        .add_option("--openings", arguments->openings,
                    "File of positions (EPD or FEN, one a line) or of PGN games; may be compressed")
        .required();
    command.add_option("--opening-plies", arguments->opening_plies,
                       "Half-moves taken from each game of a PGN opening file (default: all)");
    command
        .add_option("--games", arguments->games, "Games of each pairing; an even number makes complete pairs")
        .capture_default_str()
        .check(range(1, 10'000'000));
    command
        .add_option("--tc", arguments->time_control,
                    "Time control: seconds 10+0.1, minutes 5:00+3, periods 40/60+0.5 or 40/60,30+1, a move "
                    "movetime=0.1 "
                    "or 0.1/move, nodes=5000, nodes=10-1000 (drawn for each move), depth=8")
        .capture_default_str();
    command
        .add_option("--concurrency", arguments->concurrency,
                    "Games at a time; more than the cores allow cost the engines time")
        .capture_default_str()
        .check(range(1, 1024));
    command.add_option("--seed", arguments->seed, "Seed of the order of the openings").capture_default_str();
    command.add_option("--pgn", arguments->pgn, "File to append the games to, each as it ends");
    command.add_option("--log", arguments->log, "File to append a line of JSON for each game to");
    command.add_flag("--json", arguments->json, "Print the result as one JSON object");
    command.add_option("--state", arguments->state,
                       "File that keeps the match: the same command with the same file goes on after it was "
                       "interrupted or killed");
    command.add_option("--event", arguments->event, "Event tag of the games").capture_default_str();
    command.add_option(
        "--draw", arguments->draw,
        "Call a game a draw when both scores stay within SCORE centipawns of 0 for MOVES moves after "
        "move AFTER: \"moves=8 score=10 after=40\" (off unless given)");
    command.add_option(
        "--resign", arguments->resign,
        "An engine resigns when its own score stays at or below -SCORE centipawns for MOVES moves: "
        "\"moves=4 score=600\"; with twosided=1 only if its opponent agrees (off unless given)");
    command.add_option("--tablebases", arguments->tablebases,
                       "Folder of Syzygy tables: a game ends when they know its result (off unless given)");
    command
        .add_option("--max-plies", arguments->max_plies,
                    "Half-moves after which a game is a draw; 0: no limit")
        .capture_default_str()
        .check(range(0, 100'000));
    command
        .add_option(
            "--time-margin", arguments->time_margin,
            "Milliseconds over the time allowed that are forgiven: what pipes and a busy machine may cost")
        .capture_default_str()
        .check(range(0, 60'000));
    command.add_option("--sprt", arguments->sprt,
                       "Stop when a sequential probability ratio test on the pairs has decided: "
                       "\"elo0=0 elo1=5 alpha=0.05 beta=0.05 model=logistic\" (or model=normalised)");
    arguments->trace = add_trace_option(command);
    command.callback([&invocation, arguments] {
        invocation.run = [arguments](std::stop_token stop) { return run_match(*arguments, std::move(stop)); };
    });
}

}  // namespace scholar::cli
