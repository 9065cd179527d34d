// What the network learns of source and target: figures 3 and 4, and the accuracies of the section on
// performance.

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "learning/papers/rl_in_chess_experiment.hpp"

namespace scholar::learning {

namespace {

constexpr std::uint64_t kFoldPositions = 1'000'000;
constexpr int kFolds = 5;  // of the recipe
// The four of figures 3 and 4, by what they have before the source's head; and the smaller one.
constexpr std::array kSizes{PolicyBlocks{3, 2}, PolicyBlocks{4, 14}, PolicyBlocks{6, 8}, PolicyBlocks{10, 4},
                            PolicyBlocks{12, 10}};
constexpr PolicyBlocks kLargest{12, 10};
// 22 epochs of 400 batches of 512.
constexpr std::uint64_t kPaperStates = 22 * 400 * 512;

// The columns of a table of networks: figures of the games that are held out.
constexpr std::array kPolicyShares{std::pair{"source", "source, %"}, std::pair{"target", "target, %"},
                                   std::pair{"legal source", "source among legal, %"},
                                   std::pair{"legal target", "target among legal, %"},
                                   std::pair{"first move", "whole move, %"}};
constexpr const char* kValueError = "squared error of the value";

std::vector<std::string> columns_of(const char* first) {
    std::vector<std::string> columns{first};
    for (const auto& [name, heading] : kPolicyShares) columns.emplace_back(heading);
    columns.emplace_back(kValueError);
    return columns;
}

// What is left of so many positions.
std::string in_words(const Reproduction& work, std::uint64_t whole) {
    return base::grouped(static_cast<std::int64_t>(work.length(whole)));
}

std::vector<std::string> row_of(const std::string& first, const Trained& trained) {
    std::vector<std::string> row{first};
    for (const auto& [name, heading] : kPolicyShares) row.push_back(trained.per_cent(name));
    row.push_back(trained.loss(kValueError));
    return row;
}

// Mean and standard deviation over runs; nothing of what a run lacks.
std::string spread_of(const std::vector<Trained>& runs, const char* name) {
    double sum = 0;
    double squares = 0;
    for (const Trained& run : runs) {
        const TrainedFigure* const share = run.find(name);
        if (!share) return "–";
        sum += share->network;
        squares += share->network * share->network;
    }
    const auto count = static_cast<double>(runs.size());
    const double mean = sum / count;
    const double variance = count > 1 ? std::max(0.0, (squares - sum * mean) / (count - 1)) : 0;
    return fmt::format("{:.1f} ± {:.1f}", 100 * mean, 100 * std::sqrt(variance));
}

}  // namespace

base::Status cross_validate(Reproduction& work, const TakeFindings& take) {
    auto experiment = RlInChessExperiment::begin(work, take);
    if (!experiment) return std::unexpected(experiment.error());
    Findings& findings = experiment->findings;
    findings.remarks.emplace_back(
        "The paper: some 50 % of sources and 35 % of targets, by (12,10) after 4 million states; its "
        "figure 3 has some 43 % of sources after a million. Each fold is a fifth of the games, which the "
        "run has not seen.");
    findings.tables.push_back({fmt::format("(3,2) after {} positions, on the fold that is held out",
                                           in_words(work, kFoldPositions)),
                               {columns_of("fold")}});
    std::vector<Trained> runs;
    for (int fold = 0; fold < kFolds; ++fold) {
        auto trained = experiment->sized({}, kFoldPositions, fold);
        if (!trained) return std::unexpected(trained.error());
        findings.tables.back().rows.push_back(row_of(std::to_string(fold + 1), *trained));
        experiment->add_run(fmt::format("fold {}", fold + 1), *trained);
        runs.push_back(std::move(*trained));
        if (auto status = experiment->take(); !status) return status;
    }
    for (const auto& [name, paper] : {std::pair{"source", "50"}, std::pair{"target", "35"}})
        findings.figures.push_back({std::string(name) + ", % of positions",
                                    "mean and deviation of five folds", paper, spread_of(runs, name)});
    return experiment->take();
}

base::Status compare_sizes(Reproduction& work, const TakeFindings& take) {
    auto experiment = RlInChessExperiment::begin(work, take);
    if (!experiment) return std::unexpected(experiment.error());
    Findings& findings = experiment->findings;
    findings.remarks.emplace_back(
        "Blocks before the source's head, and behind it. In the paper's figures sources are found the "
        "better the more blocks are before their head, and targets the better the more there are in all.");
    findings.tables.push_back(
        {fmt::format("Networks after {} positions, on games that are held out (figures 3 and 4)",
                     in_words(work, kFoldPositions)),
         {columns_of("blocks")}});
    for (const PolicyBlocks blocks : kSizes) {
        const auto trained = experiment->sized(blocks, kFoldPositions);
        if (!trained) return std::unexpected(trained.error());
        findings.tables.back().rows.push_back(row_of(to_string(blocks), *trained));
        experiment->add_run(to_string(blocks), *trained);
        if (auto status = experiment->take(); !status) return status;
    }
    return {};
}

base::Status learn_largest(Reproduction& work, const TakeFindings& take) {
    auto experiment = RlInChessExperiment::begin(work, take);
    if (!experiment) return std::unexpected(experiment.error());
    const auto trained = experiment->sized(kLargest, kPaperStates);
    if (!trained) return std::unexpected(trained.error());
    Findings& findings = experiment->findings;
    findings.tables.push_back(
        {fmt::format("The paper's network after {} positions ({} there), on games that are held out",
                     in_words(work, kPaperStates), base::grouped(kPaperStates)),
         {columns_of("blocks"), row_of(to_string(kLargest), *trained)}});
    for (const auto& [name, paper] : {std::pair{"source", "50"}, std::pair{"target", "35"}})
        if (const TrainedFigure* const share = trained->find(name))
            findings.figures.push_back({std::string(name) + ", % of positions", to_string(kLargest), paper,
                                        in_per_cent(share->network)});
    experiment->add_run(to_string(kLargest), *trained);
    return experiment->take();
}

base::Status compare_heads(Reproduction& work, const TakeFindings& take) {
    auto experiment = RlInChessExperiment::begin(work, take);
    if (!experiment) return std::unexpected(experiment.error());
    Findings& findings = experiment->findings;
    findings.remarks.emplace_back(
        "The same trunk and the same positions. The paper's heads answer over all squares and do not know "
        "of each other; of the others each pair of squares has a number, and only legal moves count.");
    findings.tables.push_back({"Heads, on games that are held out", {columns_of("heads")}});
    const auto paper = experiment->sized({}, kFoldPositions);
    if (!paper) return std::unexpected(paper.error());
    const auto other = experiment->other_heads(kFoldPositions);
    if (!other) return std::unexpected(other.error());
    for (const auto& [name, trained] :
         {std::pair{"source and target", &*paper}, {"pairs of squares", &*other}}) {
        findings.tables.back().rows.push_back(row_of(name, *trained));
        experiment->add_run(name, *trained);
    }
    return experiment->take();
}

}  // namespace scholar::learning
