#include "learning/perspective/panels.hpp"

#include <algorithm>

namespace scholar::learning {

std::vector<float> to_panels(std::span<const float> rows, std::size_t width) {
    const std::size_t height = rows.size() / width;
    std::vector<float> panels(rows.size());
    for (std::size_t row = 0; row < height; ++row)
        for (std::size_t column = 0; column < width; column += kPanel)
            std::copy_n(rows.data() + row * width + column, kPanel,
                        panels.data() + column * height + row * kPanel);
    return panels;
}

std::vector<float> from_panels(std::span<const float> panels, std::size_t width) {
    const std::size_t height = panels.size() / width;
    std::vector<float> rows(panels.size());
    for (std::size_t row = 0; row < height; ++row)
        for (std::size_t column = 0; column < width; column += kPanel)
            std::copy_n(panels.data() + column * height + row * kPanel, kPanel,
                        rows.data() + row * width + column);
    return rows;
}

}  // namespace scholar::learning
