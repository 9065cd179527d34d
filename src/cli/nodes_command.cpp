#include <chrono>
#include <fmt/format.h>
#include <memory>
#include <optional>

#include "base/cores.hpp"
#include "base/hash.hpp"
#include "base/progress.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/engine_options.hpp"
#include "cli/games_selection.hpp"
#include "cli/games_shared.hpp"
#include "cli/output.hpp"
#include "cli/self_player.hpp"
#include "games/distinct_files.hpp"
#include "selfplay/node_games.hpp"

namespace scholar::cli {

namespace {

struct NodesArguments {
    std::vector<std::string> stores;
    std::string output;
    games::SelectionWords selection{.split = "train"};
    std::uint64_t positions = 10'000;
    std::size_t per_root = 16;
    int min_ply = 10;
    std::uint64_t root_nodes = 10'000;
    std::uint64_t nodes = 2'000;
    EngineSettings settings;
    std::uint64_t seed = 1;
    int threads = 1;
    bool resume = false;
    bool overwrite = false;
    bool json = false;
};

struct Roots {
    std::vector<selfplay::RootGame> games;
    std::uint64_t hash = 0;  // of them and their order
};

// Of the games that are selected: those that have a move and a result, without which no sampler would take a
// node.
base::Result<Roots> read_roots(const NodesArguments& arguments, const std::stop_token& stop) {
    const auto selection = games::parse_selection(arguments.selection);
    if (!selection) return std::unexpected(selection.error());
    const auto stores = open_stores(games::distinct_files(arguments.stores));
    if (!stores) return std::unexpected(stores.error());
    Roots roots;
    base::Progress progress("reading", games_in(*stores), "games");
    const auto read = games::for_each_selected(
        *stores, *selection, {.tags = false, .moves = true, .evaluations = false}, stop,
        [&](std::uint64_t passed) { progress.update(passed); },
        [&](const games::Block& block, std::size_t number, games::GamePlace place) -> base::Status {
            const games::Block::GameInfo& info = block.info(number);
            if (info.plies == 0 || info.result == games::GameResult::Unknown) return {};
            auto game = block.game(number);
            if (!game) return base::fail_in(to_string(*stores, place), game.error());
            roots.games.push_back({game->start, std::move(game->moves), game->result});
            roots.hash = base::hash_text(base::to_hex(info.hash), roots.hash);
            return {};
        });
    progress.finish();
    if (!read) return std::unexpected(read.error());
    if (roots.games.empty())
        return base::fail("{}: none of {} is selected and has moves and a result, expected at least one",
                          arguments.stores.front(), base::counted(games_in(*stores), "game"));
    return roots;
}

base::Result<selfplay::NodeGames> nodes_of(const NodesArguments& arguments, const std::stop_token& stop) {
    const std::vector<std::string>& settings = *arguments.settings;
    if (auto status = check_self_player(settings); !status) return std::unexpected(status.error());
    const auto engine = make_engine(settings);
    if (!engine) return std::unexpected(engine.error());
    auto roots = read_roots(arguments, stop);
    if (!roots) return std::unexpected(roots.error());
    const SelfPlayer player = describe_self_player(**engine, settings);
    selfplay::NodeGames how;
    selfplay::NodePlan& plan = how.plan;
    plan.seed = arguments.seed;
    plan.min_ply = arguments.min_ply;
    plan.root_limit = search::NodeLimit{arguments.root_nodes};
    plan.per_root = arguments.per_root;
    plan.label_limit = search::NodeLimit{arguments.nodes};
    plan.name = player.name;
    for (const auto& [name, value] : {std::pair("Network", player.network),
                                      {"Limit", base::counted(arguments.nodes, "node")},
                                      {"Options", player.options}})
        if (!value.empty()) plan.tags.emplace_back(name, value);
    how.settings = {
        {"GAMES", fmt::format("{} {}", roots->games.size(), base::to_hex(roots->hash))},
        {"--positions", fmt::format("{}", arguments.positions)},
        {"--per-root", fmt::format("{}", arguments.per_root)},
        {"--min-ply", fmt::format("{}", arguments.min_ply)},
        {"--root-nodes", fmt::format("{}", arguments.root_nodes)},
        {"--nodes", fmt::format("{}", arguments.nodes)},
        {"--option", player.options},
        {"network", player.network},
        {"--seed", fmt::format("{}", arguments.seed)},
    };
    plan.games = std::move(roots->games);
    how.games = arguments.positions;
    how.threads = arguments.threads;
    how.store = arguments.output;
    how.resume = arguments.resume;
    how.replace = arguments.overwrite;
    return how;
}

void report_nodes(const NodesArguments& arguments, const selfplay::FilledStore& made,
                  const selfplay::NodePlan& plan, double seconds) {
    const games::StoreSummary& summary = made.finished->summary;
    const auto now = static_cast<double>(made.games - made.before);
    const double rate = seconds > 0 ? now / seconds : 0;
    if (arguments.json) {
        print({{"output", arguments.output},
               {"player", plan.name},
               {"root_games", plan.games.size()},
               {"positions", summary.games},
               {"positions_before", made.before},
               {"copies", made.finished->copies},
               {"bytes", summary.bytes},
               {"seconds", seconds},
               {"positions_per_second", rate},
               {"data_hash", base::to_hex(summary.data_hash)}});
        return;
    }
    fmt::print("{}: {} from searches of {}, of roots from {}", arguments.output,
               base::counted(summary.games, "position"), plan.name, base::counted(plan.games.size(), "game"));
    if (made.finished->copies > 0)
        fmt::print(", {} like another", base::grouped(static_cast<std::int64_t>(made.finished->copies)));
    fmt::print("\n{} in {:.1f} s ({:.0f} positions/s), {}, data hash {}\n",
               base::counted(made.games - made.before, "position"), seconds, rate,
               base::counted(summary.bytes, "byte"), base::to_hex(summary.data_hash));
}

base::Status run_nodes(const NodesArguments& arguments, const std::stop_token& stop) {
    const auto start = Clock::now();
    if (auto status = check_output(arguments.output, arguments.stores); !status) return status;
    if (!arguments.resume)
        if (auto status = check_new_output(arguments.output, arguments.overwrite); !status) return status;
    const auto how = nodes_of(arguments, stop);
    if (!how) return std::unexpected(how.error());
    std::optional<base::Progress> shown;
    const auto made = selfplay::harvest_nodes(
        *how, [&] { return make_engine(*arguments.settings); },
        [&](std::uint64_t positions) {
            if (!shown) shown.emplace("searching", how->games, "positions", positions);
            shown->update(positions);
        },
        stop);
    if (!made) return std::unexpected(made.error());
    if (shown) shown->finish();
    if (!made->finished)
        return base::fail("stopped after {} of {}; the same command with --resume goes on",
                          base::counted(made->games, "position"),
                          base::grouped(static_cast<std::int64_t>(how->games)));
    report_nodes(arguments, *made, how->plan, seconds_since(start));
    return {};
}

void add_nodes_options(Command command, NodesArguments& arguments) {
    command.add_option("GAMES", arguments.stores, "Game stores that roots are drawn from").required();
    command
        .add_option("-o,--output", arguments.output,
                    "The game store to write (NAME.games); it takes that name when it is finished")
        .required();
    command
        .add_option("--positions", arguments.positions, "Nodes to take and search, each a game of one move")
        .check(range(std::uint64_t{1}, std::uint64_t{1'000'000'000}))
        .capture_default_str();
    command.add_option("--per-root", arguments.per_root, "Of these, from one root's search")
        .check(range(1, 1'000))
        .capture_default_str();
    command
        .add_option("--min-ply", arguments.min_ply, "Half-moves at the start of games where no root is drawn")
        .check(range(0, 65'535))
        .capture_default_str();
    command.add_option("--root-nodes", arguments.root_nodes, "Nodes of a root's search")
        .check(range(std::uint64_t{1}, std::uint64_t{1'000'000'000}))
        .capture_default_str();
    command.add_option("--nodes", arguments.nodes, "Nodes of the search that finds a position's best move")
        .check(range(std::uint64_t{1}, std::uint64_t{1'000'000'000}))
        .capture_default_str();
    arguments.settings = add_engine_settings(command);
    command.add_option("--seed", arguments.seed, "Of all that is left to chance").capture_default_str();
    arguments.threads = base::cores();
    command.add_option("--threads", arguments.threads, "Roots at a time, each in a thread of its own")
        .check(range(1, 256))
        .capture_default_str();
    command.add_flag(kResume, arguments.resume, kResumeHelp);
    command.add_flag(kOverwrite, arguments.overwrite, kOverwriteHelp);
    command.add_flag("--json", arguments.json, "Print one JSON object");
    add_selection_options(command, arguments.selection);
}

}  // namespace

void add_nodes_command(Command app, Invocation& invocation) {
    const Command command = app.add_subcommand(
        "nodes", "Take positions inside searches, and their best moves, into a game store");
    command.footer(
        "A root is a position of a game with one random legal move made in it. Of the different positions "
        "above "
        "the\n"
        "horizon of its search, those with two legal moves or more, some are drawn, all equally likely, and "
        "each "
        "is\n"
        "searched by itself. It becomes a game of one move with that search's score, and with the result of "
        "the "
        "game\n"
        "that the root is from. Roots are of training games unless --split says otherwise, so that what is "
        "measured on\n"
        "a store made with --split test is of games that no training has seen.\n"
        "The same command makes the same store, byte for byte, on any number of threads and however often it "
        "was "
        "killed\n"
        "and resumed.\n"
        "Example:\n"
        "  scholar nodes master.games -o nodes.games --positions 200000 --option Hash=1\n"
        "  scholar nodes master.games -o nodes-test.games --positions 20000 --split test --option Hash=1");
    auto arguments = std::make_shared<NodesArguments>();
    add_nodes_options(command, *arguments);
    command.callback([&invocation, arguments] {
        invocation.run = [arguments](const std::stop_token& stop) { return run_nodes(*arguments, stop); };
    });
}

}  // namespace scholar::cli
