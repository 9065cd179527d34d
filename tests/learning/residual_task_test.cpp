#include "learning/conv/residual_task.hpp"

#include <ATen/Context.h>
#include <algorithm>
#include <c10/core/GradMode.h>
#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/types.h>

#include "base/files.hpp"
#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "games/store.hpp"
#include "learning/conv/engine_agreement.hpp"
#include "learning/conv/residual_network.hpp"
#include "learning/run/checkpoint_files.hpp"
#include "learning/training/trainer.hpp"
#include "nets/container/open_network.hpp"
#include "nets/conv/conv_file.hpp"
#include "nets/conv/conv_runner.hpp"
#include "support/random_games.hpp"
#include "support/test_data.hpp"
#include "synthetic_games.hpp"

namespace scholar::learning {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSmallNetwork = "filters = 16\nblocks = 1\nvalue_filters = 4\nvalue_units = 16\n";

std::string recipe_text(const fs::path& store, const fs::path& output, const std::string& network,
                        const std::string& optimiser = "", const std::string& run = "steps = 20\n",
                        const std::string& stages = "ply min=2") {
    return fmt::format(R"([data]
stores = ["{}"]
validation_share = 0.1
[sampler]
stages = ["{}"]
shuffle_buffer = 4096
[network]
kind = "residual"
{}
[optimiser]
learning_rate = 0.01
{}
[schedule]
kind = "constant"
[run]
batch = 64
validation_positions = 500
checkpoint_every = 7
validate_every = 1000
threads = 1
output = "{}"
{}
)",
                       store.string(), stages, network, optimiser, output.string(), run);
}

std::string refusal_of(const std::string& network, const std::string& more = "") {
    const auto recipe =
        parse_recipe(recipe_text("a.games", "run", std::string(kSmallNetwork) + network) + more, "r.toml");
    return recipe ? "no error" : recipe.error().message;
}

class ResidualTasks : public testing::Test {
  protected:
    void SetUp() override { tests::write_capturing_games(folder_ / "games.games", 200, 5); }

    // Of the network `network`, into the folder `name`.
    Recipe recipe(const std::string& name, const std::string& network = kSmallNetwork,
                  const std::string& optimiser = "", const std::string& run = "steps = 20\n") const {
        auto parsed = parse_recipe(
            recipe_text(folder_ / "games.games", folder_ / name, network, optimiser, run), "small.toml");
        EXPECT_TRUE(parsed) << parsed.error().message;
        return *parsed;
    }
    static TrainOutcome run(const Recipe& recipe, const TrainOptions& options = {}) {
        auto outcome = train(recipe, options, {});
        EXPECT_TRUE(outcome) << outcome.error().message;
        return outcome ? *outcome : TrainOutcome{};
    }
    nets::TensorFile checkpoint(const std::string& name) const {
        auto file = nets::read_tensors(last_checkpoint(folder_ / name));
        EXPECT_TRUE(file) << file.error().message;
        return file ? *file : nets::TensorFile{};
    }

    tests::TemporaryFolder folder_;
};

TEST_F(ResidualTasks, LearnsMoreThanConstantsAndChance) {
    tests::write_capturing_games(folder_ / "games.games", 1'500, 5);
    const std::string network =
        std::string(kSmallNetwork) + "moves_left_filters = 4\nmoves_left_units = 16\n";
    const TrainOutcome outcome = run(recipe("run", network, "", "steps = 250\n"));
    ASSERT_TRUE(outcome.finished);
    const Measurement& measured = outcome.measured;
    EXPECT_EQ(measured.line.substr(0, 5), "loss ");
    EXPECT_NE(measured.line.find("first move"), std::string::npos) << measured.line;
    for (const auto& [name, share] : {std::pair{"loss", 0.95},
                                      {"loss of moves", 0.95},
                                      {"loss of results", 0.9},
                                      {"error of the half-moves left", 0.9}}) {
        const Measure* loss = measured.find(name);
        ASSERT_NE(loss, nullptr) << name;
        EXPECT_EQ(loss->samples, 500U);
        EXPECT_LT(loss->network, share * loss->constant) << measured.table;
    }
    double before = 0;
    for (const char* name : {"first move", "in 3 moves", "in 5 moves", "in 10 moves"}) {
        const Measure* share = measured.find(name);
        ASSERT_NE(share, nullptr) << name;
        ASSERT_EQ(share->others.size(), 2U);
        EXPECT_EQ(share->others[0].first, "most frequent");
        EXPECT_EQ(share->others[1].first, "chance");
        EXPECT_GT(share->network, share->constant) << measured.table;
        EXPECT_GT(share->network, 1.1 * share->others[0].second) << measured.table;
        EXPECT_GT(share->network, 1.1 * share->others[1].second) << measured.table;
        EXPECT_GT(share->network, before);
        before = share->network;
    }
    // Chance is one legal move in so many; three results are equally likely.
    EXPECT_NEAR(measured.find("loss of results")->others[1].second, std::log(3), 1e-6);
    // The constant is the best of the three.
    const Measure& moves = *measured.find("loss of moves");
    EXPECT_LT(moves.constant, moves.others[0].second);
    EXPECT_LT(moves.constant, moves.others[1].second);
    const std::string metrics = *base::read_text(folder_ / "run" / "metrics.jsonl");
    EXPECT_NE(metrics.find("\"chance\""), std::string::npos);
    EXPECT_NE(metrics.find("\"most frequent\""), std::string::npos);
}

TEST_F(ResidualTasks, WritesWhatTheEngineReads) {
    run(recipe("run"));
    const auto opened = nets::open_network((folder_ / "run" / "network.safetensors").string());
    ASSERT_TRUE(opened) << opened.error().message;
    const auto network = opened->as<nets::ConvNetwork>();
    ASSERT_TRUE(network);
    EXPECT_EQ(network->info.shape.filters, 16);
    EXPECT_EQ(network->info.shape.value_units, 16);
    const auto& history = network->info.history;
    EXPECT_EQ(history.at("recipe"), "small");
    EXPECT_EQ(history.at("parent"), "none");
    EXPECT_EQ(history.at("positions"), "1280");
    EXPECT_TRUE(history.contains("data_hash"));
    EXPECT_TRUE(history.contains("validation_first_move"));
    EXPECT_TRUE(history.contains("validation_first_move_constant"));
    const std::string metrics = *base::read_text(folder_ / "run" / "metrics.jsonl");
    EXPECT_NE(metrics.find("\"compared_positions\":500"), std::string::npos);
}

// A policy of squares, with all that its input can show, asked for legal moves and for any.
TEST_F(ResidualTasks, LearnsSquares) {
    tests::write_capturing_games(folder_ / "games.games", 1'500, 5);
    for (const bool masked : {true, false}) {
        const std::string text = recipe_text(folder_ / "games.games", folder_ / "squares",
                                             "filters = 16\nblocks = 1\n"
                                             "policy = \"squares\"\npolicy_filters = 8\n"
                                             "input = \"board-18+last-move+attacks+threats+outcome\"\n"
                                             "value = \"none\"\n",
                                             "", "steps = 150\n") +
                                 fmt::format("[target]\nmasked = {}\n", masked);
        auto parsed = parse_recipe(text, "squares.toml");
        ASSERT_TRUE(parsed) << parsed.error().message;
        TrainOptions options;
        options.overwrite = true;
        const Measurement measured = run(*parsed, options).measured;
        EXPECT_LT(measured.find("loss of moves")->network, 0.95 * measured.find("loss of moves")->constant);
    }
}

// The network of "Reinforcement learning in chess", small, and its loss.
constexpr const char* kSmallSourceTarget =
    "filters = 16\nblocks = 2\nsource_blocks = 1\npolicy = \"source-target\"\ninput = \"board-13\"\n"
    "activation = \"prelu\"\nvalue = \"expected\"\nvalue_filters = 1\nvalue_units = 64\n"
    "value_second_units = 64\n";

TEST_F(ResidualTasks, LearnsSourceAndTarget) {
    tests::write_capturing_games(folder_ / "games.games", 1'500, 5);
    for (const bool masked : {true, false}) {
        const std::string text =
            recipe_text(folder_ / "games.games", folder_ / "two", kSmallSourceTarget, "", "steps = 300\n") +
            fmt::format("[target]\nmasked = {}\n", masked);
        auto parsed = parse_recipe(text, "two.toml");
        ASSERT_TRUE(parsed) << parsed.error().message;
        TrainOptions options;
        options.overwrite = true;
        // It compares what the engine says with libtorch, and fails if they differ.
        const Measurement measured = run(*parsed, options).measured;
        const auto beats = [&](const char* name, double share) {
            const Measure* loss = measured.find(name);
            ASSERT_NE(loss, nullptr) << name;
            EXPECT_LT(loss->network, share * loss->constant) << measured.table;
        };
        if (masked) beats("loss of moves", 0.95);
        // Who is not told what is legal takes longer to know more than who is, but has learnt the squares.
        for (const char* name : {"source", "target"}) {
            const Measure& share = *measured.find(name);
            ASSERT_EQ(share.others.front().first, "most frequent");
            EXPECT_TRUE(masked || share.network > 1.3 * share.others.front().second) << measured.table;
        }
        // One side begins without rooks and loses.
        beats("squared error of the value", 0.6);
        EXPECT_NE(measured.line.find("source"), std::string::npos) << measured.line;
        EXPECT_NE(measured.line.find("first move"), std::string::npos) << measured.line;
        // Whoever is told what is legal, or which man moves, is right more often.
        EXPECT_GT(measured.find("legal source")->network, measured.find("source")->network - 0.02);
        EXPECT_GT(measured.find("legal target")->network, measured.find("target")->network - 0.02);
        EXPECT_GT(measured.find("target of the man")->network, measured.find("first move")->network);
        const auto opened = nets::open_network((folder_ / "two" / "network.safetensors").string());
        ASSERT_TRUE(opened) << opened.error().message;
        EXPECT_EQ(opened->as<nets::ConvNetwork>()->info.shape.source_blocks, 1);
        EXPECT_TRUE(opened->history().contains("validation_source"));
    }
}

TEST_F(ResidualTasks, GoesOnToTheSameBits) {
    for (const char* precision : {"f32", "bf16"}) {
        const bool in_two = std::string_view(precision) == "bf16";
        const std::string network = fmt::format(
            "{}precision = \"{}\"\n",
            in_two ? std::string(kSmallSourceTarget) : std::string(kSmallNetwork) + "squeeze = 4\n",
            precision);
        const std::string optimiser = "kind = \"nesterov\"\nweight_decay = 1e-4\n";
        const std::string whole = fmt::format("whole-{}", precision);
        const std::string parts = fmt::format("parts-{}", precision);
        run(recipe(whole, network, optimiser));
        run(recipe(parts, network, optimiser));
        // Killed after the checkpoint at 14.
        fs::remove(last_checkpoint(folder_ / parts));
        fs::remove(folder_ / parts / "network.safetensors");
        fs::remove(folder_ / parts / "network-unfolded.safetensors");
        TrainOptions resume;
        resume.resume = true;
        EXPECT_EQ(run(recipe(parts, network, optimiser), resume).step, 20U);
        const nets::TensorFile once = checkpoint(whole);
        const nets::TensorFile again = checkpoint(parts);
        ASSERT_EQ(once.tensors.size(), again.tensors.size());
        for (const auto& [name, tensor] : once.tensors)
            EXPECT_EQ(tensor.bytes, again.tensors.at(name).bytes) << name;
        EXPECT_TRUE(once.tensors.contains("network.trunk.block.0.norm2.running_var"));
        const auto engine = nets::read_tensors(folder_ / whole / "network.safetensors");
        const auto engine_again = nets::read_tensors(folder_ / parts / "network.safetensors");
        ASSERT_TRUE(engine && engine_again);
        for (const auto& [name, tensor] : engine->tensors)
            EXPECT_EQ(tensor.bytes, engine_again->tensors.at(name).bytes) << name;
    }
}

// Bfloat16 rounds what convolutions read and give, and nothing else: what is learnt is nearly the same.
TEST_F(ResidualTasks, LearnsInBfloat16WhatItLearnsInFloats) {
    if (!nets::processor_has_bf16()) GTEST_SKIP() << "this processor does not multiply bfloat16";
    const auto loss_with = [&](const char* precision) {
        const std::string network = fmt::format("{}precision = \"{}\"\n", kSmallNetwork, precision);
        return run(recipe(precision, network, "", "steps = 60\n")).measured.measures[0];
    };
    const Measure floats = loss_with("f32");
    const Measure rounded = loss_with("bf16");
    EXPECT_NE(floats.network, rounded.network);
    EXPECT_NEAR(floats.network, rounded.network, 0.05 * floats.network);
    EXPECT_LT(rounded.network, rounded.constant);
}

TEST_F(ResidualTasks, AHeadIsLearntOnATrunkOfAnotherRun) {
    run(recipe("parent"));
    const fs::path parent = folder_ / "parent" / "network-unfolded.safetensors";
    const std::string network =
        fmt::format("{}initial = \"{}\"\ninitial_parts = [\"trunk\"]\n", kSmallNetwork, parent.string());
    run(recipe("child", network, "stages = [\"stage train=policy+value\"]\n"));
    const auto before = nets::read_tensors(parent);
    ASSERT_TRUE(before) << before.error().message;
    const nets::TensorFile after = checkpoint("child");
    int frozen = 0;
    for (const auto& [name, tensor] : before->tensors) {
        // The same count in both: so many batches were seen.
        if (name.ends_with("num_batches_tracked")) continue;
        const bool same = after.tensors.at("network." + name).bytes == tensor.bytes;
        EXPECT_EQ(same, name.starts_with("trunk.")) << name;
        frozen += same ? 1 : 0;
    }
    EXPECT_GT(frozen, 10);
    const auto child = nets::open_network((folder_ / "child" / "network.safetensors").string());
    ASSERT_TRUE(child) << child.error().message;
    EXPECT_EQ(child->as<nets::ConvNetwork>()->info.history.at("parent"), parent.string());
}

TEST_F(ResidualTasks, LearnsWhatItsTeacherSays) {
    run(recipe("teacher", kSmallNetwork, "", "steps = 40\n"));
    const fs::path teacher = folder_ / "teacher" / "network-unfolded.safetensors";
    const std::string network = fmt::format("{}teacher = \"{}\"\n", kSmallNetwork, teacher.string());
    const Measurement taught = run(recipe("taught", network, "", "steps = 80\n")).measured;
    // What is first to the teacher is learnt better than it can be foretold what was played.
    const Measurement games = run(recipe("games", kSmallNetwork, "", "steps = 80\n")).measured;
    EXPECT_GT(taught.find("first move")->network, games.find("first move")->network + 0.05);
    EXPECT_LT(taught.find("loss")->network, taught.find("loss")->constant);
}

TEST_F(ResidualTasks, RefusesSamplesWithoutAMove) {
    auto parsed = parse_recipe(recipe_text(folder_ / "games.games", folder_ / "run", kSmallNetwork, "",
                                           "steps = 20\n", "random_move"),
                               "small.toml");
    ASSERT_TRUE(parsed) << parsed.error().message;
    const auto outcome = train(*parsed, {}, {});
    ASSERT_FALSE(outcome);
    EXPECT_EQ(
        outcome.error().message,
        "'stages' in [sampler]: nobody played a move behind random_move, expected samples with the move "
        "that a policy is to learn");
}

TEST(ResidualRecipe, ReadsValuesAndDefaults) {
    const auto recipe = parse_recipe(recipe_text("a.games", "run", "filters = 32\nblocks = 5\n"), "r.toml");
    ASSERT_TRUE(recipe) << recipe.error().message;
    const auto& plan = static_cast<const ResidualRecipe&>(*recipe->task);
    EXPECT_EQ(plan.shape.input, nets::PlanesLayout::Board18);
    EXPECT_EQ(plan.shape.filters, 32);
    EXPECT_EQ(plan.shape.blocks, 5);
    EXPECT_EQ(plan.shape.squeeze, 0);
    EXPECT_EQ(plan.shape.policy, nets::PolicyForm::Convolutional);
    EXPECT_EQ(plan.shape.policy_filters, 32);
    EXPECT_EQ(plan.shape.value, nets::ValueForm::Wdl);
    EXPECT_EQ(plan.precision, nets::Precision::F32);
    EXPECT_EQ(plan.value_weight, 1);
    EXPECT_EQ(plan.largest_difference, 1e-4);
}

TEST(ResidualRecipe, TheShippedOneIsRead) {
    const auto recipe = load_recipe(tests::source_dir() / "recipes" / "policy-small.toml");
    ASSERT_TRUE(recipe) << recipe.error().message;
    EXPECT_EQ(static_cast<const ResidualRecipe&>(*recipe->task).shape.filters, 32);
    // What scholar suite moves asks of are test games by the usual shares: they are not trained on.
    EXPECT_EQ(recipe->data.sampling.shares.test, games::SplitShares{}.test);
}

TEST(ResidualRecipe, ReadsSourceAndTarget) {
    const auto recipe = parse_recipe(recipe_text("a.games", "run", kSmallSourceTarget), "r.toml");
    ASSERT_TRUE(recipe) << recipe.error().message;
    const auto& shape = static_cast<const ResidualRecipe&>(*recipe->task).shape;
    EXPECT_EQ(shape.policy, nets::PolicyForm::SourceTarget);
    EXPECT_EQ(shape.policy_filters, 2);
    EXPECT_EQ(shape.policy_units, 64);
    EXPECT_EQ(shape.source_blocks, 1);
    EXPECT_EQ(shape.activation, nets::ConvActivation::Prelu);
    EXPECT_EQ(shape.value, nets::ValueForm::Expected);
    EXPECT_EQ(shape.value_second_units, 64);
    EXPECT_EQ(refusal_of("policy = \"source-target\"\n"), "r.toml: missing key 'source_blocks' in [network]");
    EXPECT_EQ(refusal_of("policy = \"source-target\"\nsource_blocks = 2\n"),
              "r.toml: line 14: 'source_blocks' in [network] is 2, expected a whole number from 0 to 1");
    EXPECT_EQ(
        refusal_of("activation = \"prelu\"\nsqueeze = 4\n"),
        "r.toml: line 14: 'squeeze' in [network] stands beside activation = \"prelu\", expected only one "
        "of them");
    EXPECT_THAT(refusal_of("source_blocks = 1\n"), testing::HasSubstr("unknown key 'source_blocks'"));
}

TEST(ResidualRecipe, TheShippedOnesOfSourceAndTargetAreRead) {
    for (const auto& [name, blocks] :
         {std::pair{"rl-in-chess", 5}, {"rl-in-chess-annealed", 5}, {"rl-in-chess-paper", 22}}) {
        const auto recipe = load_recipe(tests::source_dir() / "recipes" / (std::string(name) + ".toml"));
        ASSERT_TRUE(recipe) << recipe.error().message;
        const auto& plan = static_cast<const ResidualRecipe&>(*recipe->task);
        EXPECT_EQ(plan.shape.blocks, blocks);
        EXPECT_EQ(plan.shape.policy, nets::PolicyForm::SourceTarget);
        EXPECT_FALSE(plan.masked);
        EXPECT_EQ(recipe->batch, 512U);
        EXPECT_EQ(recipe->data.sampling.shares.folds, 5);
    }
    const auto beside = load_recipe(tests::source_dir() / "recipes" / "rl-in-chess-heads.toml");
    ASSERT_TRUE(beside) << beside.error().message;
    EXPECT_EQ(static_cast<const ResidualRecipe&>(*beside->task).shape.blocks, 5);
}

TEST(ResidualRecipe, RefusesEachKeyByName) {
    const auto missing = parse_recipe(recipe_text("a.games", "run", "filters = 16\n"), "r.toml");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().message, "r.toml: missing key 'blocks' in [network]");
    EXPECT_EQ(refusal_of("squeze = 4\n"),
              "r.toml: line 13: unknown key 'squeze' in [network], did you mean 'squeeze'?");
    EXPECT_EQ(refusal_of("squeeze = 2000\n"),
              "r.toml: line 13: 'squeeze' in [network] is 2000, expected a whole number from 0 to 1024");
    EXPECT_EQ(refusal_of("activation = \"tanh\"\n"),
              "r.toml: line 13: 'activation' in [network] is 'tanh', expected one of \"relu\", \"mish\", "
              "\"prelu\"");
    EXPECT_EQ(
        refusal_of("policy = \"none\"\n"),
        "r.toml: line 13: 'policy' in [network] is 'none', expected one of \"convolutional\", \"dense\", "
        "\"squares\", \"source-target\"");
    EXPECT_EQ(refusal_of("precision = \"f16\"\n"),
              "r.toml: line 13: 'precision' in [network] is 'f16', expected one of \"f32\", \"bf16\"");
    EXPECT_EQ(refusal_of("input = \"lc0-112\"\n"),
              "r.toml: line 13: 'input' in [network] is 'lc0-112', expected board-6, board-12, board-13 or "
              "board-18, "
              "with any of +last-move +attacks +threats +rating +outcome behind it");
    EXPECT_EQ(refusal_of("", "[target]\nmasked = false\n"),
              "r.toml: line 29: 'masked' in [target] stands beside another policy than \"squares\" and "
              "\"source-target\" in [network]");
    EXPECT_EQ(
        refusal_of("input = \"board-18+outcome\"\n"),
        "r.toml: line 13: 'input' in [network] shows the outcome, which must not be seen beside a value, "
        "expected value = \"none\"");
    EXPECT_EQ(
        refusal_of("value = \"none\"\n"),
        "r.toml: line 11: 'value_filters' in [network] stands beside value = \"none\", expected only one "
        "of them");
    EXPECT_EQ(refusal_of("moves_left_units = 8\n"),
              "r.toml: line 13: 'moves_left_units' in [network] stands there without moves_left_filters");
    EXPECT_EQ(refusal_of("", "[target]\nmoves_left_weight = 1\n"),
              "r.toml: line 29: 'moves_left_weight' in [target] stands there without moves_left_filters in "
              "[network]");
    EXPECT_EQ(refusal_of("", "[target]\nvalue_weight = -1\n"),
              "r.toml: line 29: 'value_weight' in [target] is -1, expected a number from 0 to 1000");
    EXPECT_EQ(refusal_of("", "[target]\nresult_weight = 1\n"),
              "r.toml: line 29: 'result_weight' in [target] stands there without value = \"expected\" in "
              "[network]");
    EXPECT_EQ(refusal_of("", "[target]\nresult_wait = 1\n"),
              "r.toml: line 29: unknown key 'result_wait' in [target], expected one of value_weight");
    EXPECT_EQ(refusal_of("", "[export]\nlargest_difference = 2\n"),
              "r.toml: line 29: 'largest_difference' in [export] is 2, expected a number from 0 to 1");
}

// Every shape, with batch norm that has seen something, through its file and as any engine opens it.
class ResidualShapes : public testing::TestWithParam<nets::ConvShape> {};

TEST_P(ResidualShapes, TheEngineSaysWhatLibtorchSays) {
    const nets::ConvShape& shape = GetParam();
    at::manual_seed(7);
    ResidualNetwork network(shape, nets::Precision::F32);
    {
        // Statistics that are neither 0 nor 1, scales of either sign, and logits far enough apart that a
        // wrong one shows.
        const c10::NoGradGuard no_gradients;
        for (auto& item : network.named_buffers())
            if (item.key().ends_with("running_mean"))
                item.value().normal_(0, 0.3);
            else if (item.key().ends_with("running_var"))
                item.value().uniform_(0.3, 2);
        for (auto& item : network.named_parameters())
            if (item.value().dim() == 1) item.value().normal_(0.5, 0.7);
        for (auto& item : network.named_parameters())
            if (item.value().dim() > 1) item.value().mul_(1.5);
    }
    const tests::TemporaryFolder folder;
    const fs::path path = folder / "network.safetensors";
    const auto saved = nets::save_network(path, network.exported());
    ASSERT_TRUE(saved) << saved.error().message;
    std::vector<games::Sample> samples;
    base::Random random(3);
    while (samples.size() < 500)
        tests::play_random_game(random, chess::Position(), 60,
                                [&](const chess::Position& position, chess::Move, const chess::Position&) {
                                    games::Sample sample;
                                    sample.position = position;
                                    if (random.below(4) == 0) samples.push_back(sample);
                                });
    const auto agreement = compare_with_engine(path, network, shape, samples);
    ASSERT_TRUE(agreement) << agreement.error().message;
    EXPECT_EQ(agreement->positions, samples.size());
    EXPECT_LT(agreement->largest_difference, 1e-4) << describe(*agreement, "libtorch");
    EXPECT_LT(agreement->largest_of_results, 1e-4) << describe(*agreement, "libtorch");
    EXPECT_EQ(agreement->largest_of_results > 0, shape.value == nets::ValueForm::Wdl);
    EXPECT_LT(agreement->largest_of_lengths, 1e-4) << describe(*agreement, "libtorch");
    EXPECT_EQ(agreement->largest_of_lengths > 0, shape.moves_left_filters > 0);
    EXPECT_GT(agreement->same_best_move, samples.size() * 99 / 100);

    // And it can tell.
    nets::ConvNetwork other = network.exported();
    for (float& bias : other.policy_second.bias) bias = -bias;
    for (float& bias : other.source.output.bias) bias = -bias;
    for (float& bias : other.value.output.bias) bias += 1;
    for (float& bias : other.moves_left.output.bias) bias += 1;
    ASSERT_TRUE(nets::save_network(path, other));
    const auto disagreement = compare_with_engine(path, network, shape, samples);
    ASSERT_TRUE(disagreement);
    EXPECT_GT(disagreement->largest_difference, 1e-3);
    EXPECT_EQ(disagreement->largest_of_results > 1e-2, shape.value == nets::ValueForm::Expected);
    EXPECT_EQ(disagreement->largest_of_lengths > 1e-3, shape.moves_left_filters > 0);
}

nets::ConvShape shape_with(void (*change)(nets::ConvShape&)) {
    nets::ConvShape shape;
    shape.filters = 16;
    shape.blocks = 2;
    shape.policy_filters = 24;
    shape.value_filters = 5;
    shape.value_units = 20;
    change(shape);
    return shape;
}

INSTANTIATE_TEST_SUITE_P(All, ResidualShapes,
                         testing::Values(shape_with([](nets::ConvShape&) {}),
                                         shape_with([](nets::ConvShape& of) {
                                             of.squeeze = 6;
                                             of.moves_left_filters = 3;
                                             of.moves_left_units = 9;
                                         }),
                                         shape_with([](nets::ConvShape& of) {
                                             of.activation = nets::ConvActivation::Mish;
                                             of.squeeze = 6;
                                         }),
                                         shape_with([](nets::ConvShape& of) {
                                             of.policy = nets::PolicyForm::Dense;
                                             of.policy_filters = 6;
                                         }),
                                         shape_with([](nets::ConvShape& of) {
                                             of.policy = nets::PolicyForm::Squares;
                                             of.activation = nets::ConvActivation::Tanh;
                                             of.input.layers = {.last_move = true,
                                                                .attacks = true,
                                                                .threats = true,
                                                                .rating = true,
                                                                .outcome = true};
                                             of.input.rating_least = 1'000;
                                             of.input.rating_most = 2'000;
                                         }),
                                         shape_with([](nets::ConvShape& of) {
                                             of.activation = nets::ConvActivation::Prelu;
                                             of.input = nets::PlanesLayout::Board13;
                                             of.policy = nets::PolicyForm::SourceTarget;
                                             of.policy_filters = 2;
                                             of.policy_units = 64;
                                             of.source_blocks = 1;
                                             of.value = nets::ValueForm::Expected;
                                             of.value_filters = 1;
                                             of.value_second_units = 64;
                                         }),
                                         shape_with([](nets::ConvShape& of) {
                                             of.activation = nets::ConvActivation::Prelu;
                                             of.value_second_units = 9;
                                         }),
                                         shape_with([](nets::ConvShape& of) {
                                             of.value = nets::ValueForm::None;
                                             of.blocks = 0;
                                         })));

}  // namespace
}  // namespace scholar::learning
