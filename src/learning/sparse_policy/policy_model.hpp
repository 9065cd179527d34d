#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "learning/optimise/adam.hpp"
#include "learning/perspective/team.hpp"
#include "learning/sparse_policy/policy_batch.hpp"
#include "learning/training/step_times.hpp"
#include "nets/container/tensor_file.hpp"
#include "nets/sparse_policy/sparse_policy_network.hpp"

namespace scholar::learning {

// Weights are kept within these, so that quantisation cannot overflow.
struct PolicyClip {
    float transformer = 3.75F;
    float output = 1.98F;
};
// The largest that output weights may be: 127 at the coarsest scale.
double policy_output_bound();

struct PolicyStep {
    double loss = 0;  // mean over the batch, before the update
    std::size_t clipped = 0;
    StepTimes times;
};

// A sparse policy as it is trained, on the CPU, by kernels of our own: of the output weights only the rows of
// moves that are legal somewhere in the batch are read.
class SparsePolicyModel {
  public:
    // `threads`: at least one. What is learnt does not depend on how many.
    SparsePolicyModel(const nets::FloatSparsePolicy& start, int threads);

    // One step of Adam on the mean cross-entropy between what is wanted and the softmax over legal moves.
    PolicyStep train(const PolicyBatch& batch, const AdamOptions& options, double learning_rate,
                     const PolicyClip& clip);
    // The same without the update: the loss, and its gradient in the form of a network.
    double gradient(const PolicyBatch& batch, nets::FloatSparsePolicy& out);
    // The logits of all moves.
    std::vector<float> logits(const PolicyBatch& batch);

    nets::FloatSparsePolicy network() const;
    std::uint64_t steps() const { return steps_; }

    // Weights, and what the optimiser remembers of them. Refuses what is no finite number.
    base::Status put(nets::TensorFile& checkpoint) const;
    // Of a network of the same shape.
    base::Status take(const nets::TensorFile& checkpoint);

  private:
    // An array of weights, the transformer in panels (learning/perspective/panels.hpp).
    struct Parameter {
        std::vector<float> weights;
        std::vector<float> gradient;
        AdamMoments moments;

        explicit Parameter(std::vector<float> start)
            : weights(std::move(start)), gradient(weights.size()), moments(weights.size()) {}
    };

    std::size_t width() const { return static_cast<std::size_t>(info_.architecture.width); }
    std::size_t units() const { return static_cast<std::size_t>(info_.units()); }
    nets::FloatSparsePolicy as_network(std::vector<float> Parameter::* of) const;
    // Forward, and back if there are gradients to be added to. The sum of the losses of all positions.
    double pass(const PolicyBatch& batch, bool back, std::vector<float>* logits);
    void clear_gradients();

    nets::SparsePolicyInfo info_;
    Parameter transformer_;
    Parameter transformer_bias_;
    Parameter output_;
    Parameter output_bias_;
    std::uint64_t steps_ = 0;
    std::unique_ptr<Team> team_;
};

}  // namespace scholar::learning
