#include "learning/papers/convchess_experiment.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "chess/movegen.hpp"
#include "learning/papers/recipe_text.hpp"
#include "nets/container/open_network.hpp"

namespace scholar::learning {

namespace {

constexpr std::uint64_t kOwnGames = 4'000;
constexpr games::SplitShares kQuickShares{.validation = 0.1, .test = 0.2};

// As both recipes have it.
constexpr const char* kRecipeStores = "stores = [\"runs/convchess/games.games\"]";

// The recipe of a run of seconds: the lines of these keys are others.
base::Result<std::string> quick(const std::string& name, std::string recipe) {
    const RecipeChanges lines{
        {"positions", "4_000"}, {"batch", "200"}, {"validation_positions", "200"}, {"warmup", "5"}};
    for (const auto& [key, value] : lines) {
        const std::string begins = fmt::format("\n{} = ", key);
        const std::size_t line = recipe.find(begins);
        if (line == std::string::npos) return base::fail("{}: its recipe has no '{}'", name, key);
        const std::size_t at = line + begins.size();
        recipe.replace(at, recipe.find('\n', at) - at, value);
    }
    return with_replaced(name, std::move(recipe),
                         {{"[data]\n", fmt::format("[data]\nvalidation_share = {}\ntest_share = {}\n",
                                                   kQuickShares.validation, kQuickShares.test)}});
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
                                                 RecipeChanges changes) const {
    changes.emplace_back(kRecipeStores, fmt::format("stores = {}", in_toml(stores)));
    auto changed = with_replaced(name, std::string(recipe), changes);
    if (!changed) return std::unexpected(changed.error());
    if (work_.options().quick) changed = quick(name, std::move(*changed));
    if (!changed) return std::unexpected(changed.error());
    return work_.train(name, *changed);
}

base::Result<Trained> ConvChessExperiment::seven() const {
    return train(paths_, "seven", convchess_laptop_recipe(), {});
}

base::Result<Trained> ConvChessExperiment::variant_of(const std::vector<std::string>& stores,
                                                      const std::string& name, std::uint64_t positions,
                                                      RecipeChanges changes) const {
    changes.emplace_back("positions = 10_000_000\n", fmt::format("positions = {}\n", positions));
    return train(stores, name, convchess_laptop_recipe(), std::move(changes));
}

base::Result<Trained> ConvChessExperiment::value(std::string_view gamma) const {
    const std::string name = fmt::format("value-{}", gamma);
    RecipeChanges changes{{"gamma=0.99", fmt::format("gamma={}", gamma)}};
    // Where γ is small, most lessons are nearly 0, and a network that begins with nothing hardly leaves 0. So
    // each goes on from that of the next larger γ.
    const auto* const at = std::ranges::find(kValueGammas, gamma);
    if (at == kValueGammas.end())
        return base::fail("γ {}, expected one of {}", gamma, fmt::join(kValueGammas, ", "));
    if (at + 1 != kValueGammas.end()) {
        const auto before = value(*(at + 1));
        if (!before) return before;
        changes.emplace_back("kind = \"chessnet\"\n", fmt::format("kind = \"chessnet\"\ninitial = {}\n",
                                                                  in_toml(before->weights().string())));
        changes.emplace_back("learning_rate = 0.001\n", "learning_rate = 0.0005\n");
        changes.emplace_back("positions = 3_000_000\n", "positions = 1_500_000\n");
    }
    return train(paths_, name, convchess_value_recipe(), std::move(changes));
}

games::SplitShares ConvChessExperiment::shares() const {
    return work_.options().quick ? kQuickShares : games::SplitShares{};
}

base::Result<std::vector<games::StoreReader>> ConvChessExperiment::stores() const {
    return open_stores(paths_);
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

base::Result<std::shared_ptr<const nets::ChessNets>> chess_nets_of(const Trained& trained) {
    const auto network = nets::open_network(trained.network().string());
    if (!network) return std::unexpected(network.error());
    auto networks = network->as<nets::ChessNets>();
    if (!networks)
        return base::fail("{}: {}, expected ChessNet's networks", trained.network().string(),
                          network->description());
    return networks;
}

std::optional<FoundCase> find_case(const games::HeldOutSet& set, IsCase* is_case) {
    for (const games::HeldOutGame& game : set.games) {
        chess::Line line(game.start);
        for (const chess::Move move : game.moves) {
            if (is_case(line.current(), move)) return FoundCase{std::move(line), move};
            line.push(move);
        }
    }
    return std::nullopt;
}

bool is_mate(const chess::Position& position, chess::Move move) {
    const chess::Position after = position.after(move);
    return after.in_check() && !chess::has_legal_move(after);
}

std::string in_per_cent(double share) {
    return fmt::format("{:.1f}", 100 * share);
}

}  // namespace scholar::learning
