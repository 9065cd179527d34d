#include "base/plot.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <regex>

#include "base/heat_map.hpp"

namespace scholar::base {
namespace {

// Every tag closed in its order, every attribute quoted, no bare '&' or '<'.
bool is_well_formed(const std::string& xml) {
    static const std::regex kTag(R"(^<(/?)([a-z]+)((?: [A-Za-z0-9:-]+="[^"<]*")*)(/?)>)");
    static const std::regex kEntity(R"(&(amp|lt|gt|quot|#39);)");
    std::vector<std::string> open;
    std::string text;
    for (std::size_t at = 0; at < xml.size();) {
        if (xml[at] != '<') {
            text += xml[at++];
            continue;
        }
        std::smatch tag;
        const std::string rest = xml.substr(at);
        if (!std::regex_search(rest, tag, kTag)) return false;
        at += tag.length();
        text += tag[3];
        if (tag[1] == "/") {
            if (open.empty() || open.back() != tag[2]) return false;
            open.pop_back();
        } else if (tag[4] != "/") {
            open.push_back(tag[2]);
        }
    }
    return open.empty() && std::regex_replace(text, kEntity, "").find('&') == std::string::npos;
}

std::vector<std::pair<double, double>> circles(const std::string& svg) {
    static const std::regex kCircle(R"re(<circle class="f\d" cx="([0-9.-]+)" cy="([0-9.-]+)")re");
    std::vector<std::pair<double, double>> found;
    for (std::sregex_iterator at(svg.begin(), svg.end(), kCircle), end; at != end; ++at)
        found.emplace_back(std::stod((*at)[1]), std::stod((*at)[2]));
    return found;
}

// Of one series, known by the attribute that gives its colour.
std::vector<std::pair<double, double>> dots(const std::string& svg, const std::string& colour) {
    static const std::regex kDot(R"re(M([0-9.-]+) ([0-9.-]+)h0)re");
    std::vector<std::pair<double, double>> found;
    // By hand: to std::regex, which calls itself for each letter, a path of thousands of dots is too long.
    std::size_t begin = 0;
    while ((begin = svg.find("<path class=\"dots", begin)) != std::string::npos) {
        const std::string path = svg.substr(begin, svg.find("/>", begin) - begin);
        begin += path.size();
        if (path.find(colour) == std::string::npos) continue;
        for (std::sregex_iterator at(path.begin(), path.end(), kDot), end; at != end; ++at)
            found.emplace_back(std::stod((*at)[1]), std::stod((*at)[2]));
    }
    return found;
}

int count(const std::string& text, const std::string& part) {
    int found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
}

Plot plot_of(std::vector<PlotPoint> points, bool logarithmic = false) {
    Plot plot{"title", {"across", logarithmic}, {"up"}, {}};
    plot.series.push_back({"some", std::move(points)});
    return plot;
}

TEST(Plot, TicksAreRoundNumbers) {
    using Ticks = std::vector<double>;
    EXPECT_EQ(axis_ticks(0, 10, false, 6), (Ticks{0, 2, 4, 6, 8, 10}));
    EXPECT_EQ(axis_ticks(-130, 870, false, 7), (Ticks{0, 200, 400, 600, 800}));
    EXPECT_EQ(axis_ticks(0.9, 130, true, 9), (Ticks{1, 2, 5, 10, 20, 50, 100}));
    EXPECT_EQ(axis_ticks(1, 1e6, true, 9), (Ticks{1, 10, 100, 1e3, 1e4, 1e5, 1e6}));
    EXPECT_EQ(axis_ticks(1, 1e12, true, 9).size(), 7U);
    // Too little for powers of ten and their like: as on an ordinary axis.
    EXPECT_THAT(axis_ticks(2.1, 2.9, true, 5),
                testing::Pointwise(testing::DoubleNear(1e-9), Ticks{2.2, 2.4, 2.6, 2.8}));
    for (const double high : {1e-9, 0.3, 7.7, 1e3, 4e15})
        for (const bool logarithmic : {false, true})
            for (const int most : {3, 7, 9}) {
                const double low = high / 1234;
                const auto ticks = axis_ticks(low, high, logarithmic, most);
                EXPECT_FALSE(ticks.empty());
                EXPECT_LE(ticks.size(), static_cast<std::size_t>(most));
                for (const double tick : ticks) {
                    EXPECT_GE(tick, low * 0.999);
                    EXPECT_LE(tick, high * 1.001);
                }
            }
}

TEST(Plot, NumbersAreShort) {
    EXPECT_EQ(tick_text(0), "0");
    EXPECT_EQ(tick_text(0.6 - 3 * 0.2), "0");
    EXPECT_EQ(tick_text(0.1 + 0.2), "0.3");
    EXPECT_EQ(tick_text(-800), "-800");
    EXPECT_EQ(tick_text(5000), "5000");
    EXPECT_EQ(tick_text(20'000), "20 k");
    EXPECT_EQ(tick_text(1.5e6), "1.5 M");
    EXPECT_EQ(tick_text(2e9), "2 G");
}

TEST(Plot, PointsAreWhereTheyShouldBe) {
    const auto even = circles(to_svg(plot_of({{0, 0}, {5, 50}, {10, 100}})));
    ASSERT_EQ(even.size(), 3U);
    EXPECT_NEAR(even[1].first, (even[0].first + even[2].first) / 2, 0.11);
    EXPECT_NEAR(even[1].second, (even[0].second + even[2].second) / 2, 0.11);
    EXPECT_LT(even[0].first, even[2].first);
    EXPECT_GT(even[0].second, even[2].second);  // up is less
    // As far from one power of ten to the next.
    const auto log = circles(to_svg(plot_of({{1, 0}, {10, 50}, {100, 100}}, true)));
    ASSERT_EQ(log.size(), 3U);
    EXPECT_NEAR(log[1].first, (log[0].first + log[2].first) / 2, 0.11);
    // A point stands on the tick that has its number.
    const std::string svg = to_svg(plot_of({{0, 0}, {5, 40}, {10, 100}}));
    EXPECT_NE(svg.find(fmt::format("y1=\"{:.1f}\"", circles(svg)[1].second)), std::string::npos);
}

TEST(Plot, BarsReachAsFarAsTheErrors) {
    const std::string svg = to_svg(plot_of({{0, 100}, {1, 200, 50}, {2, 150}, {3, 250}}));
    const std::regex bar(R"(<path class="bar s0" d="M[0-9.]+ ([0-9.]+)h8m-4 0V([0-9.]+)m)");
    std::smatch found;
    ASSERT_TRUE(std::regex_search(svg, found, bar));
    EXPECT_EQ(count(svg, "<path"), 1);
    EXPECT_NEAR(std::stod(found[1]), circles(svg)[2].second, 0.11);
    EXPECT_NEAR(std::stod(found[2]), circles(svg)[3].second, 0.11);
}

TEST(Plot, NeedsNoData) {
    for (const bool logarithmic : {false, true}) {
        const std::string empty = to_svg(plot_of({}, logarithmic));
        EXPECT_TRUE(is_well_formed(empty));
        EXPECT_NE(empty.find("no data"), std::string::npos);
        const std::string one = to_svg(plot_of({PlotPoint{3, 7}}, logarithmic));
        EXPECT_TRUE(is_well_formed(one));
        ASSERT_EQ(circles(one).size(), 1U);
        EXPECT_EQ(one.find("polyline"), std::string::npos);
        EXPECT_TRUE(is_well_formed(to_svg(plot_of({PlotPoint{0, 0}}, logarithmic))));
    }
    EXPECT_TRUE(is_well_formed(to_svg(Plot{})));
}

TEST(Plot, LeavesOutWhatHasNoPlace) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    constexpr double kEndless = std::numeric_limits<double>::infinity();
    constexpr double kHuge = std::numeric_limits<double>::max();
    const std::vector<PlotPoint> points{{1, 1},        {kNone, 2},       {2, kNone},
                                        {kEndless, 1}, {3, -kEndless},   {kHuge, 1},
                                        {4, -kHuge},   {5, 2, kEndless}, {6, 3, kNone}};
    const std::string svg = to_svg(plot_of(points));
    EXPECT_TRUE(is_well_formed(svg));
    EXPECT_EQ(circles(svg).size(), 3U);
    EXPECT_EQ(count(svg, "<path"), 0);
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf"), std::string::npos);
    EXPECT_EQ(circles(to_svg(plot_of({{0, 1}, {-1, 2}, {1, 3}}, true))).size(), 1U);
}

TEST(Plot, TextIsEscaped) {
    Plot plot = plot_of({PlotPoint{1, 2}});
    plot.title = "a < b & \"c\" > 'd'\n";
    plot.x.label = plot.y.label = plot.series[0].name = "</text><script>&";
    const std::string svg = to_svg(plot);
    EXPECT_TRUE(is_well_formed(svg)) << svg;
    EXPECT_NE(svg.find("a &lt; b &amp; &quot;c&quot; &gt; &#39;d&#39; <"), std::string::npos);
    EXPECT_EQ(svg.find("<script>"), std::string::npos);
}

TEST(Plot, HasALegendAndAsManyLinesAsSeries) {
    Plot plot = plot_of({{0, 0}, {1, 1}});
    for (int i = 1; i < 12; ++i)
        plot.series.push_back({i % 2 == 0 ? "" : fmt::format("series {}", i), {{0, 1.0 * i}, {1, 2.0 * i}}});
    const std::string svg = to_svg(plot);
    EXPECT_TRUE(is_well_formed(svg));
    EXPECT_EQ(count(svg, "<polyline"), 12);
    EXPECT_EQ(count(svg, ">series "), 6);
    // Four more than there are colours, two of them with a name.
    EXPECT_EQ(count(svg, "stroke-dasharray="), 4 + 2);
    // Nobody looks for a line that is not there.
    plot.series.push_back({"nothing", {}});
    EXPECT_EQ(to_svg(plot), svg);
    // A long series is a line without a mark at each point.
    std::vector<PlotPoint> many;
    for (int i = 0; i < 500; ++i) many.push_back({1.0 * i, std::sin(i)});
    EXPECT_TRUE(circles(to_svg(plot_of(many))).empty());
}

TEST(Plot, DotsAreWhereTheMarksOfALineWouldBe) {
    Plot plot = plot_of({{0, 3}, {1, 1}, {2, 2, 0.5}, {3, 7}});
    plot.series.push_back({"other", {{1, 1}, {2, 5}}});
    const auto marks = circles(to_svg(plot));
    for (PlotSeries& series : plot.series) series.dots = true;
    const std::string svg = to_svg(plot);
    EXPECT_TRUE(is_well_formed(svg));
    EXPECT_EQ(svg.find("<polyline"), std::string::npos);
    EXPECT_EQ(count(svg, "class=\"bar s0\""), 1);
    EXPECT_EQ(circles(svg).size(), 2U);  // of the legend
    auto drawn = dots(svg, "s0\"");
    const auto others = dots(svg, "s1\"");
    EXPECT_EQ(drawn.size(), 4U);
    drawn.insert(drawn.end(), others.begin(), others.end());
    EXPECT_THAT(drawn, testing::UnorderedElementsAreArray(marks));
}

TEST(Plot, ThousandsOfDotsTakeFewBytes) {
    Plot plot = plot_of({});
    const auto frame = to_svg(plot).size();
    for (int i = 0; i < 10'000; ++i) plot.series[0].points.push_back({std::cos(i), std::sin(3 * i)});
    plot.series[0].dots = true;
    const std::string svg = to_svg(plot);
    EXPECT_EQ(dots(svg, "s0\"").size(), 10'000U);
    EXPECT_LT(svg.size() - frame, 150'000U);
}

TEST(Plot, DotsOfNoSeriesCoverTheOthers) {
    Plot plot = plot_of({});
    plot.series.push_back({"other", {}});
    for (PlotSeries& series : plot.series) {
        series.dots = true;
        for (int i = 0; i < 100; ++i) series.points.push_back({1.0 * i, 0});
    }
    const std::string svg = to_svg(plot);
    EXPECT_LT(svg.find("dots s1"), svg.rfind("dots s0"));
    EXPECT_LT(svg.rfind("dots s0"), svg.rfind("dots s1"));
}

TEST(Plot, ShadesTakeTheColoursPlace) {
    const auto svg_of = [](double shade, bool as_dots) {
        Plot plot = plot_of({{0, 0}, {1, 1, 0.5}});
        plot.series[0].shade = shade;
        plot.series[0].dots = as_dots;
        return to_svg(plot);
    };
    static const std::regex kShade(R"re((?:stroke|fill)="#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})")re");
    const auto parts_of = [&](double shade) {
        std::smatch found;
        const std::string svg = svg_of(shade, true);
        EXPECT_TRUE(is_well_formed(svg));
        EXPECT_TRUE(std::regex_search(svg, found, kShade));
        return std::array{std::stoi(found[1], nullptr, 16), std::stoi(found[2], nullptr, 16),
                          std::stoi(found[3], nullptr, 16)};
    };
    const auto blue = parts_of(-1);
    const auto grey = parts_of(0);
    const auto red = parts_of(1);
    EXPECT_GT(blue[2], 2 * blue[0]);
    EXPECT_EQ(grey[0], grey[1]);
    EXPECT_EQ(grey[1], grey[2]);
    EXPECT_GT(red[0], 2 * red[2]);
    for (std::size_t i = 0; i < grey.size(); ++i)
        EXPECT_NEAR(parts_of(0.5)[i], (grey[i] + red[i]) / 2.0, 0.6) << i;
    EXPECT_EQ(parts_of(-7), blue);
    EXPECT_EQ(parts_of(std::numeric_limits<double>::infinity()), red);
    EXPECT_EQ(parts_of(std::numeric_limits<double>::quiet_NaN()), grey);
    // Line, bar, two marks and the legend; paths of two dots, bar and the legend.
    for (const bool as_dots : {false, true}) {
        const std::string svg = svg_of(1, as_dots);
        EXPECT_EQ(count(svg, fmt::format("=\"#{:02x}{:02x}{:02x}\"", red[0], red[1], red[2])),
                  as_dots ? 4 : 5);
        EXPECT_EQ(svg.find(" s0\""), std::string::npos);
        EXPECT_EQ(svg.find("\"f0\""), std::string::npos);
    }
}

TEST(Plot, AxesNeedNoTicks) {
    Plot plot = plot_of({{0, 0}, {1, 1}});
    const auto marks = circles(to_svg(plot));
    plot.x.ticks = plot.y.ticks = false;
    const std::string svg = to_svg(plot);
    EXPECT_TRUE(is_well_formed(svg));
    EXPECT_EQ(count(svg, "class=\"grid\""), 0);
    EXPECT_EQ(count(svg, "<text"), 4);  // the title, the labels and the legend
    EXPECT_EQ(circles(svg), marks);
}

// What was drawn before there were dots and shades stays as it was.
TEST(Plot, LinesKnowNothingOfDots) {
    EXPECT_EQ(to_svg(plot_of({{0, 0}, {1, 1}})).find("dots"), std::string::npos);
}

// A cell of the middle is grey, one at an end or beyond has the end's colour, one without a number none.
TEST(HeatMap, ColoursAreBetweenTheEnds) {
    HeatMap map{.title = "A & B",
                .columns = {"one", "two", "three"},
                .rows = {"first", "second <"},
                .cells = {{{-2, "-2"}, {0, "0"}, {7, "7"}}, {{2, "2"}, {std::nullopt, "none"}}},
                .least = -2,
                .most = 2};
    const std::string svg = to_svg(map);
    EXPECT_TRUE(is_well_formed(svg)) << svg;
    const auto count = [&svg](const std::string& text) {
        std::size_t found = 0;
        for (std::size_t at = svg.find(text); at != std::string::npos; at = svg.find(text, at + 1)) ++found;
        return found;
    };
    EXPECT_EQ(count("fill=\"#6aa8f0\""), 1U);  // blue
    EXPECT_EQ(count("fill=\"#dedede\""), 1U);
    EXPECT_EQ(count("fill=\"#f28068\""), 2U);  // red
    EXPECT_EQ(count("class=\"empty\""), 2U);
    EXPECT_EQ(count(">none</text>"), 1U);
}

}  // namespace
}  // namespace scholar::base
