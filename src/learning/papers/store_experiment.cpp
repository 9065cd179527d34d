#include "learning/papers/store_experiment.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "learning/papers/recipe_text.hpp"

namespace scholar::learning {

namespace {

constexpr std::uint64_t kQuickPositions = 200;

// A line "key = …" of the recipe gets another value; false where there is none.
bool set_key(std::string& recipe, const std::string& key, const std::string& value) {
    const std::string begins = fmt::format("\n{} = ", key);
    const std::size_t line = recipe.find(begins);
    if (line == std::string::npos) return false;
    const std::size_t at = line + begins.size();
    recipe.replace(at, recipe.find('\n', at) - at, value);
    return true;
}

}  // namespace

base::Result<StoreExperiment> StoreExperiment::begin(Reproduction& work, const TakeFindings& take,
                                                     StoreRecipes recipes) {
    auto paths = work.stores_or({.name = "own",
                                 .games = work.sized(recipes.own_games, recipes.quick_own_games),
                                 .nodes = 100,
                                 .is_static = false});
    if (!paths) return std::unexpected(paths.error());
    StoreExperiment experiment(work, take, std::move(*paths), std::move(recipes));
    if (work.options().stores.empty())
        experiment.findings.remarks.emplace_back(
            "Learnt from games of the default player; --store says from which others.");
    else
        experiment.findings.remarks.push_back(
            fmt::format("Learnt from {}.", fmt::join(work.options().stores, ", ")));
    if (work.options().length < 1)
        experiment.findings.remarks.push_back(fmt::format(
            "Each run of training has {:g} of its whole length (--length).", work.options().length));
    return experiment;
}

// The recipe of a run of seconds.
base::Result<std::string> StoreExperiment::quick(const std::string& name, std::string recipe) const {
    for (const auto& [key, value] : recipes_.quick_keys)
        if (!set_key(recipe, key, value) && key == recipes_.quick_keys.front().first)
            return base::fail("{}: its recipe has no '{}'", name, key);
    if (!recipes_.quick_shares) return recipe;
    for (const auto& [key, share] : {std::pair{"validation_share", recipes_.quick_shares->validation},
                                     {"test_share", recipes_.quick_shares->test}}) {
        if (set_key(recipe, key, fmt::to_string(share))) continue;
        auto with = with_replaced(name, std::move(recipe),
                                  {{"[data]\n", fmt::format("[data]\n{} = {}\n", key, share)}});
        if (!with) return with;
        recipe = std::move(*with);
    }
    return recipe;
}

// The recipe with the share of its run's length that --length says; warm-up and stages are that much shorter,
// too.
base::Result<std::string> StoreExperiment::shortened(const std::string& name, std::string recipe) const {
    const std::size_t run = recipe.find("\n[run]\n");
    const std::string_view key =
        run != std::string::npos && recipe.find("\npositions = ", run) != std::string::npos ? "positions"
                                                                                            : "steps";
    if (run == std::string::npos || !shorten_after(recipe, fmt::format("\n{} = ", key), run))
        return base::fail("{}: expected a length, positions or steps, in its recipe's [run]", name);
    shorten_after(recipe, "\nwarmup = ");
    for (std::size_t at = 0; const auto next = shorten_after(recipe, "\"stage from=", at);) at = *next;
    return recipe;
}

// The number behind the first `text` from somewhere on gets what --length leaves of it. Where it ends;
// nothing where there is none.
std::optional<std::size_t> StoreExperiment::shorten_after(std::string& recipe, std::string_view text,
                                                          std::size_t from) const {
    const std::size_t found = recipe.find(text, from);
    if (found == std::string::npos) return std::nullopt;
    const std::size_t begin = found + text.size();
    const std::size_t end = std::min(recipe.find_first_not_of("0123456789_", begin), recipe.size());
    std::string digits = recipe.substr(begin, end - begin);
    std::erase(digits, '_');
    const auto whole = base::parse_number<std::uint64_t>(digits);
    if (!whole) return std::nullopt;
    const std::string left = fmt::to_string(*whole == 0 ? 0 : work().length(*whole));
    recipe.replace(begin, end - begin, left);
    return begin + left.size();
}

base::Result<Trained> StoreExperiment::train_from(const std::vector<std::string>& stores,
                                                  const std::string& name, std::string_view recipe,
                                                  RecipeChanges changes) const {
    changes.emplace_back(recipes_.stores, fmt::format("stores = {}", in_toml(stores)));
    auto changed = with_replaced(name, std::string(recipe), changes);
    if (!changed) return std::unexpected(changed.error());
    if (work().options().quick)
        changed = quick(name, std::move(*changed));
    else if (work().options().length < 1)
        changed = shortened(name, std::move(*changed));
    if (!changed) return std::unexpected(changed.error());
    return work().train(name, *changed);
}

games::SplitShares StoreExperiment::shares() const {
    return work().options().quick ? recipes_.quick_shares.value_or(games::SplitShares{})
                                  : games::SplitShares{};
}

base::Result<games::HeldOutSet> StoreExperiment::held_out(games::HeldOutRule rule) const {
    const auto opened = stores();
    if (!opened) return std::unexpected(opened.error());
    rule.positions = work().sized(rule.positions, kQuickPositions);
    return games::draw_held_out(*opened, rule, work().stop());
}

base::Result<games::HeldOutSet> StoreExperiment::others(const std::string& store,
                                                        games::HeldOutRule rule) const {
    const auto opened = open_stores({store});
    if (!opened) return std::unexpected(opened.error());
    rule.shares = {.validation = 0, .test = 1};
    rule.positions = work().sized(rule.positions, kQuickPositions);
    return games::draw_held_out(*opened, rule, work().stop());
}

}  // namespace scholar::learning
