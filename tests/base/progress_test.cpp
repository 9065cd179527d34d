#include "base/progress.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace scholar::base {
namespace {

TEST(Progress, CountsHaveThreeFigures) {
    EXPECT_EQ(short_count(0), "0");
    EXPECT_EQ(short_count(7), "7");
    EXPECT_EQ(short_count(999), "999");
    EXPECT_EQ(short_count(1000), "1.00 k");
    EXPECT_EQ(short_count(12'345), "12.3 k");
    EXPECT_EQ(short_count(345'678), "346 k");
    EXPECT_EQ(short_count(27'125'810), "27.1 M");
    EXPECT_EQ(short_count(2.5e9), "2.50 G");
    EXPECT_EQ(short_count(5e15), "5000 T");
}

// Rounding up to the next unit must not show a fourth figure.
TEST(Progress, CountsRoundIntoTheNextUnit) {
    EXPECT_EQ(short_count(999.7), "1.00 k");
    EXPECT_EQ(short_count(999'700), "1.00 M");
    EXPECT_EQ(short_count(9'999), "10.0 k");
    EXPECT_EQ(short_count(99'990), "100 k");
}

TEST(Progress, Durations) {
    using std::chrono::seconds;
    EXPECT_EQ(short_duration(seconds(0)), "0:00");
    EXPECT_EQ(short_duration(seconds(59)), "0:59");
    EXPECT_EQ(short_duration(seconds(123)), "2:03");
    EXPECT_EQ(short_duration(seconds(3723)), "1:02:03");
    EXPECT_EQ(short_duration(seconds(100 * 3600)), "100:00:00");
}

// Work that goes on where an earlier run ended is no faster for it.
TEST(Progress, WhatWasDoneBeforeIsNoRate) {
    testing::internal::CaptureStderr();
    {
        const Progress progress("match", 2'000'000'000, "games", 1'000'000'000);
    }
    const std::string text = testing::internal::GetCapturedStderr();
    EXPECT_NE(text.find(" 50 % 1.00 G games, 0/s"), std::string::npos) << text;
}

TEST(Progress, PlainLinesWhereThereIsNoTerminal) {
    testing::internal::CaptureStderr();
    {
        Progress progress("import", 200, "games");
        progress.update(100, "half-way");  // too soon after the start to be shown
        progress.update(200, "all there");
        progress.finish();
        progress.finish();  // once only
    }
    const std::string shown = testing::internal::GetCapturedStderr();
    EXPECT_NE(shown.find("import 100 % 200 games"), std::string::npos) << shown;
    EXPECT_NE(shown.find("all there"), std::string::npos) << shown;
    EXPECT_EQ(std::count(shown.begin(), shown.end(), '\n'), 1) << shown;
    EXPECT_EQ(shown.find('\r'), std::string::npos) << shown;
}

TEST(Progress, UnknownTotalShowsNoShare) {
    testing::internal::CaptureStderr();
    {
        Progress progress("read", 0, "games");
        progress.update(12);
    }
    const std::string shown = testing::internal::GetCapturedStderr();
    EXPECT_NE(shown.find("read 12 games"), std::string::npos) << shown;
    EXPECT_EQ(shown.find('%'), std::string::npos) << shown;
}

}  // namespace
}  // namespace scholar::base
