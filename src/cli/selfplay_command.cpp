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
#include "cli/engine_words.hpp"
#include "cli/output.hpp"
#include "cli/self_player.hpp"
#include "games/openings.hpp"
#include "selfplay/system_games.hpp"

namespace scholar::cli {

namespace {

struct SelfplayArguments {
    std::string store;
    std::uint64_t games = 100;
    std::uint64_t nodes = 1'000;
    std::optional<int> depth;
    std::optional<int> movetime;
    EngineSettings settings;
    std::string openings;
    std::size_t opening_plies = 10'000;
    std::string random_plies;
    std::string resign;
    std::string draw;
    int max_plies = 400;
    std::uint64_t seed = 1;
    int threads = 1;
    bool resume = false;
    bool overwrite = false;
    bool json = false;
};

constexpr const char* kRandomPlies = "4-9";  // where no openings are given
constexpr int kMostRandomPlies = 200;

base::Status read_random_plies(const SelfplayArguments& arguments, selfplay::SystemPlan& plan) {
    const std::string text = !arguments.random_plies.empty() ? arguments.random_plies
                             : arguments.openings.empty()    ? kRandomPlies
                                                             : "0";
    const std::size_t dash = text.find('-');
    const auto least = base::parse_number<int>(std::string_view(text).substr(0, dash));
    const auto most =
        dash == std::string::npos ? least : base::parse_number<int>(std::string_view(text).substr(dash + 1));
    if (!least || !most || *least < 0 || *most < *least || *most > kMostRandomPlies)
        return base::fail("--random-plies is '{}', expected N or MIN-MAX, from 0 to {}", base::excerpt(text),
                          kMostRandomPlies);
    plan.least_random_plies = *least;
    plan.most_random_plies = *most;
    return {};
}

base::Status read_early_ends(const SelfplayArguments& arguments, selfplay::SystemPlan& plan) {
    if (!arguments.resign.empty()) {
        auto& terms = plan.resign.emplace();
        if (auto status = read_number_settings(
                "--resign", arguments.resign,
                {{"moves", &terms.moves}, {"score", &terms.score}, {"playedout", &terms.played_out}});
            !status)
            return status;
        if (terms.moves < 1) return base::fail("--resign: moves is 0, expected at least 1");
        if (terms.score < 1) return base::fail("--resign: score is 0, expected at least 1");
        if (terms.played_out > 100)
            return base::fail("--resign: playedout is {}, expected per cent, from 0 to 100",
                              terms.played_out);
    }
    if (!arguments.draw.empty()) {
        auto& terms = plan.draw.emplace();
        if (auto status = read_number_settings(
                "--draw", arguments.draw,
                {{"moves", &terms.moves}, {"score", &terms.score}, {"after", &terms.after}});
            !status)
            return status;
        if (terms.moves < 1) return base::fail("--draw: moves is 0, expected at least 1");
    }
    return {};
}

// Who plays, and the settings of which another is no resumption.
base::Result<selfplay::SystemGames> games_of(const SelfplayArguments& arguments) {
    selfplay::SystemGames how;
    selfplay::SystemPlan& plan = how.plan;
    const std::vector<std::string>& settings = *arguments.settings;
    if (auto status = check_self_player(settings); !status) return std::unexpected(status.error());
    if (auto status = read_random_plies(arguments, plan); !status) return std::unexpected(status.error());
    if (auto status = read_early_ends(arguments, plan); !status) return std::unexpected(status.error());
    // What is wrong with an option shows here.
    const auto engine = make_engine(settings);
    if (!engine) return std::unexpected(engine.error());

    std::string openings;
    if (!arguments.openings.empty()) {
        auto read = games::read_openings(arguments.openings, arguments.opening_plies);
        if (!read) return std::unexpected(read.error());
        plan.openings = std::move(*read);
        std::uint64_t hash = 0;
        for (const games::Opening& opening : plan.openings) {
            games::Game game;
            game.start = opening.start;
            game.moves = opening.moves;
            hash = base::hash_text(base::to_hex(game.hash()), hash);
        }
        openings = fmt::format("{} {}", plan.openings.size(), base::to_hex(hash));
    }
    std::string limit;
    if (arguments.movetime) {
        plan.limit = search::MoveTimeLimit{std::chrono::milliseconds(*arguments.movetime)};
        limit = fmt::format("{} ms", *arguments.movetime);
    } else if (arguments.depth) {
        plan.limit = search::DepthLimit{*arguments.depth};
        limit = fmt::format("depth {}", *arguments.depth);
    } else {
        plan.limit = search::NodeLimit{arguments.nodes};
        limit = base::counted(arguments.nodes, "node");
    }
    plan.seed = arguments.seed;
    plan.max_plies = arguments.max_plies;
    const SelfPlayer player = describe_self_player(**engine, settings);
    plan.name = player.name;
    for (const auto& [name, value] :
         {std::pair("Network", player.network), {"Limit", limit}, {"Options", player.options}})
        if (!value.empty()) plan.tags.emplace_back(name, value);

    const auto number_of = [](const auto& value) {
        return value ? fmt::format("{}", *value) : std::string();
    };
    const bool by_nodes = !arguments.movetime && !arguments.depth;
    how.settings = {
        {"--games", fmt::format("{}", arguments.games)},
        {"--nodes", by_nodes ? fmt::format("{}", arguments.nodes) : ""},
        {"--depth", number_of(arguments.depth)},
        {"--movetime", number_of(arguments.movetime)},
        {"--option", player.options},
        {"network", player.network},
        {"--openings", openings},
        {"--random-plies", fmt::format("{}-{}", plan.least_random_plies, plan.most_random_plies)},
        {"--resign", plan.resign ? fmt::format("moves={} score={} playedout={}", plan.resign->moves,
                                               plan.resign->score, plan.resign->played_out)
                                 : ""},
        {"--draw", plan.draw ? fmt::format("moves={} score={} after={}", plan.draw->moves, plan.draw->score,
                                           plan.draw->after)
                             : ""},
        {"--max-plies", fmt::format("{}", arguments.max_plies)},
        {"--seed", fmt::format("{}", arguments.seed)},
    };
    how.games = arguments.games;
    how.threads = arguments.threads;
    how.store = arguments.store;
    how.resume = arguments.resume;
    how.replace = arguments.overwrite;
    return how;
}

base::Status run_selfplay(const SelfplayArguments& arguments, const std::stop_token& stop) {
    const auto start = std::chrono::steady_clock::now();
    const auto how = games_of(arguments);
    if (!how) return std::unexpected(how.error());
    if (auto status = check_output(arguments.store, {arguments.openings}); !status) return status;
    if (!arguments.resume)
        if (auto status = check_new_output(arguments.store, arguments.overwrite); !status) return status;

    if (arguments.movetime)
        fmt::print(stderr, "--movetime: the same command will not play the same games again\n");
    std::optional<base::Progress> shown;
    const auto played = selfplay::play_system_games(
        *how, [&] { return make_engine(*arguments.settings); },
        [&](std::uint64_t games) {
            if (!shown) shown.emplace("playing", how->games, "games", games);
            shown->update(games);
        },
        stop);
    if (!played) return std::unexpected(played.error());
    if (shown) shown->finish();
    if (!played->finished)
        return base::fail("stopped after {} of {}; the same command with --resume goes on",
                          base::counted(played->games, "game"),
                          base::grouped(static_cast<std::int64_t>(how->games)));

    const games::StoreSummary& summary = played->finished->summary;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const auto now = static_cast<double>(played->games - played->before);
    const double rate = seconds > 0 ? now / seconds : 0;
    if (arguments.json) {
        print({{"output", arguments.store},
               {"player", how->plan.name},
               {"games", summary.games},
               {"games_before", played->before},
               {"copies", played->finished->copies},
               {"plies", summary.plies},
               {"bytes", summary.bytes},
               {"seconds", seconds},
               {"games_per_second", rate},
               {"data_hash", base::to_hex(summary.data_hash)}});
        return {};
    }
    fmt::print("{}: {} of {}, {}", arguments.store, base::counted(summary.games, "game"), how->plan.name,
               base::counted(summary.plies, "half-move"));
    if (played->finished->copies > 0)
        fmt::print(", {} like another", base::grouped(static_cast<std::int64_t>(played->finished->copies)));
    fmt::print("\n{} in {:.1f} s ({:.1f} games/s), {}, data hash {}\n",
               base::counted(played->games - played->before, "game"), seconds, rate,
               base::counted(summary.bytes, "byte"), base::to_hex(summary.data_hash));
    return {};
}

}  // namespace

void add_selfplay_command(Command app, Invocation& invocation) {
    const Command command = app.add_subcommand("selfplay", "Let any system play itself into a game store");
    command.footer(
        "A game depends on the seed and its number alone: the same command makes the same store, byte for "
        "byte,\n"
        "on any number of threads and however often it was killed and resumed. With --movetime it does not.\n"
        "Scores, here and in the store, are in units of 1/400 of the logit of the expected result: 1000 is "
        "92 %.\n"
        "Example:\n"
        "  scholar selfplay own.games --games 10000 --nodes 2000 --option System=scholar --resign "
        "'score=1200'");
    auto arguments = std::make_shared<SelfplayArguments>();
    command
        .add_option("STORE", arguments->store,
                    "The game store to write (NAME.games); it takes that name when it is finished")
        .required();
    command.add_option("--games", arguments->games, "Games to play")
        .check(range(std::uint64_t{1}, std::uint64_t{1'000'000'000}))
        .capture_default_str();
    const Option nodes =
        command.add_option("--nodes", arguments->nodes, "Nodes a move, for systems that search")
            .check(range(std::uint64_t{1}, std::uint64_t{1'000'000'000'000}))
            .capture_default_str();
    const Option depth = command.add_option("--depth", arguments->depth, "Half-moves deep, instead of nodes")
                             .check(range(1, 200))
                             .excludes(nodes);
    command
        .add_option("--movetime", arguments->movetime,
                    "Milliseconds a move, instead of nodes: no two runs are the same")
        .check(range(1, 1'000'000'000))
        .excludes(nodes)
        .excludes(depth);
    arguments->settings = add_engine_settings(command);
    command.add_option(
        "--openings", arguments->openings,
        "File of positions (EPD or FEN, one a line) or of PGN games, where games begin; may be "
        "compressed (default: the start position)");
    command.add_option("--opening-plies", arguments->opening_plies,
                       "Half-moves taken from each game of a PGN opening file (default: all)");
    command.add_option("--random-plies", arguments->random_plies,
                       fmt::format("N or MIN-MAX: half-moves by lot that every game begins with, after its "
                                   "opening (default: {} without --openings, else 0)",
                                   kRandomPlies));
    command.add_option(
        "--resign", arguments->resign,
        "Who is behind resigns when all scores say for MOVES moves of both sides that it is by "
        "SCORE; PLAYEDOUT per cent of the games are played on: \"moves=4 score=1000 "
        "playedout=10\" (off unless given)");
    command.add_option(
        "--draw", arguments->draw,
        "Call a game a draw when all scores stay within SCORE of 0 for MOVES moves of both sides "
        "after move AFTER: \"moves=8 score=20 after=40\" (off unless given)");
    command
        .add_option("--max-plies", arguments->max_plies,
                    "Half-moves, with those of the opening, after which a game is a draw; 0: no limit")
        .check(range(0, 60'000))
        .capture_default_str();
    command.add_option("--seed", arguments->seed, "Of all that is left to chance").capture_default_str();
    arguments->threads = base::cores();
    command.add_option("--threads", arguments->threads, "Games at a time, each in a thread of its own")
        .check(range(1, 256))
        .capture_default_str();
    command.add_flag(kResume, arguments->resume, kResumeHelp);
    command.add_flag(kOverwrite, arguments->overwrite, kOverwriteHelp);
    command.add_flag("--json", arguments->json, "Print one JSON object");
    command.callback([&invocation, arguments] {
        invocation.run = [arguments](const std::stop_token& stop) { return run_selfplay(*arguments, stop); };
    });
}

}  // namespace scholar::cli
