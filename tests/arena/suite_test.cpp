#include "arena/suite.hpp"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

#include "chess/uci_move.hpp"
#include "scripted_programs.hpp"
#include "support/test_data.hpp"

namespace scholar::arena {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string write_suite(const tests::TemporaryFolder& folder, const std::string& text) {
    const std::string path = folder / "suite.epd";
    std::ofstream(path) << text;
    return path;
}

constexpr const char* kStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

SuiteOptions suite_of_scripted(std::vector<std::string> arguments) {
    SuiteOptions options;
    auto& command = options.engines.emplace_back().command;
    command = {scripted_engine()};
    command.insert(command.end(), arguments.begin(), arguments.end());
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
    auto options = suite_of_scripted({"fixed", "1", "e2e4"});
    options.concurrency = 2;
    std::size_t done = 0;
    const auto results = run_suite(*items, options, [&](std::size_t n) { done = n; }, {});
    ASSERT_TRUE(results) << results.error().message;
    const SuiteResult* result = &results->front();
    EXPECT_THAT(describe(*items, *result), Not(testing::AnyOf(HasSubstr("failures"), HasSubstr("late"))));
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

TEST(Suite, ALateAnswerGetsNoPoints) {
    const tests::TemporaryFolder folder;
    const auto path = write_suite(folder, fmt::format("{0} bm a3; id \"T.1\";\n", kStart));
    const auto items = read_suite(path);
    ASSERT_TRUE(items);
    // Its first answer takes a second and a half.
    auto options = suite_of_scripted({"slow", "1"});
    options.limit = MoveTimeLimit{std::chrono::milliseconds(100)};
    options.time_margin = std::chrono::milliseconds(0);
    auto results = run_suite(*items, options, {}, {});
    ASSERT_TRUE(results) << results.error().message;
    auto total = total_score(*items, results->front());
    EXPECT_EQ(total.points, 0);
    EXPECT_EQ(total.solved, 0);
    EXPECT_EQ(total.late, 1);
    EXPECT_EQ(total.failures, 0);
    EXPECT_EQ(total.max_points, 1);
    EXPECT_THAT(describe(*items, *results), AllOf(HasSubstr(" late"), Not(HasSubstr("failures"))));
    EXPECT_THAT(describe(*items, *results), testing::ContainsRegex("T +1 +0 +0 +1 +0.0 +1"));
    EXPECT_THAT(describe(*items, *results), HasSubstr(" s a position"));
    EXPECT_THAT(to_json_lines(*items, results->front()), HasSubstr("\"late\":true"));
    options.time_margin = std::chrono::minutes(10);
    results = run_suite(*items, options, {}, {});
    ASSERT_TRUE(results);
    EXPECT_EQ(total_score(*items, results->front()).points, 1);
}

TEST(Suite, AnEngineThatDoesNotStartAtOnceGetsAnotherChance) {
    const tests::TemporaryFolder folder;
    const auto path = write_suite(
        folder,
        fmt::format("{0} bm a3; id \"T.1\";\n{0} bm a3; id \"T.2\";\n{0} bm a3; id \"T.3\";\n", kStart));
    const auto items = read_suite(path);
    ASSERT_TRUE(items);
    // It dies at its second ucinewgame, and does not start the next time.
    auto options = suite_of_scripted({"breaks", "1", folder / "broken"});
    auto results = run_suite(*items, options, {}, {});
    ASSERT_TRUE(results) << results.error().message;
    EXPECT_EQ(total_score(*items, results->front()).points, 3);
    // Without another chance that is a failure at one position, and not the end of the suite.
    options.start_attempts = 0;
    results = run_suite(*items, options, {}, {});
    ASSERT_TRUE(results) << results.error().message;
    const auto total = total_score(*items, results->front());
    EXPECT_EQ(total.positions, 3);
    EXPECT_EQ(total.failures, 1);
    EXPECT_EQ(total.points, 2);
    EXPECT_THAT(results->front().answers[1].failure, HasSubstr("not ready: engine"));
}

TEST(Suite, AFailureCostsItsPositionOnly) {
    const tests::TemporaryFolder folder;
    const auto path = write_suite(
        folder,
        fmt::format("{0} bm a3; id \"T.1\";\n{0} bm a3; id \"T.2\";\n{0} bm a3; id \"T.3\";\n", kStart));
    const auto items = read_suite(path);
    ASSERT_TRUE(items);
    const auto results = run_suite(*items, suite_of_scripted({"crash", "2"}), {}, {});
    ASSERT_TRUE(results) << results.error().message;
    const SuiteResult* result = &results->front();
    const auto total = total_score(*items, *result);
    EXPECT_EQ(total.positions, 3);
    EXPECT_EQ(total.failures, 1);
    EXPECT_EQ(total.points, 2);
    EXPECT_THAT(result->answers[1].failure, HasSubstr("crash: killed by signal 11"));
}

TEST(Suite, AsksSeveralEnginesInTurns) {
    const tests::TemporaryFolder folder;
    const auto path = write_suite(
        folder,
        fmt::format("{0} bm a3; id \"T.1\";\n{0} bm e4; id \"T.2\";\n{0} bm a3; id \"U.1\";\n", kStart));
    const auto items = read_suite(path);
    ASSERT_TRUE(items);
    auto options = suite_of_scripted({"ok"});
    options.engines.push_back(suite_of_scripted({"fixed", "1", "e2e4"}).engines.front());
    options.engines[1].name = "Fixed";
    options.engines.emplace_back().protocol = Protocol::Internal;
    std::size_t done = 0;
    const auto results = run_suite(*items, options, [&](std::size_t n) { done = n; }, {});
    ASSERT_TRUE(results) << results.error().message;
    EXPECT_EQ(done, 9U);
    ASSERT_EQ(results->size(), 3U);
    EXPECT_EQ(total_score(*items, (*results)[0]).points, 2);
    EXPECT_EQ(total_score(*items, (*results)[1]).points, 1);
    EXPECT_EQ((*results)[2].engine, "Scholar");
    const std::string table = describe(*items, *results);
    EXPECT_THAT(table, HasSubstr("(1) Scripted ok"));
    EXPECT_THAT(table, HasSubstr("(2) Fixed"));
    EXPECT_THAT(table, testing::ContainsRegex("total +3 +2 +66.7 +2 +1 +33.3 +1"));
    EXPECT_FALSE(run_suite(*items, SuiteOptions{}, {}, {}));
}

TEST(Suite, AMateCountsWithAVariationThatMates) {
    // Philidor's smothered mate, in two: Qg8+ Rxg8, Nf7#.
    const auto item =
        suite_item(chess::parse_epd("5r1k/6pp/7N/8/2Q5/8/8/6K1 w - - dm 2; id \"M.1\";").value());
    ASSERT_TRUE(item) << item.error().message;
    const auto move = chess::parse_uci_move(item->position, "c4g8").value();
    SearchInfo info;
    info.mate = 2;
    info.principal_variation = {"c4g8", "f8g8", "h6f7"};
    EXPECT_TRUE(item->is_solved_by(move, info));
    EXPECT_EQ(item->points_for(move, info), 1);
    EXPECT_FALSE(item->is_solved_by(move));
    const auto solved = [&](std::optional<int> mate, std::vector<std::string> variation) {
        SearchInfo said;
        said.mate = mate;
        said.principal_variation = std::move(variation);
        return item->is_solved_by(move, said);
    };
    EXPECT_FALSE(solved(3, {"c4g8", "f8g8", "h6f7"}));   // too many moves
    EXPECT_FALSE(solved(-2, {"c4g8", "f8g8", "h6f7"}));  // for the other side
    EXPECT_FALSE(solved(std::nullopt, {"c4g8", "f8g8", "h6f7"}));
    EXPECT_FALSE(solved(2, {"c4g8", "f8g8"}));          // cut off
    EXPECT_FALSE(solved(2, {"c4g8", "f8g8", "h6f5"}));  // no mate
    EXPECT_FALSE(solved(2, {"c4g8", "h8g8", "h6f7"}));  // not legal
    EXPECT_FALSE(solved(2, {"h6f7", "f8f7", "c4c8"}));  // not the move it plays
    EXPECT_FALSE(solved(1, {"c4g8", "f8g8", "h6f7"}));  // longer than announced
    EXPECT_THAT(suite_item(chess::parse_epd("5r1k/6pp/7N/8/2Q5/8/8/6K1 w - - dm 0;").value()).error().message,
                HasSubstr("dm: '0', expected a number of moves"));
}

TEST(Suite, SaysWhereAFileIsWrong) {
    const tests::TemporaryFolder folder;
    const auto message = [&folder](const std::string& text) {
        const auto path = write_suite(folder, text);
        const auto items = read_suite(path);
        return items ? std::string("read") : items.error().message;
    };
    EXPECT_THAT(message(fmt::format("{} bm e4;\n{} id \"x\";\n", kStart, kStart)),
                HasSubstr("line 2: nothing to test: expected bm, am, dm, or c8 with c9"));
    EXPECT_THAT(message(fmt::format("{} bm e5;\n", kStart)), HasSubstr("line 1: "));
    EXPECT_THAT(message(fmt::format("{} c8 \"10\"; c9 \"e2e4 d2d4\";\n", kStart)),
                HasSubstr("c8 has 1 value for the 2 moves of c9"));
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
