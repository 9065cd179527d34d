#pragma once

#include <vector>

#include "evaluators/batch_evaluator.hpp"
#include "nets/conv/conv_runner.hpp"

namespace scholar::evaluators {

// What a convolutional network says: probabilities over the legal moves given, value, chances and moves left,
// as far as it has heads for them.
class ConvBatch final : public BatchEvaluator {
  public:
    explicit ConvBatch(nets::ConvRunner runner) : runner_(std::move(runner)) {}

    nets::Abilities abilities() const override { return nets::abilities(runner_.network()); }
    nets::Reads reads() const override { return nets::reads(runner_.network()); }
    std::size_t capacity() const override { return nets::ConvRunner::kMostPositions; }
    void submit(const chess::Line& line, const chess::MoveList& moves) override;
    base::Status collect(std::vector<Opinion>& opinions) override;

  private:
    // What was asked of a position submitted.
    struct Asked {
        std::vector<int> indices;  // nets::policy_index() of each move,
        std::vector<nets::SquareMove>
            squares;  // or how a policy of squares, or of source and target, sees it
    };
    // Refuses what is no number: weights that are too large for float32.
    base::Result<Opinion> opinion_of(int position) const;
    std::vector<float> probabilities_of(int position) const;

    nets::ConvRunner runner_;
    std::vector<Asked> asked_;
};

}  // namespace scholar::evaluators
