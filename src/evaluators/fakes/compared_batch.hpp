#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "evaluators/batch_evaluator.hpp"

namespace scholar::evaluators {

// Says what the first says. Where the second says anything else, beyond a tolerance of the expected result
// and of each probability (0 to 1), collecting fails with the position and both: what a new kernel, or a
// converted network, is held to.
class ComparedBatch final : public BatchEvaluator {
  public:
    ComparedBatch(std::unique_ptr<BatchEvaluator> first, std::unique_ptr<BatchEvaluator> second,
                  double tolerance)
        : first_(std::move(first)), second_(std::move(second)), tolerance_(tolerance) {}

    nets::Abilities abilities() const override { return first_->abilities(); }
    nets::Reads reads() const override { return nets::united(first_->reads(), second_->reads()); }
    std::size_t capacity() const override;
    void submit(const chess::Line& line, const chess::MoveList& moves) override;
    base::Status collect(std::vector<Opinion>& opinions) override;

  private:
    struct Asked {
        std::string fen;
        chess::MoveList moves;
    };
    base::Status compare(const Asked& asked, const Opinion& first, const Opinion& second) const;

    std::unique_ptr<BatchEvaluator> first_;
    std::unique_ptr<BatchEvaluator> second_;
    double tolerance_;
    std::vector<Asked> asked_;
    std::vector<Opinion> others_;
};

}  // namespace scholar::evaluators
