#include "learning/training/torch_task.hpp"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <torch/nn/functional/loss.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/dropout.h>
#include <torch/nn/modules/linear.h>
#include <torch/types.h>

#include "base/files.hpp"
#include "learning/run/checkpoint_files.hpp"
#include "learning/run/tensors_in_file.hpp"
#include "learning/training/checkpoint.hpp"
#include "learning/training/trainer.hpp"
#include "support/test_data.hpp"
#include "synthetic_games.hpp"

namespace scholar::learning {
namespace {

namespace fs = std::filesystem;

// Counts of pieces through a small net with batch normalisation and dropout, to the result of the game.
class CountNetwork final : public TorchNetwork {
  public:
    explicit CountNetwork(int width)
        : trunk_(register_module("trunk", torch::nn::Linear(10, width))),
          norm_(register_module("norm", torch::nn::BatchNorm1d(width))),
          drop_(register_module("drop", torch::nn::Dropout(0.2))),
          head_(register_module("head", torch::nn::Linear(width, 1))) {}
    Tensors forward(const Tensors& inputs) override {
        return {head_(drop_(torch::tanh(norm_(trunk_(inputs[0]))))).squeeze(1)};
    }

  private:
    torch::nn::Linear trunk_;
    torch::nn::BatchNorm1d norm_;
    torch::nn::Dropout drop_;
    torch::nn::Linear head_;
};

struct CountRecipe final : TaskRecipe {
    TorchPlan plan;
    void read(base::StrictToml& /*file*/, Schedule& /*schedule*/) override {}
    std::unique_ptr<Task> make_task(const Recipe& recipe, Device device) const override;
};

class CountTask final : public TorchTask {
  public:
    CountTask(const Recipe& recipe, const TorchPlan& plan, Device device) : TorchTask(recipe, plan, device) {}
    std::string describe() const override { return "counts of pieces"; }
    using TorchTask::network;

  protected:
    std::shared_ptr<TorchNetwork> make_network() const override { return std::make_shared<CountNetwork>(8); }
    TorchBatch tensors(const Samples& samples) const override {
        std::vector<float> counts;
        std::vector<float> results;
        for (const games::Sample& sample : std::get<std::vector<games::Sample>>(samples)) {
            const chess::Color us = sample.position.side_to_move();
            for (const chess::Color side : {us, ~us})
                for (const chess::PieceKind kind :
                     {chess::Pawn, chess::Knight, chess::Bishop, chess::Rook, chess::Queen})
                    counts.push_back(static_cast<float>(chess::popcount(sample.position.pieces(side, kind))) /
                                     4);
            results.push_back(sample.result);
        }
        TorchBatch batch;
        const auto count = static_cast<std::int64_t>(results.size());
        batch.inputs = {torch::tensor(counts).reshape({count, 10})};
        batch.targets = {torch::tensor(results)};
        return batch;
    }
    at::Tensor loss(const Tensors& said, const Tensors& wanted) const override {
        return torch::nn::functional::mse_loss(torch::sigmoid(said[0]), wanted[0]);
    }
    Tensors constant(const Tensors& wanted) const override {
        return {torch::logit(wanted[0].mean()).reshape({1})};
    }
    std::vector<std::pair<std::string, double>> figures(const Tensors& said,
                                                        const Tensors& wanted) const override {
        return {{"mean difference", (torch::sigmoid(said[0]) - wanted[0]).abs().mean().item<double>()}};
    }
};

std::unique_ptr<Task> CountRecipe::make_task(const Recipe& recipe, Device device) const {
    return std::make_unique<CountTask>(recipe, plan, device);
}

TorchPlan plan_with(const OptimiserOptions& optimiser, const std::vector<std::string>& stages = {"stage"}) {
    TorchPlan plan;
    plan.optimiser = optimiser;
    plan.learning_rate = 0.01;
    for (const std::string& text : stages) {
        const auto stage = parse_torch_stage(text);
        EXPECT_TRUE(stage) << stage.error().message;
        plan.stages.push_back(*stage);
    }
    return plan;
}

base::Result<at::Tensor> take_tensor_of(const nets::TensorFile& file, const std::string& name) {
    const nets::Tensor& tensor = file.tensors.at(name);
    return take_tensor(file, name, torch::empty(tensor.shape));
}

class TorchTasks : public testing::Test {
  protected:
    void SetUp() override { tests::write_random_games(folder_ / "games.games", 400, 11); }

    Recipe recipe(const std::string& run, int steps, const TorchPlan& plan = plan_with(AdamOptions{})) const {
        auto parsed = parse_recipe(tests::small_recipe(folder_ / "games.games", folder_ / run, steps,
                                                       "threads = 1\n[schedule]\nkind = \"constant\""),
                                   "small.toml");
        EXPECT_TRUE(parsed) << parsed.error().message;
        const auto task = std::make_shared<CountRecipe>();
        task->plan = plan;
        parsed->task = task;
        parsed->batch = 64;
        return *parsed;
    }
    static TrainOutcome run(const Recipe& recipe, const TrainOptions& options = {}) {
        auto outcome = train(recipe, options, {});
        EXPECT_TRUE(outcome) << outcome.error().message;
        return outcome ? *outcome : TrainOutcome{};
    }
    nets::TensorFile checkpoint(const std::string& run) const {
        auto file = nets::read_tensors(last_checkpoint(folder_ / run));
        EXPECT_TRUE(file) << file.error().message;
        return file ? *file : nets::TensorFile{};
    }
    std::vector<std::byte> bytes_of(const std::string& run, const std::string& tensor) const {
        const nets::TensorFile file = checkpoint(run);
        const auto found = file.tensors.find(tensor);
        EXPECT_NE(found, file.tensors.end()) << tensor;
        return found == file.tensors.end() ? std::vector<std::byte>{} : found->second.bytes;
    }
    // A task as the loop makes it, at the beginning of a run.
    static std::unique_ptr<CountTask> begun(const Recipe& recipe) {
        auto task = std::make_unique<CountTask>(recipe, static_cast<const CountRecipe&>(*recipe.task).plan,
                                                Device::Cpu);
        EXPECT_TRUE(task->begin());
        return task;
    }

    tests::TemporaryFolder folder_;
};

TEST_F(TorchTasks, LearnsMoreThanAConstant) {
    tests::write_random_games(folder_ / "games.games", 2000, 11);
    const TrainOutcome outcome = run(recipe("run", 200));
    ASSERT_TRUE(outcome.finished);
    ASSERT_EQ(outcome.measured.measures.size(), 2U);
    const Measure& loss = outcome.measured.measures[0];
    EXPECT_EQ(loss.name, "loss");
    EXPECT_EQ(loss.samples, 1'000U);
    EXPECT_LT(loss.network, 0.95 * loss.constant);
    // The best constant's squared error is the variance of the results, at most a quarter.
    EXPECT_LT(loss.constant, 0.25);
    EXPECT_GT(loss.constant, 0.1);
    EXPECT_NE(outcome.measured.line.find("constant"), std::string::npos);
    EXPECT_NE(base::read_text(folder_ / "run" / "metrics.jsonl")->find("\"mean difference\""),
              std::string::npos);
}

// By libtorch's own autograd the parameters are moved: one plain step is the numerical gradient of the loss.
TEST_F(TorchTasks, AStepFollowsTheNumericalGradient) {
    const Recipe small = recipe("run", 10, plan_with(SgdOptions{}));
    // Dropout would draw anew: what is differentiated must be a function.
    const auto still = [&] {
        auto task = begun(small);
        for (auto& module : task->network().named_children())
            if (auto* drop = module.value()->as<torch::nn::DropoutImpl>()) drop->options.p(0);
        return task;
    };
    const auto moved = still();
    auto source = moved->open_source();
    ASSERT_TRUE(source);
    const auto samples = draw_samples(**source, 64);
    ASSERT_TRUE(samples);
    const auto encoded = moved->encode(*samples);
    ASSERT_TRUE(encoded);
    ASSERT_TRUE(moved->draw());
    // `prepare` fits the constant, which step() compares with.
    auto shell_metrics = Metrics::open(folder_ / "metrics.jsonl", std::nullopt, false);
    ASSERT_TRUE(shell_metrics);
    ASSERT_TRUE(moved->prepare(folder_.path(), *shell_metrics, {}));

    const auto loss_with = [&](const std::string& name, std::int64_t index, double by) {
        const auto task = still();
        EXPECT_TRUE(task->draw());
        EXPECT_TRUE(task->prepare(folder_.path(), *shell_metrics, {}));
        {
            const c10::NoGradGuard no_gradients;
            task->network().named_parameters()[name].view({-1})[index] += by;
        }
        const auto report = task->step(**encoded, 1, 1e-6);
        EXPECT_TRUE(report);
        return report->loss;
    };
    constexpr double rate = 0.5;
    const auto before = still();
    ASSERT_TRUE(moved->step(**encoded, 1, rate));
    for (const auto& [name, index] :
         {std::pair{"trunk.weight", 3}, {"norm.bias", 2}, {"head.weight", 5}, {"head.bias", 0}}) {
        const double slope = (loss_with(name, index, 1e-2) - loss_with(name, index, -1e-2)) / 2e-2;
        const double was = before->network().named_parameters()[name].view({-1})[index].item<double>();
        const double is = moved->network().named_parameters()[name].view({-1})[index].item<double>();
        EXPECT_NEAR((was - is) / rate, slope, 2e-4 + 0.01 * std::abs(slope)) << name;
    }
}

TEST_F(TorchTasks, GoesOnToTheSameBitsWithRunningStatisticsAndDropout) {
    for (const OptimiserOptions& optimiser :
         {OptimiserOptions(AdamOptions{}), OptimiserOptions(AdaDeltaOptions{}),
          OptimiserOptions(MomentumOptions{})}) {
        const std::string whole = fmt::format("whole-{}", kind_of(optimiser));
        const std::string parts = fmt::format("parts-{}", kind_of(optimiser));
        run(recipe(whole, 60, plan_with(optimiser)));
        run(recipe(parts, 60, plan_with(optimiser)));
        // Killed after the checkpoint at 56.
        fs::remove(last_checkpoint(folder_ / parts));
        fs::remove(folder_ / parts / "network.safetensors");
        TrainOptions resume;
        resume.resume = true;
        EXPECT_EQ(run(recipe(parts, 60, plan_with(optimiser)), resume).step, 60U);
        const nets::TensorFile once = checkpoint(whole);
        const nets::TensorFile again = checkpoint(parts);
        ASSERT_EQ(once.tensors.size(), again.tensors.size());
        for (const auto& [name, tensor] : once.tensors)
            EXPECT_EQ(tensor.bytes, again.tensors.at(name).bytes) << name;
        // The statistics are there, and were gathered.
        for (const char* name : {"running_mean", "running_var", "num_batches_tracked"})
            EXPECT_TRUE(once.tensors.contains(std::string("network.norm.") + name)) << name;
        const auto mean = once.tensors.at("network.norm.running_mean").as<float>();
        EXPECT_NE(mean[0], 0.0F);
        // What is counted in 64 bits comes back, too.
        std::int64_t batches = 0;
        std::memcpy(&batches, once.tensors.at("network.norm.num_batches_tracked").bytes.data(), 8);
        EXPECT_EQ(batches, 60);
    }
}

TEST_F(TorchTasks, FrozenPartsStayAsTheyAreToTheBit) {
    run(recipe("random", 1, plan_with(SgdOptions{}, {"stage learning_rate=1e-9"})));
    run(recipe("staged", 20,
               plan_with(AdamOptions{}, {"stage train=head", "stage from=15 train=trunk+head"})));
    // Until step 15 only the head: taken from the checkpoint at 14.
    const auto before = nets::read_tensors(previous_checkpoint(folder_ / "staged"));
    ASSERT_TRUE(before) << before.error().message;
    ASSERT_EQ(take_progress(*before)->step, 14U);
    // Weights before the first step, of this seed.
    auto untrained = begun(recipe("none", 1));
    nets::TensorFile first;
    ASSERT_TRUE(untrained->put(first));
    for (const char* name : {"trunk.weight", "trunk.bias", "norm.weight", "norm.bias", "norm.running_mean",
                             "norm.running_var", "norm.num_batches_tracked"}) {
        const std::string full = std::string("network.") + name;
        EXPECT_EQ(before->tensors.at(full).bytes, first.tensors.at(full).bytes) << name;
    }
    EXPECT_NE(before->tensors.at("network.head.weight").bytes, first.tensors.at("network.head.weight").bytes);
    // Then the trunk too, and the normalisation still not.
    EXPECT_NE(bytes_of("staged", "network.trunk.weight"), first.tensors.at("network.trunk.weight").bytes);
    EXPECT_EQ(bytes_of("staged", "network.norm.running_mean"),
              first.tensors.at("network.norm.running_mean").bytes);
    // What is frozen has not used up its first steps either.
    EXPECT_EQ(checkpoint("staged").metadata.at("optimiser.trunk.weight.steps"), "5");
    EXPECT_EQ(checkpoint("staged").metadata.at("optimiser.head.weight.steps"), "20");
    EXPECT_EQ(checkpoint("staged").metadata.at("optimiser.norm.weight.steps"), "0");
}

TEST_F(TorchTasks, AStageHasALearningRateOfItsOwn) {
    // Plain steps of a tenth of the rate, by the recipe and by the stage.
    TorchPlan slow = plan_with(SgdOptions{});
    slow.learning_rate = 0.001;
    Recipe by_recipe = recipe("recipe", 7, slow);
    by_recipe.schedule.learning_rate = 0.001;
    Recipe by_stage = recipe("stage", 7, plan_with(SgdOptions{}, {"stage learning_rate=0.001"}));
    by_stage.schedule.learning_rate = 0.01;
    run(by_recipe);
    run(by_stage);
    EXPECT_TRUE(torch::allclose(*take_tensor_of(checkpoint("recipe"), "network.trunk.weight"),
                                *take_tensor_of(checkpoint("stage"), "network.trunk.weight"), 1e-5, 1e-8));
}

TEST_F(TorchTasks, TakesPartsOfAnotherNetwork) {
    run(recipe("parent", 20));
    const fs::path parent = folder_ / "parent" / "network.safetensors";
    TorchPlan plan = plan_with(AdamOptions{});
    plan.initial = parent.string();
    const auto start_of = [&](const TorchPlan& with) {
        nets::TensorFile file;
        EXPECT_TRUE(begun(recipe("none", 1, with))->put(file));
        return file;
    };
    const auto file = nets::read_tensors(parent);
    ASSERT_TRUE(file) << file.error().message;
    const nets::TensorFile whole = start_of(plan);
    for (const auto& [name, tensor] : file->tensors)
        EXPECT_EQ(whole.tensors.at("network." + name).bytes, tensor.bytes) << name;
    plan.initial_parts = {"trunk", "norm"};
    const nets::TensorFile some = start_of(plan);
    EXPECT_EQ(some.tensors.at("network.trunk.weight").bytes, file->tensors.at("trunk.weight").bytes);
    EXPECT_EQ(some.tensors.at("network.norm.running_var").bytes, file->tensors.at("norm.running_var").bytes);
    EXPECT_NE(some.tensors.at("network.head.weight").bytes, file->tensors.at("head.weight").bytes);

    plan.initial_parts = {"trunks"};
    const Recipe wrong = recipe("none", 1, plan);
    CountTask task(wrong, plan, Device::Cpu);
    EXPECT_EQ(task.begin().error().message,
              parent.string() +
                  ": 'trunks' is no part of the network, expected head, norm, trunk, or a part of "
                  "one of them");
}

TEST_F(TorchTasks, LearnsWhatItsTeacherSays) {
    // A teacher that says one thing of everything, far from what the games say.
    run(recipe("teacher", 1));
    auto file = nets::read_tensors(folder_ / "teacher" / "network.safetensors");
    ASSERT_TRUE(file) << file.error().message;
    const std::vector<float> none(8, 0);
    file->tensors["head.weight"] = nets::Tensor::from<float>(nets::Dtype::F32, {1, 8}, none);
    const std::vector<float> says{3.0F};
    file->tensors["head.bias"] = nets::Tensor::from<float>(nets::Dtype::F32, {1}, says);
    const fs::path path = folder_ / "teacher.safetensors";
    ASSERT_TRUE(nets::write_tensors(path, *file));
    TorchPlan plan = plan_with(AdamOptions{});
    plan.learning_rate = 0.03;
    plan.teacher = path.string();
    Recipe taught = recipe("taught", 150, plan);
    taught.schedule.learning_rate = 0.03;
    const auto outcome = run(taught);
    // Its output, 3, is what the squared error of σ, at most 1, is taken from: results would give at most 1.
    EXPECT_GT(outcome.measured.measures[0].network, 3.9);
    const auto games = run(recipe("games", 150));
    const auto bias = [&](const char* run) {
        return take_tensor_of(checkpoint(run), "network.head.bias")->item<double>();
    };
    EXPECT_GT(bias("taught"), bias("games") + 0.5);
}

TEST_F(TorchTasks, RefusesAPartThatIsNotThere) {
    const auto outcome = train(recipe("run", 5, plan_with(AdamOptions{}, {"stage train=body"})), {}, {});
    ASSERT_FALSE(outcome);
    EXPECT_EQ(
        outcome.error().message,
        "'stages' in [optimiser]: 'body' is no part of the network, expected head, norm, trunk, or a part "
        "of one of them");
}

TEST_F(TorchTasks, WhatLibtorchThrowsIsOneLine) {
    // Weights of another shape than the checkpoint's: refused by name before libtorch sees them.
    run(recipe("run", 7));
    auto file = checkpoint("run");
    file.tensors["network.head.bias"] =
        nets::Tensor::from<float>(nets::Dtype::F32, {2}, std::vector<float>{1, 2});
    const Recipe small = recipe("run", 7);
    CountTask task(small, static_cast<const CountRecipe&>(*small.task).plan, Device::Cpu);
    EXPECT_EQ(task.take(file).error().message, "tensor 'network.head.bias' is F32 [2], expected F32 [1]");
    // Samples that are none of its own kind.
    ASSERT_TRUE(task.begin());
    const auto encoded = task.encode(Samples(std::vector<LabelledNode>(3)));
    ASSERT_FALSE(encoded);
    EXPECT_EQ(encoded.error().message.find('\n'), std::string::npos) << encoded.error().message;
}

TEST(TorchStages, AreReadAndRefused) {
    const auto stage = parse_torch_stage("stage from=1000 train=head+trunk.2 learning_rate=0.001");
    ASSERT_TRUE(stage) << stage.error().message;
    EXPECT_EQ(stage->from, 1'000U);
    EXPECT_EQ(stage->parts, (std::vector<std::string>{"head", "trunk.2"}));
    EXPECT_EQ(stage->learning_rate, 0.001);
    EXPECT_EQ(parse_torch_stage("stages").error().message,
              "'stages', expected stage [from=…] [train=…] [learning_rate=…]");
    EXPECT_EQ(parse_torch_stage("stage train=a++b").error().message,
              "train is 'a++b', expected names of parts, head+trunk.2");
    const auto from = [](std::uint64_t step) {
        TorchStage with;
        with.from = step;
        return with;
    };
    EXPECT_EQ(check_stages({from(5)}).error().message, "stage 1: from is 5, expected 0 in the first");
    EXPECT_EQ(check_stages({from(0), from(0)}).error().message,
              "stage 2: from is 0, expected more than in the one before");
    const std::vector<TorchStage> two{from(0), from(10)};
    EXPECT_EQ(stage_of(two, 10).from, 0U);  // the tenth step is the last of the first ten
    EXPECT_EQ(stage_of(two, 11).from, 10U);
    EXPECT_TRUE(holds("trunk", "trunk.0.weight"));
    EXPECT_FALSE(holds("trunk", "trunks.0.weight"));
}

}  // namespace
}  // namespace scholar::learning
