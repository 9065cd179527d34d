#include "protocols/ics_policy.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "base/text.hpp"
#include "protocols/ics_scan.hpp"

namespace scholar::protocols::ics {

namespace {

// What a game of 40 moves takes, in seconds: how servers tell lightning from blitz and standard (FICS's help
// file "blitz").
long expected_seconds(const ServerTime& time) {
    return 60L * time.minutes + 40L * time.increment;
}

}  // namespace

base::Result<ServerTime> parse_server_time(std::string_view text) {
    Scan scan(text);
    scan.blanks();
    const auto minutes = scan.number<int>();
    const bool plus = scan.literal("+");
    if (!plus) scan.blanks();
    const auto increment = scan.number<int>();
    scan.blanks();
    if (!minutes || !increment || !scan.at_end() || *minutes < 0 || *increment < 0 || *minutes > 600 ||
        *increment > 600 || *minutes + *increment == 0)
        return base::fail("time '{}', expected minutes and seconds a move, each up to 600, as \"3 0\"",
                          base::excerpt(text));
    return ServerTime{*minutes, *increment};
}

bool is_ordinary_chess(std::string_view kind) {
    static constexpr std::array<std::string_view, 3> kKinds{"lightning", "blitz", "standard"};
    return std::ranges::find(kKinds, kind) != kKinds.end();
}

std::string OpponentPolicy::reason_to_decline(const Challenge& challenge) const {
    // "untimed" is refused too: nothing would ever end such a game that the opponent has left.
    if (!is_ordinary_chess(challenge.kind)) return fmt::format("{} is not played", challenge.kind);
    if (challenge.adjourned) return {};
    if (!settings_.accepts_challenges) return "match requests are not accepted";
    if (std::ranges::any_of(settings_.refused, [&](const std::string& name) {
            return base::same_ignoring_case(name, challenge.from);
        }))
        return fmt::format("{} is not played with", challenge.from);
    if (settings_.rated && *settings_.rated != challenge.rated)
        return fmt::format("only {} games are played", *settings_.rated ? "rated" : "unrated");
    const ServerTime time{challenge.minutes, challenge.increment};
    const bool advertised = std::ranges::find(settings_.seeks, time) != settings_.seeks.end();
    const long seconds = expected_seconds(time);
    if (!advertised &&
        (seconds < expected_seconds(settings_.fastest) || seconds > expected_seconds(settings_.slowest)))
        return fmt::format("{} {} is out of range", time.minutes, time.increment);
    if (settings_.least_rating || settings_.most_rating) {
        if (!challenge.rating) return "the opponent has no rating";
        if (*challenge.rating < settings_.least_rating.value_or(0) ||
            *challenge.rating > settings_.most_rating.value_or(9'999))
            return fmt::format("rating {} is out of range", *challenge.rating);
    }
    if (settings_.most_in_a_row > 0 && in_a_row_ >= settings_.most_in_a_row &&
        base::same_ignoring_case(last_opponent_, challenge.from))
        return fmt::format("{} games in a row with {}", in_a_row_, challenge.from);
    return {};
}

// "seek TIME INC rated|unrated [RANGE]", the help file "seek".
std::vector<std::string> OpponentPolicy::seek_commands() const {
    std::vector<std::string> commands;
    commands.reserve(settings_.seeks.size());
    const bool has_range = settings_.least_rating || settings_.most_rating;
    const std::string range = has_range ? fmt::format(" {}-{}", settings_.least_rating.value_or(0),
                                                      settings_.most_rating.value_or(9'999))
                                        : "";
    for (const ServerTime& time : settings_.seeks)
        commands.push_back(fmt::format("seek {} {} {}{}", time.minutes, time.increment,
                                       settings_.rated.value_or(false) ? "rated" : "unrated", range));
    return commands;
}

void OpponentPolicy::note_game(std::string_view opponent) {
    in_a_row_ = base::same_ignoring_case(last_opponent_, opponent) ? in_a_row_ + 1 : 1;
    last_opponent_ = opponent;
}

}  // namespace scholar::protocols::ics
