#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "games/held_out.hpp"
#include "games/store.hpp"
#include "learning/papers/paper_experiment.hpp"

// What experiments have in common that learn from stores of games, by recipes that are part of the program.

namespace scholar::learning {

// Texts of a recipe, and what stands in their place.
using RecipeChanges = std::vector<std::pair<std::string, std::string>>;

// What a paper's recipes have in common.
struct StoreRecipes {
    std::uint64_t own_games = 0;        // of the default player, where no stores are given
    std::uint64_t quick_own_games = 0;  // and of a quick run
    std::string stores;                 // the line of [data] that names the stores
    // Of a quick run: what these keys are then, wherever a recipe has them. The first, its length, all must
    // have.
    RecipeChanges quick_keys{};
    // And how its games are shared out, unless the recipes say how (in folds).
    std::optional<games::SplitShares> quick_shares{};
};

class StoreExperiment : public PaperExperiment {
  public:
    // Makes games where none are given.
    static base::Result<StoreExperiment> begin(Reproduction& work, const TakeFindings& take,
                                               StoreRecipes recipes);

    // A run of a recipe with changes of its text; from games of other stores.
    base::Result<Trained> train(const std::string& name, std::string_view recipe,
                                RecipeChanges changes) const {
        return train_from(paths_, name, recipe, std::move(changes));
    }
    base::Result<Trained> train_from(const std::vector<std::string>& stores, const std::string& name,
                                     std::string_view recipe, RecipeChanges changes) const;

    // Positions as the rule has them, 200 in a quick run; of test games, unless the rule's shares say that
    // others are such.
    base::Result<games::HeldOutSet> held_out(games::HeldOutRule rule) const;
    // The same of other games, all of which are such.
    base::Result<games::HeldOutSet> others(const std::string& store, games::HeldOutRule rule) const;
    const std::vector<std::string>& store_paths() const { return paths_; }
    base::Result<std::vector<games::StoreReader>> stores() const { return open_stores(paths_); }
    games::SplitShares shares() const;

  private:
    StoreExperiment(Reproduction& work, const TakeFindings& take, std::vector<std::string> paths,
                    StoreRecipes recipes)
        : PaperExperiment(work, take), paths_(std::move(paths)), recipes_(std::move(recipes)) {}
    base::Result<std::string> quick(const std::string& name, std::string recipe) const;
    base::Result<std::string> shortened(const std::string& name, std::string recipe) const;
    std::optional<std::size_t> shorten_after(std::string& recipe, std::string_view text,
                                             std::size_t from = 0) const;

    std::vector<std::string> paths_;
    StoreRecipes recipes_;
};

}  // namespace scholar::learning
