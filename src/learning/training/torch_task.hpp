#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "learning/optimise/optimiser.hpp"
#include "learning/run/device.hpp"
#include "learning/training/recipe.hpp"
#include "learning/training/task.hpp"
#include "learning/training/torch_keys.hpp"
#include "learning/training/torch_network.hpp"

// Includes libtorch and its modules.

namespace scholar::learning {

// Samples as tensors, [sample, …] each, in memory.
struct TorchBatch final : Encoded {
    Tensors inputs;
    Tensors targets;
};

// What tasks have in common whose networks are made of libtorch's modules: steps by any optimiser, stages in
// which parts are frozen, a start from another network, a teacher, measures, checkpoints with running
// statistics. What is left to say is which network, what it reads of a sample, and its loss.
//
// libtorch's own random numbers (dropout, first weights) are set before each step, from seed and step, so
// that a run which goes on draws what it would have drawn.
class TorchTask : public Task {
  public:
    base::Result<std::unique_ptr<SampleSource>> open_source() const final;
    base::Status begin() final;
    base::Status take(const nets::TensorFile& checkpoint) final;
    base::Status draw() final;
    std::vector<std::string> files() const override { return {kNetworkFile}; }
    std::string initial() const final { return plan_.initial; }
    base::Result<bool> prepare(const std::filesystem::path& folder, const Metrics& metrics,
                               const std::stop_token& stop) override;
    base::Result<std::unique_ptr<Encoded>> encode(const Samples& samples) const final;
    base::Result<StepReport> step(const Encoded& samples, std::uint64_t step, double learning_rate) final;
    base::Result<Measurement> measure() final;
    base::Status put(nets::TensorFile& checkpoint) const final;
    // Writes network.safetensors, a file that another run's `initial` or `teacher` can name: the weights by
    // their names, and the history in the metadata. Who has a file format for the engine writes that too.
    base::Status finish(const TrainedRun& run) override;

  protected:
    // Both must outlive it.
    TorchTask(const Recipe& recipe, const TorchPlan& plan, Device device);

    // A network with random weights.
    virtual std::shared_ptr<TorchNetwork> make_network() const = 0;
    // One into which the teacher's weights fit: it may be of another shape, which its file says.
    virtual base::Result<std::shared_ptr<TorchNetwork>> make_teacher() const { return make_network(); }
    // Samples of games, for training or held out, in an order of this seed; what the recipe's [data] and
    // [sampler] say, unless a task knows better.
    virtual base::Result<std::unique_ptr<SampleSource>> open(games::Split split, std::uint64_t seed) const;
    // What the network reads of samples, and should say of them. In a thread of its own: libtorch's random
    // numbers are not to be drawn here.
    virtual TorchBatch tensors(const Samples& samples) const = 0;
    // What the network should have said, where there is a teacher that has said `taught` of the same inputs.
    virtual Tensors with_teacher(const Tensors& /*targets*/, const Tensors& taught) const { return taught; }
    // A scalar, the mean over the samples.
    virtual at::Tensor loss(const Tensors& said, const Tensors& wanted) const = 0;
    // The single answer, [1, …] for each tensor that the network gives, that is the best to all these
    // samples: of the network's own shape, or of another that loss() and figures() take in its place.
    virtual Tensors constant(const Tensors& wanted) const = 0;
    // Further figures, each a mean over the samples, of what network or constant has said; those of several
    // batches are averaged.
    virtual std::vector<std::pair<std::string, double>> figures(const Tensors& /*said*/,
                                                                const Tensors& /*wanted*/) const {
        return {};
    }
    // Of how many of a batch's samples a figure is the mean.
    virtual double samples_of(const std::string& /*figure*/, const Tensors& /*wanted*/, double all) const {
        return all;
    }
    // How many figures, the loss first, are in the line that a validation says.
    virtual std::size_t figures_in_line() const { return 1; }
    // Further single answers that a network must beat, in the form of constant(), by name: chance, say. All
    // figures are worked out of them, too.
    virtual std::vector<std::pair<std::string, Tensors>> others(const Tensors& /*wanted*/) const {
        return {};
    }

    // The held-out samples that measure() is of, drawn once more.
    base::Result<Samples> measured_samples() const;
    // Of a file that the run writes: its history, what it began with, and what was last measured.
    std::map<std::string, std::string> history_of(const TrainedRun& run) const;
    const Recipe& recipe() const { return recipe_; }
    // What is measured, written and played: the average of the weights where the recipe asks for one. There
    // is one from begin() or take() on.
    TorchNetwork& network() const { return averaged_ ? *averaged_ : *network_; }
    Device device() const { return device_; }

  private:
    struct Wanted {
        Tensors inputs;
        Tensors targets;
    };
    base::Status make();
    void average(std::uint64_t step);
    base::Status load(const std::string& path, TorchNetwork& into,
                      const std::vector<std::string>& parts) const;
    Tensors on_device(const Tensors& tensors) const;
    Wanted wanted_of(const TorchBatch& batch) const;
    static Tensors said_of_all(const Tensors& answer, const Tensors& like);
    std::vector<std::pair<std::string, double>> all_figures(const Tensors& said, const Tensors& wanted) const;

    const Recipe& recipe_;
    const TorchPlan& plan_;
    const Device device_;
    std::shared_ptr<TorchNetwork> network_;
    std::shared_ptr<TorchNetwork> averaged_;  // null: no average is asked for
    std::shared_ptr<TorchNetwork> teacher_;   // null: none
    std::optional<Optimiser> optimiser_;
    const TorchStage* stage_ = nullptr;  // that set_trained() was last called for
    Samples held_out_;                   // until they are tensors
    Samples training_;                   // that the constant is fitted to; likewise
    std::vector<TorchBatch> validation_;
    std::vector<std::size_t> validation_sizes_;
    Tensors constant_;
    std::vector<std::pair<std::string, Tensors>> others_;
    Measurement measured_;
};

}  // namespace scholar::learning
