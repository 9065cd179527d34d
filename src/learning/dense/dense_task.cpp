#include "learning/dense/dense_task.hpp"

#include <ATen/ATen.h>
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

#include "learning/dense/dense_export.hpp"
#include "learning/dense/dense_modules.hpp"
#include "learning/dense/dense_tensors.hpp"
#include "learning/targets/interval_labels.hpp"
#include "learning/targets/survey.hpp"
#include "learning/targets/target_rule.hpp"
#include "learning/training/torch_guard.hpp"
#include "learning/training/torch_task.hpp"
#include "nets/dense/dense_file.hpp"

namespace scholar::learning {

namespace {

// Of the held-out positions, those that piece values are measured on.
constexpr std::size_t kMeasuredPieceValues = 10'000;

// Wanted of a position, all for White, 0 to 1: between which ends it lies, and the game's result.
enum DenseTarget : std::size_t { kWantedLow, kWantedHigh, kWantedResult };

class DenseTask final : public TorchTask {
  public:
    DenseTask(const Recipe& recipe, const DenseRecipe& plan, Device device)
        : TorchTask(recipe, plan.plan, device), plan_(plan) {}

    std::string describe() const override {
        return fmt::format("network {}", nets::describe(nets::empty_dense_network(plan_.shape)));
    }
    base::Result<bool> prepare(const std::filesystem::path& folder, const Metrics& metrics,
                               const std::stop_token& stop) override;
    base::Status finish(const TrainedRun& run) override;
    base::Result<nets::TensorFile> playing(std::span<const chess::Position> positions,
                                           const std::map<std::string, std::string>& history) override;

  protected:
    std::shared_ptr<TorchNetwork> make_network() const override {
        return std::make_shared<DenseModules>(plan_.shape);
    }
    TorchBatch tensors(const Samples& samples) const override;
    Tensors with_teacher(const Tensors& targets, const Tensors& taught) const override {
        const at::Tensor wanted = at::sigmoid(2 * taught.at(0));
        return {wanted, wanted, targets[kWantedResult]};
    }
    at::Tensor loss(const Tensors& said, const Tensors& wanted) const override {
        return dense_loss(plan_.loss, said.at(0), wanted_of(said, wanted));
    }
    Tensors constant(const Tensors& wanted) const override {
        return {best_constant(plan_.loss, (wanted[kWantedLow] + wanted[kWantedHigh]) / 2)};
    }
    std::vector<std::pair<std::string, double>> figures(const Tensors& said,
                                                        const Tensors& wanted) const override;

  private:
    static at::Tensor wanted_of(const Tensors& said, const Tensors& wanted) {
        return nearest_wanted(said.at(0), wanted[kWantedLow], wanted[kWantedHigh]);
    }
    static TorchBatch tensors_of(const nets::DenseFeatureSet& features, std::span<const LabelledNode> nodes);
    std::shared_ptr<nets::DenseNetwork> exported(std::span<const games::Sample> samples,
                                                 const std::map<std::string, std::string>& history) const;
    base::Status export_dense(const TrainedRun& run);
    base::Status compare_exported(const TrainedRun& run, const std::filesystem::path& file,
                                  std::span<const games::Sample> samples);

    const DenseRecipe& plan_;
    TargetRule rule_;
};

// Scales of evaluations first: what is measured, and the constant, depend on them.
base::Result<bool> DenseTask::prepare(const std::filesystem::path& folder, const Metrics& metrics,
                                      const std::stop_token& stop) {
    auto rule = surveyed_rule(recipe(), plan_.target, folder, metrics, stop);
    if (!rule) return std::unexpected(rule.error());
    if (!*rule) return false;
    rule_ = std::move(**rule);
    return TorchTask::prepare(folder, metrics, stop);
}

// Nodes have an interval (selfplay/interval.hpp) as their labels.
TorchBatch DenseTask::tensors_of(const nets::DenseFeatureSet& features, std::span<const LabelledNode> nodes) {
    at::Tensor low = at::empty({static_cast<std::int64_t>(nodes.size())}, at::kFloat);
    at::Tensor high = at::empty_like(low);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const bool is_white = nodes[i].position.side_to_move() == chess::White;
        const std::vector<float>& labels = nodes[i].labels;
        low.data_ptr<float>()[i] = is_white ? labels[kLowLabel] : 1 - labels[kHighLabel];
        high.data_ptr<float>()[i] = is_white ? labels[kHighLabel] : 1 - labels[kLowLabel];
    }
    TorchBatch batch;
    batch.inputs = {dense_inputs(features, nodes)};
    batch.targets = {low, high, (low + high) / 2};
    return batch;
}

TorchBatch DenseTask::tensors(const Samples& samples) const {
    if (const auto* nodes = std::get_if<std::vector<LabelledNode>>(&samples))
        return tensors_of(*plan_.shape.features, *nodes);
    const auto& positions = std::get<std::vector<games::Sample>>(samples);
    at::Tensor targets = at::empty({static_cast<std::int64_t>(positions.size())}, at::kFloat);
    at::Tensor results = at::empty_like(targets);
    for (std::size_t i = 0; i < positions.size(); ++i) {
        const games::Sample& sample = positions[i];
        const bool is_white = sample.position.side_to_move() == chess::White;
        const float target = rule_.target(sample);
        targets.data_ptr<float>()[i] = is_white ? target : 1 - target;
        results.data_ptr<float>()[i] = is_white ? sample.result : 1 - sample.result;
    }
    TorchBatch batch;
    batch.inputs = {dense_inputs(*plan_.shape.features, positions)};
    batch.targets = {targets, targets, std::move(results)};
    return batch;
}

// By every loss, so that runs with different ones can be compared. The constant is the best by the run's own.
std::vector<std::pair<std::string, double>> DenseTask::figures(const Tensors& said,
                                                               const Tensors& wanted) const {
    std::vector<std::pair<std::string, double>> all;
    for (const auto& [name, loss] :
         {std::pair{"cross-entropy", DenseLoss::CrossEntropy}, {"l1", DenseLoss::L1}, {"l2", DenseLoss::L2}})
        all.emplace_back(name, dense_loss(loss, said.at(0), wanted_of(said, wanted)).item<double>());
    all.emplace_back("cross-entropy of results",
                     dense_loss(DenseLoss::CrossEntropy, said.at(0), wanted[kWantedResult]).item<double>());
    return all;
}

// As the engine reads it, but for what belongs to a finished run.
std::shared_ptr<nets::DenseNetwork> DenseTask::exported(
    std::span<const games::Sample> samples, const std::map<std::string, std::string>& history) const {
    auto exported = std::make_shared<nets::DenseNetwork>(static_cast<DenseModules&>(network()).exported());
    exported->info.piece_values = measure_piece_values(
        exported, samples.first(std::min(samples.size(), kMeasuredPieceValues)), recipe().seed);
    exported->info.history = history;
    return exported;
}

base::Result<nets::TensorFile> DenseTask::playing(std::span<const chess::Position> positions,
                                                  const std::map<std::string, std::string>& history) {
    return guarded("the network that plays", [&]() -> base::Result<nets::TensorFile> {
        std::vector<games::Sample> samples(positions.size());
        for (std::size_t i = 0; i < positions.size(); ++i) samples[i].position = positions[i];
        std::map<std::string, std::string> own = history;
        own["parent"] = plan_.plan.initial.empty() ? "none" : plan_.plan.initial;
        return nets::to_tensor_file(*exported(samples, own));
    });
}

base::Status DenseTask::finish(const TrainedRun& run) {
    return guarded("the engine's file", [&] { return export_dense(run); });
}

base::Status DenseTask::export_dense(const TrainedRun& run) {
    const auto drawn = measured_samples();
    if (!drawn) return std::unexpected(drawn.error());
    const std::span samples(std::get<std::vector<games::Sample>>(*drawn));

    const auto exported = this->exported(samples, history_of(run));
    nets::DenseInfo& info = exported->info;
    info.history["evaluation_scales"] =
        rule_.scales.pooled.positions > 0 ? learning::describe(rule_.scales) : "none";
    const std::filesystem::path path = run.folder / kNetworkFile;
    if (auto status = nets::save_network(path, *exported); !status) return status;
    const nets::PieceValues& values = info.piece_values;
    run.metrics.say(fmt::format(
        "wrote {}: {}, content {}\npiece values: pawn {}, knight {}, bishop {}, rook {}, queen {}",
        path.string(), nets::describe(*exported), nets::content_name(*exported), values[chess::Pawn],
        values[chess::Knight], values[chess::Bishop], values[chess::Rook], values[chess::Queen]));
    return compare_exported(run, path, samples);
}

base::Status DenseTask::compare_exported(const TrainedRun& run, const std::filesystem::path& file,
                                         std::span<const games::Sample> samples) {
    network().to(at::kCPU);
    const auto agreement = compare_with_engine(file, network(), plan_.shape, samples);
    if (!agreement) return base::fail_in(file.string(), agreement.error());
    run.metrics.say(learning::describe(*agreement));
    if (auto status = run.metrics.record({{"kind", "export"},
                                          {"step", run.steps},
                                          {"compared_positions", agreement->positions},
                                          {"mean_difference", agreement->mean_difference},
                                          {"largest_difference", agreement->largest_difference}});
        !status)
        return status;
    if (agreement->largest_difference <= plan_.largest_difference) return {};
    return base::fail(
        "{}: the engine differs from libtorch by {:.2f} Score units, expected at most {} "
        "(largest_difference in [export]); the file stays",
        file.string(), agreement->largest_difference, plan_.largest_difference);
}

}  // namespace

std::unique_ptr<Task> make_dense_task(const Recipe& recipe, const DenseRecipe& plan, Device device) {
    return std::make_unique<DenseTask>(recipe, plan, device);
}

}  // namespace scholar::learning
