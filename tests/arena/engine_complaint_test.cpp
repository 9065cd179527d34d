#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "arena/ladder.hpp"
#include "arena/match.hpp"
#include "arena/player.hpp"
#include "arena/suite.hpp"
#include "chess/epd.hpp"
#include "scripted_programs.hpp"

// An engine that cannot take what an option says, and says so, does not play: it would play with something
// else.

namespace scholar::arena {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;

EngineConfig complaining(Protocol protocol, const std::string& value) {
    EngineConfig config;
    config.name = "E";
    config.protocol = protocol;
    if (protocol != Protocol::Internal)
        config.command = {protocol == Protocol::Uci ? scripted_engine() : scripted_xboard(), "complains"};
    // The complaint is about the first of them, whatever comes after it.
    if (protocol == Protocol::Xboard)
        config.options = {{"Risk (0-9)", value}, {"Learn", "true"}};
    else
        config.options = {{"Hash", "16"}, {"EvalFile", value}, {"Hash", "32"}};
    return config;
}

std::string message(const EngineConfig& config) {
    const auto player = start_player(config, {.quit = 50ms});
    return player ? "" : player.error().message;
}

TEST(EngineComplaint, AboutAnOptionIsAnErrorWithTheEngineTheOptionAndItsWords) {
    EXPECT_EQ(message(complaining(Protocol::Uci, "no/net")),
              "engine E: option EvalFile: it says 'ERROR: no/net: no such file'");
    EXPECT_EQ(message(complaining(Protocol::Xboard, "5")),
              "engine E: option Risk (0-9): it says 'Error (no such file): option Risk (0-9)=5'");
    EngineConfig other = complaining(Protocol::Xboard, "5");
    other.command.back() = "complains-to-user";
    EXPECT_EQ(message(other), "engine E: option Risk (0-9): it says 'tellusererror Cannot read it'");
    EXPECT_THAT(message(complaining(Protocol::Internal, "no/net")),
                AllOf(HasSubstr("engine E: "), HasSubstr("EvalFile"), HasSubstr("no/net")));
}

TEST(EngineComplaint, OfAnotherKindIsNone) {
    const auto player = start_player(complaining(Protocol::Uci, "good"), {.quit = 50ms});
    ASSERT_TRUE(player) << player.error().message;
    EXPECT_TRUE((*player)->new_game({}));
    EXPECT_TRUE((*player)->set_option("Hash", "64"));
    EXPECT_THAT((*player)->set_option("EvalFile", "bad").error().message, HasSubstr("option EvalFile"));
    EXPECT_TRUE((*player)->new_game({}));
}

TEST(EngineComplaint, EndsAMatchAndASuiteBeforeTheyBegin) {
    MatchOptions match;
    match.engines = {complaining(Protocol::Uci, "good"), complaining(Protocol::Uci, "bad")};
    match.openings = games::parse_openings(embedded_openings(), "built in").value();
    match.games = 2;
    match.patience.quit = 50ms;
    for (auto& control : match.time_controls) control = parse_time_control("nodes=1").value();
    const auto played = play_match(match, {}, {});
    ASSERT_FALSE(played);
    EXPECT_THAT(played.error().message, HasSubstr("option EvalFile: it says 'ERROR: bad: no such file'"));

    SuiteOptions suite;
    suite.engines = {match.engines[1]};
    suite.patience.quit = 50ms;
    const auto epd =
        chess::parse_epd("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; id \"x\";");
    const auto results = run_suite({suite_item(epd.value()).value()}, suite, {}, {});
    ASSERT_FALSE(results);
    EXPECT_THAT(results.error().message, HasSubstr("option EvalFile"));
}

}  // namespace
}  // namespace scholar::arena
