#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "games/sample_stages.hpp"

namespace scholar::games {

// A stage as recipes and command lines write it: "ply min=10 max=200", "not_in_check".
base::Result<SampleStage> parse_stage(std::string_view text);
// What parse_stage() reads back; parameters at their defaults are left out.
std::string to_string(const SampleStage& stage);
// With ", " between them.
std::string to_string(std::span<const SampleStage> stages);

struct StageHelp {
    std::string usage;  // "ply [min=…] [max=…]"
    std::string_view meaning;
};
// Every stage there is, in the order of docs/sampling.md.
std::vector<StageHelp> stage_help();

// How a paper drew its training positions, as stages.
struct SampleRule {
    std::string usage;
    std::string_view meaning;
    std::string_view source;  // paper and section
};
std::vector<SampleRule> sample_rules();
// The stages of a rule: "deepchess", "rl_in_chess share=0.2".
base::Result<std::vector<SampleStage>> parse_rule(std::string_view text);

}  // namespace scholar::games
