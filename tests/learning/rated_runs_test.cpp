#include "learning/papers/rated_runs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace scholar::learning {
namespace {

using testing::ElementsAre;

RatedRuns some_runs() {
    RatedRuns runs{
        "From material", {0, 50, 300}, {{0, 1650}, {308, 2150}}, 98, {{"seed 1", "a"}, {"seed 2", "b"}}};
    runs.places[{"a", 0}] = {.elo = 1700.4, .error = 51, .games = 200};
    runs.places[{"a", 300}] = {.elo = 2011, .error = 49.6, .games = 200};
    runs.places[{"b", 0}] = {.elo = 900, .error = 300, .games = 200, .kind = arena::PlaceKind::LessThan};
    return runs;
}

TEST(RatedRuns, HaveThePapersRatingsInTheNearestColumns) {
    const Findings::Table table = to_table(some_runs());
    EXPECT_EQ(table.heading, "From material");
    EXPECT_THAT(table.rows, ElementsAre(ElementsAre("games", "0", "50", "300"),
                                        ElementsAre("paper", "1650", "", "2150 (308)"),
                                        ElementsAre("seed 1", "1700 ± 51", "–", "2011 ± 50"),
                                        ElementsAre("seed 2", "less than 900", "–", "–")));
}

TEST(RatedRuns, AreDrawnWithThePaperBesideThem) {
    const base::Plot plot = to_plot(some_runs(), "Ratings");
    EXPECT_EQ(plot.title, "Ratings");
    ASSERT_EQ(plot.series.size(), 3U);
    EXPECT_EQ(plot.series[0].name, "seed 1");
    ASSERT_EQ(plot.series[0].points.size(), 2U);
    EXPECT_EQ(plot.series[0].points[1].x, 300);
    EXPECT_EQ(plot.series[0].points[1].y, 2011);
    EXPECT_EQ(plot.series[0].points[1].error, 49.6);
    EXPECT_EQ(plot.series[1].points.size(), 1U);
    EXPECT_EQ(plot.series[2].name, "paper");
    ASSERT_EQ(plot.series[2].points.size(), 2U);
    EXPECT_EQ(plot.series[2].points[1].x, 308);
    EXPECT_EQ(plot.series[2].points[1].error, 98);
}

}  // namespace
}  // namespace scholar::learning
