#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace scholar::learning {

// Columns (units of the width) go in panels of so many: [panel][row][column of the panel] instead of
// [row][column]. What a thread works on then lies together, in few enough sets and lines of a cache for the
// rows that are often active to stay in the nearest one, and no two threads write to neighbouring lines.
// Widths are multiples of it.
constexpr std::size_t kPanel = 32;

std::vector<float> to_panels(std::span<const float> rows, std::size_t width);
std::vector<float> from_panels(std::span<const float> panels, std::size_t width);

}  // namespace scholar::learning
