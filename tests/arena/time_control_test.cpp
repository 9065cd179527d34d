#include "arena/time_control.hpp"

#include <gtest/gtest.h>

namespace scholar::arena {
namespace {

TEST(TimeControl, ReadsEveryFormAndWritesItBack) {
    const auto clock = parse_time_control("40/60+0.5");
    ASSERT_TRUE(clock);
    const auto& periods = std::get<ClockControl>(clock->kind);
    EXPECT_EQ(periods.moves, 40);
    EXPECT_EQ(periods.base.count(), 60'000);
    EXPECT_EQ(periods.increment.count(), 500);
    EXPECT_EQ(to_string(*clock), "40/60+0.5");

    const auto game = parse_time_control("10+0.1");
    ASSERT_TRUE(game);
    EXPECT_EQ(std::get<ClockControl>(game->kind).base.count(), 10'000);
    EXPECT_EQ(std::get<ClockControl>(game->kind).increment.count(), 100);
    EXPECT_EQ(std::get<ClockControl>(game->kind).moves, 0);

    for (const char* text : {"movetime=0.1", "0.1/move"}) {
        const auto control = parse_time_control(text);
        ASSERT_TRUE(control) << text;
        EXPECT_EQ(std::get<MoveTimeControl>(control->kind).time.count(), 100);
        EXPECT_EQ(to_string(*control), "movetime=0.1");
    }
    EXPECT_EQ(std::get<NodesControl>(parse_time_control("nodes=5000")->kind).nodes, 5000U);
    // Every order of magnitude is as likely as any other, and both ends are drawn.
    const auto drawn = std::get<DrawnNodesControl>(parse_time_control("nodes=10-1000")->kind);
    EXPECT_EQ(drawn.nodes(0), 10U);
    EXPECT_NEAR(static_cast<double>(drawn.nodes(0.5)), 100, 1);
    EXPECT_EQ(drawn.nodes(0.9999999), 1000U);
    for (const char* wrong :
         {"nodes=10-", "nodes=-10", "nodes=10-10", "nodes=0-5", "nodes=20-10", "nodes=1-2-3"})
        EXPECT_FALSE(parse_time_control(wrong)) << wrong;
    EXPECT_EQ(std::get<DepthControl>(parse_time_control("depth=8")->kind).depth, 8);
    const auto several = parse_time_control("40/1:30:00,20/30:00,5:00+30");
    ASSERT_TRUE(several);
    EXPECT_EQ(to_string(*several), "40/5400,20/1800,300+30");
    EXPECT_EQ(to_pgn_tag(*several), "40/5400:20/1800:300+30");
    EXPECT_EQ(std::get<ClockControl>(several->kind).later[1].increment.count(), 30'000);
    EXPECT_EQ(to_string(*parse_time_control("0:01.5+0.1")), "1.5+0.1");
    for (const char* text : {"10+0.1", "60", "40/60,10+1", "40/60", "nodes=5000", "nodes=10-1000", "depth=8"})
        EXPECT_EQ(to_string(*parse_time_control(text)), text);
}

TEST(TimeControl, RefusesTheRestAndSaysWhatItExpected) {
    for (const char* text :
         {"",        "10+",        "+1",        "0",      "-5",      "10+-1",    "0/60",      "x/60",
          "40/",     "movetime=0", "movetime=", "/move",  "nodes=0", "nodes=-1", "nodes=1e3", "depth=0",
          "depth=x", "10s",        "nan",       "inf",    "1e300",   "5:60",     "5:",        ":30",
          "1:2:3:4", "1:60:00",    "10,5",      "40/10,", ",10",     "5:-1"}) {
        const auto control = parse_time_control(text);
        ASSERT_FALSE(control) << text;
        EXPECT_NE(control.error().message.find("expected seconds as 10+0.1, 5:00+3"), std::string::npos);
        EXPECT_NE(control.error().message.find(fmt::format("'{}'", text)), std::string::npos);
    }
}

}  // namespace
}  // namespace scholar::arena
