#include "base/plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace scholar::base {

namespace {

// Of the drawing, in its own units.
constexpr double kWidth = 760;
constexpr double kHeight = 400;
constexpr double kLeft = 76;
constexpr double kRight = 24;
constexpr double kTop = 48;
constexpr double kBottom = 56;
constexpr double kLegendLine = 20;
constexpr double kLetter = 7;             // about the width of a letter, at the size of the legend
constexpr std::size_t kMostMarkers = 40;  // points of a series that get a mark each
constexpr int kTicksAcross = 9;
constexpr int kTicksUp = 9;
constexpr std::size_t kColours = 8;
constexpr std::size_t kDotLayers = 8;

// Numbers beyond this have no place: sums and differences of them would have no end.
constexpr double kLargest = 1e100;

// Colours that people who see few of them can tell apart (after Okabe and Ito), on white and, brighter, on
// black.
constexpr std::string_view kStyle = R"(<style>
text { font-family: system-ui, "DejaVu Sans", Helvetica, Arial, sans-serif; font-size: 13px; fill: #333 }
.title { font-size: 16px; font-weight: 600 }
.page { fill: #fff }
.grid { stroke: #e2e2e2; stroke-width: 1 }
.frame { stroke: #999; stroke-width: 1; fill: none }
.line { fill: none; stroke-width: 2; stroke-linejoin: round; stroke-linecap: round }
.bar { stroke-width: 1.2; opacity: 0.6 }
.s0 { stroke: #0072b2 } .s1 { stroke: #d55e00 } .s2 { stroke: #009e73 } .s3 { stroke: #b5478f }
.s4 { stroke: #c28a00 } .s5 { stroke: #3a9bdc } .s6 { stroke: #666 } .s7 { stroke: #7a5230 }
.f0 { fill: #0072b2 } .f1 { fill: #d55e00 } .f2 { fill: #009e73 } .f3 { fill: #b5478f }
.f4 { fill: #c28a00 } .f5 { fill: #3a9bdc } .f6 { fill: #666 } .f7 { fill: #7a5230 }
@media (prefers-color-scheme: dark) {
text { fill: #d6d6d6 }
.page { fill: #16181d }
.grid { stroke: #2d3138 }
.frame { stroke: #777 }
.s0 { stroke: #4aa8e8 } .s1 { stroke: #ff8a3d } .s2 { stroke: #2fc79a } .s3 { stroke: #e383c2 }
.s4 { stroke: #e6b422 } .s5 { stroke: #8fd0ff } .s6 { stroke: #aaa } .s7 { stroke: #c69c6d }
.f0 { fill: #4aa8e8 } .f1 { fill: #ff8a3d } .f2 { fill: #2fc79a } .f3 { fill: #e383c2 }
.f4 { fill: #e6b422 } .f5 { fill: #8fd0ff } .f6 { fill: #aaa } .f7 { fill: #c69c6d }
}
</style>
)";

// Only where there are dots. They are lines of no length, whose round ends alone are seen: an element for
// each dot would take five times the space.
constexpr std::string_view kDotStyle = R"(<style>
.dots { fill: none; stroke-width: 4; stroke-linecap: round; opacity: 0.6 }
</style>
)";

constexpr std::string_view kMarkStyle = R"(<style>
.mark { stroke: #999; stroke-width: 1; stroke-dasharray: 2 4 }
</style>
)";

struct Colour {
    std::size_t number = 0;  // of the palette, unless there is a shade
    std::optional<double> shade;
    bool dashed = false;  // where the palette begins anew
};

// Between colours that are as far from white as from black, so that they serve on every page.
std::string shade_text(double shade) {
    constexpr std::array kGrey{140.0, 140.0, 140.0};
    constexpr std::array kBlue{44.0, 123.0, 229.0};
    constexpr std::array kRed{229.0, 62.0, 48.0};
    const double within = std::isnan(shade) ? 0 : std::clamp(shade, -1.0, 1.0);
    const auto& end = within < 0 ? kBlue : kRed;
    std::string text = "#";
    for (std::size_t i = 0; i < kGrey.size(); ++i)
        text += fmt::format("{:02x}", std::lround(std::lerp(kGrey[i], end[i], std::abs(within))));
    return text;
}

// The attributes that give an element of a class its colour.
std::string stroked(std::string_view kind, const Colour& colour) {
    return colour.shade ? fmt::format("class=\"{}\" stroke=\"{}\"", kind, shade_text(*colour.shade))
                        : fmt::format("class=\"{} s{}\"", kind, colour.number);
}

std::string line_of(const Colour& colour) {
    return stroked("line", colour) + (colour.dashed ? " stroke-dasharray=\"6 5\"" : "");
}

std::string filled(const Colour& colour) {
    return colour.shade ? fmt::format("fill=\"{}\"", shade_text(*colour.shade))
                        : fmt::format("class=\"f{}\"", colour.number);
}

bool has_place(double value, const PlotAxis& axis) {
    return std::isfinite(value) && std::abs(value) <= kLargest && (!axis.logarithmic || value > 0);
}

// 1, 2 or 5 times a power of ten, not less than `least`.
double round_step(double least) {
    const double power = std::pow(10, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= least * (1 - 1e-9)) return factor * power;
    return 10 * power;
}

std::vector<double> linear_ticks(double low, double high, int most) {
    std::vector<double> ticks;
    const double step = round_step((high - low) / (most - 1));
    const double first = std::ceil(low / step - 1e-9);
    for (int i = 0; i < most && (first + i) * step <= high + 1e-9 * step; ++i)
        ticks.push_back((first + i) * step);
    return ticks;
}

std::vector<double> logarithmic_ticks(double low, double high, int most) {
    const int first = static_cast<int>(std::floor(std::log10(low)));
    const int last = static_cast<int>(std::ceil(std::log10(high)));
    std::vector<double> ticks;
    const auto take = [&](std::initializer_list<double> factors, int each) {
        ticks.clear();
        for (int power = first; power <= last; power += each)
            for (const double factor : factors) {
                const double tick = factor * std::pow(10, power);
                if (tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9)) ticks.push_back(tick);
            }
        return ticks.size() <= static_cast<std::size_t>(most);
    };
    if (take({1, 2, 5}, 1) && ticks.size() > 2) return ticks;
    // Less than a factor of five or so has no such numbers inside.
    if (ticks.size() <= 2) return linear_ticks(low, high, most);
    for (int each = 1; !take({1}, each); ++each) {
    }
    return ticks;
}

// An axis with its numbers: from values to places on the drawing.
class Scale {
  public:
    Scale(const PlotAxis& axis, std::vector<double> values, double from, double to, int most_ticks)
        : logarithmic_(axis.logarithmic), from_(from), to_(to) {
        for (const auto& bound : {axis.least, axis.most})
            if (bound) values.push_back(*bound);
        std::erase_if(values, [&](double value) { return !has_place(value, axis); });
        if (values.empty()) values = logarithmic_ ? std::vector{1.0, 10.0} : std::vector{0.0, 1.0};
        const auto [low, high] = std::ranges::minmax(values);
        low_ = low;
        high_ = high;
        widen();
        if (axis.ticks) ticks_ = axis_ticks(low_, high_, logarithmic_, most_ticks);
    }

    double at(double value) const {
        return from_ + (to_ - from_) * (place(value) - place(low_)) / (place(high_) - place(low_));
    }
    const std::vector<double>& ticks() const { return ticks_; }

  private:
    double place(double value) const { return logarithmic_ ? std::log10(value) : value; }
    // One value alone is in the middle; else a little room, but not beyond 0 where nothing is.
    void widen() {
        if (logarithmic_) {
            const double room = high_ <= low_ * (1 + 1e-9) ? 2 : std::pow(high_ / low_, 0.02);
            low_ /= room;
            high_ *= room;
            return;
        }
        const double size = std::max(std::abs(low_), std::abs(high_));
        const double room =
            high_ - low_ <= 1e-9 * size || size == 0 ? std::max(size / 10, 1e-9) : (high_ - low_) * 0.04;
        if (low_ < 0 || low_ > room)
            low_ -= room;
        else
            low_ = 0;
        if (high_ > 0 || high_ < -room)
            high_ += room;
        else
            high_ = 0;
    }

    bool logarithmic_;
    double from_;
    double to_;
    double low_ = 0;
    double high_ = 1;
    std::vector<double> ticks_;
};

void draw_axes(std::string& svg, const Plot& plot, const Scale& x, const Scale& y, double right) {
    const double bottom = kHeight - kBottom;
    for (const double tick : y.ticks()) {
        svg += fmt::format("<line class=\"grid\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
                           kLeft, right, y.at(tick), y.at(tick));
        svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", kLeft - 8,
                           y.at(tick) + 4.5, tick_text(tick));
    }
    for (const double tick : x.ticks()) {
        svg += fmt::format("<line class=\"grid\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
                           x.at(tick), x.at(tick), kTop, bottom);
        svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", x.at(tick),
                           bottom + 19, tick_text(tick));
    }
    svg +=
        fmt::format("<rect class=\"frame\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n",
                    kLeft, kTop, right - kLeft, bottom - kTop);
    svg += fmt::format("<text class=\"title\" x=\"{:.1f}\" y=\"28\">{}</text>\n", kLeft,
                       xml_escaped(plot.title));
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
                       (kLeft + right) / 2, kHeight - 14, xml_escaped(plot.x.label));
    svg +=
        fmt::format("<text transform=\"translate(18 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                    (kTop + bottom) / 2, xml_escaped(plot.y.label));
}

// Those within the frame.
void draw_marks(std::string& svg, const Plot& plot, const Scale& x, double right) {
    for (const double mark : plot.marks) {
        if (!has_place(mark, plot.x)) continue;
        const double at = x.at(mark);
        if (at < kLeft || at > right) continue;
        svg += fmt::format(
            "<line class=\"mark\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\"/>\n", at, kTop,
            kHeight - kBottom);
    }
}

void draw_bars(std::string& svg, const std::vector<PlotPoint>& points, const Colour& colour, const Scale& x,
               const Scale& y, const PlotAxis& y_axis) {
    for (const PlotPoint& point : points) {
        const double low = point.y - point.error;
        const double high = point.y + point.error;
        if (!(point.error > 0) || !has_place(low, y_axis) || !has_place(high, y_axis)) continue;
        const double at = x.at(point.x);
        svg += fmt::format("<path {} d=\"M{:.1f} {:.1f}h8m-4 0V{:.1f}m-4 0h8\"/>\n", stroked("bar", colour),
                           at - 4, y.at(low), y.at(high));
    }
}

void draw_line(std::string& svg, const std::vector<PlotPoint>& points, const Colour& colour, const Scale& x,
               const Scale& y) {
    std::string line;
    for (const PlotPoint& point : points)
        line += fmt::format("{}{:.1f},{:.1f}", line.empty() ? "" : " ", x.at(point.x), y.at(point.y));
    if (points.size() > 1) svg += fmt::format("<polyline {} points=\"{}\"/>\n", line_of(colour), line);
    if (points.size() > kMostMarkers) return;
    for (const PlotPoint& point : points)
        svg += fmt::format("<circle {} cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"/>\n", filled(colour),
                           x.at(point.x), y.at(point.y));
}

// Dots of one path do not add up where they meet, and a path covers those before it. So each series is dealt
// out to several paths, which lie over one another in turn.
void draw_dots(std::string& svg, const std::vector<PlotPoint>& points, const Colour& colour, const Scale& x,
               const Scale& y, std::size_t layer) {
    std::string dots;
    for (std::size_t i = layer; i < points.size(); i += kDotLayers)
        dots += fmt::format("M{:.1f} {:.1f}h0", x.at(points[i].x), y.at(points[i].y));
    if (!dots.empty()) svg += fmt::format("<path {} d=\"{}\"/>\n", stroked("dots", colour), dots);
}

// A sample of the series and its name, at this height.
void draw_legend(std::string& svg, const PlotSeries& series, const Colour& colour, double right, double at) {
    if (series.dots)
        svg +=
            fmt::format("<circle {} cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"/>\n", filled(colour), right + 19, at);
    else
        svg += fmt::format("<line {} x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
                           line_of(colour), right + 10, right + 28, at, at);
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", right + 34, at + 4.5,
                       xml_escaped(series.name));
}

std::size_t letters(std::string_view text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace

std::vector<double> axis_ticks(double low, double high, bool logarithmic, int most) {
    return logarithmic ? logarithmic_ticks(low, high, most) : linear_ticks(low, high, most);
}

std::string tick_text(double value) {
    const double size = std::abs(value);
    // Adding steps up leaves the last bits of a 0 behind; no axis is that fine.
    if (size < 1e-12) return "0";
    if (size >= 1e12 || size < 1e-4) return fmt::format("{:.3g}", value);
    if (size >= 1e9) return fmt::format("{:.4g} G", value / 1e9);
    if (size >= 1e6) return fmt::format("{:.4g} M", value / 1e6);
    if (size >= 1e4) return fmt::format("{:.4g} k", value / 1e3);
    return fmt::format("{:.6g}", value);
}

std::string xml_escaped(std::string_view text) {
    std::string out;
    for (const char c : text) switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            case '\'':
                out += "&#39;";
                break;
            default:
                out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
        }
    return out;
}

std::string to_svg(const Plot& plot) {
    std::vector<std::vector<PlotPoint>> drawn;
    std::vector<double> xs;
    std::vector<double> ys;
    double legend = 0;
    for (const PlotSeries& series : plot.series) {
        drawn.push_back(series.points);
        std::erase_if(drawn.back(), [&](const PlotPoint& point) {
            return !has_place(point.x, plot.x) || !has_place(point.y, plot.y);
        });
        for (const PlotPoint& point : drawn.back()) {
            xs.push_back(point.x);
            ys.push_back(point.y);
            if (!(point.error > 0)) continue;
            ys.push_back(point.y - point.error);
            ys.push_back(point.y + point.error);
        }
        if (!series.name.empty())
            legend = std::max(legend, 34 + kLetter * static_cast<double>(letters(series.name)));
    }
    const double right = kWidth - kRight - legend;
    const Scale x(plot.x, xs, kLeft, right, kTicksAcross);
    const Scale y(plot.y, ys, kHeight - kBottom, kTop, kTicksUp);

    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n",
        kWidth, kHeight);
    svg += fmt::format("<title>{}</title>\n", xml_escaped(plot.title));
    svg += kStyle;
    if (std::ranges::any_of(plot.series, &PlotSeries::dots)) svg += kDotStyle;
    if (!plot.marks.empty()) svg += kMarkStyle;
    svg += fmt::format("<rect class=\"page\" width=\"{}\" height=\"{}\"/>\n", kWidth, kHeight);
    draw_axes(svg, plot, x, y, right);
    draw_marks(svg, plot, x, right);
    const auto colour_of = [&](std::size_t i) {
        const auto& shade = plot.series[i].shade;
        return Colour{.number = i % kColours, .shade = shade, .dashed = i >= kColours && !shade};
    };
    for (std::size_t layer = 0; layer < kDotLayers; ++layer)
        for (std::size_t i = 0; i < drawn.size(); ++i)
            if (plot.series[i].dots) draw_dots(svg, drawn[i], colour_of(i), x, y, layer);
    double at = kTop + 10;
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        const Colour colour = colour_of(i);
        draw_bars(svg, drawn[i], colour, x, y, plot.y);
        if (!plot.series[i].dots) draw_line(svg, drawn[i], colour, x, y);
        if (plot.series[i].name.empty() || (drawn[i].empty() && !xs.empty())) continue;
        draw_legend(svg, plot.series[i], colour, right, at);
        at += kLegendLine;
    }
    if (xs.empty())
        svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">no data</text>\n",
                           (kLeft + right) / 2, (kTop + kHeight - kBottom) / 2);
    return svg + "</svg>\n";
}

}  // namespace scholar::base
