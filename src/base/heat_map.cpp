#include "base/heat_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <string_view>

#include "base/plot.hpp"
#include "base/text.hpp"

namespace scholar::base {

namespace {

// Of the drawing, in its own units.
constexpr double kCellHeight = 30;
constexpr double kLeastCellWidth = 64;
constexpr double kRowsTop = 76;  // of the first row: the title and the columns' names are above
constexpr double kMapMargin = 16;
constexpr double kCellLetter = 7.2;  // about the width of a letter

// Texts in coloured cells are the same on every page; all others follow base/plot.cpp.
constexpr std::string_view kMapStyle = R"(<style>
text { font-family: system-ui, "DejaVu Sans", Helvetica, Arial, sans-serif; font-size: 13px; fill: #333 }
.title { font-size: 16px; font-weight: 600 }
.page { fill: #fff }
.column, .cell, .none { text-anchor: middle }
.row { text-anchor: end }
.cell { fill: #111 }
.none { fill: #888 }
.empty { fill: none; stroke: #ccc }
@media (prefers-color-scheme: dark) {
text { fill: #d6d6d6 }
.page { fill: #16181d }
.cell { fill: #111 }
.empty { stroke: #444 }
}
</style>
)";

// `share`: 0 blue, ½ grey, 1 red; all light enough for dark text.
std::string colour(double share) {
    constexpr std::array kBlue{106.0, 168.0, 240.0};
    constexpr std::array kGrey{222.0, 222.0, 222.0};
    constexpr std::array kRed{242.0, 128.0, 104.0};
    const auto& end = share < 0.5 ? kBlue : kRed;
    const double away = std::abs(2 * share - 1);
    std::string text = "#";
    for (std::size_t i = 0; i < kGrey.size(); ++i)
        text += fmt::format("{:02x}", std::lround(std::lerp(kGrey[i], end[i], away)));
    return text;
}

double space_for(const std::string& text) {
    return kCellLetter * static_cast<double>(width_of(text));
}

}  // namespace

std::string to_svg(const HeatMap& map) {
    double left = kMapMargin;
    for (const std::string& row : map.rows) left = std::max(left, space_for(row) + 2 * kMapMargin);
    double cell_width = kLeastCellWidth;
    for (const std::string& column : map.columns)
        cell_width = std::max(cell_width, space_for(column) + kMapMargin);
    for (const auto& row : map.cells)
        for (const HeatMap::Cell& cell : row)
            cell_width = std::max(cell_width, space_for(cell.text) + kMapMargin);
    const double width =
        std::max(left + cell_width * static_cast<double>(map.columns.size()), space_for(map.title) * 1.25) +
        kMapMargin;
    const double height = kRowsTop + kCellHeight * static_cast<double>(map.rows.size()) + kMapMargin;

    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
        "height=\"{1:.0f}\">\n{2}<rect class=\"page\" width=\"{0:.0f}\" height=\"{1:.0f}\"/>\n"
        "<text class=\"title\" x=\"{3}\" y=\"28\">{4}</text>\n",
        width, height, kMapStyle, kMapMargin, xml_escaped(map.title));
    const auto middle = [&](std::size_t column) {
        return left + cell_width * (static_cast<double>(column) + 0.5);
    };
    for (std::size_t column = 0; column < map.columns.size(); ++column)
        svg += fmt::format("<text class=\"column\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", middle(column),
                           kRowsTop - 10, xml_escaped(map.columns[column]));
    for (std::size_t row = 0; row < map.rows.size(); ++row) {
        const double top = kRowsTop + kCellHeight * static_cast<double>(row);
        const double base_line = top + kCellHeight / 2 + 4.5;
        svg += fmt::format("<text class=\"row\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", left - kMapMargin / 2,
                           base_line, xml_escaped(map.rows[row]));
        for (std::size_t column = 0; column < map.columns.size(); ++column) {
            HeatMap::Cell cell;
            if (row < map.cells.size() && column < map.cells[row].size()) cell = map.cells[row][column];
            const bool coloured = cell.value && std::isfinite(*cell.value);
            const double share =
                coloured ? std::clamp((*cell.value - map.least) / (map.most - map.least), 0.0, 1.0) : 0;
            svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" {}/>\n",
                               middle(column) - cell_width / 2 + 1, top + 1, cell_width - 2, kCellHeight - 2,
                               coloured ? fmt::format("fill=\"{}\"", colour(share)) : "class=\"empty\"");
            if (!cell.text.empty())
                svg += fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
                                   coloured ? "cell" : "none", middle(column), base_line,
                                   xml_escaped(cell.text));
        }
    }
    return svg + "</svg>\n";
}

}  // namespace scholar::base
