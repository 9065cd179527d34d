#include "games/sampler_section.hpp"

#include "base/files.hpp"
#include "games/sample_plan.hpp"
#include "games/sample_text.hpp"

namespace scholar::games {

namespace {

// Of recipes for training and for learning by segments of self-play (learning/training/recipe.cpp,
// learning/segments/segment_recipe.cpp), which are not read here.
const std::vector<std::string> kOtherSections{"network", "target", "optimiser", "schedule", "run",
                                              "export",  "start",  "play",      "lessons",  "course"};

constexpr int kMostFolds = 100;

}  // namespace

void read_data_section(base::StrictToml::Section& data, RecipeSampling& into) {
    into.stores = data.texts("stores", std::nullopt);
    SplitShares& shares = into.sampling.shares;
    // Asked for only where they are given: runs that began when there were no such keys go on.
    const bool in_folds = data.has("folds");
    if (in_folds) {
        shares.folds = static_cast<int>(data.integer("folds", std::nullopt, 2, kMostFolds));
        shares.fold = static_cast<int>(data.integer("fold", std::nullopt, 0, shares.folds - 1));
    } else if (data.has("fold")) {
        data.refuse("fold", "stands without 'folds', expected the number of them");
    }
    if (!in_folds)
        shares.validation = data.real("validation_share", 0.02, 0.001, 0.5);
    else if (data.has("validation_share"))
        data.refuse("validation_share", "stands beside 'folds', expected only one of them");
    shares.test = data.real("test_share", 0.02, 0, 0.4);
}

void read_sampler_section(base::StrictToml::Section& sampler, RecipeSampling& into) {
    std::vector<SampleStage>& stages = into.sampling.stages;
    if (const std::string rule = sampler.text("rule", ""); !rule.empty()) {
        if (auto found = parse_rule(rule))
            stages = std::move(*found);
        else
            sampler.refuse("rule", "is wrong: " + found.error().message);
    }
    const std::size_t of_rule = stages.size();
    bool failed = false;  // indices then mean nothing
    const std::vector<std::string> texts = sampler.texts("stages", std::vector<std::string>());
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (auto stage = parse_stage(texts[i])) {
            stages.push_back(*stage);
        } else {
            sampler.refuse("stages", "is wrong: " + stage.error().message, i);
            failed = true;
        }
    }
    if (const auto plan = SamplePlan::make(stages); !plan && !failed) {
        // A rule's own stages are in order: what does not fit is among those behind it.
        const std::size_t at = plan.error().stage;
        sampler.refuse("stages", "is wrong: " + plan.error().message, at < of_rule ? 0 : at - of_rule);
    }
    // What a rule means is what a run depends on, not its name.
    sampler.renote("rule", "");
    sampler.renote("stages", to_string(stages));
    into.sampling.chess960 = sampler.flag("chess960", false);
    into.shuffle_buffer = static_cast<std::size_t>(sampler.integer("shuffle_buffer", 1 << 19, 1, 1 << 26));
}

base::Result<RecipeSampling> load_recipe_sampling(const std::filesystem::path& path) {
    const auto text = base::read_text(path);
    if (!text) return std::unexpected(text.error());
    auto file = base::StrictToml::parse(*text, path.string());
    if (!file) return std::unexpected(file.error());
    RecipeSampling result;
    file->section("data", [&](auto& keys) { read_data_section(keys, result); });
    file->section("sampler", [&](auto& keys) { read_sampler_section(keys, result); });
    if (auto status = file->finish(kOtherSections); !status) return std::unexpected(status.error());
    return result;
}

}  // namespace scholar::games
