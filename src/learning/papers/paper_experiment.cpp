#include "learning/papers/paper_experiment.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <utility>

#include "arena/place.hpp"

namespace scholar::learning {

base::Status PaperExperiment::play(const Contender& first, const Contender& second,
                                   const arena::TimeControl& control, const char* paper) {
    const auto duel = work_.match(first, second, control);
    if (!duel) return std::unexpected(duel.error());
    findings.figures.push_back(
        {first.name + " against " + second.name, arena::to_string(control), paper, describe(*duel)});
    return take();
}

base::Status PaperExperiment::place(const Contender& contender, const arena::TimeControl& control,
                                    const char* paper) {
    if (!can_place()) return take();
    const auto place = work_.place(contender, control);
    if (!place) return std::unexpected(place.error());
    if (*place)
        findings.figures.push_back({contender.name + " on the ladder", arena::to_string(control), paper,
                                    arena::describe_place((*place)->kind, (*place)->elo, (*place)->error)});
    return take();
}

void PaperExperiment::add_run(std::string name, const Trained& trained) {
    findings.runs.emplace_back(std::move(name), trained.folder.filename().string() + "/report.md");
}

bool PaperExperiment::can_place() {
    const auto why = work_.why_no_places();
    if (!why) return true;
    std::string remark = fmt::format("Nobody was placed on the ladder: {}.", *why);
    if (std::ranges::find(findings.remarks, remark) == findings.remarks.end())
        findings.remarks.push_back(std::move(remark));
    return false;
}

}  // namespace scholar::learning
