#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "evaluators/batch_evaluator.hpp"
#include "evaluators/move_policy.hpp"

namespace scholar::evaluators {

// A move policy, which reads positions alone, as a batch of one position without value.
class BatchOfPolicy final : public BatchEvaluator {
  public:
    explicit BatchOfPolicy(std::unique_ptr<MovePolicy> policy) : policy_(std::move(policy)) {}

    nets::Abilities abilities() const override { return {nets::Ability::Policy}; }
    nets::Reads reads() const override { return {}; }
    std::size_t capacity() const override { return 1; }
    void submit(const chess::Line& line, const chess::MoveList& moves) override {
        Opinion& opinion = opinions_.emplace_back();
        opinion.probabilities.resize(static_cast<std::size_t>(moves.size()));
        policy_->reset(line.current());
        policy_->judge(line.current(), moves, opinion.probabilities);
    }
    base::Status collect(std::vector<Opinion>& opinions) override {
        opinions.swap(opinions_);
        opinions_.clear();
        return {};
    }

  private:
    std::unique_ptr<MovePolicy> policy_;
    std::vector<Opinion> opinions_;
};

}  // namespace scholar::evaluators
