#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <optional>

#include "arena/child_process.hpp"
#include "arena/engine_identity.hpp"
#include "base/cores.hpp"
#include "base/hash.hpp"
#include "base/json.hpp"
#include "base/progress.hpp"
#include "base/text.hpp"
#include "cli/engine_words.hpp"
#include "cli/games_commands.hpp"
#include "cli/games_selection.hpp"
#include "cli/games_shared.hpp"
#include "games/distinct_files.hpp"
#include "selfplay/labelled_games.hpp"

namespace scholar::cli {

namespace {

struct LabelArguments {
    std::vector<std::string> stores;
    std::string output;
    games::SelectionWords selection;
    std::string engine;
    std::uint64_t nodes = 0;
    std::uint64_t games = 0;
    int threads = 1;
    bool resume = false;
    bool overwrite = false;
    bool json = false;
};

struct GamesToLabel {
    std::vector<games::Game> games;
    std::uint64_t hash = 0;  // of them and their order
};

// Of the selected games so many, spread evenly over all of them; 0: all.
base::Result<GamesToLabel> read_games(const LabelArguments& arguments, const std::stop_token& stop) {
    const auto selection = games::parse_selection(arguments.selection);
    if (!selection) return std::unexpected(selection.error());
    const auto stores = open_stores(games::distinct_files(arguments.stores));
    if (!stores) return std::unexpected(stores.error());
    std::uint64_t selected = 0;
    const auto counted = games::for_each_selected(
        *stores, *selection, {.tags = false, .moves = false, .evaluations = false}, stop,
        [](std::uint64_t) {},
        [&](const games::Block&, std::size_t, games::GamePlace) -> base::Status {
            ++selected;
            return {};
        });
    if (!counted) return std::unexpected(counted.error());
    if (selected == 0)
        return base::fail("{}: none of {} is selected, expected at least one", arguments.stores.front(),
                          base::counted(games_in(*stores), "game"));
    const std::uint64_t wanted = arguments.games == 0 ? selected : std::min(arguments.games, selected);
    GamesToLabel found;
    std::uint64_t passed = 0;
    base::Progress progress("reading", games_in(*stores), "games");
    const auto read = games::for_each_selected(
        *stores, *selection, {.tags = true, .moves = true, .evaluations = false}, stop,
        [&](std::uint64_t games) { progress.update(games); },
        [&](const games::Block& block, std::size_t number, games::GamePlace place) -> base::Status {
            // Where the share of those that are taken passes a whole number.
            const std::uint64_t before = passed * wanted / selected;
            ++passed;
            if (passed * wanted / selected == before) return {};
            auto game = block.game(number);
            if (!game) return base::fail_in(to_string(*stores, place), game.error());
            found.hash = base::hash_text(base::to_hex(block.info(number).hash), found.hash);
            found.games.push_back(std::move(*game));
            return {};
        });
    progress.finish();
    if (!read) return std::unexpected(read.error());
    return found;
}

// How many evaluations the store has.
base::Result<std::uint64_t> labels_in(const std::string& path, const std::stop_token& stop) {
    const auto store = games::StoreReader::open(path);
    if (!store) return std::unexpected(store.error());
    std::uint64_t labels = 0;
    const auto counted =
        for_each_game(*store, "counting", stop, [&](const games::Game& game, const auto&) -> base::Status {
            for (const auto& evaluation : game.evaluations) labels += evaluation ? 1 : 0;
            return {};
        });
    if (!counted) return std::unexpected(counted.error());
    return labels;
}

// Who labels, as the games' tag says it: "Stockfish 15.1 (Use NNUE=false), static".
std::string annotator(const std::string& name, const arena::EngineConfig& config, std::uint64_t nodes) {
    std::string options;
    for (const auto& [option, value] : config.options)
        options += fmt::format("{}{}={}", options.empty() ? " (" : ", ", option, value);
    if (!options.empty()) options += ")";
    return fmt::format("{}{}, {}", name, options, nodes > 0 ? base::counted(nodes, "node") : "static");
}

base::Status report(const LabelArguments& arguments, const selfplay::FilledStore& made,
                    const std::string& engine, double seconds, const std::stop_token& stop) {
    const games::StoreSummary& summary = made.finished->summary;
    const auto labels = labels_in(arguments.output, stop);
    if (!labels) return std::unexpected(labels.error());
    if (arguments.json) {
        print({{"output", arguments.output},
               {"engine", engine},
               {"games", summary.games},
               {"games_before", made.before},
               {"plies", summary.plies},
               {"labels", *labels},
               {"bytes", summary.bytes},
               {"seconds", seconds},
               {"data_hash", base::to_hex(summary.data_hash)}});
    } else {
        fmt::print("{}: {}, {} for {} by {}\n", arguments.output, base::counted(summary.games, "game"),
                   base::counted(*labels, "label"), base::counted(summary.plies, "half-move"), engine);
        fmt::print("{:.1f} s", seconds);
        if (made.before == 0 && seconds > 0)
            fmt::print(" ({:.0f} labels/s)", static_cast<double>(*labels) / seconds);
        fmt::print(", {}, data hash {}\n", base::counted(summary.bytes, "byte"),
                   base::to_hex(summary.data_hash));
    }
    if (*labels == 0)
        return base::fail("{}: no labels: {} has no score for any position", arguments.output, engine);
    return {};
}

base::Status label(const LabelArguments& arguments, const std::stop_token& stop) {
    const auto start = Clock::now();
    if (auto status = check_output(arguments.output, arguments.stores); !status) return status;
    if (!arguments.resume)
        if (auto status = check_new_output(arguments.output, arguments.overwrite); !status) return status;
    const auto words = parse_engine_words(arguments.engine);
    if (!words) return std::unexpected(words.error());
    if (words->time_control) return base::fail("--engine: key 'tc' has no meaning for labels, use --nodes");
    const auto start_engine = [&] { return arena::start_player(words->config, {}); };
    arena::allow_many_files();
    const auto identity = arena::describe_engine(words->config);
    if (!identity) return std::unexpected(identity.error());
    // What it is called goes into the games; and what cannot label is told of before games are read.
    std::string name;
    {
        const auto engine = start_engine();
        if (!engine) return std::unexpected(engine.error());
        if (arguments.nodes == 0)
            if (const auto value = (*engine)->static_value(chess::Position()); !value)
                return std::unexpected(value.error());
        name = (*engine)->name();
    }
    auto read = read_games(arguments, stop);
    if (!read) return std::unexpected(read.error());
    selfplay::LabelledGames how;
    how.plan.annotator = annotator(name, words->config, arguments.nodes);
    if (arguments.nodes > 0) how.plan.nodes = arguments.nodes;
    how.settings = {{"GAMES", fmt::format("{} {}", read->games.size(), base::to_hex(read->hash))},
                    {"--engine", arguments.engine},
                    {"program and files", base::to_hex(base::hash_text(base::json_line(*identity)))},
                    {"--nodes", fmt::format("{}", arguments.nodes)}};
    how.plan.games = std::move(read->games);
    how.threads = arguments.threads;
    how.store = arguments.output;
    how.resume = arguments.resume;
    how.replace = arguments.overwrite;
    const std::uint64_t games = how.plan.games.size();
    std::optional<base::Progress> shown;
    const auto made = selfplay::label_games(
        std::move(how), start_engine,
        [&](std::uint64_t labelled) {
            if (!shown) shown.emplace("labelling", games, "games", labelled);
            shown->update(labelled);
        },
        stop);
    if (!made) return std::unexpected(made.error());
    if (shown) shown->finish();
    if (!made->finished)
        return base::fail("stopped after {} of {}; the same command with --resume goes on",
                          base::counted(made->games, "game"), grouped(games));
    return report(arguments, *made, name, seconds_since(start), stop);
}

}  // namespace

void add_games_label(Command games, Invocation& invocation) {
    const Command command = games.add_subcommand(
        "label", "Copy games with what one engine thinks of each position as their evaluations");
    auto arguments = std::make_shared<LabelArguments>();
    command.add_option("GAMES", arguments->stores, "Game stores").required();
    command
        .add_option("-o,--output", arguments->output,
                    "The game store to write (NAME.games); it takes that name when it is finished")
        .required();
    command.add_option("--engine", arguments->engine, kEngineHelp).required();
    command
        .add_option(
            "--nodes", arguments->nodes,
            "Nodes to search each position; without this the engine's static evaluation is taken, which a "
            "UCI engine has to tell when asked 'eval', as Stockfish does")
        .check(range(std::uint64_t{1}, std::uint64_t{1'000'000'000}));
    command
        .add_option("--games", arguments->games,
                    "So many of the selected games, evenly spread over them; without this all")
        .check(range(std::uint64_t{1}, std::uint64_t{1'000'000'000}));
    arguments->threads = base::cores();
    command.add_option("--threads", arguments->threads, "Games at a time, each with an engine of its own")
        .check(range(1, 256))
        .capture_default_str();
    command.add_flag(kResume, arguments->resume, kResumeHelp);
    command.add_flag(kOverwrite, arguments->overwrite, kOverwriteHelp);
    command.add_flag("--json", arguments->json, "Print one JSON object");
    add_selection_options(command, arguments->selection);
    command.footer(
        "The evaluations that the games had are left out; their moves and results stay. A position where the "
        "engine has none,\n"
        "as Stockfish in check, has none. The tag Annotator says whose they are.\n"
        "\n"
        "Examples:\n"
        "  scholar games label my.games -o labelled.games --engine 'cmd=stockfish option.\"Use "
        "NNUE\"=false'\n"
        "  scholar games label my.games -o labelled.games --engine name=Scholar --nodes 5000");
    command.callback([&invocation, arguments] {
        invocation.run = [arguments](const std::stop_token& stop) { return label(*arguments, stop); };
    });
}

}  // namespace scholar::cli
