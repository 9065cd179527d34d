#include "learning/papers/convchess_experiment.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/hash.hpp"
#include "games/scan.hpp"
#include "learning/papers/recipe_text.hpp"

namespace scholar::learning {

namespace {

constexpr std::uint64_t kOwnGames = 4'000;
// 60 games or so have no position for each network unless more of them are held out.
constexpr std::uint64_t kQuickOwnGames = 60;
constexpr games::SplitShares kQuickShares{.validation = 0.1, .test = 0.2};

constexpr std::uint64_t kSevenPositions = 10'000'000;
constexpr std::uint64_t kValuePositions = 5'000'000;
constexpr std::uint64_t kQuickPositions = 4'000;

// As both recipes have them.
constexpr const char* kRecipeStores = "stores = [\"runs/convchess/games.games\"]";
constexpr const char* kQuickBatches = "batch = 200\n";

base::Result<std::vector<games::StoreReader>> open_all(const std::vector<std::string>& paths) {
    std::vector<games::StoreReader> stores;
    for (const std::string& path : paths) {
        auto store = games::StoreReader::open(path);
        if (!store) return std::unexpected(store.error());
        stores.push_back(std::move(*store));
    }
    return stores;
}

base::Result<std::uint64_t> hash_of(const std::vector<std::string>& paths) {
    const auto stores = open_all(paths);
    if (!stores) return std::unexpected(stores.error());
    return games::data_hash(*stores);
}

}  // namespace

base::Result<ConvChessExperiment> ConvChessExperiment::begin(Reproduction& work, const TakeFindings& take) {
    auto paths = work.stores_or(
        {.name = "own", .games = work.sized(kOwnGames, kQuickOwnGames), .nodes = 100, .is_static = false});
    if (!paths) return std::unexpected(paths.error());
    ConvChessExperiment experiment(work, take, std::move(*paths));
    if (work.options().stores.empty())
        experiment.findings.remarks.emplace_back(
            "Learnt from games of the default player; --store says from which others.");
    else
        experiment.findings.remarks.push_back(
            fmt::format("Learnt from {}.", fmt::join(work.options().stores, ", ")));
    return experiment;
}

base::Result<Trained> ConvChessExperiment::train(const std::vector<std::string>& stores,
                                                 const std::string& name, std::string_view recipe,
                                                 std::uint64_t positions,
                                                 const RecipeChanges& changes) const {
    RecipeChanges all{{kRecipeStores, fmt::format("stores = {}", in_toml(stores))}};
    // Behind the key that stands in any recipe's [run].
    all.emplace_back("seed = 1\n", fmt::format("seed = 1\npositions = {}\n", positions));
    all.insert(all.end(), changes.begin(), changes.end());
    std::string text(recipe);
    // What the recipe says itself.
    const std::size_t own = text.find("\npositions = ");
    if (own == std::string::npos) return base::fail("{}: its recipe has no [run] positions", name);
    text.erase(own, text.find('\n', own + 1) - own);
    if (work_.options().quick) {
        all.front().second += fmt::format("\nvalidation_share = {}\ntest_share = {}", kQuickShares.validation,
                                          kQuickShares.test);
        const std::size_t batch = text.find("batch = ");
        if (batch == std::string::npos) return base::fail("{}: its recipe has no [run] batch", name);
        text.replace(batch, text.find('\n', batch) + 1 - batch, kQuickBatches);
        all.emplace_back("validation_positions = 20_000", "validation_positions = 200");
    }
    auto changed = with_replaced(name, std::move(text), all);
    if (!changed) return std::unexpected(changed.error());
    // Fewer than there are steps.
    if (const std::size_t warmup = changed->find("warmup = ");
        work_.options().quick && warmup != std::string::npos)
        changed->replace(warmup, changed->find('\n', warmup) - warmup, "warmup = 5");
    const auto hash = hash_of(stores);
    if (!hash) return std::unexpected(hash.error());
    // Other games under the same names are another run.
    return work_.train(name, fmt::format("# Data {}.\n{}", base::to_hex(*hash), *changed));
}

base::Result<Trained> ConvChessExperiment::seven() const {
    return variant("seven", kSevenPositions, {});
}

base::Result<Trained> ConvChessExperiment::variant_of(const std::vector<std::string>& stores,
                                                      const std::string& name, std::uint64_t positions,
                                                      const RecipeChanges& changes) const {
    return train(stores, name, convchess_laptop_recipe(), work_.sized(positions, kQuickPositions), changes);
}

base::Result<Trained> ConvChessExperiment::value(const std::string& gamma) const {
    return train(paths_, "value-" + gamma, convchess_value_recipe(),
                 work_.sized(kValuePositions, kQuickPositions), {{"gamma=0.9", "gamma=" + gamma}});
}

games::SplitShares ConvChessExperiment::shares() const {
    return work_.options().quick ? kQuickShares : games::SplitShares{};
}

base::Result<std::vector<games::StoreReader>> ConvChessExperiment::stores() const {
    return open_all(paths_);
}

base::Result<games::HeldOutSet> ConvChessExperiment::held_out(std::uint64_t positions, int min_ply) const {
    const auto opened = stores();
    if (!opened) return std::unexpected(opened.error());
    games::HeldOutRule rule;
    rule.shares = shares();
    rule.positions = work_.sized(positions, 200);
    rule.min_ply = min_ply;
    // The paper's test games count with all of their positions.
    rule.distinct = false;
    return games::draw_held_out(*opened, rule, work_.stop());
}

std::string in_per_cent(double share) {
    return fmt::format("{:.1f}", 100 * share);
}

}  // namespace scholar::learning
