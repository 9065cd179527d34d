#include "learning/linear/linear_task.hpp"

#include <ATen/ATen.h>
#include <algorithm>
#include <c10/core/GradMode.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "learning/linear/sparse_sums.hpp"
#include "learning/targets/difference.hpp"
#include "learning/targets/survey.hpp"
#include "learning/targets/target_rule.hpp"
#include "learning/training/torch_guard.hpp"
#include "learning/training/torch_task.hpp"
#include "nets/linear/linear_file.hpp"
#include "nets/linear/linear_network.hpp"

namespace scholar::learning {

namespace {

// Of the held-out positions, those that piece values are measured on.
constexpr std::size_t kPieceValuePositions = 10'000;

// Wanted of a position, for its side to move, 0 to 1.
enum LinearTarget : std::size_t { kLinearWanted, kLinearResult };

// A weight for each feature and stage, in Score units, as the file has them.
class LinearModule final : public TorchNetwork {
  public:
    explicit LinearModule(const nets::FloatLinearNetwork& start)
        : weight_(register_parameter(
              "weight", at::from_blob(const_cast<float*>(start.weights.data()),  // NOLINT: it is copied
                                      {nets::kLinearFeatures, nets::kStageCount}, at::kFloat)
                            .clone())) {}

    // Inputs: the entries of all positions' gradients, one behind the other: weight's index and slope; and
    // where each position's begin [position]. Gives the logit of what is expected [position].
    Tensors forward(const Tensors& inputs) override {
        // A GPU has no use for our own loops.
        const at::Tensor sums = weight_.is_cpu()
                                    ? sparse_sums(weight_, inputs[0], inputs[1], inputs[2])
                                    : std::get<0>(at::embedding_bag(weight_.reshape({-1, 1}), inputs[0],
                                                                    inputs[2], false, kSum, false, inputs[1]))
                                          .squeeze(1);
        return {sums / chess::Score::kScale};
    }

    nets::FloatLinearNetwork exported() const {
        nets::FloatLinearNetwork network;
        const at::Tensor weights = weight_.detach().to(at::kCPU).contiguous();
        std::copy_n(weights.data_ptr<float>(), network.weights.size(), network.weights.begin());
        return network;
    }

  private:
    static constexpr std::int64_t kSum = 0;  // embedding_bag's mode
    at::Tensor weight_;
};

at::Tensor cross_entropy_of(const at::Tensor& logits, const at::Tensor& wanted) {
    return at::binary_cross_entropy_with_logits(logits, wanted);
}

class LinearTask final : public TorchTask {
  public:
    LinearTask(const Recipe& recipe, const LinearRecipe& plan, Device device)
        : TorchTask(recipe, plan.plan, device), plan_(plan) {}

    std::string describe() const override {
        return fmt::format("network linear: {} features in {} stages", nets::kLinearFeatures,
                           nets::kStageCount);
    }
    base::Result<bool> prepare(const std::filesystem::path& folder, const Metrics& metrics,
                               const std::stop_token& stop) override;
    base::Status finish(const TrainedRun& run) override {
        return guarded("the engine's file", [&] { return write(run); });
    }

  protected:
    std::shared_ptr<TorchNetwork> make_network() const override {
        nets::FloatLinearNetwork start;
        if (plan_.start == "material") start = nets::FloatLinearNetwork::material_start();
        if (plan_.start == "pawns") start = nets::FloatLinearNetwork::all_pawns();
        return std::make_shared<LinearModule>(start);
    }
    TorchBatch tensors(const Samples& samples) const override;
    Tensors with_teacher(const Tensors& targets, const Tensors& taught) const override {
        return {at::sigmoid(taught.at(0)), targets[kLinearResult]};
    }
    at::Tensor loss(const Tensors& said, const Tensors& wanted) const override {
        return cross_entropy_of(said.at(0), wanted[kLinearWanted]);
    }
    Tensors constant(const Tensors& wanted) const override {
        return {at::logit(wanted[kLinearWanted].mean().clamp(1e-6, 1 - 1e-6)).reshape({1})};
    }
    std::vector<std::pair<std::string, double>> figures(const Tensors& said,
                                                        const Tensors& wanted) const override {
        return {
            {"cross-entropy of results", cross_entropy_of(said.at(0), wanted[kLinearResult]).item<double>()}};
    }

  private:
    struct Difference {
        double mean = 0;
        double largest = 0;
    };
    // Of the engine's values, which are rounded and bounded, from libtorch's, Score units.
    Difference compare(const nets::LinearNetwork& engine, std::span<const games::Sample> samples) const;
    base::Status write(const TrainedRun& run);
    base::Result<std::vector<games::Sample>> measured_on() const;

    const LinearRecipe& plan_;
    TargetRule rule_;
};

// Scales of evaluations first: what is measured, and the constant, depend on them.
base::Result<bool> LinearTask::prepare(const std::filesystem::path& folder, const Metrics& metrics,
                                       const std::stop_token& stop) {
    auto rule = surveyed_rule(recipe(), plan_.target, folder, metrics, stop);
    if (!rule) return std::unexpected(rule.error());
    if (!*rule) return false;
    rule_ = std::move(**rule);
    return TorchTask::prepare(folder, metrics, stop);
}

TorchBatch LinearTask::tensors(const Samples& samples) const {
    const auto& positions = std::get<std::vector<games::Sample>>(samples);
    const auto count = static_cast<std::int64_t>(positions.size());
    std::vector<std::int64_t> indices;
    std::vector<float> slopes;
    at::Tensor begins = at::empty({count}, at::kLong);
    at::Tensor targets = at::empty({count}, at::kFloat);
    at::Tensor results = at::empty_like(targets);
    for (std::size_t i = 0; i < positions.size(); ++i) {
        begins.data_ptr<std::int64_t>()[i] = static_cast<std::int64_t>(indices.size());
        for (const nets::Slope& entry : nets::gradient(positions[i].position)) {
            indices.push_back(entry.weight);
            slopes.push_back(entry.slope);
        }
        targets.data_ptr<float>()[i] = rule_.target(positions[i]);
        results.data_ptr<float>()[i] = positions[i].result;
    }
    const auto entries = static_cast<std::int64_t>(indices.size());
    TorchBatch batch;
    batch.inputs = {at::from_blob(indices.data(), {entries}, at::kLong).clone(),
                    at::from_blob(slopes.data(), {entries}, at::kFloat).clone(), std::move(begins)};
    batch.targets = {std::move(targets), std::move(results)};
    return batch;
}

base::Result<std::vector<games::Sample>> LinearTask::measured_on() const {
    auto drawn = measured_samples();
    if (!drawn) return std::unexpected(drawn.error());
    return std::get<std::vector<games::Sample>>(std::move(*drawn));
}

LinearTask::Difference LinearTask::compare(const nets::LinearNetwork& engine,
                                           std::span<const games::Sample> samples) const {
    const c10::NoGradGuard no_gradients;
    network().to(at::kCPU);
    network().eval();
    constexpr std::size_t kAtOnce = 4'096;
    constexpr double kBound = chess::Score::kEvaluationBound;
    const std::size_t count = samples.size();
    Difference difference;
    while (!samples.empty()) {
        const auto part = samples.first(std::min(samples.size(), kAtOnce));
        samples = samples.subspan(part.size());
        const at::Tensor logits =
            network().forward(tensors(std::vector(part.begin(), part.end())).inputs).at(0).contiguous();
        for (std::size_t i = 0; i < part.size(); ++i) {
            const double said = chess::Score::kScale * double{logits.data_ptr<float>()[i]};
            const double by =
                difference_of(static_cast<double>(nets::evaluate_plainly(engine, part[i].position).value()),
                              std::clamp(said, -kBound, kBound));
            difference.largest = std::max(difference.largest, by);
            difference.mean += by / static_cast<double>(count);
        }
    }
    return difference;
}

base::Status LinearTask::write(const TrainedRun& run) {
    const auto samples = measured_on();
    if (!samples) return std::unexpected(samples.error());
    nets::FloatLinearNetwork exported = static_cast<LinearModule&>(network()).exported();
    std::vector<chess::Position> positions;
    for (const games::Sample& sample :
         std::span(*samples).first(std::min(samples->size(), kPieceValuePositions)))
        positions.push_back(sample.position);
    exported.info.piece_values = nets::measure_piece_values(exported, positions);
    exported.info.history = history_of(run);
    if (plan_.plan.initial.empty()) exported.info.history["parent"] = plan_.start;
    exported.info.history["evaluation_scales"] =
        rule_.scales.pooled.positions > 0 ? learning::describe(rule_.scales) : "none";
    const auto rounded = nets::quantise(exported);
    if (!rounded) return std::unexpected(rounded.error());
    const std::filesystem::path path = run.folder / kNetworkFile;
    if (auto status = nets::save_network(path, exported); !status) return status;

    const Difference difference = compare(*rounded, *samples);
    const nets::PieceValues& values = exported.info.piece_values;
    run.metrics.say(fmt::format(
        "wrote {}: {}, content {}\npiece values: pawn {}, knight {}, bishop {}, rook {}, queen {}\n"
        "engine and libtorch on {}: the score, which the engine rounds, differs by {:.2f} on average and by "
        "{:.2f} at most",
        path.string(), nets::describe(*rounded), nets::content_name(*rounded), values[chess::Pawn],
        values[chess::Knight], values[chess::Bishop], values[chess::Rook], values[chess::Queen],
        base::counted(samples->size(), "position"), difference.mean, difference.largest));
    if (auto status = run.metrics.record({{"kind", "export"},
                                          {"step", run.steps},
                                          {"compared_positions", samples->size()},
                                          {"mean_difference", difference.mean},
                                          {"largest_difference", difference.largest}});
        !status)
        return status;
    if (difference.largest <= plan_.largest_difference) return {};
    return base::fail(
        "{}: the engine differs from libtorch by {:.2f} Score units, expected at most {} (largest_difference "
        "in [export]); the file stays",
        path.string(), difference.largest, plan_.largest_difference);
}

}  // namespace

std::unique_ptr<Task> make_linear_task(const Recipe& recipe, const LinearRecipe& plan, Device device) {
    return std::make_unique<LinearTask>(recipe, plan, device);
}

}  // namespace scholar::learning
