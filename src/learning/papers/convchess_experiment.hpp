#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "games/held_out.hpp"
#include "learning/papers/experiment.hpp"
#include "learning/papers/findings.hpp"
#include "learning/papers/reproduction.hpp"

// What the experiments of ConvChess share: games, the networks that learn from them, positions that no
// network has seen.

namespace scholar::learning {

// recipes/convchess-laptop.toml and recipes/convchess-value.toml.
std::string_view convchess_laptop_recipe();
std::string_view convchess_value_recipe();

// The γ of section 2.4. The paper's figures are of the first.
inline constexpr std::array kValueGammas{"0.7", "0.8", "0.9", "0.95", "0.99"};

using RecipeChanges = std::vector<std::pair<std::string, std::string>>;

class ConvChessExperiment {
  public:
    // Makes games where none are given.
    static base::Result<ConvChessExperiment> begin(Reproduction& work, const TakeFindings& take);

    // The seven networks of a laptop's size; the value for this γ, as "0.7".
    base::Result<Trained> seven() const;
    base::Result<Trained> value(const std::string& gamma) const;
    // A run of the recipe of the seven with changes of its text; no more than so many positions.
    base::Result<Trained> variant(const std::string& name, std::uint64_t positions,
                                  const RecipeChanges& changes) const {
        return variant_of(paths_, name, positions, changes);
    }
    // Likewise, from games of other stores.
    base::Result<Trained> variant_of(const std::vector<std::string>& stores, const std::string& name,
                                     std::uint64_t positions, const RecipeChanges& changes) const;

    // Positions of test games, from this half-move on.
    base::Result<games::HeldOutSet> held_out(std::uint64_t positions, int min_ply) const;
    base::Result<std::vector<games::StoreReader>> stores() const;
    games::SplitShares shares() const;

    Reproduction& work() const { return work_; }
    base::Status take() const { return take_(findings); }

    Findings findings{};

  private:
    ConvChessExperiment(Reproduction& work, const TakeFindings& take, std::vector<std::string> paths)
        : work_(work), take_(take), paths_(std::move(paths)) {}
    base::Result<Trained> train(const std::vector<std::string>& stores, const std::string& name,
                                std::string_view recipe, std::uint64_t positions,
                                const RecipeChanges& changes) const;

    Reproduction& work_;
    const TakeFindings& take_;
    std::vector<std::string> paths_;
};

// The experiments, in files of their own.
base::Status learn_squares(Reproduction& work, const TakeFindings& take);
base::Status compare_layers(Reproduction& work, const TakeFindings& take);
base::Status foretell_moves(Reproduction& work, const TakeFindings& take);
base::Status look_at_cases(Reproduction& work, const TakeFindings& take);
base::Status learn_values(Reproduction& work, const TakeFindings& take);
base::Status play_opponents(Reproduction& work, const TakeFindings& take);
base::Status learn_from_search(Reproduction& work, const TakeFindings& take);

// "56.0".
std::string in_per_cent(double share);

}  // namespace scholar::learning
