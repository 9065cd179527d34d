#include "arena/suite.hpp"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

#include "chess/uci_move.hpp"
#include "support/test_data.hpp"

namespace scholar::arena {
namespace {

using testing::HasSubstr;

std::string write_suite(const tests::TemporaryFolder& folder, const std::string& text) {
    const std::string path = folder / "suite.epd";
    std::ofstream(path) << text;
    return path;
}

constexpr const char* kStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

SuiteOptions scripted(std::vector<std::string> arguments) {
    SuiteOptions options;
    options.engine.command = {SCRIPTED_ENGINE};
    options.engine.command.insert(options.engine.command.end(), arguments.begin(), arguments.end());
    options.limit = NodeLimit{100};
    options.patience.quit = std::chrono::milliseconds(50);
    return options;
}

TEST(Suite, CountsSolutionsAndPointsByTheme) {
    const tests::TemporaryFolder folder;
    const auto path = write_suite(
        folder, fmt::format("# an engine that always plays e2e4\n\n"
                            "{0} bm d4; id \"STS(v1.0) Centre.001\"; c8 \"10 7\"; c9 \"d2d4 e2e4\";\n"
                            "{0} bm e4; id \"STS(v1.0) Centre.002\"; c8 \"10 2\"; c9 \"e2e4 d2d4\";\n"
                            "{0} bm e4 d4; id \"Simple.1\";\n"
                            "{0} am e4; id \"Simple.2\";\n"
                            "{0} am d4; id \"Simple.3\";\n",
                            kStart));
    const auto items = read_suite(path);
    ASSERT_TRUE(items) << items.error().message;
    auto options = scripted({"fixed", "1", "e2e4"});
    options.concurrency = 2;
    std::size_t done = 0;
    const auto result = run_suite(*items, options, [&](std::size_t n) { done = n; }, {});
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(done, 5U);
    const auto scores = scores_by_theme(*items, *result);
    ASSERT_EQ(scores.size(), 2U);
    EXPECT_EQ(scores[0].theme, "Centre");
    EXPECT_EQ(scores[0].points, 17);
    EXPECT_EQ(scores[0].max_points, 20);
    EXPECT_EQ(scores[0].solved, 1);
    EXPECT_EQ(scores[1].theme, "Simple");
    EXPECT_EQ(scores[1].points, 2);
    EXPECT_EQ(scores[1].max_points, 3);
    const auto total = total_score(*items, *result);
    EXPECT_EQ(total.points, 19);
    EXPECT_EQ(total.max_points, 23);
    EXPECT_EQ(total.solved, 3);
    EXPECT_EQ(total.failures, 0);
    EXPECT_THAT(describe(*items, *result), HasSubstr("1.00 k nodes a position"));
    EXPECT_THAT(to_json_lines(*items, *result), HasSubstr("\"points\":7,\"max_points\":10"));
}

TEST(Suite, AFailureCostsItsPositionOnly) {
    const tests::TemporaryFolder folder;
    const auto path = write_suite(
        folder,
        fmt::format("{0} bm a3; id \"T.1\";\n{0} bm a3; id \"T.2\";\n{0} bm a3; id \"T.3\";\n", kStart));
    const auto items = read_suite(path);
    ASSERT_TRUE(items);
    const auto result = run_suite(*items, scripted({"crash", "2"}), {}, {});
    ASSERT_TRUE(result) << result.error().message;
    const auto total = total_score(*items, *result);
    EXPECT_EQ(total.positions, 3);
    EXPECT_EQ(total.failures, 1);
    EXPECT_EQ(total.points, 2);
    EXPECT_THAT(result->answers[1].failure, HasSubstr("crash: killed by signal 11"));
}

TEST(Suite, SaysWhereAFileIsWrong) {
    const tests::TemporaryFolder folder;
    const auto message = [&folder](const std::string& text) {
        const auto path = write_suite(folder, text);
        const auto items = read_suite(path);
        return items ? std::string("read") : items.error().message;
    };
    EXPECT_THAT(message(fmt::format("{} bm e4;\n{} id \"x\";\n", kStart, kStart)),
                HasSubstr("line 2: nothing to test: expected bm, am, or c8 with c9"));
    EXPECT_THAT(message(fmt::format("{} bm e5;\n", kStart)), HasSubstr("line 1: "));
    EXPECT_THAT(message(fmt::format("{} c8 \"10\"; c9 \"e2e4 d2d4\";\n", kStart)),
                HasSubstr("c8 has 1 values for the 2 moves of c9"));
    EXPECT_THAT(message(fmt::format("{} c8 \"ten\"; c9 \"e2e4\";\n", kStart)), HasSubstr("c8: 'ten'"));
    EXPECT_THAT(message("\n"), HasSubstr("no positions, expected EPD lines"));
    EXPECT_FALSE(read_suite("/no/such/suite.epd"));
}

// The published suite: 15 themes of 100 positions, 10 points each at most.
TEST(Suite, ReadsTheStrategicTestSuite) {
    const auto file = tests::shared_data("suites/sts.epd");
    if (!file) GTEST_SKIP() << "no suites/sts.epd: set SCHOLAR_DATA to run this test";
    const auto items = read_suite(file->string());
    ASSERT_TRUE(items) << items.error().message;
    EXPECT_EQ(items->size(), 1500U);
    std::map<std::string, int> themes;
    int points = 0;
    for (const auto& item : *items) {
        ++themes[item.theme];
        points += item.max_points();
    }
    EXPECT_EQ(themes.size(), 15U);
    for (const auto& [theme, count] : themes) EXPECT_EQ(count, 100) << theme;
    EXPECT_EQ(points, 15'000);
}

TEST(Suite, ThemeOfAnId) {
    EXPECT_EQ(theme_of("STS(v1.0) Undermine.001"), "Undermine");
    EXPECT_EQ(theme_of("STS(v2.2) Open Files and Diagonals.017"), "Open Files and Diagonals");
    EXPECT_EQ(theme_of("WAC.001"), "WAC");
    EXPECT_EQ(theme_of("no number"), "no number");
    EXPECT_EQ(theme_of("STS(v5.0) Knights/Bishops.03"), "Bishops/Knights");
}

}  // namespace
}  // namespace scholar::arena
