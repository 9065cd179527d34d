#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "games/sample.hpp"
#include "learning/sparse_policy/policy_batch.hpp"
#include "learning/sparse_policy/policy_model.hpp"
#include "learning/targets/move_agreement.hpp"
#include "learning/training/measurement.hpp"

namespace scholar::learning {

// The held-out positions of a sparse policy, and who else is measured on them: the best answer that does not
// look at the board, the most frequent move, and chance (learning/targets/move_targets.hpp), all fitted to
// positions of training.
class PolicyValidation {
  public:
    PolicyValidation(std::vector<games::Sample> held_out, std::span<const games::Sample> training,
                     const nets::SparsePolicyInfo& info);

    Measurement measure(SparsePolicyModel& model) const;
    // What the engine makes of a network that is rounded, against the floats that it was made of.
    EngineAgreement compare(const nets::SparsePolicyNetwork& network, SparsePolicyModel& model) const;
    // The loss of the best answer that does not look at the board, of other positions; a mean.
    double constant_loss(const PolicyBatch& batch) const;

  private:
    std::vector<games::Sample> samples_;
    PolicyBatch batch_;
    // Logits by move number.
    std::vector<float> constant_;
    std::vector<float> frequent_;
};

}  // namespace scholar::learning
