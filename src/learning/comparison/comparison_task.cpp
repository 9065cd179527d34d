#include "learning/comparison/comparison_task.hpp"

#include <ATen/ATen.h>
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

#include "learning/comparison/comparison_export.hpp"
#include "learning/comparison/comparison_losses.hpp"
#include "learning/comparison/comparison_modules.hpp"
#include "learning/comparison/comparison_tensors.hpp"
#include "learning/training/torch_guard.hpp"
#include "learning/training/torch_task.hpp"
#include "nets/comparison/comparison_file.hpp"

namespace scholar::learning {

namespace {

// Of the held-out positions, those that piece values are measured on.
constexpr std::size_t kValuedPairs = 5'000;

// Wanted of a pair: 1 where the first is better, else 0; and the logit that the teacher gives, if there is
// one.
enum ComparisonTarget : std::size_t { kFirstIsBetter, kTeacherLogit };

// What the network says: z as the pair was given, and with its positions exchanged, which training needs not.
enum ComparisonAnswer : std::size_t { kAsGiven, kExchanged };

class ComparisonTask final : public TorchTask {
  public:
    ComparisonTask(const Recipe& recipe, const ComparisonRecipe& plan, Device device)
        : TorchTask(recipe, plan.plan, device), plan_(plan) {}

    std::string describe() const override {
        return fmt::format("network {}", nets::describe(nets::empty_comparison_network(plan_.shape)));
    }
    base::Status finish(const TrainedRun& run) override {
        return guarded("the engine's file", [&] { return export_comparison(run); });
    }

  protected:
    base::Result<std::unique_ptr<SampleSource>> open(games::Split split, std::uint64_t seed) const override;
    std::shared_ptr<TorchNetwork> make_network() const override {
        return std::make_shared<ComparisonModules>(plan_.shape);
    }
    base::Result<std::shared_ptr<TorchNetwork>> make_teacher() const override;
    TorchBatch tensors(const Samples& samples) const override {
        PairTensors bits = pair_bits(std::get<std::vector<SamplePair>>(samples));
        TorchBatch batch;
        batch.inputs = {std::move(bits.first), std::move(bits.second)};
        batch.targets = {std::move(bits.first_is_better)};
        return batch;
    }
    Tensors with_teacher(const Tensors& targets, const Tensors& taught) const override {
        return {targets[kFirstIsBetter], taught.at(kAsGiven)};
    }
    at::Tensor loss(const Tensors& said, const Tensors& wanted) const override {
        at::Tensor hard = comparison_loss(said.at(kAsGiven), wanted[kFirstIsBetter]);
        if (wanted.size() <= kTeacherLogit) return hard;
        return hard +
               plan_.teacher_weight * softened_loss(said[kAsGiven], wanted[kTeacherLogit], plan_.temperature);
    }
    Tensors constant(const Tensors& wanted) const override {
        const at::Tensor best = at::logit(wanted[kFirstIsBetter].mean(), 1e-6).reshape({1});
        return {best, best};
    }
    std::vector<std::pair<std::string, double>> figures(const Tensors& said,
                                                        const Tensors& wanted) const override;
    std::size_t figures_in_line() const override { return 2; }

  private:
    base::Result<std::vector<SamplePair>> held_out_pairs() const;
    base::Status export_comparison(const TrainedRun& run);
    base::Status compare_exported(const TrainedRun& run, const std::filesystem::path& file,
                                  std::span<const SamplePair> pairs);

    const ComparisonRecipe& plan_;
};

// White's result is what a pair is made by, and White's view what the network has.
base::Result<std::unique_ptr<SampleSource>> ComparisonTask::open(games::Split split,
                                                                 std::uint64_t seed) const {
    const games::Sampler::Options options = recipe().sampling(split, seed);
    for (const games::SampleStage& stage : options.sampling.stages)
        if (std::holds_alternative<games::stages::Mirror>(stage))
            return base::fail(
                "'stages' in [sampler]: behind 'mirror' nobody knows who was White, expected positions as "
                "they "
                "were");
    return open_pairs(options);
}

base::Result<std::shared_ptr<TorchNetwork>> ComparisonTask::make_teacher() const {
    const auto file = nets::read_tensors(plan_.plan.teacher);
    if (!file) return std::unexpected(file.error());
    const auto network = nets::to_comparison_network(*file);
    if (!network) return base::fail_in(plan_.plan.teacher, network.error());
    return std::make_shared<ComparisonModules>(network->info.shape);
}

std::vector<std::pair<std::string, double>> ComparisonTask::figures(const Tensors& said,
                                                                    const Tensors& wanted) const {
    const at::Tensor& z = said.at(kAsGiven);
    const at::Tensor& exchanged = said.at(kExchanged);
    const at::Tensor& better = wanted[kFirstIsBetter];
    const auto share = [](const at::Tensor& which) { return which.to(at::kFloat).mean().item<double>(); };
    std::vector<std::pair<std::string, double>> all{
        {"accuracy", share((z > 0).eq(better > 0.5))},
        {"cross-entropy", comparison_loss(z, better).item<double>()},
        // What both probabilities together are off 1; and how often both or neither is preferred.
        {"antisymmetry error", (at::sigmoid(z) + at::sigmoid(exchanged) - 1).abs().mean().item<double>()},
        {"contradictions", share((z > 0).eq(exchanged > 0))}};
    if (wanted.size() > kTeacherLogit)
        all.emplace_back("as the teacher", share((z > 0).eq(wanted[kTeacherLogit] > 0)));
    return all;
}

base::Result<std::vector<SamplePair>> ComparisonTask::held_out_pairs() const {
    auto drawn = measured_samples();
    if (!drawn) return std::unexpected(drawn.error());
    return std::get<std::vector<SamplePair>>(std::move(*drawn));
}

base::Status ComparisonTask::export_comparison(const TrainedRun& run) {
    const auto pairs = held_out_pairs();
    if (!pairs) return std::unexpected(pairs.error());
    auto exported =
        std::make_shared<nets::ComparisonNetwork>(static_cast<ComparisonModules&>(network()).exported());
    if (plan_.shape.form == nets::ComparisonForm::Split) {
        centre_values(*exported, *pairs);
        std::vector<games::Sample> samples;
        for (const SamplePair& pair : std::span(*pairs).first(std::min(pairs->size(), kValuedPairs)))
            samples.insert(samples.end(), {pair.won, pair.lost});
        exported->info.piece_values = measure_piece_values(exported, samples, recipe().seed);
    }
    exported->info.history = history_of(run);
    exported->info.history["teacher"] = plan_.plan.teacher.empty() ? "none" : plan_.plan.teacher;
    const std::filesystem::path path = run.folder / kNetworkFile;
    if (auto status = nets::save_network(path, *exported); !status) return status;
    run.metrics.say(fmt::format("wrote {}: {}, content {}", path.string(), nets::describe(*exported),
                                nets::content_name(*exported)));
    return compare_exported(run, path, *pairs);
}

base::Status ComparisonTask::compare_exported(const TrainedRun& run, const std::filesystem::path& file,
                                              std::span<const SamplePair> pairs) {
    network().to(at::kCPU);
    const auto agreement = compare_with_engine(file, network(), pairs);
    if (!agreement) return base::fail_in(file.string(), agreement.error());
    run.metrics.say(learning::describe(*agreement));
    if (auto status = run.metrics.record({{"kind", "export"},
                                          {"step", run.steps},
                                          {"compared_pairs", agreement->pairs},
                                          {"mean_difference", agreement->mean_difference},
                                          {"largest_difference", agreement->largest_difference},
                                          {"same_answer", agreement->same_answer}});
        !status)
        return status;
    if (agreement->largest_difference <= plan_.largest_difference) return {};
    return base::fail(
        "{}: the engine's logits differ from libtorch's by {:.2g}, expected at most {} (largest_difference "
        "in "
        "[export]); the file stays",
        file.string(), agreement->largest_difference, plan_.largest_difference);
}

}  // namespace

std::unique_ptr<Task> make_comparison_task(const Recipe& recipe, const ComparisonRecipe& plan,
                                           Device device) {
    return std::make_unique<ComparisonTask>(recipe, plan, device);
}

}  // namespace scholar::learning
