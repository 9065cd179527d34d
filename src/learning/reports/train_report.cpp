#include "learning/reports/train_report.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/files.hpp"
#include "learning/reports/report_plot.hpp"
#include "learning/run/metrics.hpp"
#include "learning/run/run_files.hpp"

namespace scholar::learning {

namespace {

using nlohmann::json;

// Rows of the table of the course; between them the plots show more.
constexpr std::size_t kMostRows = 12;

// One figure of a run: "network", "constant" and whoever else, each by positions seen.
struct FigureCourse {
    double samples = 0;
    std::map<std::string, std::vector<base::PlotPoint>> by_whom;

    double last(const std::string& whom) const { return by_whom.at(whom).back().y; }
    // Network and constant first.
    std::vector<std::string> names() const {
        std::vector<std::string> all{"network", "constant"};
        for (const auto& [name, points] : by_whom)
            if (std::ranges::find(all, name) == all.end()) all.push_back(name);
        std::erase_if(all, [this](const std::string& name) { return !by_whom.contains(name); });
        return all;
    }
};

// What a run's metrics say.
struct TrainCourse {
    std::vector<std::pair<std::string, FigureCourse>> figures;  // the one that matters most first
    std::vector<base::PlotPoint> losses;                        // of training
    double positions = 0;
    double core_seconds = 0;

    FigureCourse& figure(const std::string& name) {
        const auto known = std::ranges::find(figures, name, &std::pair<std::string, FigureCourse>::first);
        if (known != figures.end()) return known->second;
        return figures.emplace_back(name, FigureCourse{}).second;
    }
};

// An object of a validation that is a figure: numbers by name, null where what was measured is none.
bool is_figure(const json& value) {
    return value.is_object() && value.contains("network") && value.contains("samples") &&
           value["samples"].is_number() &&
           std::ranges::all_of(value, [](const json& each) { return each.is_number() || each.is_null(); });
}

std::string show(double number) {
    return std::isfinite(number) ? fmt::format("{:.4f}", number) : "none";
}

void take_validation(const json& record, TrainCourse& course) {
    for (const auto& [name, value] : record.items()) {
        if (!is_figure(value)) continue;
        FigureCourse& figure = course.figure(name);
        figure.samples = value["samples"].get<double>();
        for (const auto& [whom, number] : value.items())
            if (whom != "samples")
                figure.by_whom[whom].push_back(
                    {course.positions,
                     number.is_null() ? std::numeric_limits<double>::quiet_NaN() : number.get<double>()});
    }
}

// A name in two: what stands before its first digit, and the number there. 0: none.
std::pair<std::string, std::uint64_t> text_and_number(const std::string& name) {
    const std::size_t at = std::min(name.find_first_of("0123456789"), name.size());
    std::uint64_t number = 0;
    std::from_chars(name.data() + at, name.data() + name.size(), number);
    return {name.substr(0, at), number};
}

base::Result<TrainCourse> read_course(const std::filesystem::path& file) {
    const auto text = base::read_text(file);
    if (!text) return std::unexpected(text.error());
    TrainCourse course;
    const auto take = [&course](const json& record) -> base::Status {
        if (!record.is_object() || !record.contains("kind") || !record["kind"].is_string())
            return base::fail("no record, expected a JSON object with a kind");
        const auto number = [&record](const char* key) {
            const auto found = record.find(key);
            return found != record.end() && found->is_number() ? found->get<double>() : 0.0;
        };
        if (record["kind"] == "train") {
            course.positions = number("positions");
            course.core_seconds = number("core_seconds");
            course.losses.push_back({course.positions, number("loss")});
        }
        if (record["kind"] == "validation") take_validation(record, course);
        return {};
    };
    if (auto status = for_each_record(*text, file.string(), take); !status)
        return std::unexpected(status.error());
    if (course.figures.empty())
        return base::fail("{}: no validation with figures, expected one at least: is it too early?",
                          file.string());
    // Records are in the order of the alphabet, "in 10" before "in 3".
    std::ranges::sort(course.figures, [](const auto& a, const auto& b) {
        return std::pair(a.first != "loss", text_and_number(a.first)) <
               std::pair(b.first != "loss", text_and_number(b.first));
    });
    return course;
}

std::string last_table(const TrainCourse& course) {
    std::string text = "| figure | samples | network | constant | others |\n|---|---:|---:|---:|---|\n";
    for (const auto& [name, figure] : course.figures) {
        const auto names = figure.names();
        text += fmt::format("| {} | {:.0f} |", name, figure.samples);
        std::string others;
        for (const std::string& whom : names)
            if (whom == "network" || whom == "constant")
                text += fmt::format(" {} |", show(figure.last(whom)));
            else
                others += fmt::format("{}{} {}", others.empty() ? "" : ", ", whom, show(figure.last(whom)));
        text += fmt::format(" {} |\n", others);
    }
    return text + "\n";
}

// Every so many validations, and the last.
std::string course_table(const TrainCourse& course) {
    std::string text = "| positions |";
    std::string line = "|---:|";
    for (const auto& [name, figure] : course.figures) {
        text += fmt::format(" {} |", name);
        line += "---:|";
    }
    text += "\n" + line + "\n";
    const auto& first = course.figures.front().second.by_whom.at("network");
    const std::size_t every = (first.size() + kMostRows - 1) / kMostRows;
    for (std::size_t i = (first.size() - 1) % every; i < first.size(); i += every) {
        text += fmt::format("| {:.0f} |", first[i].x);
        for (const auto& [name, figure] : course.figures) {
            const auto& points = figure.by_whom.at("network");
            text += i < points.size() ? fmt::format(" {} |", show(points[i].y)) : " |";
        }
        text += "\n";
    }
    return text + "\n";
}

base::Result<std::string> plots(const std::filesystem::path& folder, const TrainCourse& course) {
    std::string text;
    for (const auto& [name, figure] : course.figures) {
        base::Plot plot{fmt::format("Held out: {}", name), {"positions seen"}, {name}, {}};
        for (const std::string& whom : figure.names()) plot.series.push_back({whom, figure.by_whom.at(whom)});
        if (name == "loss") plot.series.push_back({"in training", thinned(course.losses, false)});
        std::string file = name;
        std::ranges::replace(file, ' ', '-');
        const auto shown = add_report_plot(folder, file, plot);
        if (!shown) return std::unexpected(shown.error());
        text += *shown;
    }
    return text;
}

}  // namespace

base::Result<std::filesystem::path> write_train_report(const std::filesystem::path& folder) {
    const auto course = read_course(folder / kMetricsFile);
    if (!course) return std::unexpected(course.error());
    const auto shown = plots(folder, *course);
    if (!shown) return std::unexpected(shown.error());
    const std::string text = fmt::format("# {:.0f} positions in {:.1f} core-minutes\n\n", course->positions,
                                         course->core_seconds / 60) +
                             last_table(*course) + course_table(*course) + *shown;
    if (auto status = base::write_atomically(folder / kReportFile, text); !status)
        return std::unexpected(status.error());
    return folder / kReportFile;
}

}  // namespace scholar::learning
