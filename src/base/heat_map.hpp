#pragma once

#include <optional>
#include <string>
#include <vector>

namespace scholar::base {

// A table of numbers as a drawing: colour says how large each is.
struct HeatMap {
    struct Cell {
        std::optional<double> value{};  // none, or no finite number: the cell has no colour
        std::string text{};             // in it
    };

    std::string title;
    std::vector<std::string> columns;
    std::vector<std::string> rows;
    std::vector<std::vector<Cell>>
        cells;  // by row, each as long as there are columns; what is missing is empty
    // From where on the colours are full, blue below and red above, with grey in the middle between the two.
    double least = 0;
    double most = 1;
};

// The map as a drawing of its own (SVG), to be read on light and on dark pages.
std::string to_svg(const HeatMap& map);

}  // namespace scholar::base
