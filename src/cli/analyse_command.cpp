#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <memory>
#include <optional>

#include "arena/analysis/run.hpp"
#include "base/cores.hpp"
#include "base/hint.hpp"
#include "base/progress.hpp"
#include "base/text.hpp"
#include "chess/fen.hpp"
#include "cli/analysed_games.hpp"
#include "cli/commands.hpp"
#include "cli/engine_words.hpp"
#include "cli/games_selection.hpp"
#include "cli/games_shared.hpp"
#include "cli/output.hpp"

namespace scholar::cli {

namespace {

struct AnalyseArguments {
    std::vector<std::string> files;
    std::string fen;
    games::SelectionWords selection;
    std::uint64_t games = 0;
    std::vector<std::string> systems;
    std::vector<std::string> options;
    std::uint64_t nodes = 10'000;
    int depth = 0;
    double movetime = 0;  // seconds
    int lines = 1;
    int likely = 5;
    // Percentage points.
    double inaccuracy = 10, mistake = 20, blunder = 30, disagreement = 20, unlikely = 2;
    int threads = 1;
    std::string pgn;
    std::string log;
    std::string errors;
    bool moves = false;
    bool wide = false;
    int findings = 5;
    bool resume = false;
    bool overwrite = false;
    bool json = false;
};

base::Result<std::pair<std::string, std::string>> name_and_value(const std::string& setting) {
    const auto equals = setting.find('=');
    if (equals == std::string::npos || equals == 0)
        return base::fail("--option '{}', expected NAME=VALUE", setting);
    return std::pair(setting.substr(0, equals), setting.substr(equals + 1));
}

// "knightcap name=old option.Hash=4": a system's name, then words KEY=VALUE.
base::Result<arena::EngineConfig> parse_system(const std::string& text) {
    std::string_view rest = text;
    const std::string system(base::next_word(rest));
    const engine::Players players = engine::standard_players();
    if (players.find_system(system) == nullptr) {
        std::vector<std::string> known;
        known.reserve(players.systems.size());
        for (const auto& each : players.systems) known.push_back(each.name);
        return base::fail("--system '{}', {}", system, base::hint(system, known));
    }
    arena::EngineConfig config;
    config.name = system;
    config.protocol = arena::Protocol::Internal;
    config.options.emplace_back("System", system);
    const auto settings = split_settings("--system", rest);
    if (!settings) return std::unexpected(settings.error());
    for (const auto& [key, value] : *settings) {
        if (key == "name")
            config.name = value;
        else if (key.starts_with("option."))
            config.options.emplace_back(key.substr(7), value);
        else
            return base::fail("--system: key '{}', {}", key,
                              base::hint(key, std::vector<std::string>{"name", "option.NAME"}));
    }
    return config;
}

base::Result<std::vector<arena::EngineConfig>> read_systems(const AnalyseArguments& arguments) {
    std::vector<std::pair<std::string, std::string>> for_all{{"Seed", "1"}};
    if (arguments.lines > 1) for_all.emplace_back("MultiPV", fmt::format("{}", arguments.lines));
    for (const std::string& setting : arguments.options) {
        auto parsed = name_and_value(setting);
        if (!parsed) return std::unexpected(parsed.error());
        for_all.push_back(std::move(*parsed));
    }
    std::vector<arena::EngineConfig> systems;
    for (const std::string& words :
         arguments.systems.empty() ? arena::systems_of_their_own() : arguments.systems) {
        auto system = parse_system(words);
        if (!system) return std::unexpected(system.error());
        system->options.insert(system->options.begin() + 1, for_all.begin(), for_all.end());
        if (std::ranges::find(systems, system->name, &arena::EngineConfig::name) != systems.end())
            return base::fail("--system: two are called '{}', expected name=ANOTHER of one", system->name);
        for (const auto& [name, value] : system->options)
            if (base::same_ignoring_case(name, "Threads") || base::same_ignoring_case(name, "System"))
                if (&name != &system->options.front().first)
                    return base::fail("option {}={}: expected {}", name, value,
                                      base::same_ignoring_case(name, "System")
                                          ? "--system to say who"
                                          : "--threads, for games and systems at a time");
        systems.push_back(std::move(*system));
    }
    return systems;
}

struct Effort {
    search::Limit limit;
    std::string text;
};
Effort effort_of(const AnalyseArguments& arguments) {
    if (arguments.movetime > 0)
        return {search::MoveTimeLimit{std::chrono::milliseconds(std::llround(1000 * arguments.movetime))},
                fmt::format("{:.3g} s", arguments.movetime)};
    if (arguments.depth > 0)
        return {search::DepthLimit{arguments.depth}, fmt::format("depth {}", arguments.depth)};
    return {search::NodeLimit{arguments.nodes}, base::counted(arguments.nodes, "node")};
}

base::Result<arena::AnalysisThresholds> thresholds_of(const AnalyseArguments& arguments) {
    if (arguments.inaccuracy > arguments.mistake || arguments.mistake > arguments.blunder)
        return base::fail(
            "--inaccuracy {}, --mistake {}, --blunder {}: expected each at least the one before",
            arguments.inaccuracy, arguments.mistake, arguments.blunder);
    return arena::AnalysisThresholds{.inaccuracy = arguments.inaccuracy / 100,
                                     .mistake = arguments.mistake / 100,
                                     .blunder = arguments.blunder / 100,
                                     .disagreement = arguments.disagreement / 100,
                                     .unlikely = arguments.unlikely / 100};
}

base::Status analyse_position(const AnalyseArguments& arguments, const std::stop_token& stop) {
    if (!arguments.pgn.empty() || !arguments.log.empty() || arguments.resume)
        return base::fail("--fen: a position is only shown, expected no {}",
                          !arguments.pgn.empty()   ? "--output"
                          : !arguments.log.empty() ? "--log"
                                                   : kResume);
    const auto position = chess::parse_fen(arguments.fen);
    if (!position) return base::fail_in("--fen", position.error());
    const auto systems = read_systems(arguments);
    if (!systems) return std::unexpected(systems.error());
    const auto thresholds = thresholds_of(arguments);
    if (!thresholds) return std::unexpected(thresholds.error());
    const Effort effort = effort_of(arguments);
    arena::PositionAnalysis analysis{
        .position = *position, .systems = {}, .by_system = {}, .thresholds = *thresholds};
    for (const arena::EngineConfig& system : *systems) {
        auto analyst = arena::Analyst::start(system);
        if (!analyst) return std::unexpected(analyst.error());
        analyst->new_game(1, arena::needs_chess960(*position));
        auto view = analyst->look(chess::Line(*position), effort.limit, true, stop);
        if (!view) return std::unexpected(view.error());
        if (!*view) return base::fail("stopped");
        analysis.systems.push_back(system.name);
        analysis.by_system.push_back(std::move(**view));
    }
    if (arguments.json)
        fmt::print("{}", arena::to_json_line(analysis, effort.text));
    else
        fmt::print("{}\n{} a system\n{}", chess::to_fen(*position), effort.text,
                   arena::describe(analysis, static_cast<std::size_t>(arguments.likely)));
    return {};
}

base::Status analyse_all(const AnalyseArguments& arguments, const std::stop_token& stop) {
    arena::AnalysisRun run;
    for (const std::string& output : {arguments.pgn, arguments.log}) {
        if (output.empty()) continue;
        if (output == "-") return base::fail("{}: expected a file, --json for standard output", output);
        if (auto status = check_output(output, arguments.files); !status) return status;
        if (auto status = check_new_output(output, arguments.overwrite); !status) return status;
    }
    if (!arguments.pgn.empty() && arguments.pgn == arguments.log)
        return base::fail("{}: is the output and the log, expected two files", arguments.pgn);
    if (arguments.resume && arguments.pgn.empty() && arguments.log.empty())
        return base::fail("--resume: goes on with what --output or --log has, expected one of them");
    auto systems = read_systems(arguments);
    if (!systems) return std::unexpected(systems.error());
    run.systems = std::move(*systems);
    const auto thresholds = thresholds_of(arguments);
    if (!thresholds) return std::unexpected(thresholds.error());
    run.thresholds = *thresholds;
    Effort effort = effort_of(arguments);
    run.limit = effort.limit;
    run.limit_text = std::move(effort.text);
    // What is wrong with a system is said before games are read.
    for (const arena::EngineConfig& system : run.systems) {
        auto analyst = arena::Analyst::start(system);
        if (!analyst) return std::unexpected(analyst.error());
        for (const std::string& note : analyst->take_notes())
            fmt::print(stderr, "note: {}: {}\n", system.name, note);
    }

    ProblemLog problems;
    if (auto status = problems.open(arguments.errors); !status) return status;
    auto read = read_games_to_analyse(arguments.files, arguments.selection, arguments.games, problems, stop);
    if (!read) return std::unexpected(read.error());
    run.games = std::move(read->games);
    run.sources = std::move(read->sources);
    run.threads = arguments.threads;
    run.pgn = arguments.pgn;
    run.json = arguments.log;
    run.resume = arguments.resume;
    run.replace = arguments.overwrite;
    const bool one = run.games.size() == 1;
    const bool rows = one || arguments.moves || arguments.wide;
    run.shown = [&](const arena::GameAnalysis& analysis, const arena::GameSource& source) {
        if (arguments.json) return arena::to_json_line(analysis, source, run.limit_text);
        std::string text = arena::describe(arena::summary_of(analysis, source));
        if (rows && !analysis.game.moves.empty()) text += arena::describe(analysis, arguments.wide);
        return text;
    };
    const auto start = Clock::now();
    std::optional<base::Progress> progress;
    const arena::AnalysisObserver observer{
        // Whoever reads along has each game as it is done.
        .game =
            [](const std::string& text) {
                fmt::print("{}", text);
                std::fflush(stdout);
            },
        .progress =
            [&, total = arena::positions_in(run)](std::uint64_t done) {
                if (!progress) progress.emplace("analysing", total, "positions", done - 1);
                progress->update(done);
            },
    };
    const auto outcome = arena::analyse_games(run, observer, stop);
    if (progress) progress->finish();
    if (!outcome) return std::unexpected(outcome.error());
    if (!outcome->finished)
        return base::fail(
            "stopped after {} of {}{}", base::counted(outcome->games.size(), "game"),
            grouped(static_cast<std::int64_t>(run.games.size())),
            run.pgn.empty() && run.json.empty() ? "" : "; the same command with --resume goes on");
    if (arguments.json) {
        problems.note();
        return {};
    }
    fmt::print("{}", arena::describe_findings(outcome->games, static_cast<std::size_t>(arguments.findings)));
    problems.print();
    fmt::print(stderr, "{} in {:.1f} s\n", base::counted(outcome->games.size() - outcome->before, "game"),
               seconds_since(start));
    return {};
}

base::Status analyse(const AnalyseArguments& arguments, const std::stop_token& stop) {
    if (arguments.fen.empty() == arguments.files.empty())
        return base::fail("{}, expected FILE... or --fen FEN",
                          arguments.fen.empty() ? "nothing to analyse" : "files and a position");
    return arguments.fen.empty() ? analyse_all(arguments, stop) : analyse_position(arguments, stop);
}

void add_output_options(Command command, AnalyseArguments& arguments) {
    const char* group = "What comes out";
    const auto given = [&](const Option& option) { option.group(group); };
    given(command.add_option(
        "-o,--output", arguments.pgn,
        "Write the games as PGN with signs ($2, $4, $6), [%eval], reasons and variations"));
    given(command.add_option("--log", arguments.log,
                             "Write a JSON object for each game, on a line of its own"));
    given(command.add_flag("--json", arguments.json, "Print these objects instead of tables"));
    given(command.add_flag("--moves", arguments.moves,
                           "Print a row for each move where there are several games, too"));
    given(command.add_flag("--wide", arguments.wide,
                           "And the lines of those who would have played another move"));
    given(
        command
            .add_option("--findings", arguments.findings, "How many of the worst moves to explain at the end")
            .check(range(0, 1'000'000))
            .capture_default_str());
    given(command.add_option("--likely", arguments.likely, "How many likely moves of a position to print")
              .check(range(0, 256))
              .capture_default_str());
    given(command.add_option("--errors", arguments.errors,
                             "Write every skipped game and why to this file, a line each"));
    given(command.add_flag(kResume, arguments.resume, kResumeHelp));
    given(command.add_flag(kOverwrite, arguments.overwrite, kOverwriteHelp));
}

void add_threshold_options(Command command, AnalyseArguments& arguments) {
    const auto option = [&](const char* name, double& value, const char* help) {
        command.add_option(name, value, help)
            .check(range(0.0, 100.0))
            .capture_default_str()
            .group("Thresholds, in points of a hundred of the expected result");
    };
    option("--inaccuracy", arguments.inaccuracy, "Loss of a move from which on it is ?!");
    option("--mistake", arguments.mistake, "... ?, and a system objects to it");
    option("--blunder", arguments.blunder, "... ??");
    option("--disagreement", arguments.disagreement, "Difference between two systems that is told");
    option("--unlikely", arguments.unlikely,
           "Probability below which a system that plays by probability objects");
}

}  // namespace

void add_analyse_command(Command app, Invocation& invocation) {
    const Command command = app.add_subcommand(
        "analyse", "Show positions and games as all systems see them: what was bad, why, and who disagrees");
    command.footer(
        "Each system (`scholar options`, System) looks at each position of a game. A move costs what the "
        "mover's\n"
        "expected result is lower behind it than behind the system's own move, both searched alike. The "
        "first system\n"
        "that has values gives the signs; the others agree or object.\n"
        "The outputs are the same from any number of threads, and whether or not it was stopped and resumed, "
        "unless\n"
        "--movetime limits searches.\n"
        "\n"
        "Examples:\n"
        "  scholar analyse my-games.pgn.zst --player Carlsen --games 10 -o analysed.pgn\n"
        "  scholar analyse my.games --max-rating 2000 --system scholar --system 'scholar name=raw "
        "option.Search=value'\n"
        "  scholar analyse --fen 'r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3' --lines "
        "3");
    auto arguments = std::make_shared<AnalyseArguments>();
    command.add_option("FILE", arguments->files, "PGN files, packed too, or game stores");
    command.add_option("--fen", arguments->fen, "A position instead of games");
    command
        .add_option("--system", arguments->systems,
                    "A system, and words of its own if need be: name (in tables), option.NAME (of the "
                    "engine); several "
                    "times, the first judges (default: all that have networks)")
        .allow_extra_args(false);
    command
        .add_option(
            "--option", arguments->options,
            "NAME=VALUE: an option of the engine for all systems, as Hash=64; may be given several times")
        .type_name("NAME=VALUE")
        .allow_extra_args(false);
    const Option nodes = command.add_option("--nodes", arguments->nodes, "Nodes a position and system")
                             .check(range(std::uint64_t{1}, std::uint64_t{1'000'000'000}))
                             .capture_default_str();
    const Option depth = command.add_option("--depth", arguments->depth, "Depth instead of nodes")
                             .check(range(1, 240))
                             .excludes(nodes);
    command.add_option("--movetime", arguments->movetime, "Seconds instead of nodes")
        .check(range(0.001, 86'400.0))
        .excludes(nodes)
        .excludes(depth);
    command.add_option("--lines", arguments->lines, "Best moves of each position to look for (MultiPV)")
        .check(range(1, 250))
        .capture_default_str();
    command
        .add_option("--games", arguments->games,
                    "So many of the selected games, evenly spread over them; without this all")
        .check(range(std::uint64_t{1}, std::uint64_t{1'000'000'000}));
    arguments->threads = base::cores();
    command
        .add_option("--threads", arguments->threads,
                    "Systems and games at a time, each with an engine of its own")
        .check(range(1, 256))
        .capture_default_str();
    add_output_options(command, *arguments);
    add_threshold_options(command, *arguments);
    add_selection_options(command, arguments->selection);
    command.callback([&invocation, arguments] {
        invocation.run = [arguments](const std::stop_token& stop) { return analyse(*arguments, stop); };
    });
}

}  // namespace scholar::cli
