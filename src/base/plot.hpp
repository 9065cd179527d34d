#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scholar::base {

struct PlotPoint {
    double x = 0;
    double y = 0;
    double error = 0;  // half the length of the bar through the point; 0: none
};

// Points joined by a line, in their order, or each by itself.
struct PlotSeries {
    std::string name;  // for the legend, if there are points; "": not in it
    std::vector<PlotPoint> points;
    bool dots = false;              // small, half transparent and not joined, for points by the thousand
    std::optional<double> shade{};  // from -1, blue, by 0, grey, to 1, red; none: a colour of the palette
};

struct PlotAxis {
    std::string label;
    bool logarithmic = false;
    std::optional<double> least{};  // reaches at least down to this
    std::optional<double> most{};   // and up to this
    bool ticks = true;              // false: neither numbers nor a grid, for places that mean nothing
};

struct Plot {
    std::string title;
    PlotAxis x;
    PlotAxis y;
    std::vector<PlotSeries> series;
    std::vector<double> marks{};  // places on x where something changes: thin lines across
};

// The plot as a drawing of its own, to be read on light and on dark pages. A point that has no place (not a
// finite number, or not above 0 on a logarithmic axis) is left out. Dots lie below lines, and where those of
// several series meet, all are seen.
std::string to_svg(const Plot& plot);

// Round numbers from `low` to `high`: 1, 2 or 5 times powers of ten; no more than `most`, if `most` > 2.
std::vector<double> axis_ticks(double low, double high, bool logarithmic, int most);

// A number as an axis shows it: "0.25", "800", "20 k", "1.5 M".
std::string tick_text(double value);

// Text as XML may hold it, in an attribute too.
std::string xml_escaped(std::string_view text);

}  // namespace scholar::base
