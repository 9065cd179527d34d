#include "cli/ics_settings.hpp"

#include <filesystem>
#include <fmt/format.h>

#include "base/files.hpp"

namespace scholar::cli {

namespace {

namespace ics = protocols::ics;

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

base::Result<ics::Credentials> credentials(const IcsSettings& settings) {
    if (settings.guest) {
        if (!settings.name.empty() || !settings.password_file.empty())
            return base::fail("--guest: together with --name or --password-file, expected it alone");
        if (settings.rated) return base::fail("--rated: with --guest, expected a registered name");
        return ics::Credentials{};
    }
    if (settings.name.empty() || settings.password_file.empty())
        return base::fail("expected --name and --password-file, or --guest");
    auto password = read_password(settings.password_file);
    if (!password) return std::unexpected(password.error());
    return ics::Credentials{settings.name, std::move(*password)};
}

base::Result<ics::PolicySettings> policy(const IcsSettings& settings) {
    ics::PolicySettings policy;
    for (const std::string& text : settings.seeks) {
        const auto time = ics::parse_server_time(text);
        if (!time) return base::fail_in("--seek", time.error());
        policy.seeks.push_back(*time);
    }
    if (policy.seeks.empty() && settings.no_challenges)
        return base::fail("--no-challenges: without --seek there would be no games");
    const auto fastest = ics::parse_server_time(settings.fastest);
    if (!fastest) return base::fail_in("--fastest", fastest.error());
    const auto slowest = ics::parse_server_time(settings.slowest);
    if (!slowest) return base::fail_in("--slowest", slowest.error());
    policy.fastest = *fastest;
    policy.slowest = *slowest;
    if (settings.rated || settings.unrated) policy.rated = settings.rated;
    policy.least_rating = settings.least_rating;
    policy.most_rating = settings.most_rating;
    policy.refused = settings.refused;
    policy.accepts_challenges = !settings.no_challenges;
    policy.most_in_a_row = settings.most_in_a_row;
    return policy;
}

void add_opponent_options(Command command, IcsSettings& settings) {
    command
        .add_option("--seek", settings.seeks,
                    "Advertise for opponents at MINUTES SECONDS, as \"3 0\"; may be given several times")
        .type_name("\"MIN SEC\"")
        .allow_extra_args(false);
    const Option rated = command.add_flag("--rated", settings.rated, "Only rated games");
    command
        .add_flag("--unrated", settings.unrated,
                  "Only unrated games (without either: unrated ones are sought, both are accepted)")
        .excludes(rated);
    command.add_option("--min-rating", settings.least_rating, "Lowest rating of opponents")
        .check(range(0, 9'999));
    command.add_option("--max-rating", settings.most_rating, "Highest rating of opponents")
        .check(range(0, 9'999));
    command
        .add_option("--refuse", settings.refused, "A user who is not played with; may be given several times")
        .allow_extra_args(false);
    command.add_flag("--no-challenges", settings.no_challenges,
                     "Decline match requests: only who answers --seek plays");
    command.add_option("--fastest", settings.fastest, "Fastest time control of match requests")
        .type_name("\"MIN SEC\"")
        .capture_default_str();
    command.add_option("--slowest", settings.slowest, "Slowest time control of match requests")
        .type_name("\"MIN SEC\"")
        .capture_default_str();
    command
        .add_option("--most-in-a-row", settings.most_in_a_row,
                    "Games with one opponent before his match requests are declined; 0: no limit")
        .capture_default_str()
        .check(range(0, 1'000'000));
}

}  // namespace

void add_ics_settings(Command command, IcsSettings& settings, const std::string& host_option) {
    command.add_option(host_option, settings.host, "The server's name or address");
    command.add_option("--port", settings.port, "Its port").capture_default_str().check(range(1, 65'535));
    command.add_flag("--timeseal", settings.timeseal,
                     "Send times with all lines (FICS understands them), so that the way to the server does "
                     "not count against the clock");
    command.add_option("--name", settings.name, "The registered name to log in with");
    command.add_option("--password-file", settings.password_file,
                       "File whose first line is its password; nobody else may be able to read it");
    command.add_flag("--guest", settings.guest, "Log in as a guest");
    add_opponent_options(command, settings);
    command
        .add_option("--on-interrupt", settings.on_interrupt,
                    "What Ctrl-C does with the game in progress: finish, resign or adjourn it (a second "
                    "Ctrl-C ends at once)")
        .capture_default_str()
        .check(one_of({"finish", "resign", "adjourn"}));
    command.add_flag(
        "--no-resume", settings.no_resume,
        "Leave games that an earlier run adjourned alone (one that a cut connection adjourned is "
        "still gone on with)");
    command.add_option("--transcript", settings.transcript,
                       "File to append everything to that passes between server and client, but for the "
                       "password");
}

base::Result<ics::ClientSettings> client_settings(const IcsSettings& settings, int games) {
    ics::ClientSettings client;
    client.host = settings.host;
    client.port = fmt::format("{}", settings.port);
    client.timeseal = settings.timeseal;
    client.transcript = settings.transcript;
    auto login = credentials(settings);
    if (!login) return std::unexpected(login.error());
    client.session.credentials = std::move(*login);
    auto whom = policy(settings);
    if (!whom) return std::unexpected(whom.error());
    client.session.policy = std::move(*whom);
    client.session.site = settings.host;
    client.session.games = games;
    client.session.resumes = !settings.no_resume;
    client.session.on_stop = settings.on_interrupt == "resign"    ? ics::OnStop::Resign
                             : settings.on_interrupt == "adjourn" ? ics::OnStop::Adjourn
                                                                  : ics::OnStop::Finish;
    return client;
}

}  // namespace scholar::cli
