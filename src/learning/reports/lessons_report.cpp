#include "learning/reports/lessons_report.hpp"

#include "base/progress.hpp"
#include "learning/reports/report_plot.hpp"

namespace scholar::learning {

base::Result<std::string> describe_lessons(const std::filesystem::path& run, const GamesCourse& course) {
    if (course.training.empty()) return "No positions yet.\n\n";
    std::string text = fmt::format(
        "Trained on {} positions (one that was used twice counts twice) in {:.1f} core-minutes.",
        base::short_count(static_cast<double>(course.training.back().positions)), course.core_seconds / 60);
    if (!course.validations.empty() && course.validations.back().held_out > 0) {
        const GamesCourse::Validation& last = course.validations.back();
        text += fmt::format(
            " After {} of them its loss on {} positions that are in none of these games was {:.4f} (nats a "
            "position); {:.4f} is that of the pieces' values alone, and {:.4f} that of one value for all "
            "positions.",
            base::short_count(static_cast<double>(last.positions)),
            base::short_count(static_cast<double>(last.held_out)), last.network, last.material,
            last.constant);
    }
    text += "\n\n";
    base::PlotSeries network{"network", {}};
    base::PlotSeries constant{"constant", {}};
    base::PlotSeries held_out{"positions not learnt from", {}};
    for (const GamesCourse::Training& at : course.training) {
        network.points.push_back({static_cast<double>(at.positions), at.loss});
        constant.points.push_back({static_cast<double>(at.positions), at.constant_loss});
    }
    for (const GamesCourse::Validation& at : course.validations)
        if (at.held_out > 0) held_out.points.push_back({static_cast<double>(at.positions), at.network});
    for (base::PlotSeries* series : {&network, &constant}) series->points = thinned(series->points, false);
    const auto plot = add_report_plot(run, "lessons",
                                      {"Loss while it learnt from games",
                                       {"positions"},
                                       {"nats a position"},
                                       {network, held_out, constant}});
    if (!plot) return std::unexpected(plot.error());
    return text + *plot;
}

}  // namespace scholar::learning
