#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "evaluators/batch_evaluator.hpp"
#include "evaluators/leaf_evaluator.hpp"
#include "evaluators/move_policy.hpp"

namespace scholar::evaluators {

// A leaf evaluator, with a move policy where there is one, as a batch of one position. The leaf goes straight
// from the last position to the next: what that costs depends on what the evaluator remembers (the networks
// of architecture "perspective" pay for the difference of the boards, accumulator_cache.hpp).
template <LeafEvaluator Leaf>
class BatchOfLeaf final : public BatchEvaluator {
  public:
    explicit BatchOfLeaf(Leaf leaf, std::unique_ptr<MovePolicy> policy = nullptr)
        : leaf_(std::move(leaf)), policy_(std::move(policy)) {}

    nets::Abilities abilities() const override {
        nets::Abilities can{nets::Ability::Value};
        if (policy_) can.add(nets::Ability::Policy);
        return can;
    }
    nets::Reads reads() const override { return {}; }
    std::size_t capacity() const override { return 1; }
    void submit(const chess::Line& line, const chess::MoveList& moves) override {
        submit_part(line, moves, Wanted::All);
    }
    void submit_part(const chess::Line& line, const chess::MoveList& moves, Wanted wanted) override {
        const chess::Position& position = line.current();
        Opinion& opinion = opinions_.emplace_back();
        if (wanted != Wanted::Policy) {
            leaf_.reset(position);
            opinion.value = leaf_.value(position);
        }
        if (policy_ && wanted != Wanted::Value) {
            policy_->reset(position);
            opinion.probabilities.resize(static_cast<std::size_t>(moves.size()));
            policy_->judge(position, moves, opinion.probabilities);
        }
    }
    base::Status collect(std::vector<Opinion>& opinions) override {
        opinions.swap(opinions_);
        opinions_.clear();
        return {};
    }

  private:
    Leaf leaf_;
    std::unique_ptr<MovePolicy> policy_;
    std::vector<Opinion> opinions_;
};

}  // namespace scholar::evaluators
