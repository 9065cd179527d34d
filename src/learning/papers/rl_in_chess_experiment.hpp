#pragma once

#include <cstdint>
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
    // policy() after so many positions more, of its games and those of other stores.
    base::Result<Trained> taught_on(const std::string& name, const std::vector<std::string>& others,
                                    std::uint64_t positions) const;

  private:
    explicit RlInChessExperiment(StoreExperiment experiment) : StoreExperiment(std::move(experiment)) {}
};

// The experiments, in files of their own.
base::Status cross_validate(Reproduction& work, const TakeFindings& take);
base::Status compare_sizes(Reproduction& work, const TakeFindings& take);
base::Status learn_largest(Reproduction& work, const TakeFindings& take);
base::Status compare_heads(Reproduction& work, const TakeFindings& take);
base::Status learn_from_mates(Reproduction& work, const TakeFindings& take);
base::Status compare_visits(Reproduction& work, const TakeFindings& take);
base::Status draw_curves(Reproduction& work, const TakeFindings& take);
base::Status learn_by_tree(Reproduction& work, const TakeFindings& take);
base::Status place_policies(Reproduction& work, const TakeFindings& take);

}  // namespace scholar::learning
