#pragma once

#include <cstdint>
#include <string_view>

#include "learning/papers/store_experiment.hpp"

// What the experiments of DeepChess share: its networks, each made where it is first asked for.

namespace scholar::learning {

class DeepChessExperiment : public StoreExperiment {
  public:
    static base::Result<DeepChessExperiment> begin(Reproduction& work, const TakeFindings& take);

    // The encoder alone, which has learnt what positions are; and which of two is better from its codes, as
    // they are.
    base::Result<Trained> pos2vec() const;
    base::Result<Trained> frozen() const;
    // The paper's network, all of it trained from there on.
    base::Result<Trained> full() const;
    // The same from random weights.
    base::Result<Trained> without_pos2vec() const;
    // The small one: taught by the full one, in two steps; without a teacher; as a number for each position.
    base::Result<Trained> distilled() const;
    base::Result<Trained> small() const;
    base::Result<Trained> split() const;
    // The full network from this share of the games, for so many steps.
    base::Result<Trained> from_share(double share, bool with_pos2vec, std::uint64_t steps) const;

    // Positions of games that no run has seen, or of all games: none from the first ten half-moves, at most
    // ten of a game. That the game is decided and the move no capture is for draw_pairs()
    // (arena/pair_study.hpp).
    base::Result<games::HeldOutSet> positions(std::uint64_t wanted, bool of_all_games = false) const;
    // Likewise of the games of another store, all of them.
    base::Result<games::HeldOutSet> positions_of(const std::string& store, std::uint64_t wanted) const;

  private:
    explicit DeepChessExperiment(StoreExperiment experiment) : StoreExperiment(std::move(experiment)) {}
};

// The experiments, in files of their own.
base::Status learn_positions(Reproduction& work, const TakeFindings& take);
base::Status compare_pairs(Reproduction& work, const TakeFindings& take);
base::Status compare_shares(Reproduction& work, const TakeFindings& take);
base::Status compare_distilled(Reproduction& work, const TakeFindings& take);
base::Status search_by_order(Reproduction& work, const TakeFindings& take);
base::Status place_forms(Reproduction& work, const TakeFindings& take);

// Plays by what the network prefers, without a number.
Contender ordered_player(std::string name, const Trained& trained);

}  // namespace scholar::learning
