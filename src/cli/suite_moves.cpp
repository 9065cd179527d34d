#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "arena/move_suite.hpp"
#include "base/progress.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/engine_words.hpp"
#include "cli/games_selection.hpp"
#include "cli/games_shared.hpp"
#include "cli/trace_option.hpp"
#include "games/distinct_files.hpp"
#include "games/held_out.hpp"
#include "games/move_habits.hpp"

namespace scholar::cli {

namespace {

struct MovesArguments {
    std::vector<std::string> stores;
    std::vector<std::string> engines;
    std::string time_control = "nodes=1000";
    games::HeldOutRule rule;
    games::SelectionWords shares;
    int threads = 1;
    double patience = 300;
    bool json = false;
    TraceSetting trace;
};

// By bands of this width where the rule has none.
constexpr int kUsualBand = 100;
// Of so many training games the most frequent moves are learnt: 1.7 million, for some 4,000 that occur.
constexpr std::uint64_t kHabitGames = 20'000;

base::Result<arena::SearchLimit> limit_of(const std::string& option, const arena::TimeControl& control) {
    if (const auto* nodes = std::get_if<arena::NodesControl>(&control.kind))
        return arena::NodeLimit{nodes->nodes};
    if (const auto* depth = std::get_if<arena::DepthControl>(&control.kind))
        return arena::DepthLimit{depth->depth};
    if (const auto* time = std::get_if<arena::MoveTimeControl>(&control.kind))
        return arena::MoveTimeLimit{time->time};
    return base::fail("{}: tc '{}', expected nodes=N, depth=N or movetime=SECONDS", option,
                      arena::to_string(control));
}

base::Result<std::vector<arena::AskedEngine>> read_engines(const MovesArguments& arguments) {
    const auto control = arena::parse_time_control(arguments.time_control);
    if (!control) return base::fail_in("--tc", control.error());
    const auto limit = limit_of("--tc", *control);
    if (!limit) return std::unexpected(limit.error());
    std::vector<arena::AskedEngine> engines;
    for (const std::string& words : arguments.engines) {
        auto engine = parse_engine_words(words);
        if (!engine) return std::unexpected(engine.error());
        auto own_limit = engine->time_control ? limit_of("--engine", *engine->time_control) : *limit;
        if (!own_limit) return std::unexpected(own_limit.error());
        engines.push_back({std::move(engine->config), *own_limit});
    }
    // Scholar itself, in this process.
    if (engines.empty()) {
        engines.push_back({{}, *limit});
        engines.front().config.protocol = arena::Protocol::Internal;
    }
    // What is left to chance is the same each time.
    for (auto& [config, own_limit] : engines)
        if (config.protocol == arena::Protocol::Internal &&
            std::ranges::none_of(config.options, [](const auto& option) {
                return base::same_ignoring_case(option.first, "Seed");
            }))
            config.options.emplace_back("Seed", "1");
    return engines;
}

base::Status run_moves(const MovesArguments& arguments, const std::stop_token& stop) {
    arena::AskingOptions options;
    auto engines = read_engines(arguments);
    if (!engines) return std::unexpected(engines.error());
    options.engines = std::move(*engines);
    options.concurrency = arguments.threads;
    options.untimed_patience = std::chrono::milliseconds(std::llround(arguments.patience * 1000));
    games::HeldOutRule rule = arguments.rule;
    const auto shares = games::parse_selection(arguments.shares);
    if (!shares) return std::unexpected(shares.error());
    rule.shares = shares->shares;
    const auto stores = open_stores(games::distinct_files(arguments.stores));
    if (!stores) return std::unexpected(stores.error());
    const auto trace = open_trace(arguments.trace);
    if (!trace) return std::unexpected(trace.error());
    for (auto& engine : options.engines) engine.config.trace = *trace;

    const std::uint64_t games = games_in(*stores);
    base::Progress reading("reading", 3 * games, "games");
    const auto set =
        games::draw_held_out(*stores, rule, stop, [&](std::uint64_t passed) { reading.update(passed); });
    if (!set) return std::unexpected(set.error());
    const auto habits =
        games::learn_move_habits(*stores, rule.shares, kHabitGames, stop,
                                 [&](std::uint64_t passed) { reading.update(2 * games + passed); });
    if (!habits) return std::unexpected(habits.error());
    reading.finish();

    base::Result<arena::MoveSuiteResult> result;
    {
        base::Progress progress("moves", set->positions.size() * options.engines.size(), "positions");
        result = arena::run_move_suite(
            *set, *habits, options, [&](std::size_t done) { progress.update(done); }, stop);
    }
    if (!result) return std::unexpected(result.error());
    const int band = rule.band > 0 ? rule.band : kUsualBand;
    fmt::print("{}", arguments.json ? arena::to_json_lines(*set, *result, band)
                                    : arena::describe(*set, *result, band));
    return finish_trace(*trace);
}

}  // namespace

void add_suite_moves(Command suite, Invocation& invocation) {
    const Command command =
        suite.add_subcommand("moves", "Measure how well engines foretell the moves of games");
    command.footer(
        "Test games (by the hash of their moves; no training sees them) are put to the engines move by move, "
        "each\n"
        "position with the game so far. The table has the share of the moves played that an engine holds to "
        "be "
        "the\n"
        "best, or among its best 3, 5 and 10, with 95 % errors, and where it gives probabilities (Search "
        "policy) the\n"
        "mean of -ln p of the move played. A search without probabilities or visits tells its best move "
        "alone, "
        "or as\n"
        "many as its option MultiPV says; other programs tell one. Beside them: the most frequent of the "
        "legal "
        "moves\n"
        "(by how often the same piece, from and to was played where it was legal, in training games), and "
        "chance.\n"
        "The same rule, seed and games give the same set, whose hash is told.\n"
        "Example:\n"
        "  scholar games import -o master.games games/master-games.pgn.zst\n"
        "  scholar suite moves master.games --engine 'name=search' --engine 'name=guess option.Search=value "
        "option.MultiPV=10'");
    auto arguments = std::make_shared<MovesArguments>();
    games::HeldOutRule& rule = arguments->rule;
    command.add_option("STORE", arguments->stores, "Game stores").required();
    command
        .add_option("--engine", arguments->engines,
                    std::string(kEngineHelp) +
                        ", tc (a limit of its own). Several are asked in turns (default: Scholar)")
        .allow_extra_args(false);
    command
        .add_option("--tc", arguments->time_control, "Limit a position: nodes=N, depth=N or movetime=SECONDS")
        .capture_default_str();
    command.add_option("--positions", rule.positions, "At most so many; with --bands in each of them")
        .capture_default_str()
        .check(range(std::uint64_t{1}, std::uint64_t{1} << 32));
    command.add_option("--per-game", rule.per_game, "At most so many positions of a game (0: no limit)")
        .capture_default_str()
        .check(range(0, 65'535));
    command.add_option("--min-ply", rule.min_ply, "Half-moves at the start of games that are left out")
        .capture_default_str()
        .check(range(0, 65'535));
    command
        .add_option("--bands", rule.band,
                    "Draw --positions of each band so wide of the rating of the player to move (WhiteElo, "
                    "BlackElo); 0: of all games together")
        .capture_default_str()
        .check(range(0, 10'000));
    command.add_option("--seed", rule.seed, "Of the draw of positions")
        .check(whole_number())
        .capture_default_str();
    command
        .add_option("--threads", arguments->threads,
                    "Positions at a time, each with its own engines; the answers are the same")
        .capture_default_str()
        .check(range(1, 1024));
    command.add_option("--patience", arguments->patience, "Seconds to wait for an answer that has no clock")
        .capture_default_str()
        .check(range(0.1, 864'000.0));
    add_share_options(command, arguments->shares);
    arguments->trace = add_trace_option(command);
    command.add_flag("--json", arguments->json,
                     "Print lines of JSON: the set, each answer, and each group of the table by engine");
    command.callback([&invocation, arguments] {
        invocation.run = [arguments](const std::stop_token& stop) { return run_moves(*arguments, stop); };
    });
}

}  // namespace scholar::cli
