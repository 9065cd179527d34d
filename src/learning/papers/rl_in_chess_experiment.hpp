#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "learning/papers/store_experiment.hpp"

// What the experiments of RL in Chess share: its networks, each made where it is first asked for.

namespace scholar::learning {

// Residual blocks before the source's head, and those behind it before the target's.
struct PolicyBlocks {
    int source = 3;
    int sandwich = 2;
};
// "(3,2)", as the paper writes it.
std::string to_string(PolicyBlocks blocks);

class RlInChessExperiment : public StoreExperiment {
  public:
    static base::Result<RlInChessExperiment> begin(Reproduction& work, const TakeFindings& take);

    // The smaller network as its recipe has it, which all that plays begins with.
    base::Result<Trained> policy() const;
    // The paper's network of this size after so many positions; the games of this fold are held out.
    base::Result<Trained> sized(PolicyBlocks blocks, std::uint64_t positions, int fold = 0) const;
    // Other heads on the smaller one's trunk.
    base::Result<Trained> other_heads(std::uint64_t positions) const;
    // policy(), or what it became, after so many positions more, one in four of these stores' games.
    base::Result<Trained> taught_on(const Trained& before, const std::string& name,
                                    const std::vector<std::string>& stores, std::uint64_t positions) const;

  private:
    explicit RlInChessExperiment(StoreExperiment experiment) : StoreExperiment(std::move(experiment)) {}
};

// Plays the network's likeliest legal move.
Contender policy_player(std::string name, const Trained& trained);
// The default player of this UCI_Elo.
Contender own_level(int level);

// policy() taught on: by games alone, by positions that lead to mates as well, by as many of other games.
struct MateArms {
    std::uint64_t games = 0;   // that ended in mate
    std::uint64_t states = 0;  // of them
    Trained none{};
    Trained mates{};
    Trained others{};
};
// Nothing: no game that was played out ended in mate.
base::Result<std::optional<MateArms>> taught_by_mates(const RlInChessExperiment& experiment);

// The experiments, in files of their own.
base::Status cross_validate(Reproduction& work, const TakeFindings& take);
base::Status compare_sizes(Reproduction& work, const TakeFindings& take);
base::Status learn_largest(Reproduction& work, const TakeFindings& take);
base::Status compare_heads(Reproduction& work, const TakeFindings& take);
base::Status learn_from_mates(Reproduction& work, const TakeFindings& take);
base::Status learn_anew_from_mates(Reproduction& work, const TakeFindings& take);
base::Status compare_visits(Reproduction& work, const TakeFindings& take);
base::Status draw_curves(Reproduction& work, const TakeFindings& take);
base::Status learn_by_tree(Reproduction& work, const TakeFindings& take);
base::Status place_policies(Reproduction& work, const TakeFindings& take);

}  // namespace scholar::learning
