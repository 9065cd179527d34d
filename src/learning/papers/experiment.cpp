#include "learning/papers/experiment.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "base/files.hpp"
#include "base/text.hpp"

namespace scholar::learning {

namespace {

std::string part_of(const Experiment& experiment) {
    return fmt::format("{}.md", experiment.name);
}

// All parts that are there, and what is still to be done.
std::string report_of(const Paper& paper, const Reproduction& work) {
    const ReproductionOptions& how = work.options();
    std::string text =
        fmt::format("# {}\n\n{}, by `scholar reproduce {}`. Matches of {}, {} on the ladder.\n", paper.name,
                    paper.title, paper.name, base::counted(how.match_games, "game"), how.ladder_games);
    if (how.quick) text += "Quick: this shows that the experiments run, not what comes of them.\n";
    std::string missing;
    for (const Experiment& experiment : paper.experiments) {
        const auto part = base::read_text(work.path(part_of(experiment)));
        if (part)
            text += fmt::format("\n## {}\n\nThe paper: {}.\nHere: {} (`{}`).\n\n{}", experiment.about,
                                experiment.paper, experiment.size, experiment.name, *part);
        else
            missing += fmt::format("- `{}`: {} ({} of a core)\n", experiment.name, experiment.about,
                                   experiment.time);
    }
    if (!missing.empty()) text += "\n## Not begun\n\n" + missing;
    return text;
}

base::Status take(const Paper& paper, const Experiment& experiment, const Reproduction& work,
                  const Findings& findings, bool is_over) {
    for (const Findings::Drawing& drawing : findings.drawings)
        if (auto status = base::write_atomically(work.path(drawing.file), base::to_svg(drawing.plot));
            !status)
            return status;
    const std::string state = is_over ? "" : "Not finished; the same command goes on.\n\n";
    if (auto status = base::write_atomically(work.path(part_of(experiment)), state + to_markdown(findings));
        !status)
        return status;
    return base::write_atomically(work.path("report.md"), report_of(paper, work));
}

base::Status run(const Paper& paper, const Experiment& experiment, Reproduction& work) {
    Findings last;
    const TakeFindings taken = [&](const Findings& findings) {
        last = findings;
        return take(paper, experiment, work, findings, false);
    };
    if (auto status = experiment.run(work, taken); !status)
        return base::fail_in(std::string(experiment.name), status.error());
    return take(paper, experiment, work, last, true);
}

}  // namespace

base::Result<std::filesystem::path> reproduce(const Paper& paper, std::span<const std::string> names,
                                              const ReproductionOptions& options,
                                              const std::stop_token& stop) {
    std::error_code error;
    std::filesystem::create_directories(options.output, error);
    if (error)
        return base::fail("{}: cannot create the folder: {}", options.output.string(), error.message());
    Reproduction work(options, stop);
    for (const Experiment& experiment : paper.experiments)
        if (names.empty() || std::ranges::find(names, experiment.name) != names.end())
            if (auto status = run(paper, experiment, work); !status) return std::unexpected(status.error());
    return work.path("report.md");
}

}  // namespace scholar::learning
