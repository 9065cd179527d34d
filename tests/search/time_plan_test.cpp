#include "search/time_plan.hpp"

#include <gtest/gtest.h>

namespace scholar::search {
namespace {

using namespace std::chrono_literals;

Limits clock(Milliseconds remaining, Milliseconds increment, std::optional<int> moves = {}) {
    Limits limits;
    limits.limits.push_back(ClockLimit{remaining, increment, moves});
    return limits;
}

TEST(TimePlan, NoLimitOnTimeNoPlan) {
    Limits limits;
    limits.limits.push_back(DepthLimit{5});
    EXPECT_FALSE(plan_time(limits));
}

TEST(TimePlan, AMoveTimeIsUsedLessTheOverhead) {
    Limits limits;
    limits.limits.push_back(MoveTimeLimit{100ms});
    EXPECT_EQ(plan_time(limits)->hard, 90ms);
    limits.move_overhead = 200ms;
    EXPECT_EQ(plan_time(limits)->hard, 1ms);
}

TEST(TimePlan, NeverMoreThanTheClockHasAndAlwaysSomething) {
    for (const auto remaining : {-500ms, 0ms, 1ms, 11ms, 100ms, 1000ms, 60'000ms, 3'600'000ms}) {
        for (const auto increment : {0ms, 100ms, 30'000ms}) {
            for (const std::optional<int> moves :
                 {std::optional<int>(), std::optional(1), std::optional(2), std::optional(40)}) {
                const auto plan = plan_time(clock(remaining, increment, moves));
                ASSERT_TRUE(plan);
                EXPECT_LE(plan->soft, plan->hard);
                EXPECT_GE(plan->soft, 1ms);
                EXPECT_TRUE(remaining <= 20ms || plan->hard + 10ms <= remaining);
            }
        }
    }
}

// Played to its soft limits, a game keeps some time: of any length with an increment, of a hundred moves
// without one.
TEST(TimePlan, AGameNeverRunsOut) {
    for (const auto increment : {0ms, 100ms}) {
        Milliseconds remaining = 10'000ms;
        for (int move = 0; move < (increment == 0ms ? 100 : 500); ++move) {
            remaining -= plan_time(clock(remaining, increment))->soft + 10ms;
            ASSERT_GT(remaining, 0ms) << "move " << move;
            remaining += increment;
        }
    }
}

}  // namespace
}  // namespace scholar::search
