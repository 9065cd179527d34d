#include <filesystem>
#include <memory>

#include "arena/time_control.hpp"
#include "base/files.hpp"
#include "cli/commands.hpp"
#include "cli/engine_options.hpp"
#include "cli/engine_words.hpp"
#include "cli/ics_report.hpp"
#include "engine/engine_contestant.hpp"
#include "protocols/ics_client.hpp"

namespace scholar::cli {

namespace {

namespace ics = protocols::ics;

struct IcsArguments {
    std::string host;
    int port = 5'000;
    bool timeseal = false;
    std::string name;
    std::string password_file;
    bool guest = false;
    std::vector<std::string> seeks;
    bool rated = false;
    bool unrated = false;
    std::optional<int> least_rating;
    std::optional<int> most_rating;
    std::vector<std::string> refused;
    bool no_challenges = false;
    std::string fastest = "1 0";
    std::string slowest = "15 10";
    int most_in_a_row = 0;
    int games = 0;
    std::string on_interrupt = "finish";
    bool no_resume = false;
    std::string limit;
    std::string resign;
    std::string draw;
    int accept_draw = 0;
    std::string pgn;
    bool json = false;
    std::string transcript;
    EngineSettings engine;
};

// Its first line. A file that others may read is no place for a password.
base::Result<std::string> read_password(const std::string& path) {
    std::error_code failed;
    const auto permissions = std::filesystem::status(path, failed).permissions();
    constexpr auto kOthers = std::filesystem::perms::group_read | std::filesystem::perms::others_read;
    if (!failed && (permissions & kOthers) != std::filesystem::perms::none)
        return base::fail("{}: others may read this password, expected a file for you alone (chmod 600)",
                          path);
    const auto text = base::read_text(path);
    if (!text) return std::unexpected(text.error());
    std::string password = text->substr(0, text->find_first_of("\r\n"));
    if (password.empty()) return base::fail("{}: line 1: empty, expected a password", path);
    return password;
}

base::Result<ics::Credentials> credentials(const IcsArguments& arguments) {
    if (arguments.guest) {
        if (!arguments.name.empty() || !arguments.password_file.empty())
            return base::fail("--guest: together with --name or --password-file, expected it alone");
        if (arguments.rated) return base::fail("--rated: with --guest, expected a registered name");
        return ics::Credentials{};
    }
    if (arguments.name.empty() || arguments.password_file.empty())
        return base::fail("expected --name and --password-file, or --guest");
    auto password = read_password(arguments.password_file);
    if (!password) return std::unexpected(password.error());
    return ics::Credentials{arguments.name, std::move(*password)};
}

base::Result<ics::PolicySettings> policy(const IcsArguments& arguments) {
    ics::PolicySettings policy;
    for (const std::string& text : arguments.seeks) {
        const auto time = ics::parse_server_time(text);
        if (!time) return base::fail_in("--seek", time.error());
        policy.seeks.push_back(*time);
    }
    if (policy.seeks.empty() && arguments.no_challenges)
        return base::fail("--no-challenges: without --seek there would be no games");
    const auto fastest = ics::parse_server_time(arguments.fastest);
    if (!fastest) return base::fail_in("--fastest", fastest.error());
    const auto slowest = ics::parse_server_time(arguments.slowest);
    if (!slowest) return base::fail_in("--slowest", slowest.error());
    policy.fastest = *fastest;
    policy.slowest = *slowest;
    if (arguments.rated || arguments.unrated) policy.rated = arguments.rated;
    policy.least_rating = arguments.least_rating;
    policy.most_rating = arguments.most_rating;
    policy.refused = arguments.refused;
    policy.accepts_challenges = !arguments.no_challenges;
    policy.most_in_a_row = arguments.most_in_a_row;
    return policy;
}

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
    return base::fail("--limit '{}', expected nodes=N, depth=N or movetime=SECONDS", text);
}

base::Result<engine::ContestantRules> rules(const IcsArguments& arguments) {
    engine::ContestantRules rules;
    rules.accept_draw = arguments.accept_draw;
    if (!arguments.resign.empty()) {
        auto& rule = rules.resign.emplace();
        if (auto status = read_number_settings("--resign", arguments.resign,
                                               {{"moves", &rule.moves}, {"score", &rule.score}});
            !status)
            return std::unexpected(status.error());
        if (rule.moves < 1 || rule.score < 1)
            return base::fail("--resign '{}', expected moves and score, both from 1", arguments.resign);
    }
    if (!arguments.draw.empty()) {
        auto& rule = rules.offer_draw.emplace();
        if (auto status = read_number_settings(
                "--draw", arguments.draw,
                {{"moves", &rule.moves}, {"score", &rule.score}, {"after", &rule.after}});
            !status)
            return std::unexpected(status.error());
        if (rule.moves < 1) return base::fail("--draw: moves is 0, expected at least 1");
    }
    return rules;
}

base::Status run_ics(const IcsArguments& arguments, std::stop_token stop) {
    ics::ClientSettings settings;
    settings.host = arguments.host;
    settings.port = fmt::format("{}", arguments.port);
    settings.timeseal = arguments.timeseal;
    settings.transcript = arguments.transcript;
    auto login = credentials(arguments);
    if (!login) return std::unexpected(login.error());
    settings.session.credentials = std::move(*login);
    auto whom = policy(arguments);
    if (!whom) return std::unexpected(whom.error());
    settings.session.policy = std::move(*whom);
    settings.session.site = arguments.host;
    settings.session.games = arguments.games;
    settings.session.resumes = !arguments.no_resume;
    settings.session.on_stop = arguments.on_interrupt == "resign"    ? ics::OnStop::Resign
                               : arguments.on_interrupt == "adjourn" ? ics::OnStop::Adjourn
                                                                     : ics::OnStop::Finish;
    const auto each_move = limit(arguments.limit);
    if (!each_move) return std::unexpected(each_move.error());
    const auto when = rules(arguments);
    if (!when) return std::unexpected(when.error());

    auto engine = make_engine(*arguments.engine);
    if (!engine) return std::unexpected(engine.error());
    auto report = IcsReport::create(arguments.pgn, arguments.json);
    if (!report) return std::unexpected(report.error());
    engine::EngineContestant contestant(std::move(*engine), *when, *each_move);
    const auto status = ics::run_client(settings, contestant, *report, std::move(stop));
    report->print_summary();
    return status;
}

void add_opponent_options(CLI::App& command, IcsArguments& arguments) {
    command
        .add_option("--seek", arguments.seeks,
                    "Advertise for opponents at MINUTES SECONDS, as \"3 0\"; may be given several times")
        ->type_name("\"MIN SEC\"")
        ->allow_extra_args(false);
    auto* rated = command.add_flag("--rated", arguments.rated, "Only rated games");
    command
        .add_flag("--unrated", arguments.unrated,
                  "Only unrated games (without either: unrated ones are sought, both are accepted)")
        ->excludes(rated);
    command.add_option("--min-rating", arguments.least_rating, "Lowest rating of opponents")
        ->check(CLI::Range(0, 9'999));
    command.add_option("--max-rating", arguments.most_rating, "Highest rating of opponents")
        ->check(CLI::Range(0, 9'999));
    command
        .add_option("--refuse", arguments.refused,
                    "A user who is not played with; may be given several times")
        ->allow_extra_args(false);
    command.add_flag("--no-challenges", arguments.no_challenges,
                     "Decline match requests: only who answers --seek plays");
    command.add_option("--fastest", arguments.fastest, "Fastest time control of match requests")
        ->type_name("\"MIN SEC\"")
        ->capture_default_str();
    command.add_option("--slowest", arguments.slowest, "Slowest time control of match requests")
        ->type_name("\"MIN SEC\"")
        ->capture_default_str();
    command
        .add_option("--most-in-a-row", arguments.most_in_a_row,
                    "Games with one opponent before his match requests are declined; 0: no limit")
        ->capture_default_str()
        ->check(CLI::Range(0, 1'000'000));
}

void add_play_options(CLI::App& command, IcsArguments& arguments) {
    command
        .add_option("--games", arguments.games,
                    "Games to play to a result before logging out; 0: until interrupted")
        ->capture_default_str()
        ->check(CLI::Range(0, 10'000'000));
    command
        .add_option("--on-interrupt", arguments.on_interrupt,
                    "What Ctrl-C does with the game in progress: finish, resign or adjourn it (a second "
                    "Ctrl-C ends at once)")
        ->capture_default_str()
        ->check(CLI::IsMember({"finish", "resign", "adjourn"}));
    command.add_flag(
        "--no-resume", arguments.no_resume,
        "Leave games that an earlier run adjourned alone (one that a cut connection adjourned is "
        "still gone on with)");
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
        ->capture_default_str()
        ->check(CLI::Range(-100'000, 100'000));
}

}  // namespace

void add_ics_command(CLI::App& app, Invocation& invocation) {
    auto* command = app.add_subcommand("ics", "Play on an Internet Chess Server (FICS and its relatives)");
    command->footer(
        "Automatic play needs the server's consent: register the account as a computer's.\n"
        "A connection that is lost is made again, and the game that it cut off is gone on with.\n"
        "Example:\n"
        "  scholar ics --host freechess.org --name Handle --password-file ~/.fics --seek \"3 0\" --rated \\\n"
        "    --games 20 --pgn games.pgn --option Hash=64");
    auto arguments = std::make_shared<IcsArguments>();
    command->add_option("--host", arguments->host, "The server's name or address")->required();
    command->add_option("--port", arguments->port, "Its port")
        ->capture_default_str()
        ->check(CLI::Range(1, 65'535));
    command->add_flag("--timeseal", arguments->timeseal,
                      "Send times with all lines (FICS understands them), so that the way to the server does "
                      "not count against the clock");
    command->add_option("--name", arguments->name, "The registered name to log in with");
    command->add_option("--password-file", arguments->password_file,
                        "File whose first line is its password; nobody else may be able to read it");
    command->add_flag("--guest", arguments->guest, "Log in as a guest");
    add_opponent_options(*command, *arguments);
    add_play_options(*command, *arguments);
    command->add_option("--pgn", arguments->pgn, "File to append the games to, each as it ends");
    command->add_flag("--json", arguments->json,
                      "Print a line of JSON for each game's start and end, and for all else that happens");
    command->add_option("--transcript", arguments->transcript,
                        "File to append everything to that passes between server and client, but for the "
                        "password");
    arguments->engine = add_engine_settings(*command);
    command->callback([&invocation, arguments] {
        invocation.run = [arguments](std::stop_token stop) { return run_ics(*arguments, std::move(stop)); };
    });
}

}  // namespace scholar::cli
