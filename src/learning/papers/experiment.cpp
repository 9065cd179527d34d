#include "learning/papers/experiment.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "base/files.hpp"
#include "learning/run/run_files.hpp"
#include "nets/container/open_network.hpp"

namespace scholar::learning {

namespace {

// What came of it, and what there is of it so far, which never takes the place of the former before it is
// over.
std::string part_of(const Experiment& experiment) {
    return fmt::format("{}.md", experiment.name);
}
std::string unfinished_part_of(const Experiment& experiment) {
    return fmt::format("{}.unfinished.md", experiment.name);
}

// All parts that are there, and what is still to be done.
std::string report_of(const Paper& paper, const Reproduction& work) {
    std::string text =
        fmt::format("# {}\n\n{}, by `scholar reproduce {}`.\n", paper.name, paper.title, paper.name);
    if (work.options().quick) text += "Quick: this shows that the experiments run, not what comes of them.\n";
    std::string missing;
    for (const Experiment& experiment : paper.experiments) {
        auto part = base::read_text(work.path(part_of(experiment)));
        if (!part) part = base::read_text(work.path(unfinished_part_of(experiment)));
        if (part)
            text += fmt::format("\n## {}\n\nThe paper: {}.\nThe whole of `{}`: {}.\n\n{}", experiment.about,
                                experiment.paper, experiment.name, experiment.size, *part);
        else
            missing += fmt::format("- `{}`: {} ({} of a core)\n", experiment.name, experiment.about,
                                   experiment.time);
    }
    if (!missing.empty()) text += "\n## Not begun\n\n" + missing;
    return text;
}

// With what it was made by: other parts may have been made by other options.
std::string text_of(const Paper& paper, const ReproductionOptions& how, const Findings& findings,
                    bool is_over) {
    return fmt::format("{}With {}--games {}{}{}.\n\n{}",
                       is_over ? "" : "Not finished; the same command goes on.\n\n",
                       paper.has_seeds ? fmt::format("--seeds {}, ", how.seeds) : "", how.match_games,
                       paper.has_places ? fmt::format(", --ladder-games {}", how.ladder_games) : "",
                       how.quick ? ", --quick" : "", to_markdown(findings));
}

base::Status take(const Paper& paper, const Experiment& experiment, const Reproduction& work,
                  const Findings& findings, bool is_over) {
    const auto finished = work.path(part_of(experiment));
    const auto unfinished = work.path(unfinished_part_of(experiment));
    std::error_code error;
    const bool is_shown = is_over || !std::filesystem::exists(finished, error);
    for (const Findings::Drawing& drawing : findings.drawings)
        if (is_shown)
            if (auto status = base::write_atomically(work.path(drawing.file), drawing.svg); !status)
                return status;
    if (auto status = base::write_atomically(is_over ? finished : unfinished,
                                             text_of(paper, work.options(), findings, is_over));
        !status)
        return status;
    if (is_over) std::filesystem::remove(unfinished, error);
    return base::write_atomically(work.path(kReportFile), report_of(paper, work));
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
    // They are asked after hours.
    for (const auto& [name, file] : options.beside) {
        const auto network = nets::open_network(file);
        if (!network) return base::fail_in(name, network.error());
        if (!network->abilities().has(nets::Ability::Policy))
            return base::fail("{}: {} gives {}, expected {}", name, file,
                              nets::to_string(network->abilities()), nets::to_string(nets::Ability::Policy));
    }
    if (!options.suite.empty())
        if (const auto items = arena::read_suite(options.suite); !items)
            return std::unexpected(items.error());
    std::error_code error;
    std::filesystem::create_directories(options.output, error);
    if (error)
        return base::fail("{}: cannot create the folder: {}", options.output.string(), error.message());
    Reproduction work(options, stop);
    for (const Experiment& experiment : paper.experiments)
        if (names.empty() || std::ranges::find(names, experiment.name) != names.end())
            if (auto status = run(paper, experiment, work); !status) return std::unexpected(status.error());
    return work.path(kReportFile);
}

}  // namespace scholar::learning
