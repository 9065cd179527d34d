#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "chess/line.hpp"
#include "games/held_out.hpp"
#include "learning/papers/store_experiment.hpp"
#include "nets/conv/chess_nets.hpp"

// What the experiments of ConvChess share: games, the networks that learn from them, positions that no
// network has seen.

namespace scholar::learning {

// recipes/convchess.toml, recipes/convchess-paper.toml, recipes/convchess-laptop.toml and
// recipes/convchess-value.toml.
std::string_view convchess_recipe();
std::string_view convchess_piece_recipe();
std::string_view convchess_laptop_recipe();
std::string_view convchess_value_recipe();

// The γ of section 2.4. The paper's figures are of the first.
inline constexpr std::array<std::string_view, 5> kValueGammas{"0.7", "0.8", "0.9", "0.95", "0.99"};
inline constexpr std::string_view kPaperGamma = kValueGammas.front();

// Of a quick run. Fewer have no position for each of the seven among those that are held out.
inline constexpr std::uint64_t kQuickOwnGames = 60;

class ConvChessExperiment : public StoreExperiment {
  public:
    static base::Result<ConvChessExperiment> begin(Reproduction& work, const TakeFindings& take);

    // The seven networks of a laptop's size; PIECE of the paper's; the modern network; the value for this γ,
    // as "0.7".
    base::Result<Trained> seven() const;
    base::Result<Trained> piece() const;
    base::Result<Trained> modern() const;
    base::Result<Trained> value(std::string_view gamma) const;
    // A run of the recipe of the seven with so many positions and other changes of its text.
    base::Result<Trained> variant(const std::string& name, std::uint64_t positions,
                                  RecipeChanges changes) const;
    // Likewise, from games of other stores.
    base::Result<Trained> variant_of(const std::vector<std::string>& stores, const std::string& name,
                                     std::uint64_t positions, RecipeChanges changes) const;

    // Positions of test games, from this half-move on; so many for each band of ratings so wide, if it is not
    // 0.
    base::Result<games::HeldOutSet> held_out(std::uint64_t positions, int min_ply, int band = 0) const;

  private:
    explicit ConvChessExperiment(StoreExperiment experiment) : StoreExperiment(std::move(experiment)) {}
};

// The experiments, in files of their own.
base::Status learn_squares(Reproduction& work, const TakeFindings& take);
base::Status learn_piece(Reproduction& work, const TakeFindings& take);
base::Status compare_layers(Reproduction& work, const TakeFindings& take);
base::Status foretell_moves(Reproduction& work, const TakeFindings& take);
base::Status look_at_cases(Reproduction& work, const TakeFindings& take);
base::Status learn_values(Reproduction& work, const TakeFindings& take);
base::Status play_opponents(Reproduction& work, const TakeFindings& take);
base::Status learn_from_search(Reproduction& work, const TakeFindings& take);
base::Status learn_modern(Reproduction& work, const TakeFindings& take);
base::Status ask_ratings(Reproduction& work, const TakeFindings& take);

base::Result<std::shared_ptr<const nets::ChessNets>> chess_nets_of(const Trained& trained);

// The first position of the games in which a move was played that is wanted.
using IsCase = bool(const chess::Position& position, chess::Move played);
struct FoundCase {
    chess::Line line;
    chess::Move played;
};
std::optional<FoundCase> find_case(const games::HeldOutSet& set, IsCase* is_case);

// Whether the move, a legal one, mates.
bool is_mate(const chess::Position& position, chess::Move move);

}  // namespace scholar::learning
