#include "learning/comparison/encoder_task.hpp"

#include <ATen/ATen.h>
#include <algorithm>
#include <array>
#include <fmt/ranges.h>
#include <utility>

#include "learning/comparison/comparison_modules.hpp"
#include "learning/comparison/comparison_tensors.hpp"
#include "learning/training/torch_task.hpp"
#include "nets/comparison/comparison_bits.hpp"

namespace scholar::learning {

namespace {

// What encoders have in common: they read positions, and who wins does not matter to them.
class EncoderTask : public TorchTask {
  public:
    EncoderTask(const Recipe& recipe, const EncoderRecipe& plan, Device device)
        : TorchTask(recipe, plan.plan, device), plan_(plan) {}

  protected:
    TorchBatch tensors(const Samples& samples) const override {
        TorchBatch batch;
        batch.inputs = {position_bits(std::get<std::vector<games::Sample>>(samples))};
        batch.targets = batch.inputs;
        return batch;
    }
    std::string shape_text() const {
        return fmt::format("{} → {}", nets::kComparisonBits, fmt::join(plan_.units, " → "));
    }
    const EncoderRecipe& plan() const { return plan_; }

  private:
    const EncoderRecipe& plan_;
};

// All figures are the network's own, by position (AutoencoderModules).
class AutoencoderTask final : public EncoderTask {
  public:
    using EncoderTask::EncoderTask;

    std::string describe() const override { return "autoencoder " + shape_text() + " and back"; }

  protected:
    std::shared_ptr<TorchNetwork> make_network() const override {
        return std::make_shared<AutoencoderModules>(plan().units);
    }
    at::Tensor loss(const Tensors& said, const Tensors& /*wanted*/) const override {
        return said.at(0).mean();
    }
    // It leaves all that its own loss is a share of, and says of each bit what it mostly is.
    Tensors constant(const Tensors& wanted) const override {
        const at::Tensor& bits = wanted.at(0);
        const Reconstruction found =
            reconstruction(at::logit(bits.mean(0, true), 1e-6).expand_as(bits), bits);
        Tensors all{at::ones({1}, bits.options())};
        for (std::size_t layer = 0; layer < plan().units.size(); ++layer)
            for (const at::Tensor* each : {&found.bits, &found.men, &found.boards})
                all.push_back(each->mean().reshape({1}));
        return all;
    }
    std::vector<std::pair<std::string, double>> figures(const Tensors& said,
                                                        const Tensors& /*wanted*/) const override {
        std::vector<std::pair<std::string, double>> all;
        for (std::size_t i = 1; i < said.size(); ++i) {
            constexpr std::array names{"bits right", "men right", "boards right"};
            const int units = plan().units[(i - 1) / names.size()];
            all.emplace_back(fmt::format("{} from {}", names[(i - 1) % names.size()], units),
                             said[i].mean().item<double>());
        }
        return all;
    }
};

class ImitationTask final : public EncoderTask {
  public:
    using EncoderTask::EncoderTask;

    std::string describe() const override { return "encoder " + shape_text() + ", by another's codes"; }

  protected:
    std::shared_ptr<TorchNetwork> make_network() const override {
        return std::make_shared<EncoderModules>(plan().units);
    }
    // Of whatever shape the file has; its codes must be as long.
    base::Result<std::shared_ptr<TorchNetwork>> make_teacher() const override {
        const std::string& path = plan().plan.teacher;
        const auto file = nets::read_tensors(path);
        if (!file) return std::unexpected(file.error());
        const std::vector<int> units = encoder_units_in(*file);
        if (units.empty()) return base::fail("{}: no encoder of positions, expected one", path);
        if (units.back() != plan().units.back())
            return base::fail("{}: codes of {} numbers, expected {} as the last layer of 'encoder' has", path,
                              units.back(), plan().units.back());
        return std::make_shared<EncoderModules>(units);
    }
    at::Tensor loss(const Tensors& said, const Tensors& wanted) const override {
        return unexplained(said.at(0), wanted.at(0)).mean();
    }
    Tensors constant(const Tensors& wanted) const override { return {wanted.at(0).mean(0, true)}; }
    std::vector<std::pair<std::string, double>> figures(const Tensors& said,
                                                        const Tensors& wanted) const override {
        return {{"squared error", (said.at(0) - wanted.at(0)).square().mean().item<double>()}};
    }
};

}  // namespace

std::unique_ptr<Task> make_encoder_task(const Recipe& recipe, const EncoderRecipe& plan, Device device) {
    if (plan.learns == EncoderLearns::ToGiveBack)
        return std::make_unique<AutoencoderTask>(recipe, plan, device);
    return std::make_unique<ImitationTask>(recipe, plan, device);
}

}  // namespace scholar::learning
