#include "learning/reports/learn_overlay.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arena/place.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "learning/measuring/milestone_places.hpp"
#include "learning/reports/report_plot.hpp"
#include "learning/reports/run_series.hpp"
#include "learning/run/run_files.hpp"
#include "learning/selfplay_loop/learn_folder.hpp"
#include "learning/selfplay_loop/run_history.hpp"

namespace scholar::learning {

namespace {

struct Overlaid {
    std::string name;
    RunHistory history;
    std::vector<LadderPlace> places;
};

base::Result<Overlaid> read_run(const std::filesystem::path& path) {
    const LearnFolder folder(path);
    if (auto status = folder.check_is_run(); !status) return std::unexpected(status.error());
    auto history = read_run_history(folder.metrics());
    if (!history) return std::unexpected(history.error());
    if (history->rounds.empty())
        return base::fail("{}: no complete round, expected at least one to report of",
                          folder.metrics().string());
    auto places = milestone_places(folder);
    if (!places) return std::unexpected(places.error());
    return Overlaid{
        path.filename().empty() ? path.parent_path().filename().string() : path.filename().string(),
        std::move(*history), std::move(*places)};
}

std::string summary_of(const std::vector<Overlaid>& runs) {
    std::string text =
        "| run | seed | network | core-minutes | games | positions | loss on new positions "
        "|\n|---|---:|---|---:|---:|---:|---:|\n";
    for (const Overlaid& run : runs) {
        const RunRound& last = run.history.rounds.back();
        text += fmt::format("| {} | {} | {} | {:.1f} | {} | {} | {} |\n", run.name, run.history.start.seed,
                            last.network, core_minutes(last),
                            base::grouped(static_cast<std::int64_t>(last.games)),
                            base::grouped(static_cast<std::int64_t>(last.lessons)),
                            last.fresh_loss ? fmt::format("{:.4f}", *last.fresh_loss) : "–");
    }
    return text + "\n";
}

// Their places on the ladder, where there are any.
std::optional<base::Plot> places_of(const std::vector<Overlaid>& runs, const base::PlotAxis& minutes) {
    base::Plot plot{"Place on the ladder", minutes, {"Elo"}, {}};
    for (const Overlaid& run : runs) {
        if (run.places.empty()) continue;
        base::PlotSeries series{run.name, {}};
        for (const LadderPlace& place : run.places)
            series.points.push_back({place.core_seconds / 60, place.elo, place.error});
        plot.series.push_back(std::move(series));
    }
    return plot.series.empty() ? std::nullopt : std::optional(plot);
}

}  // namespace

base::Result<std::filesystem::path> write_learn_overlay(std::span<const std::filesystem::path> paths,
                                                        const std::filesystem::path& folder) {
    if (LearnFolder(folder).check_is_run())
        return base::fail("{}: is a run, whose report would be lost, expected a folder of its own",
                          folder.string());
    std::vector<Overlaid> runs;
    double first = 0;
    double last = 0;
    for (const std::filesystem::path& path : paths) {
        auto run = read_run(path);
        if (!run) return std::unexpected(run.error());
        const double begins = core_minutes(run->history.rounds.front());
        first = runs.empty() ? begins : std::min(first, begins);
        last = std::max(last, core_minutes(run->history.rounds.back()));
        runs.push_back(std::move(*run));
    }
    const base::PlotAxis minutes = course_axis("core-minutes", first, last);
    std::string text = "# Runs of scholar learn\n\n" + summary_of(runs);
    const auto add = [&](const char* name, const base::Plot& plot) -> base::Status {
        const auto shown = add_report_plot(folder, name, plot);
        if (!shown) return std::unexpected(shown.error());
        text += *shown;
        return {};
    };
    if (const auto places = places_of(runs, minutes))
        if (auto status = add("ladder", *places); !status) return std::unexpected(status.error());
    for (const RunCurve& curve : run_curves()) {
        base::Plot plot{curve.title, minutes, curve.y, {}};
        for (const Overlaid& run : runs)
            plot.series.push_back(series_of(run.history, run.name, minutes.logarithmic, curve.of));
        if (std::ranges::all_of(plot.series, [](const auto& series) { return series.points.empty(); }))
            continue;
        if (auto status = add(curve.name, plot); !status) return std::unexpected(status.error());
    }
    std::filesystem::path report = folder / kReportFile;
    if (auto status = base::write_atomically(report, text); !status) return std::unexpected(status.error());
    return report;
}

}  // namespace scholar::learning
