#include "learning/dense/dense_moves_task.hpp"

#include <ATen/ATen.h>
#include <algorithm>
#include <c10/core/GradMode.h>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "chess/movegen.hpp"
#include "evaluators/make.hpp"
#include "learning/dense/dense_modules.hpp"
#include "learning/dense/dense_move_tensors.hpp"
#include "learning/targets/move_agreement.hpp"
#include "learning/targets/move_targets.hpp"
#include "learning/training/torch_guard.hpp"
#include "learning/training/torch_task.hpp"
#include "nets/container/open_network.hpp"
#include "nets/dense/dense_file.hpp"
#include "nets/dense/dense_move_runner.hpp"

namespace scholar::learning {

namespace {

constexpr std::size_t kMovesComparedAtOnce = 1'024;

// What the network gives.
enum WhichJudgement : std::size_t { kFirstJudgement, kSecondJudgement };

class DenseMovesTask final : public TorchTask {
  public:
    DenseMovesTask(const Recipe& recipe, const DenseMovesRecipe& plan, Device device)
        : TorchTask(recipe, plan.plan, device), plan_(plan) {}

    std::string describe() const override {
        return fmt::format("network {}", nets::describe(nets::empty_dense_network(plan_.shape)));
    }
    base::Status finish(const TrainedRun& run) override {
        return guarded("the engine's file", [&] { return export_moves(run); });
    }

  protected:
    base::Result<std::unique_ptr<SampleSource>> open(games::Split split, std::uint64_t seed) const override {
        if (auto status = expect_played_moves(recipe().data.sampling); !status)
            return std::unexpected(status.error());
        return TorchTask::open(split, seed);
    }
    std::shared_ptr<TorchNetwork> make_network() const override {
        return std::make_shared<DenseMoveModules>(plan_.shape);
    }
    TorchBatch tensors(const Samples& samples) const override {
        const std::span<const games::Sample> positions(std::get<std::vector<games::Sample>>(samples));
        TorchBatch batch;
        batch.inputs = dense_move_inputs(plan_.shape, positions);
        batch.targets = dense_move_targets(positions);
        return batch;
    }
    // The moves that there are stay; the teacher's second judgement says which are wanted.
    Tensors with_teacher(const Tensors& targets, const Tensors& taught) const override {
        const at::Tensor& z = taught.at(kSecondJudgement);
        const at::Tensor likely = plan_.loss == DenseMovesLoss::Softmax ? at::softmax(z, 1) : at::sigmoid(z);
        return {likely / likely.sum(1, true).clamp_min(1e-12), targets[1]};
    }
    // Half of it that of the first judgement, which only the order depends on.
    at::Tensor loss(const Tensors& said, const Tensors& wanted) const override {
        return (dense_move_loss(plan_.loss, said.at(kFirstJudgement), wanted) +
                dense_move_loss(plan_.loss, said.at(kSecondJudgement), wanted)) /
               2;
    }
    Tensors constant(const Tensors& wanted) const override {
        const at::Tensor best = best_move_constant(plan_.loss, wanted);
        return {best, best};
    }
    std::vector<std::pair<std::string, double>> figures(const Tensors& said,
                                                        const Tensors& wanted) const override;
    std::size_t figures_in_line() const override { return 2; }

  private:
    base::Status export_moves(const TrainedRun& run);
    base::Status compare_exported(const TrainedRun& run, const std::filesystem::path& file);

    const DenseMovesRecipe& plan_;
};

// Of the second judgement, whose probabilities are the engine's: the logarithms of these stand for logits.
std::vector<std::pair<std::string, double>> DenseMovesTask::figures(const Tensors& said,
                                                                    const Tensors& wanted) const {
    constexpr float none = -std::numeric_limits<float>::infinity();
    const at::Tensor nowhere = wanted[1].logical_not();
    const auto logits = [&](const at::Tensor& z) {
        return (plan_.loss == DenseMovesLoss::Softmax ? z : at::log_sigmoid(z)).masked_fill(nowhere, none);
    };
    auto all = move_figures(logits(said.at(kSecondJudgement)), wanted[0]);
    all.emplace_back("first move by the first judgement",
                     share_in_first(logits(said.at(kFirstJudgement)), wanted[0], 1));
    return all;
}

base::Status DenseMovesTask::export_moves(const TrainedRun& run) {
    nets::DenseNetwork exported = static_cast<DenseMoveModules&>(network()).exported();
    exported.info.history = history_of(run);
    const std::filesystem::path path = run.folder / kNetworkFile;
    if (auto status = nets::save_network(path, exported); !status) return status;
    run.metrics.say(fmt::format("wrote {}: {}, content {}", path.string(), nets::describe(exported),
                                nets::content_name(exported)));
    return compare_exported(run, path);
}

base::Status DenseMovesTask::compare_exported(const TrainedRun& run, const std::filesystem::path& file) {
    const auto drawn = measured_samples();
    if (!drawn) return std::unexpected(drawn.error());
    const auto opened = nets::open_network(file.string());
    if (!opened) return std::unexpected(opened.error());
    const auto engine = evaluators::make_policy(*opened);
    if (!engine) return std::unexpected(engine.error());
    network().to(at::kCPU);
    network().eval();
    const c10::NoGradGuard no_gradients;
    EngineAgreement agreement;
    std::vector<float> ours;
    for (std::span<const games::Sample> samples(std::get<std::vector<games::Sample>>(*drawn));
         !samples.empty();) {
        const auto batch = samples.first(std::min(samples.size(), kMovesComparedAtOnce));
        samples = samples.subspan(batch.size());
        const at::Tensor said =
            network().forward(dense_move_inputs(plan_.shape, batch)).at(kSecondJudgement).contiguous();
        for (std::size_t i = 0; i < batch.size(); ++i) {
            const chess::MoveList moves = chess::legal_moves(batch[i].position);
            if (moves.empty()) continue;
            ours.resize(static_cast<std::size_t>(moves.size()));
            const std::span theirs(said.data_ptr<float>() + i * chess::kMaxMoves, ours.size());
            (*engine)->reset(batch[i].position);
            (*engine)->judge(batch[i].position, moves, ours);
            nets::to_probabilities(plan_.shape.output, theirs);
            agreement.add(ours, theirs.data());
        }
    }
    run.metrics.say(learning::describe(agreement, "libtorch"));
    if (auto status = run.metrics.record({{"kind", "export"},
                                          {"step", run.steps},
                                          {"compared_positions", agreement.positions},
                                          {"mean_difference", agreement.mean_difference()},
                                          {"largest_difference", agreement.largest_difference},
                                          {"same_best_move", agreement.same_best_move}});
        !status)
        return status;
    if (agreement.mean_difference() <= plan_.largest_mean_difference) return {};
    return base::fail(
        "{}: the engine's probabilities differ from libtorch's by {:.2g} in the mean, expected at most {} "
        "(largest_mean_difference in [export]); the file stays",
        file.string(), agreement.mean_difference(), plan_.largest_mean_difference);
}

}  // namespace

std::unique_ptr<Task> make_dense_moves_task(const Recipe& recipe, const DenseMovesRecipe& plan,
                                            Device device) {
    return std::make_unique<DenseMovesTask>(recipe, plan, device);
}

}  // namespace scholar::learning
