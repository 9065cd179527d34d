#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "chess/fen.hpp"
#include "cli/net_explain.hpp"
#include "cli/output.hpp"
#include "nets/linear/linear_explanation.hpp"

namespace scholar::cli {

namespace {

using nets::Group;
using nets::ValueExplanation;
using nets::ValuePart;

constexpr int kUnit = nets::LinearNetwork::kSumUnit;

// Whole hundredths, so that what is printed adds up as it is printed.
std::int64_t hundredths(std::int64_t weighed) {
    return std::llround(100 * static_cast<double>(weighed) / kUnit);
}

std::string show(std::int64_t hundredths) {
    return fmt::format("{:+.2f}", static_cast<double>(hundredths) / 100);
}

struct GroupParts {
    Group group;
    std::vector<ValuePart> parts;  // the largest first
    std::int64_t weighed = 0;
    std::int64_t hundredths = 0;  // of the parts as they are printed
};

// The groups that say anything, those that say most first.
std::vector<GroupParts> by_group(const ValueExplanation& explanation) {
    std::vector<GroupParts> groups(nets::kGroups);
    for (const ValuePart& part : explanation.parts) {
        const Group group = nets::row(nets::place_of(part.feature).block).group;
        GroupParts& entry = groups[static_cast<std::size_t>(group)];
        entry.group = group;
        entry.parts.push_back(part);
        entry.weighed += part.weighed;
        entry.hundredths += hundredths(part.weighed);
    }
    std::erase_if(groups, [](const GroupParts& each) { return each.parts.empty(); });
    for (GroupParts& each : groups)
        std::ranges::stable_sort(each.parts, std::greater(),
                                 [](const ValuePart& part) { return std::abs(part.weighed); });
    std::ranges::stable_sort(groups, std::greater(),
                             [](const GroupParts& each) { return std::abs(each.weighed); });
    return groups;
}

void print_table(const nets::LinearNetwork& network, const ValueExplanation& explanation,
                 const chess::Position& position, double least) {
    fmt::print("{} to move\n\nstage     share\n",
               position.side_to_move() == chess::White ? "White" : "Black");
    for (const nets::Stage stage : nets::kStages)
        fmt::print("{:<8} {:5.1f} %\n", to_string(stage),
                   100.0 * explanation.shares.of(stage) / nets::StageShares::kWhole);
    fmt::print("\n{:<36} {:>6} {:>11} {:>10}\n", "feature (own less enemy)", "count", "weight here", "value");
    std::int64_t printed = 0;
    for (const GroupParts& group : by_group(explanation)) {
        fmt::print("{:<36} {:>6} {:>11} {:>10}\n", to_string(group.group), "", "", show(group.hundredths));
        std::int64_t rest = 0;
        std::size_t small = 0;
        for (const ValuePart& part : group.parts) {
            if (std::abs(static_cast<double>(part.weighed)) < least * kUnit) {
                rest += hundredths(part.weighed);
                ++small;
                continue;
            }
            nets::StageSums weights{};
            std::ranges::copy_n(network.row(part.feature), nets::kStageCount, weights.begin());
            fmt::print("  {:<34} {:>+6} {:>11} {:>10}\n", nets::feature_name(part.feature), part.count,
                       show(hundredths(nets::weigh(weights, explanation.shares))),
                       show(hundredths(part.weighed)));
        }
        if (small > 0)
            fmt::print("  {:<34} {:>6} {:>11} {:>10}\n", fmt::format("{} others below {}", small, least), "",
                       "", show(rest));
        printed += group.hundredths;
    }
    const std::int64_t rest = std::int64_t{100} * explanation.value.value() - printed;
    const bool bounded = std::abs(rest) > 100 * static_cast<std::int64_t>(explanation.parts.size() + 1);
    fmt::print("{:<36} {:>6} {:>11} {:>10}\n", bounded ? "rounding and bound" : "rounding", "", "",
               show(rest));
    fmt::print("{:<36} {:>6} {:>11} {:>+10}\n", "value, in Score units", "", "", explanation.value.value());
    fmt::print("\n{:+.2f} pawns of the paper's start; expected result {:.1f} %\n",
               explanation.value.value() / nets::kPawnScore, 100 * explanation.value.expected());
}

Json to_json(const nets::LinearNetwork& network, const ValueExplanation& explanation,
             const chess::Position& position, const std::string& name) {
    Json json;
    json["network"] = name;
    json["fen"] = chess::to_fen(position);
    json["side_to_move"] = position.side_to_move() == chess::White ? "white" : "black";
    for (const nets::Stage stage : nets::kStages)
        json["stages"][std::string(to_string(stage))] =
            static_cast<double>(explanation.shares.of(stage)) / nets::StageShares::kWhole;
    json["unit"] = kUnit;  // "sum" and "weighed" are in so many parts of a Score unit
    json["groups"] = Json::array();
    for (const GroupParts& group : by_group(explanation)) {
        Json entry{{"group", to_string(group.group)},
                   {"value", static_cast<double>(group.weighed) / kUnit},
                   {"weighed", group.weighed},
                   {"parts", Json::array()}};
        for (const ValuePart& part : group.parts) {
            Json weights;
            for (const nets::Stage stage : nets::kStages)
                weights[std::string(to_string(stage))] =
                    static_cast<double>(network.weights[nets::weight_index(part.feature, stage)]) /
                    nets::LinearNetwork::kUnit;
            entry["parts"].push_back({{"feature", nets::feature_name(part.feature)},
                                      {"count", part.count},
                                      {"weights", weights},
                                      {"value", static_cast<double>(part.weighed) / kUnit},
                                      {"weighed", part.weighed}});
        }
        json["groups"].push_back(std::move(entry));
    }
    json["sum"] = explanation.sum;
    json["value"] = explanation.value.value();
    return json;
}

}  // namespace

base::Status explain_position(const nets::FloatLinearNetwork& network, const std::string& name,
                              const std::string& fen, double least, bool json) {
    const auto position = chess::parse_fen(fen);
    if (!position) return base::fail_in("--fen", position.error());
    const auto rounded = nets::quantise(network);
    if (!rounded) return base::fail_in(name, rounded.error());
    const ValueExplanation explanation = nets::explain(*rounded, *position);
    if (json)
        print(to_json(*rounded, explanation, *position, name));
    else
        print_table(*rounded, explanation, *position, least);
    return {};
}

}  // namespace scholar::cli
