#include "learning/papers/rl_in_chess_experiment.hpp"

#include <fmt/format.h>
#include <utility>

#include "learning/papers/recipe_text.hpp"

namespace scholar::learning {

// recipes/rl-in-chess.toml and recipes/rl-in-chess-heads.toml.
std::string_view rl_in_chess_recipe();
std::string_view rl_in_chess_heads_recipe();

namespace {

constexpr std::uint64_t kOwnPolicyGames = 4'000;
constexpr std::uint64_t kQuickPolicyGames = 60;

std::pair<std::string, std::string> for_positions(std::uint64_t positions) {
    return {"positions = 4_000_000\n", fmt::format("positions = {}\n", positions)};
}

}  // namespace

std::string to_string(PolicyBlocks blocks) {
    return fmt::format("({},{})", blocks.source, blocks.sandwich);
}

base::Result<RlInChessExperiment> RlInChessExperiment::begin(Reproduction& work, const TakeFindings& take) {
    auto experiment = StoreExperiment::begin(
        work, take,
        {.own_games = kOwnPolicyGames,
         .quick_own_games = kQuickPolicyGames,
         .stores = "stores = [\"runs/rl-in-chess/masters.games\"]",
         .quick_keys = {
             {"positions", "1_000"}, {"batch", "100"}, {"filters", "16"}, {"validation_positions", "200"}}});
    if (!experiment) return std::unexpected(experiment.error());
    return RlInChessExperiment(std::move(*experiment));
}

base::Result<Trained> RlInChessExperiment::policy() const {
    return train("policy", rl_in_chess_recipe(), {});
}

base::Result<Trained> RlInChessExperiment::sized(PolicyBlocks blocks, std::uint64_t positions,
                                                 int fold) const {
    return train(fmt::format("blocks-{}-{}-fold-{}", blocks.source, blocks.sandwich, fold),
                 rl_in_chess_recipe(),
                 {for_positions(positions),
                  {"\nblocks = 5\n", fmt::format("\nblocks = {}\n", blocks.source + blocks.sandwich)},
                  {"source_blocks = 3\n", fmt::format("source_blocks = {}\n", blocks.source)},
                  {"\nfold = 0\n", fmt::format("\nfold = {}\n", fold)}});
}

base::Result<Trained> RlInChessExperiment::other_heads(std::uint64_t positions) const {
    return train("heads", rl_in_chess_heads_recipe(), {for_positions(positions)});
}

base::Result<Trained> RlInChessExperiment::taught_on(const Trained& before, const std::string& name,
                                                     const std::vector<std::string>& stores,
                                                     std::uint64_t positions) const {
    return train_from(stores, name, rl_in_chess_recipe(),
                      {for_positions(positions),
                       {"kind = \"residual\"\n", fmt::format("kind = \"residual\"\ninitial = {}\n",
                                                             in_toml(before.unfolded().string()))},
                       {"rule = \"rl_in_chess share=0.25\"", "stages = [\"one_in k=4\"]"},
                       {"learning_rate = 0.01\n", "learning_rate = 0.001\n"}});
}

Contender policy_player(std::string name, const Trained& trained) {
    return {std::move(name), {}, {{"Search", "policy"}, {"PolicyFile", trained.network().string()}}};
}

Contender own_level(int level) {
    return {fmt::format("Scholar {}", level),
            {},
            {{"UCI_LimitStrength", "true"}, {"UCI_Elo", std::to_string(level)}}};
}

}  // namespace scholar::learning
