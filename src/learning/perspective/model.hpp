#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "learning/optimise/adam.hpp"
#include "learning/perspective/batch.hpp"
#include "learning/perspective/model_state.hpp"
#include "learning/run/device.hpp"
#include "learning/training/step_times.hpp"
#include "nets/perspective/network.hpp"

// The network as it is trained, through libtorch. This header does not show libtorch.

namespace scholar::learning {

// Weights are kept within these, so that quantisation cannot overflow.
struct WeightClip {
    float transformer = 0;
    float output = 0;
    float hidden = 4;
};

// The largest that they may be. Above it the sum of 32 active rows and a bias could leave 16 bits…
double transformer_bound();
// …and an output weight, or the sum of all of them, its integer at the coarsest scale. A hundredth is left
// for the bias.
double output_bound(const nets::Architecture& architecture);
// …and likewise a weight of a hidden layer, or the sum of all of a unit; 0: there are none.
double hidden_bound(const nets::Architecture& architecture);
// The clip, where it is not beyond what an architecture's heads allow. That of hidden layers stays as it is
// where there are none: another network, which has some, may come to be trained with it.
WeightClip within_bounds(WeightClip clip, const nets::Architecture& architecture);

struct StepResult {
    double loss = 0;  // mean binary cross-entropy of the batch, before the update
    std::size_t clipped = 0;
    StepTimes times;
};

class ModelBackend;

class Model {
  public:
    // The device must be there (check_device()).
    Model(const nets::FloatNetwork& start, bool factorised, Device device = Device::Cpu);
    explicit Model(const ModelState& state, Device device = Device::Cpu);
    Model(Model&&) noexcept;
    Model& operator=(Model&&) noexcept;
    ~Model();

    // Loss: binary cross-entropy between σ(logit) and the batch's targets.
    StepResult train(const Batch& batch, const AdamOptions& options, double learning_rate,
                     const WeightClip& clip);
    // Logits of the expected result for the side to move.
    std::vector<float> logits(const Batch& batch) const;

    // With the factors added in.
    nets::FloatNetwork network() const;
    const nets::Architecture& architecture() const;
    ModelState state() const;
    std::uint64_t steps() const;

  private:
    std::unique_ptr<ModelBackend> backend_;
};

}  // namespace scholar::learning
