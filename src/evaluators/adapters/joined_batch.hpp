#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "evaluators/batch_evaluator.hpp"

namespace scholar::evaluators {

// The value (and chances, and moves left) of one batch evaluator with the probabilities of another: two
// networks that are asked about the same positions, or one of them alone about those of which only its part
// is wanted.
class JoinedBatch final : public BatchEvaluator {
  public:
    JoinedBatch(std::unique_ptr<BatchEvaluator> value, std::unique_ptr<BatchEvaluator> policy)
        : value_(std::move(value)), policy_(std::move(policy)) {}

    nets::Abilities abilities() const override;
    nets::Reads reads() const override;
    std::size_t capacity() const override;
    void submit(const chess::Line& line, const chess::MoveList& moves) override {
        submit_part(line, moves, Wanted::All);
    }
    void submit_part(const chess::Line& line, const chess::MoveList& moves, Wanted wanted) override;
    base::Status collect(std::vector<Opinion>& opinions) override;

  private:
    std::unique_ptr<BatchEvaluator> value_;
    std::unique_ptr<BatchEvaluator> policy_;
    std::vector<Wanted> wanted_;  // of the positions in the batch
    std::vector<Opinion> values_;
    std::vector<Opinion> policies_;
};

}  // namespace scholar::evaluators
