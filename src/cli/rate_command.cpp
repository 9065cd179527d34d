#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

#include "arena/engine_text.hpp"
#include "arena/ratings.hpp"
#include "arena/result_files.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/rate_ladder.hpp"
#include "cli/rate_levels.hpp"
#include "cli/rating_table.hpp"

namespace scholar::cli {

namespace {

struct RateArguments {
    std::vector<std::string> files;
    std::vector<std::string> anchors;
    double prior = 0;
    std::uint64_t min_games = 0;
    bool json = false;
    LadderArguments ladder;
};

base::Status read_anchors(const std::vector<std::string>& words, arena::RatingOptions& options) {
    for (const auto& word : words) {
        const auto equals = word.rfind('=');
        const auto elo = equals == std::string::npos
                             ? std::nullopt
                             : base::parse_number<double>(std::string_view(word).substr(equals + 1));
        if (equals == 0 || !elo) return base::fail("--anchor '{}': expected NAME=ELO", word);
        if (!options.anchors.emplace(word.substr(0, equals), *elo).second)
            return base::fail("--anchor '{}': this player has one already", word);
    }
    return {};
}

base::Status run_rate(const RateArguments& arguments, const std::stop_token& stop) {
    if (arguments.files.empty() && !arguments.ladder.wanted)
        return base::fail("rate: no file, expected PGN, lines of JSON or game stores, or --ladder");
    arena::RatingOptions options;
    if (auto status = read_anchors(arguments.anchors, options); !status) return status;
    options.prior = arguments.prior;

    // Its games would count twice.
    if (arguments.ladder.wanted)
        if (auto status = check_output(arguments.ladder.results, arguments.files); !status) return status;
    arena::ResultPool pool;
    arena::ResultsRead read;
    for (const auto& file : arguments.files)
        if (auto status = arena::read_results(file, pool, read, stop); !status) return status;
    if (arguments.ladder.wanted) {
        if (!arguments.anchors.empty() || arguments.prior != 0 || arguments.min_games != 0)
            return base::fail(
                "rate: --anchor, --prior and --min-games have no meaning with --ladder, whose file "
                "has the anchors");
        if (arguments.ladder.levels) {
            if (arguments.json || !arguments.ladder.engine.empty() || arguments.ladder.leave_one_out ||
                !arguments.ladder.record.empty())
                return base::fail(
                    "rate: --json, --engine, --leave-one-out and --record have no meaning with --levels, "
                    "which "
                    "prints lines of a table");
            return rate_levels(arguments.ladder, stop);
        }
        return rate_on_ladder(arguments.ladder, pool, arguments.json, stop);
    }
    if (read.games == 0)
        return base::fail("{}", read.problems > 0
                                    ? fmt::format("no game could be read ({})", read.first_problem)
                                    : "no games with two players and a result in the files");
    if (arguments.min_games > 0) pool = pool.with_games(arguments.min_games);
    const auto ratings = arena::rate_pool(pool, options);
    if (!ratings) return std::unexpected(ratings.error());

    if (arguments.json) {
        Json json = rating_json(*ratings);
        json["games"] = pool.games();
        json["games_read"] = read.games;
        json["unfinished"] = read.unfinished;
        json["nameless"] = read.nameless;
        json["problems"] = read.problems;
        if (read.problems > 0) json["first_problem"] = read.first_problem;
        print(json);
        return {};
    }
    fmt::print("{}", rating_table(*ratings));
    fmt::print("{}", base::counted(pool.games(), "game"));
    if (pool.games() < read.games)
        fmt::print(" ({} more by players with fewer than {})", read.games - pool.games(),
                   arguments.min_games);
    if (read.unfinished > 0) fmt::print("; {} without a result", read.unfinished);
    if (read.nameless > 0) fmt::print("; {} without two players", read.nameless);
    fmt::print("\n");
    if (read.problems > 0)
        fmt::print(stderr, "{} could not be read, the first: {}\n", read.problems, read.first_problem);
    return {};
}

}  // namespace

void add_rate_command(Command app, Invocation& invocation) {
    const Command command =
        app.add_subcommand("rate", "Rate all players of some games by maximum likelihood");
    command.footer(
        "Elo with error bars (95 %) for a whole pool; White's advantage and the share of draws are "
        "estimated\n"
        "with it. Without --anchor the mean of the players is 0. Players above or below all others, who "
        "never\n"
        "gave or took as much as a draw, or whom no games connect to them have no rating, and the table says "
        "so.\n"
        "Example:\n"
        "  scholar rate games.pgn more.jsonl --anchor 'Stockfish 1350=1350' --anchor 'Stockfish 2850=2850'\n"
        "With --ladder it plays: it places --engine among the ladder's players (ladder/ladder.toml) in "
        "games\n"
        "against those that tell most about it, and can be stopped and gone on with at any time.\n"
        "  scholar rate --ladder --engine 'name=mine option.EvalFile=my.safetensors' --games 100");
    auto arguments = std::make_shared<RateArguments>();
    command.add_option(
        "FILE", arguments->files,
        "PGN, lines of JSON from a match, or game stores; may be compressed; - is standard input");
    command.add_option("--anchor", arguments->anchors, "NAME=ELO: a player whose rating is given; repeatable")
        .allow_extra_args(false);
    command
        .add_option(
            "--prior", arguments->prior,
            "Standard deviation in Elo of a prior around the anchors' mean: gives a rating to those too "
            "who won or lost everything; 0: none")
        .capture_default_str()
        .check(range(0.0, 10'000.0));
    command.add_option("--min-games", arguments->min_games,
                       "Leave out players with fewer games, and the games against them");
    command.add_flag("--json", arguments->json, "Print one JSON object");
    add_ladder_options(command, arguments->ladder);
    command.callback([&invocation, arguments] {
        invocation.run = [arguments](const std::stop_token& stop) { return run_rate(*arguments, stop); };
    });
}

}  // namespace scholar::cli
