#include "learning/papers/knightcap_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace scholar::learning {
namespace {

using testing::HasSubstr;
using testing::Not;

KnightcapResults some_results() {
    KnightcapResults results;
    results.nodes = 10'000;
    results.ladder_games = 200;
    results.match_games = 100;
    results.rated = {
        {"From material", {0, 50, 300}, {{0, 1650}, {308, 2150}}, {{"seed 1", "a"}, {"seed 2", "b"}}, true},
        {"From pawns", {0, 1'000}, {{0, 1250}, {1'000, 1550}}, {{"ours", "pawns"}}},
    };
    results.places[{"a", 0}] = {.elo = 1700.4, .error = 51, .games = 200};
    results.places[{"a", 300}] = {.elo = 2011, .error = 49.6, .games = 200};
    results.places[{"pawns", 0}] = {
        .elo = 900, .error = 300, .games = 200, .kind = arena::PlaceKind::LessThan};
    return results;
}

TEST(KnightcapReport, PutsThePapersRatingsInTheNearestColumns) {
    const std::string report = knightcap_report(some_results());
    EXPECT_THAT(report, HasSubstr("From material:\n\n"
                                  "| games | 0 | 50 | 300 |\n"
                                  "|---|---|---|---|\n"
                                  "| paper | 1650 |  | 2150 (308) |\n"
                                  "| seed 1 | 1700 ± 51 | – | 2011 ± 50 |\n"
                                  "| seed 2 | – | – | – |\n"));
    EXPECT_THAT(report, HasSubstr("| games | 0 | 1000 |\n"
                                  "|---|---|---|\n"
                                  "| paper | 1250 | 1550 |\n"
                                  "| ours | less than 900 | – |\n"));
}

TEST(KnightcapReport, SaysWhyNobodyWasPlaced) {
    KnightcapResults results = some_results();
    EXPECT_THAT(knightcap_report(results), HasSubstr("200 games each"));
    results.no_places = "nobody is here";
    EXPECT_THAT(knightcap_report(results), HasSubstr("None: nobody is here."));
    EXPECT_THAT(knightcap_report(results), Not(HasSubstr("games each")));
}

TEST(KnightcapReport, HasMatchesAndLinksToRuns) {
    KnightcapResults results = some_results();
    Duel duel{{.wins = 60, .draws = 20, .losses = 20},
              arena::Rating{.score = 0.7, .elo = 147.2, .elo_error = 60}};
    results.matches.push_back({"a against b", "depth 6", "11 %", duel});
    results.matches.push_back({"a against c", "depth 6", "", {}});
    results.learnt["a"] = 300;
    const std::string report = knightcap_report(results);
    EXPECT_THAT(report,
                HasSubstr("| a against b | depth 6 | 11 % | 70.0 % (+147 ± 60 Elo; +60 =20 −20) |\n"));
    EXPECT_THAT(report, HasSubstr("| a against c | depth 6 |  | – |\n"));
    EXPECT_THAT(report, HasSubstr("- [a, 300 games](a/report.md)\n"));
}

TEST(KnightcapReport, DrawsWhatIsPlottedWithThePaperBesideIt) {
    const base::Plot plot = knightcap_ratings(some_results());
    ASSERT_EQ(plot.series.size(), 3U);
    EXPECT_EQ(plot.series[0].name, "seed 1");
    ASSERT_EQ(plot.series[0].points.size(), 2U);
    EXPECT_EQ(plot.series[0].points[1].x, 300);
    EXPECT_EQ(plot.series[0].points[1].y, 2011);
    EXPECT_EQ(plot.series[0].points[1].error, 49.6);
    EXPECT_TRUE(plot.series[1].points.empty());
    EXPECT_EQ(plot.series[2].name, "paper");
    ASSERT_EQ(plot.series[2].points.size(), 2U);
    EXPECT_EQ(plot.series[2].points[1].x, 308);
}

}  // namespace
}  // namespace scholar::learning
