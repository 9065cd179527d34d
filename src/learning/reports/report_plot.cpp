#include "learning/reports/report_plot.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "base/files.hpp"
#include "learning/run/run_files.hpp"

namespace scholar::learning {

namespace {

// A plot of many rounds shows means over so many stretches at most.
constexpr std::size_t kMostPoints = 150;

}  // namespace

base::Result<std::string> add_report_plot(const std::filesystem::path& run, std::string_view name,
                                          const base::Plot& plot) {
    const std::filesystem::path folder = run / kReportFolder;
    const std::string file = fmt::format("{}.svg", name);
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) return base::fail("{}: cannot create the folder: {}", folder.string(), error.message());
    if (auto status = base::write_atomically(folder / file, base::to_svg(plot)); !status)
        return std::unexpected(status.error());
    return fmt::format("![{}]({}/{})\n\n", plot.title, kReportFolder, file);
}

std::vector<base::PlotPoint> thinned(const std::vector<base::PlotPoint>& points, bool logarithmic) {
    if (points.size() <= kMostPoints) return points;
    const auto place = [&](double x) { return logarithmic ? std::log(std::max(x, 1e-9)) : x; };
    const double first = place(points.front().x);
    const double length = place(points.back().x) - first;
    std::vector<base::PlotPoint> means;
    std::size_t stretch = 0;
    double count = 0;
    for (const base::PlotPoint& point : points) {
        const double share = length > 0 ? (place(point.x) - first) / length : 0;
        // The last point is a part of the last stretch, not one of its own.
        const auto at = std::min(static_cast<std::size_t>(share * kMostPoints), kMostPoints - 1);
        if (means.empty() || at != stretch) {
            if (!means.empty()) means.back() = {means.back().x / count, means.back().y / count};
            means.emplace_back();
            stretch = at;
            count = 0;
        }
        means.back().x += point.x;
        means.back().y += point.y;
        ++count;
    }
    means.back() = {means.back().x / count, means.back().y / count};
    return means;
}

}  // namespace scholar::learning
