#include "search/time_manager.hpp"

#include <gtest/gtest.h>

namespace scholar::search {
namespace {

using namespace std::chrono_literals;

const Tunables kTunables;

Limits clock(Milliseconds remaining, Milliseconds increment, std::optional<int> moves = {}) {
    Limits limits;
    limits.limits.push_back(ClockLimit{remaining, increment, moves});
    return limits;
}

TEST(TimeManager, NoLimitOnTimeNoPlan) {
    Limits limits;
    limits.limits.push_back(DepthLimit{5});
    EXPECT_FALSE(plan_time(limits, 0, kTunables));
}

// Whatever is kept back from clocks.
TEST(TimeManager, AMoveTimeIsUsedWhole) {
    for (const auto overhead : {0ms, 10ms, 5000ms})
        for (const auto time : {-5ms, 0ms, 1ms, 2ms, 10ms, 100ms, 3'600'000ms}) {
            Limits limits;
            limits.limits.push_back(MoveTimeLimit{time});
            limits.move_overhead = overhead;
            const auto plan = plan_time(limits, 0, kTunables);
            ASSERT_TRUE(plan);
            EXPECT_EQ(plan->optimum, std::max(1ms, time));
            EXPECT_EQ(plan->maximum, std::max(1ms, time));
            EXPECT_FALSE(plan->flexible);
            // Beside a clock that would allow more it holds too, and one that allows less still does.
            limits.limits.push_back(ClockLimit{100'000'000ms, 0ms, {}});
            EXPECT_EQ(plan_time(limits, 0, kTunables)->maximum, std::max(1ms, time));
            limits.limits.back() = ClockLimit{overhead + 2ms, 0ms, {}};
            EXPECT_LE(plan_time(limits, 0, kTunables)->maximum, 2ms);
        }
}

TEST(TimeManager, NeverMoreThanTheClockHasAndAlwaysSomething) {
    for (const auto remaining : {-500ms, 0ms, 1ms, 11ms, 100ms, 1000ms, 60'000ms, 3'600'000ms}) {
        for (const auto increment : {0ms, 100ms, 30'000ms}) {
            for (const std::optional<int> moves :
                 {std::optional<int>(), std::optional(1), std::optional(2), std::optional(40)}) {
                for (const int ply : {0, 20, 80, 400}) {
                    const auto plan = plan_time(clock(remaining, increment, moves), ply, kTunables);
                    ASSERT_TRUE(plan);
                    EXPECT_LE(plan->optimum, plan->maximum);
                    EXPECT_GE(plan->optimum, 1ms);
                    EXPECT_TRUE(remaining <= 20ms || plan->maximum + 10ms <= remaining);
                }
            }
        }
    }
}

// Even where every choice is hard, a game keeps some time: of any length with an increment, of a hundred
// moves without one, and through forty moves to a control.
TEST(TimeManager, AGameNeverRunsOut) {
    constexpr double kHard = 1.6;
    for (const auto start : {300ms, 10'000ms, 600'000ms}) {
        for (const auto increment : {start / 100, 0ms}) {
            if (start < 1000ms && increment == 0ms) continue;  // not a millisecond for each move
            Milliseconds remaining = start;
            for (int move = 0; move < (increment == 0ms ? 100 : 500); ++move) {
                const auto plan = plan_time(clock(remaining, increment), 2 * move, kTunables);
                const auto used = std::min(plan->maximum, kHard * plan->optimum);
                remaining -= std::chrono::ceil<Milliseconds>(used);
                ASSERT_GT(remaining, 0ms) << start.count() << ", move " << move;
                remaining += increment;
            }
        }
        Milliseconds remaining = start;
        for (int move = 0; move < 40; ++move) {
            const auto plan = plan_time(clock(remaining, 0ms, 40 - move), 2 * move, kTunables);
            remaining -= std::chrono::ceil<Milliseconds>(std::min(plan->maximum, kHard * plan->optimum));
            ASSERT_GT(remaining, 0ms) << "move " << move;
        }
    }
}

TEST(TimeManager, ClearChoicesTakeLessThanHardOnes) {
    const double clear = stretch({10, -20, 0.95}, kTunables);
    const double usual = stretch({3, 0, 0.6}, kTunables);
    const double hard = stretch({0, 60, 0.25}, kTunables);
    EXPECT_LT(clear, 0.7 * usual);
    EXPECT_GT(hard, 1.3 * usual);
    // Each on its own pulls the right way.
    EXPECT_LT(stretch({8, 0, 0.6}, kTunables), usual);
    EXPECT_GT(stretch({3, 80, 0.6}, kTunables), usual);
    EXPECT_LT(stretch({3, 0, 0.9}, kTunables), usual);
}

}  // namespace
}  // namespace scholar::search
