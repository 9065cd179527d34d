#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/plot.hpp"

// What the reports of runs have in common.

namespace scholar::learning {

inline constexpr std::array kPieceNames{"pawn", "knight", "bishop", "rook", "queen"};

// Writes RUN/report/NAME.svg, and returns the paragraph of Markdown that shows it.
base::Result<std::string> add_report_plot(const std::filesystem::path& run, std::string_view name,
                                          const base::Plot& plot);

// Of a course of many points: means of neighbouring ones, by stretches of equal length on the axis.
std::vector<base::PlotPoint> thinned(const std::vector<base::PlotPoint>& points, bool logarithmic);

}  // namespace scholar::learning
