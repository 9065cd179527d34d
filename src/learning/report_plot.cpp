#include "learning/report_plot.hpp"

#include <fmt/format.h>

#include "base/files.hpp"

namespace scholar::learning {

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

}  // namespace scholar::learning
