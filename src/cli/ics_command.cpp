#include <memory>

#include "arena/time_control.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/engine_options.hpp"
#include "cli/engine_words.hpp"
#include "cli/ics_report.hpp"
#include "cli/ics_settings.hpp"
#include "engine/engine_contestant.hpp"

namespace scholar::cli {

namespace {

struct IcsArguments {
    IcsSettings server;
    int games = 0;
    std::string limit;
    std::string resign;
    std::string draw;
    int accept_draw = 0;
    std::string pgn;
    bool json = false;
    EngineSettings engine;
};

base::Result<std::optional<search::Limit>> limit(const std::string& text) {
    if (text.empty()) return std::nullopt;
    const auto control = arena::parse_time_control(text);
    if (!control) return base::fail_in("--limit", control.error());
    if (const auto* nodes = std::get_if<arena::NodesControl>(&control->kind))
        return search::NodeLimit{nodes->nodes};
    if (const auto* depth = std::get_if<arena::DepthControl>(&control->kind))
        return search::DepthLimit{depth->depth};
    if (const auto* time = std::get_if<arena::MoveTimeControl>(&control->kind))
        return search::MoveTimeLimit{time->time};
    return base::fail("--limit '{}', expected nodes=N, depth=N or movetime=SECONDS", base::excerpt(text));
}

base::Result<engine::ContestantRules> rules(const IcsArguments& arguments) {
    engine::ContestantRules rules;
    rules.accept_draw = arguments.accept_draw;
    if (!arguments.resign.empty()) {
        engine::ContestantRules::Resign rule;
        if (auto status = read_number_settings("--resign", arguments.resign,
                                               {{"moves", &rule.moves}, {"score", &rule.score}});
            !status)
            return std::unexpected(status.error());
        if (rule.moves < 1 || rule.score < 1)
            return base::fail("--resign '{}', expected moves and score, both from 1",
                              base::excerpt(arguments.resign));
        rules.resign = rule;
    }
    if (!arguments.draw.empty()) {
        engine::ContestantRules::OfferDraw rule;
        if (auto status = read_number_settings(
                "--draw", arguments.draw,
                {{"moves", &rule.moves}, {"score", &rule.score}, {"after", &rule.after}});
            !status)
            return std::unexpected(status.error());
        if (rule.moves < 1) return base::fail("--draw: moves is 0, expected at least 1");
        rules.offer_draw = rule;
    }
    return rules;
}

base::Status run_ics(const IcsArguments& arguments, std::stop_token stop) {
    const auto settings = client_settings(arguments.server, arguments.games);
    if (!settings) return std::unexpected(settings.error());
    const auto each_move = limit(arguments.limit);
    if (!each_move) return std::unexpected(each_move.error());
    const auto when = rules(arguments);
    if (!when) return std::unexpected(when.error());

    auto engine = make_engine(*arguments.engine);
    if (!engine) return std::unexpected(engine.error());
    auto report = IcsReport::create(arguments.pgn, arguments.json);
    if (!report) return std::unexpected(report.error());
    engine::EngineContestant contestant(std::move(*engine), *when, *each_move);
    const auto status = protocols::ics::run_client(*settings, contestant, *report, std::move(stop));
    report->print_summary();
    return status;
}

void add_play_options(Command command, IcsArguments& arguments) {
    command
        .add_option("--games", arguments.games,
                    "Games to play to a result before logging out; 0: until interrupted")
        .capture_default_str()
        .check(range(0, 10'000'000));
    command.add_option("--limit", arguments.limit,
                       "For every move, instead of the clock: nodes=5000, depth=8 or movetime=0.5 (seconds)");
    command.add_option("--resign", arguments.resign,
                       "Resign when the own score stays at or below -SCORE centipawns for MOVES moves: "
                       "\"moves=4 score=900\" (never unless given)");
    command.add_option("--draw", arguments.draw,
                       "Offer a draw when the score stays within SCORE centipawns of 0 for MOVES moves after "
                       "move AFTER: \"moves=8 score=10 after=40\" (never unless given)");
    command
        .add_option("--accept-draw", arguments.accept_draw,
                    "Accept and claim draws when the own score is at or below this, in centipawns")
        .capture_default_str()
        .check(range(-100'000, 100'000));
}

}  // namespace

void add_ics_command(Command app, Invocation& invocation) {
    const Command command =
        app.add_subcommand("ics", "Play on an Internet Chess Server (FICS and its relatives)");
    command.footer(
        "Automatic play needs the server's consent: register the account as a computer's.\n"
        "A connection that is lost is made again, and the game that it cut off is gone on with.\n"
        "Example:\n"
        "  scholar ics --host freechess.org --name Handle --password-file ~/.fics --seek \"3 0\" --rated \\\n"
        "    --games 20 --pgn games.pgn --option Hash=64");
    auto arguments = std::make_shared<IcsArguments>();
    add_ics_settings(command, arguments->server, "--host");
    command.option("--host").required();
    add_play_options(command, *arguments);
    command.add_option("--pgn", arguments->pgn, "File to append the games to, each as it ends");
    command.add_flag("--json", arguments->json,
                     "Print a line of JSON for each game's start and end, and for all else that happens");
    arguments->engine = add_engine_settings(command);
    command.callback([&invocation, arguments] {
        invocation.run = [arguments](std::stop_token stop) { return run_ics(*arguments, std::move(stop)); };
    });
}

}  // namespace scholar::cli
