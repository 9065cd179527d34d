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
// As all recipes have it.
constexpr const char* kRecipeStores = "stores = [\"runs/convchess/games.games\"]";

RecipeChanges with_positions(std::uint64_t positions, RecipeChanges changes) {
    changes.emplace_back("positions = 10_000_000\n", fmt::format("positions = {}\n", positions));
    return changes;
}

}  // namespace

base::Result<ConvChessExperiment> ConvChessExperiment::begin(Reproduction& work, const TakeFindings& take) {
    auto experiment = StoreExperiment::begin(
        work, take,
        {.own_games = kOwnGames,
         .quick_own_games = kQuickOwnGames,
         .stores = kRecipeStores,
         .quick_keys =
             {{"positions", "4_000"}, {"batch", "200"}, {"validation_positions", "200"}, {"warmup", "5"}},
         .quick_shares = games::SplitShares{.validation = 0.1, .test = 0.2}});
    if (!experiment) return std::unexpected(experiment.error());
    return ConvChessExperiment(std::move(*experiment));
}

base::Result<Trained> ConvChessExperiment::seven() const {
    return train("seven", convchess_laptop_recipe(), {});
}

base::Result<Trained> ConvChessExperiment::piece() const {
    return train("piece", convchess_piece_recipe(), {});
}

base::Result<Trained> ConvChessExperiment::modern() const {
    return train("modern", convchess_recipe(), {});
}

base::Result<Trained> ConvChessExperiment::variant(const std::string& name, std::uint64_t positions,
                                                   RecipeChanges changes) const {
    return train(name, convchess_laptop_recipe(), with_positions(positions, std::move(changes)));
}

base::Result<Trained> ConvChessExperiment::variant_of(const std::vector<std::string>& stores,
                                                      const std::string& name, std::uint64_t positions,
                                                      RecipeChanges changes) const {
    return train_from(stores, name, convchess_laptop_recipe(), with_positions(positions, std::move(changes)));
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
    return train(name, convchess_value_recipe(), std::move(changes));
}

base::Result<games::HeldOutSet> ConvChessExperiment::held_out(std::uint64_t positions, int min_ply,
                                                              int band) const {
    games::HeldOutRule rule;
    rule.shares = shares();
    rule.positions = positions;
    rule.min_ply = min_ply;
    rule.band = band;
    // The paper's test games count with all of their positions.
    rule.distinct = false;
    return StoreExperiment::held_out(rule);
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

}  // namespace scholar::learning
