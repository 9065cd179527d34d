#include "learning/papers/deepchess_experiment.hpp"

#include <fmt/format.h>

#include "learning/papers/recipe_text.hpp"

namespace scholar::learning {

// recipes/deepchess*.toml.
std::string_view deepchess_recipe();
std::string_view deepchess_pos2vec_recipe();
std::string_view deepchess_distilled_codes_recipe();
std::string_view deepchess_distilled_recipe();
std::string_view deepchess_small_recipe();
std::string_view deepchess_split_recipe();

namespace {

// Some have few decided games, and of each ten positions are taken.
constexpr std::uint64_t kOwnDecidedGames = 4'000;
constexpr std::uint64_t kQuickDecidedGames = 100;

constexpr const char* kFromPos2Vec =
    "initial = \"runs/deepchess/pos2vec/network.safetensors\"\ninitial_parts = [\"encoder\"]\n";

games::HeldOutRule rule_of(std::uint64_t positions) {
    return {.positions = positions, .per_game = 10, .min_ply = 10};
}

// The network that a recipe of ours names, in the place where this reproduction has it.
std::pair<std::string, std::string> in_place_of(const char* name, const Trained& trained) {
    return {fmt::format("\"runs/deepchess/{}/network.safetensors\"", name),
            in_toml(trained.network().string())};
}

}  // namespace

base::Result<DeepChessExperiment> DeepChessExperiment::begin(Reproduction& work, const TakeFindings& take) {
    auto experiment =
        StoreExperiment::begin(work, take,
                               {.own_games = kOwnDecidedGames,
                                .quick_own_games = kQuickDecidedGames,
                                .stores = "stores = [\"runs/deepchess/games.games\"]",
                                .quick_keys = {{"steps", "20"},
                                               {"batch", "32"},
                                               {"validate_every", "20"},
                                               {"checkpoint_every", "20"},
                                               {"validation_positions", "100"},
                                               {"warmup", "5"}},
                                .quick_shares = games::SplitShares{.validation = 0.2, .test = 0.2}});
    if (!experiment) return std::unexpected(experiment.error());
    return DeepChessExperiment(std::move(*experiment));
}

base::Result<Trained> DeepChessExperiment::pos2vec() const {
    return train("pos2vec", deepchess_pos2vec_recipe(), {});
}

base::Result<Trained> DeepChessExperiment::frozen() const {
    const auto encoder = pos2vec();
    if (!encoder) return encoder;
    return train("frozen", deepchess_recipe(),
                 {in_place_of("pos2vec", *encoder),
                  {"[optimiser]\n", "[optimiser]\nstages = [\"stage train=head\"]\n"}});
}

base::Result<Trained> DeepChessExperiment::full() const {
    const auto encoder = pos2vec();
    if (!encoder) return encoder;
    return train("full", deepchess_recipe(), {in_place_of("pos2vec", *encoder)});
}

base::Result<Trained> DeepChessExperiment::without_pos2vec() const {
    return train("without-pos2vec", deepchess_recipe(), {{kFromPos2Vec, ""}});
}

base::Result<Trained> DeepChessExperiment::distilled() const {
    const auto encoder = pos2vec();
    if (!encoder) return encoder;
    const auto teacher = full();
    if (!teacher) return teacher;
    const auto codes =
        train("distilled-codes", deepchess_distilled_codes_recipe(), {in_place_of("pos2vec", *encoder)});
    if (!codes) return codes;
    return train("distilled", deepchess_distilled_recipe(),
                 {in_place_of("full", *teacher), in_place_of("distilled-codes", *codes)});
}

base::Result<Trained> DeepChessExperiment::small() const {
    return train("small", deepchess_small_recipe(), {});
}

base::Result<Trained> DeepChessExperiment::split() const {
    return train("split", deepchess_split_recipe(), {});
}

base::Result<Trained> DeepChessExperiment::from_share(double share, bool with_pos2vec,
                                                      std::uint64_t steps) const {
    RecipeChanges changes{{"stages = [\"result is=decisive\"",
                           fmt::format("stages = [\"result is=decisive\", \"some_games share={}\"", share)},
                          {"steps = 16_000\n", fmt::format("steps = {}\n", steps)}};
    if (with_pos2vec) {
        const auto encoder = pos2vec();
        if (!encoder) return encoder;
        changes.push_back(in_place_of("pos2vec", *encoder));
    } else {
        changes.emplace_back(kFromPos2Vec, "");
    }
    return train(fmt::format("share-{}-{}", share, with_pos2vec ? "with" : "without"), deepchess_recipe(),
                 std::move(changes));
}

base::Result<games::HeldOutSet> DeepChessExperiment::positions(std::uint64_t wanted,
                                                               bool of_all_games) const {
    games::HeldOutRule rule = rule_of(wanted);
    rule.shares = of_all_games ? games::SplitShares{.validation = 0, .test = 1} : shares();
    return held_out(rule);
}

base::Result<games::HeldOutSet> DeepChessExperiment::positions_of(const std::string& store,
                                                                  std::uint64_t wanted) const {
    return others(store, rule_of(wanted));
}

Contender ordered_player(std::string name, const Trained& trained) {
    return {std::move(name), {}, {{"Search", "ordered"}, {"OrderFile", trained.network().string()}}};
}

}  // namespace scholar::learning
