#include "protocols/uci_go.hpp"

#include <gtest/gtest.h>

namespace scholar::protocols {
namespace {

using namespace search;
using namespace std::chrono_literals;

Limits good(const std::vector<std::string_view>& words, const chess::Position& position = {}) {
    const GoCommand command = parse_go(position, words);
    EXPECT_TRUE(command.ignored.empty()) << command.ignored.front();
    return command.limits;
}

TEST(UciGo, EveryLimitOfTheProtocol) {
    EXPECT_EQ(good({"depth", "12"}).find<DepthLimit>()->depth, 12);
    EXPECT_EQ(good({"nodes", "5000000000"}).find<NodeLimit>()->nodes, 5'000'000'000U);
    EXPECT_EQ(good({"movetime", "100"}).find<MoveTimeLimit>()->time, 100ms);
    EXPECT_EQ(good({"mate", "3"}).find<MateLimit>()->moves, 3);
    EXPECT_TRUE(good({"infinite"}).is_infinite());
    EXPECT_TRUE(good({}).is_infinite());
    EXPECT_TRUE(good({"ponder"}).is_infinite());
    const Limits pondering = good({"ponder", "wtime", "1000", "btime", "2000"});
    EXPECT_TRUE(pondering.find<PonderLimit>() && pondering.find<ClockLimit>());
    EXPECT_FALSE(pondering.is_infinite());
    const auto clock = good({"wtime", "1000", "btime", "2000", "winc", "10", "binc", "20", "movestogo", "5"})
                           .find<ClockLimit>();
    ASSERT_TRUE(clock);
    EXPECT_EQ(clock->remaining, 1000ms);
    EXPECT_EQ(clock->increment, 10ms);
    EXPECT_EQ(clock->moves_to_go, 5);
    chess::Position black;
    black.make(chess::Move(chess::E2, chess::E4));
    EXPECT_EQ(good({"wtime", "1000", "btime", "2000", "winc", "10", "binc", "20"}, black)
                  .find<ClockLimit>()
                  ->remaining,
              2000ms);
    EXPECT_EQ(good({"wtime", "-37", "btime", "2000"}).find<ClockLimit>()->remaining, -37ms);
    const auto both = good({"depth", "3", "searchmoves", "e2e4", "d2d4", "nodes", "10"});
    EXPECT_EQ(both.root_moves.size(), 2U);
    EXPECT_TRUE(both.find<DepthLimit>() && both.find<NodeLimit>());
}

// A GUI that is sloppy gets a move all the same.
TEST(UciGo, IsLenientWhereGuisAreSloppy) {
    const GoCommand unknown = parse_go({}, {"fast", "depth", "3", "now"});
    EXPECT_EQ(unknown.ignored,
              (std::vector<std::string>{"go: unknown word 'fast'", "go: unknown word 'now'"}));
    EXPECT_EQ(unknown.limits.find<DepthLimit>()->depth, 3);
    EXPECT_EQ(good({"depth", "0"}).find<DepthLimit>()->depth, 1);
    EXPECT_EQ(good({"nodes", "-5"}).find<NodeLimit>()->nodes, 1U);
    const auto clock =
        good({"wtime", "9223372036854775807", "winc", "-20", "movestogo", "0"}).find<ClockLimit>();
    ASSERT_TRUE(clock);
    EXPECT_GT(clock->remaining, 1000h);
    EXPECT_GT(std::chrono::nanoseconds(clock->remaining).count(), 0);  // no overflow on the way
    EXPECT_EQ(clock->increment, 0ms);
    EXPECT_FALSE(clock->moves_to_go);
}

// A clock of the other side only is better than none: a search without an end loses the game.
TEST(UciGo, AMissingClockIsTheOthers) {
    chess::Position black;
    black.make(chess::Move(chess::E2, chess::E4));
    const auto clock = good({"wtime", "1000", "winc", "7"}, black).find<ClockLimit>();
    ASSERT_TRUE(clock);
    EXPECT_EQ(clock->remaining, 1000ms);
    EXPECT_EQ(clock->increment, 7ms);
    EXPECT_EQ(good({"btime", "500", "winc", "7"}).find<ClockLimit>()->remaining, 500ms);
}

TEST(UciGo, WhatIsWrongIsNamedAndIgnored) {
    const auto named = [](const std::vector<std::string_view>& words, const std::string& problem) {
        const GoCommand command = parse_go({}, words);
        EXPECT_EQ(command.ignored.size(), 1U);
        EXPECT_NE(command.ignored.front().find(problem), std::string::npos) << command.ignored.front();
        return command.limits;
    };
    // Where nothing else limits the search it is short.
    for (const Limits& limits :
         {named({"depth"}, "go depth '', expected a whole number"), named({"depth", "x"}, "go depth 'x'"),
          named({"wtime", "1e3"}, "go wtime '1e3'"), named({"ponder", "wtime", "-"}, "go wtime '-'")}) {
        ASSERT_TRUE(limits.find<MoveTimeLimit>());
        EXPECT_LE(limits.find<MoveTimeLimit>()->time, 1s);
    }
    const Limits rest = named({"depth", "nodes", "70"}, "go depth ''");
    EXPECT_EQ(rest.find<NodeLimit>()->nodes, 70U);
    EXPECT_FALSE(rest.find<MoveTimeLimit>());
    EXPECT_EQ(named({"movetime", "50", "searchmoves", "e2e5", "e2e4"}, "not legal").root_moves.size(), 1U);
    EXPECT_TRUE(named({"infinite", "depth", "x"}, "go depth 'x'").is_infinite());
    // Too large is a great many.
    EXPECT_GT(good({"movetime", "99999999999999999999"}).find<MoveTimeLimit>()->time, 1000h);
    EXPECT_EQ(good({"depth", "-99999999999999999999"}).find<DepthLimit>()->depth, 1);
}

}  // namespace
}  // namespace scholar::protocols
