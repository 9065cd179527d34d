#pragma once

#include <memory>
#include <vector>

#include "learning/perspective/model.hpp"

// For model.cpp, those who implement it, and tests. It does not show libtorch.

namespace scholar::learning {

// What a Model is made of: the weights, where they lie, and who works with them. Its calls are those of
// Model.
class ModelBackend {
  public:
    virtual ~ModelBackend() = default;
    virtual StepResult train(const Batch& batch, const AdamOptions& options, double learning_rate,
                             const WeightClip& clip) = 0;
    virtual std::vector<float> logits(const Batch& batch) = 0;
    virtual nets::FloatNetwork network() const = 0;
    virtual const nets::Architecture& architecture() const = 0;
    virtual ModelState state() const = 0;
    virtual std::uint64_t steps() const = 0;
};

// With kernels of our own.
std::unique_ptr<ModelBackend> make_cpu_model(const ModelState& state);
// With libtorch's operators, on the GPU or, as the reference that the kernels are held to, on the CPU.
std::unique_ptr<ModelBackend> make_torch_model(const ModelState& state, Device device);

}  // namespace scholar::learning
