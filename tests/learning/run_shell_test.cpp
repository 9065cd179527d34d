#include "learning/run/run_shell.hpp"

#include <fstream>
#include <gtest/gtest.h>

#include "base/files.hpp"
#include "learning/run/milestones.hpp"
#include "support/test_data.hpp"

namespace scholar::learning {
namespace {

namespace fs = std::filesystem;

RunShellOptions in(const fs::path& folder) {
    RunShellOptions options;
    options.folder = folder;
    return options;
}

TEST(RunShell, OnlyOneLearnsInAFolder) {
    const tests::TemporaryFolder folder;
    const fs::path run = folder / "run";
    RunShell first(in(run), {});
    ASSERT_TRUE(first.be_alone()) << "nobody is in a folder that is not there";
    ASSERT_TRUE(first.create({"parts"}));
    EXPECT_TRUE(fs::is_directory(run / "parts"));
    {
        RunShell second(in(run), {});
        const auto refused = second.be_alone();
        ASSERT_FALSE(refused);
        EXPECT_TRUE(refused.error().message.ends_with("expected to be the only one that learns there"))
            << refused.error().message;
        EXPECT_TRUE(first.be_alone());
    }
    // Who was refused has not taken the lock away.
    RunShell third(in(run), {});
    EXPECT_FALSE(third.be_alone());
}

TEST(RunShell, TheLockGoesWithTheRun) {
    const tests::TemporaryFolder folder;
    {
        RunShell first(in(folder.path()), {});
        ASSERT_TRUE(first.create());
        EXPECT_FALSE(fs::is_empty(folder.path()));
    }
    EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(RunShell, SaysWhetherTheRunGoesOn) {
    const auto decide = [](bool resume, bool or_begin, bool overwrite, const RunShell::Found& found) {
        RunShellOptions options = in("runs/x");
        options.resume = resume;
        options.or_begin = or_begin;
        options.overwrite = overwrite;
        const RunShell shell(options, {});
        const auto decided = shell.goes_on(found);
        return !decided ? decided.error().message : *decided ? "on" : "new";
    };
    const RunShell::Found nothing{std::nullopt, false};
    const RunShell::Found begun{std::nullopt, true};
    const RunShell::Found checkpoint{" at step 3", true};
    const RunShell::Found damaged{base::fail("damaged"), true};
    const std::string none = "runs/x: holds no run to go on with: without --resume a new one begins there";
    const std::string there =
        "runs/x: already holds a run at step 3: --resume goes on with it, --overwrite "
        "begins again";
    EXPECT_EQ(decide(false, false, false, nothing), "new");
    EXPECT_EQ(decide(false, false, false, begun), "new");
    EXPECT_EQ(decide(false, false, false, checkpoint), there);
    EXPECT_EQ(decide(false, false, false, damaged),
              "runs/x: already holds a run: --resume goes on with it, --overwrite begins again");
    EXPECT_EQ(decide(false, false, true, checkpoint), "new");
    EXPECT_EQ(decide(false, false, true, damaged), "new");
    EXPECT_EQ(decide(true, false, false, nothing), none);
    EXPECT_EQ(decide(true, true, false, nothing), "new");
    EXPECT_EQ(decide(true, false, false, begun), "new");
    EXPECT_EQ(decide(true, false, false, checkpoint), "on");
    EXPECT_EQ(decide(true, true, false, damaged), "damaged");
}

TEST(RunShell, AnyLimitEndsIt) {
    const auto over = [](const RunLimits& limits, const RunCounts& now, double earlier_cores) {
        RunShellOptions options = in("runs/x");
        options.limits = limits;
        RunShell shell(options, {});
        shell.clock().add_cores(earlier_cores);
        return shell.is_over(now);
    };
    EXPECT_FALSE(over({}, {.steps = 1'000'000, .games = 1'000'000}, 1e9));
    EXPECT_FALSE(over({.steps = 10}, {.steps = 9}, 0));
    EXPECT_TRUE(over({.steps = 10}, {.steps = 10}, 0));
    EXPECT_FALSE(over({.games = 10}, {.steps = 20, .games = 9}, 0));
    EXPECT_TRUE(over({.games = 10}, {.games = 11}, 0));
    EXPECT_FALSE(over({.core_minutes = 2}, {}, 30));
    EXPECT_TRUE(over({.core_minutes = 2}, {}, 120));
    EXPECT_FALSE(over({.minutes = 10}, {}, 1e9));
    std::stop_source stop;
    const RunShell shell(in("runs/x"), stop.get_token());
    EXPECT_FALSE(shell.is_over({}));
    stop.request_stop();
    EXPECT_TRUE(shell.is_over({}));
}

TEST(RunShell, TheShareDoneIsThatOfTheLimitThatWillEndIt) {
    const RunLimits limits{.games = 100, .core_minutes = 10};
    // Of 60 games that were left 15 are played, and of 5 core-minutes 2 are gone.
    EXPECT_DOUBLE_EQ(
        share_done(limits, {.games = 40, .core_seconds = 300}, {.games = 55, .core_seconds = 420}, 0), 0.4);
    EXPECT_DOUBLE_EQ(
        share_done(limits, {.games = 40, .core_seconds = 300}, {.games = 70, .core_seconds = 420}, 0), 0.5);
    EXPECT_DOUBLE_EQ(share_done(limits, {}, {.games = 500}, 0), 1);
    EXPECT_DOUBLE_EQ(share_done({}, {}, {.games = 500}, 100), 0);
}

TEST(RunShell, WhatIsDoneInAPauseIsNoneOfTheRun) {
    RunClock clock;
    clock.add_cores(10);
    const double before = clock.cores();
    EXPECT_GE(before, 10);
    double spent = 0;
    {
        const RunClock::Pause pause(clock);
        const double start = core_seconds();
        volatile double sum = 0;
        while (core_seconds() < start + 0.05) sum = sum + 1;
        spent = core_seconds() - start;
    }
    EXPECT_LT(clock.cores(), before + spent);
}

TEST(Milestones, ComeAfterTheseCoreMinutes) {
    std::vector<int> minutes;
    for (std::size_t i = 0; i < 10; ++i) minutes.push_back(Milestones::minutes(i));
    EXPECT_EQ(minutes, (std::vector<int>{1, 2, 5, 10, 20, 40, 60, 120, 240, 480}));
    EXPECT_FALSE(Milestones::is_due(2, 299));
    EXPECT_TRUE(Milestones::is_due(2, 300));
    EXPECT_FALSE(Milestones::is_due(1'000, 1e18));
    std::vector<std::uint64_t> games;
    for (std::uint64_t game = 1; game <= 300; ++game)
        if (is_games_milestone(game)) games.push_back(game);
    EXPECT_EQ(games, (std::vector<std::uint64_t>{25, 50, 100, 200, 300}));
}

}  // namespace
}  // namespace scholar::learning
