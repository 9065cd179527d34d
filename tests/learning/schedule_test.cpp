#include "learning/optimise/schedule.hpp"

#include <gtest/gtest.h>

namespace scholar::learning {
namespace {

Schedule schedule(ScheduleKind kind) {
    Schedule result;
    result.kind = kind;
    result.learning_rate = 1;
    result.final_learning_rate = 0.1;
    result.steps = 110;
    result.warmup = 10;
    result.every = 20;
    result.factor = 0.5;
    return result;
}

TEST(Schedule, WarmsUpInAStraightLine) {
    const Schedule cosine = schedule(ScheduleKind::Cosine);
    EXPECT_DOUBLE_EQ(cosine.rate(1), 0.1);
    EXPECT_DOUBLE_EQ(cosine.rate(5), 0.5);
    EXPECT_DOUBLE_EQ(cosine.rate(10), 1);
}

TEST(Schedule, CosineEndsAtTheFinalRate) {
    const Schedule cosine = schedule(ScheduleKind::Cosine);
    EXPECT_NEAR(cosine.rate(60), 0.55, 1e-12);  // half-way between 1 and 0.1
    EXPECT_NEAR(cosine.rate(110), 0.1, 1e-12);
}

TEST(Schedule, StepsDownButNotBelowTheFinalRate) {
    const Schedule steps = schedule(ScheduleKind::Step);
    EXPECT_DOUBLE_EQ(steps.rate(30), 1);
    EXPECT_DOUBLE_EQ(steps.rate(31), 0.5);
    EXPECT_DOUBLE_EQ(steps.rate(51), 0.25);
    EXPECT_DOUBLE_EQ(steps.rate(110), 0.1);
}

TEST(Schedule, CoolsDownAtTheEndInAStraightLine) {
    Schedule cooldown = schedule(ScheduleKind::Cooldown);
    cooldown.cooldown = 0.2;  // the last 22 of 110
    EXPECT_DOUBLE_EQ(cooldown.rate(5), 0.5);
    EXPECT_DOUBLE_EQ(cooldown.rate(88), 1);
    EXPECT_NEAR(cooldown.rate(99), 0.55, 1e-12);
    EXPECT_NEAR(cooldown.rate(110), 0.1, 1e-12);
}

TEST(Schedule, ConstantStaysAfterWarmup) {
    EXPECT_DOUBLE_EQ(schedule(ScheduleKind::Constant).rate(11), 1);
    EXPECT_DOUBLE_EQ(schedule(ScheduleKind::Constant).rate(110), 1);
}

}  // namespace
}  // namespace scholar::learning
