#include "learning/dense/dense_task.hpp"

#include <ATen/Context.h>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <torch/types.h>

#include "base/files.hpp"
#include "base/random.hpp"
#include "learning/dense/dense_export.hpp"
#include "learning/dense/dense_modules.hpp"
#include "learning/dense/dense_tensors.hpp"
#include "learning/run/checkpoint_files.hpp"
#include "learning/training/trainer.hpp"
#include "nets/container/open_network.hpp"
#include "nets/dense/dense_file.hpp"
#include "support/random_games.hpp"
#include "support/test_data.hpp"
#include "synthetic_games.hpp"

namespace scholar::learning {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSmallDense = "apart = [8, 16, 8]\njoint = [12]\n";

std::string dense_recipe_text(const fs::path& store, const fs::path& output, const std::string& network,
                              const std::string& target = "", const std::string& optimiser = "",
                              int steps = 20) {
    return fmt::format(R"([data]
stores = ["{}"]
validation_share = 0.1
[sampler]
stages = ["ply min=8"]
shuffle_buffer = 4096
[network]
kind = "dense"
{}
[target]
{}
[optimiser]
learning_rate = 0.005
{}
[schedule]
kind = "constant"
[run]
batch = 128
steps = {}
validation_positions = 1000
checkpoint_every = {}
validate_every = 1000
threads = 1
output = "{}"
)",
                       store.string(), network, target, optimiser, steps, steps > 20 ? 1'000 : 7,
                       output.string());
}

std::string dense_refusal(const std::string& network, const std::string& target = "",
                          const std::string& more = "") {
    const auto recipe = parse_recipe(dense_recipe_text("a.games", "run", network, target) + more, "r.toml");
    return recipe ? "no error" : recipe.error().message;
}

const nets::DenseFeatureSet& set_of(const char* name) {
    return **nets::find_dense_feature_set(name);
}

// Positions of random games, of both sides.
std::vector<games::Sample> random_samples(std::size_t count, std::uint64_t seed) {
    std::vector<games::Sample> samples;
    base::Random random(seed);
    while (samples.size() < count)
        tests::play_random_game(random, chess::Position(), 80,
                                [&](const chess::Position& position, chess::Move, const chess::Position&) {
                                    games::Sample sample;
                                    sample.position = position;
                                    if (random.below(4) == 0) samples.push_back(sample);
                                });
    return samples;
}

class DenseTasks : public testing::Test {
  protected:
    void SetUp() override { tests::write_random_games(folder_ / "games.games", 300, 11, true); }

    Recipe recipe(const std::string& name, const std::string& network = kSmallDense,
                  const std::string& target = "", const std::string& optimiser = "", int steps = 20) const {
        auto parsed = parse_recipe(
            dense_recipe_text(folder_ / "games.games", folder_ / name, network, target, optimiser, steps),
            "small.toml");
        EXPECT_TRUE(parsed) << parsed.error().message;
        return *parsed;
    }
    static TrainOutcome run(const Recipe& recipe, const TrainOptions& options = {}) {
        auto outcome = train(recipe, options, {});
        EXPECT_TRUE(outcome) << outcome.error().message;
        return outcome ? *outcome : TrainOutcome{};
    }
    std::shared_ptr<const nets::DenseNetwork> network_of(const std::string& name) const {
        const auto opened = nets::open_network((folder_ / name / "network.safetensors").string());
        EXPECT_TRUE(opened) << opened.error().message;
        return opened ? opened->as<nets::DenseNetwork>() : nullptr;
    }

    tests::TemporaryFolder folder_;
};

// Whoever is ahead at the end has won. Of cross-entropy much is left even where all is known.
TEST_F(DenseTasks, LearnsMoreThanTheConstantByEachLoss) {
    tests::write_random_games(folder_ / "games.games", 1'000, 11, true);
    for (const auto& [loss, share] : {std::pair{"cross-entropy", 0.96}, {"l1", 0.9}, {"l2", 0.93}}) {
        const TrainOutcome outcome =
            run(recipe(loss, kSmallDense, fmt::format("loss = \"{}\"\nresult_weight = 0.5", loss), "", 150));
        ASSERT_TRUE(outcome.finished);
        const Measurement& measured = outcome.measured;
        const Measure* own = measured.find("loss");
        ASSERT_NE(own, nullptr);
        EXPECT_EQ(own->samples, 1000U);
        EXPECT_EQ(own->network, measured.find(loss)->network);
        EXPECT_LT(own->network, share * own->constant) << measured.table;
        ASSERT_NE(measured.find("cross-entropy of results"), nullptr);
        const auto network = network_of(loss);
        ASSERT_TRUE(network);
        EXPECT_GT(network->info.piece_values[chess::Queen], network->info.piece_values[chess::Pawn]);
        EXPECT_GT(network->info.piece_values[chess::Pawn], 1);
    }
}

TEST_F(DenseTasks, WritesWhatTheEngineReads) {
    run(recipe("run"));
    const auto network = network_of("run");
    ASSERT_TRUE(network);
    EXPECT_EQ(network->info.shape, nets::dense_shape(set_of("giraffe-363"), {{8, 16, 8}}, {12}));
    const auto& history = network->info.history;
    EXPECT_EQ(history.at("recipe"), "small");
    EXPECT_EQ(history.at("parent"), "none");
    EXPECT_EQ(history.at("positions"), "2560");
    EXPECT_EQ(history.at("evaluation_scales").substr(0, 4), "all ");
    EXPECT_TRUE(history.contains("data_hash"));
    EXPECT_TRUE(history.contains("validation_loss"));
    EXPECT_TRUE(history.contains("validation_loss_constant"));
    const std::string metrics = *base::read_text(folder_ / "run" / "metrics.jsonl");
    EXPECT_NE(metrics.find("\"compared_positions\":1000"), std::string::npos);

    // Another run begins with it.
    const fs::path parent = folder_ / "run" / "network.safetensors";
    run(recipe("child", fmt::format("{}initial = \"{}\"\n", kSmallDense, parent.string()), "",
               "stages = [\"stage train=layer.2\"]\n", 3));
    const auto child = network_of("child");
    ASSERT_TRUE(child);
    EXPECT_EQ(child->layers[0][1].weight, network->layers[0][1].weight);
    EXPECT_NE(child->layers[2][0].weight, network->layers[2][0].weight);
    EXPECT_EQ(child->info.history.at("parent"), parent.string());
}

TEST_F(DenseTasks, GoesOnToTheSameBits) {
    for (const char* kind : {"adamw", "adadelta"}) {
        const std::string optimiser = fmt::format("kind = \"{}\"\n", kind);
        const std::string whole = fmt::format("whole-{}", kind);
        const std::string parts = fmt::format("parts-{}", kind);
        run(recipe(whole, kSmallDense, "result_weight = 0.3", optimiser));
        run(recipe(parts, kSmallDense, "result_weight = 0.3", optimiser));
        // Killed after the checkpoint at 14.
        fs::remove(last_checkpoint(folder_ / parts));
        fs::remove(folder_ / parts / "network.safetensors");
        TrainOptions resume;
        resume.resume = true;
        EXPECT_EQ(run(recipe(parts, kSmallDense, "result_weight = 0.3", optimiser), resume).step, 20U);
        const auto once = nets::read_tensors(last_checkpoint(folder_ / whole));
        const auto again = nets::read_tensors(last_checkpoint(folder_ / parts));
        ASSERT_TRUE(once && again);
        ASSERT_EQ(once->tensors.size(), again->tensors.size());
        for (const auto& [name, tensor] : once->tensors)
            EXPECT_EQ(tensor.bytes, again->tensors.at(name).bytes) << name;
        EXPECT_TRUE(once->tensors.contains("network.layer.0.block.2.weight"));
        const auto network = network_of(whole);
        const auto network_again = network_of(parts);
        ASSERT_TRUE(network && network_again);
        EXPECT_EQ(nets::content_name(*network), nets::content_name(*network_again));
        EXPECT_EQ(network->info.piece_values, network_again->info.piece_values);
    }
}

TEST_F(DenseTasks, LearnsWhatItsTeacherSays) {
    run(recipe("teacher", kSmallDense, "", "", 60));
    const std::string teacher = (folder_ / "teacher" / "network.safetensors").string();
    const Measurement taught = run(recipe("taught", fmt::format("{}teacher = \"{}\"\n", kSmallDense, teacher),
                                          "loss = \"l2\"", "", 120))
                                   .measured;
    EXPECT_LT(taught.find("loss")->network, 0.5 * taught.find("loss")->constant) << taught.table;
}

TEST(DenseRecipe, ReadsValuesAndDefaults) {
    const auto recipe = parse_recipe(dense_recipe_text("a.games", "run", ""), "r.toml");
    ASSERT_TRUE(recipe) << recipe.error().message;
    const auto& plan = static_cast<const DenseRecipe&>(*recipe->task);
    EXPECT_EQ(plan.shape, nets::dense_shape(set_of("giraffe-363"), {}, {}));
    EXPECT_EQ(plan.target.result_weight, 1);
    EXPECT_TRUE(plan.target.fit_evaluations);
    EXPECT_EQ(plan.loss, DenseLoss::CrossEntropy);
    EXPECT_EQ(plan.largest_difference, 1);
    EXPECT_FALSE(plan.target.scale);
    const auto deep =
        parse_recipe(dense_recipe_text("a.games", "run",
                                       "features = \"bits-773\"\napart = [9, 8, 7, 6]\njoint = [5, 4]\n"),
                     "r.toml");
    ASSERT_TRUE(deep) << deep.error().message;
    EXPECT_EQ(static_cast<const DenseRecipe&>(*deep->task).shape,
              nets::dense_shape(set_of("bits-773"), {{9, 8}, {7, 6}}, {5, 4}));
}

TEST(DenseRecipe, TheShippedOnesAreRead) {
    for (const char* name : {"giraffe-games.toml", "dense-probe.toml"}) {
        const auto recipe = load_recipe(tests::source_dir() / "recipes" / name);
        ASSERT_TRUE(recipe) << recipe.error().message;
        EXPECT_EQ(static_cast<const DenseRecipe&>(*recipe->task).shape.features->name, "giraffe-363");
    }
}

TEST(DenseRecipe, RefusesEachKeyByName) {
    EXPECT_EQ(dense_refusal("featurs = \"bits-773\"\n"),
              "r.toml: line 9: unknown key 'featurs' in [network], did you mean 'features'?");
    EXPECT_EQ(
        dense_refusal("features = \"giraffe\"\n"),
        "r.toml: line 9: 'features' in [network] is wrong: dense feature set 'giraffe' is not known, "
        "expected one of: giraffe-363, giraffe-363-mobility, giraffe-no-maps, giraffe-pieces, bits-773");
    EXPECT_EQ(dense_refusal("apart = [8, 8]\n"),
              "r.toml: line 9: 'apart' in [network] has 2 numbers, expected 3 for each layer: position, "
              "pieces, squares");
    EXPECT_EQ(dense_refusal("joint = [8, 0]\n"),
              "r.toml: line 9: 'joint' in [network] has 0, expected numbers from 1 to 4096");
    EXPECT_EQ(dense_refusal("joint = [8, 8, 8, 8, 8, 8, 8, 8]\n"),
              "r.toml: line 9: 'joint' in [network] is wrong: 9 layers, expected 1 to 8");
    EXPECT_EQ(dense_refusal("", "loss = \"l3\""),
              "r.toml: line 11: 'loss' in [target] is 'l3', expected one of \"cross-entropy\", \"l1\", "
              "\"l2\"");
    EXPECT_EQ(dense_refusal("", "result_weight = 2"),
              "r.toml: line 11: 'result_weight' in [target] is 2, expected a number from 0 to 1");
    EXPECT_EQ(dense_refusal("", "scale = 0"),
              "r.toml: line 11: 'scale' in [target] is 0, expected a number from 1 to 10000");
    EXPECT_EQ(
        dense_refusal("", "scale = 400\nfit_evaluations = true"),
        "r.toml: line 11: 'scale' in [target] stands beside 'fit_evaluations', expected only one of them");
    EXPECT_EQ(dense_refusal("", "", "[export]\nlargest_difference = -1\n"),
              "r.toml: line 26: 'largest_difference' in [export] is -1, expected a number from 0 to 1000000");
}

// White expects 0.9 of one position, 0.25 of another.
TEST(DenseLosses, AreThoseWorkedByHand) {
    const at::Tensor z = torch::tensor({0.5F, -1.0F});
    const at::Tensor wanted = torch::tensor({0.9F, 0.25F});
    const double p = 1 / (1 + std::exp(-1.0));
    const double q = 1 / (1 + std::exp(2.0));
    EXPECT_NEAR(
        dense_loss(DenseLoss::CrossEntropy, z, wanted).item<double>(),
        -(0.9 * std::log(p) + 0.1 * std::log(1 - p) + 0.25 * std::log(q) + 0.75 * std::log(1 - q)) / 2, 1e-6);
    const double first = std::tanh(0.5) - 0.8;
    const double second = std::tanh(-1.0) + 0.5;
    EXPECT_NEAR(dense_loss(DenseLoss::L1, z, wanted).item<double>(), (std::abs(first) + std::abs(second)) / 2,
                1e-6);
    EXPECT_NEAR(dense_loss(DenseLoss::L2, z, wanted).item<double>(), (first * first + second * second) / 2,
                1e-6);
}

TEST(DenseLosses, NoConstantIsBetterThanTheBest) {
    const at::Tensor wanted = torch::tensor({0.9F, 0.25F, 0.5F, 1.0F, 0.8F});
    for (const DenseLoss loss : {DenseLoss::CrossEntropy, DenseLoss::L1, DenseLoss::L2}) {
        const at::Tensor best = best_constant(loss, wanted);
        const double least = dense_loss(loss, best.expand_as(wanted), wanted).item<double>();
        for (const double z : {-1.0, 0.0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1.5})
            EXPECT_LE(least, dense_loss(loss, torch::full_like(wanted, z), wanted).item<double>() + 1e-6);
    }
}

class DenseShapes : public testing::TestWithParam<nets::DenseShape> {};

TEST_P(DenseShapes, TheEngineSaysWhatLibtorchSays) {
    const nets::DenseShape& shape = GetParam();
    at::manual_seed(7);
    DenseModules network(shape);
    nets::DenseNetwork exported = network.exported();
    // Each of libtorch's parameters has a tensor's name of the file, and none is left.
    std::size_t named = 0;
    nets::for_each_weights(exported, [&](const std::string& name, const auto&, const auto& array) {
        const at::Tensor* parameter = network.named_parameters().find(name);
        ASSERT_NE(parameter, nullptr) << name;
        EXPECT_EQ(static_cast<std::size_t>(parameter->numel()), array.size()) << name;
        ++named;
    });
    EXPECT_EQ(named, network.parameters().size());

    const tests::TemporaryFolder folder;
    const fs::path path = folder / "network.safetensors";
    ASSERT_TRUE(nets::save_network(path, exported));
    const std::vector<games::Sample> samples = random_samples(500, 3);
    const auto agreement = compare_with_engine(path, network, shape, samples);
    ASSERT_TRUE(agreement) << agreement.error().message;
    EXPECT_EQ(agreement->positions, samples.size());
    EXPECT_LT(agreement->largest_difference, 0.6) << describe(*agreement);

    // And it can tell.
    exported.layers.back()[0].bias[0] += 0.01F;
    ASSERT_TRUE(nets::save_network(path, exported));
    const auto disagreement = compare_with_engine(path, network, shape, samples);
    ASSERT_TRUE(disagreement);
    EXPECT_NEAR(disagreement->mean_difference, 8, 0.5);
}

INSTANTIATE_TEST_SUITE_P(All, DenseShapes,
                         testing::Values(nets::dense_shape(set_of("giraffe-363"), {{9, 16, 8}}, {12}),
                                         nets::dense_shape(set_of("giraffe-363-mobility"),
                                                           {{3, 5, 7}, {4, 4, 4}}, {}),
                                         nets::dense_shape(set_of("giraffe-pieces"), {}, {}),
                                         nets::dense_shape(set_of("bits-773"), {}, {20, 10})));

}  // namespace
}  // namespace scholar::learning
