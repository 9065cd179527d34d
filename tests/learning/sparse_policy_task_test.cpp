#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/files.hpp"
#include "learning/run/checkpoint_files.hpp"
#include "learning/sparse_policy/policy_task.hpp"
#include "learning/training/trainer.hpp"
#include "nets/container/open_network.hpp"
#include "nets/sparse_policy/sparse_policy_file.hpp"
#include "support/test_data.hpp"
#include "synthetic_games.hpp"

namespace scholar::learning {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSmallPolicy =
    "width = 64\nactivation = \"paired\"\noutputs = \"circumstances\"\npiece_values = \"<embedded>\"\n";

std::string policy_recipe(const fs::path& store, const fs::path& output,
                          const std::string& network = kSmallPolicy, const std::string& run = "steps = 20\n",
                          const std::string& more = "", const std::string& stages = "ply min=2") {
    return fmt::format(R"([data]
stores = ["{}"]
validation_share = 0.1
[sampler]
stages = ["{}"]
shuffle_buffer = 4096
[network]
kind = "sparse-policy"
{}
[optimiser]
learning_rate = 0.01
[schedule]
kind = "constant"
[run]
batch = 256
validation_positions = 500
checkpoint_every = 7
validate_every = 1000
threads = 1
output = "{}"
{}
{})",
                       store.string(), stages, network, output.string(), run, more);
}

std::string policy_refusal_of(const std::string& network, const std::string& more = "") {
    const auto recipe =
        parse_recipe(policy_recipe("a.games", "run", network, "steps = 20\n", more), "r.toml");
    return recipe ? "no error" : recipe.error().message;
}

class SparsePolicyTasks : public testing::Test {
  protected:
    void SetUp() override { tests::write_capturing_games(folder_ / "games.games", 300, 5); }

    Recipe recipe(const std::string& name, const std::string& network = kSmallPolicy,
                  const std::string& run = "steps = 20\n") const {
        auto parsed =
            parse_recipe(policy_recipe(folder_ / "games.games", folder_ / name, network, run), "small.toml");
        EXPECT_TRUE(parsed) << parsed.error().message;
        return *parsed;
    }
    static TrainOutcome run(const Recipe& recipe, const TrainOptions& options = {}) {
        auto outcome = train(recipe, options, {});
        EXPECT_TRUE(outcome) << outcome.error().message;
        return outcome ? *outcome : TrainOutcome{};
    }

    tests::TemporaryFolder folder_;
};

TEST_F(SparsePolicyTasks, LearnsMoreThanConstantsAndWritesWhatTheEngineReads) {
    const TrainOutcome outcome = run(recipe("run", kSmallPolicy, "steps = 150\n"));
    ASSERT_TRUE(outcome.finished);
    const Measurement& measured = outcome.measured;
    EXPECT_EQ(measured.line.substr(0, 14), "loss of moves ");
    EXPECT_NE(measured.line.find("first move"), std::string::npos) << measured.line;
    const Measure& loss = *measured.find("loss of moves");
    EXPECT_EQ(loss.samples, 500U);
    EXPECT_LT(loss.network, 0.8 * loss.constant) << measured.table;
    ASSERT_EQ(loss.others.size(), 2U);
    for (const auto& [name, value] : loss.others) EXPECT_LT(loss.constant, value) << name;
    for (const char* name : {"first move", "in 3 moves", "in 5 moves", "in 10 moves"}) {
        const Measure& share = *measured.find(name);
        EXPECT_GT(share.network, share.constant) << measured.table;
        EXPECT_GT(share.network, 1.1 * share.others[0].second) << measured.table;
        EXPECT_GT(share.network, 1.1 * share.others[1].second) << measured.table;
    }
    const auto opened = nets::open_network((folder_ / "run" / "network.safetensors").string());
    ASSERT_TRUE(opened) << opened.error().message;
    const auto network = opened->as<nets::SparsePolicyNetwork>();
    ASSERT_TRUE(network);
    EXPECT_EQ(network->info.architecture.width, 64);
    EXPECT_EQ(network->info.piece_values, *nets::open_network("<embedded>")->piece_values());
    EXPECT_EQ(network->info.history.at("recipe"), "small");
    EXPECT_EQ(network->info.history.at("piece_values_of"), "<embedded>");
    EXPECT_EQ(network->info.history.at("validation_first_move"),
              show_measure(measured.find("first move")->network));
    const std::string metrics = *base::read_text(folder_ / "run" / "metrics.jsonl");
    EXPECT_NE(metrics.find("\"compared_positions\":500"), std::string::npos);

    // What was learnt is what another run may begin with.
    const fs::path parent = folder_ / "run" / "network-float.safetensors";
    const TrainOutcome child = run(
        recipe("child", fmt::format("{}initial = \"{}\"\n", kSmallPolicy, parent.string()), "steps = 1\n"));
    EXPECT_LT(child.measured.find("loss of moves")->network, 1.1 * loss.network);
    const auto other =
        train(recipe("other", fmt::format("width = 32\ninitial = \"{}\"\n", parent.string())), {}, {});
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().message,
              parent.string() +
                  ": 768 → 64 → 32 × 8848, paired, circumstances, expected 768 → 32 → 32 × 7768, squared, "
                  "exchanges as the recipe says");
}

TEST_F(SparsePolicyTasks, GoesOnToTheSameBits) {
    run(recipe("whole"));
    run(recipe("parts"));
    // Killed after the checkpoint at 14.
    fs::remove(last_checkpoint(folder_ / "parts"));
    fs::remove(folder_ / "parts" / "network.safetensors");
    fs::remove(folder_ / "parts" / "network-float.safetensors");
    TrainOptions resume;
    resume.resume = true;
    EXPECT_EQ(run(recipe("parts"), resume).step, 20U);
    const auto once = nets::read_tensors(last_checkpoint(folder_ / "whole"));
    const auto again = nets::read_tensors(last_checkpoint(folder_ / "parts"));
    ASSERT_TRUE(once && again);
    ASSERT_EQ(once->tensors.size(), 12U);
    for (const auto& [name, tensor] : once->tensors)
        EXPECT_EQ(tensor.bytes, again->tensors.at(name).bytes) << name;
    EXPECT_EQ(nets::open_network((folder_ / "whole" / "network.safetensors").string())->content_name(),
              nets::open_network((folder_ / "parts" / "network.safetensors").string())->content_name());
}

TEST_F(SparsePolicyTasks, RefusesSamplesAndNetworksInOneLine) {
    const auto refusal = [this](const std::string& network, const std::string& stages) {
        const auto parsed = parse_recipe(
            policy_recipe(folder_ / "games.games", folder_ / "run", network, "steps = 20\n", "", stages),
            "small.toml");
        EXPECT_TRUE(parsed) << parsed.error().message;
        const auto outcome = train(*parsed, {}, {});
        return outcome ? "" : outcome.error().message;
    };
    EXPECT_NE(refusal(kSmallPolicy, "random_move").find("nobody played a move behind random_move"),
              std::string::npos);
    EXPECT_EQ(refusal("width = 32\npiece_values = \"<random:1>\"\n", "ply min=2"),
              "'piece_values' in [network]: <random:1> has learnt none, expected a network that has");
    EXPECT_NE(refusal("width = 32\npiece_values = \"/none\"\n", "ply min=2")
                  .find("'piece_values' in [network]: /none: cannot open"),
              std::string::npos);
}

TEST(SparsePolicyRecipeTest, RefusesEachKeyByName) {
    EXPECT_EQ(policy_refusal_of("width = 40\n"),
              "r.toml: line 9: 'width' in [network] is 40, expected a multiple of 32");
    EXPECT_EQ(
        policy_refusal_of("width = 64\noutputs = \"all\"\n"),
        "r.toml: line 10: 'outputs' in [network] is wrong: outputs 'all' are not known, expected one of: "
        "moves, exchanges, circumstances");
    EXPECT_EQ(policy_refusal_of("width = 64\noutput_buckets = 8\n").substr(0, 52),
              std::string("r.toml: line 10: unknown key 'output_buckets' in [network]").substr(0, 52));
    EXPECT_EQ(policy_refusal_of("", ""), "r.toml: missing key 'width' in [network]");
    EXPECT_NE(policy_refusal_of(kSmallPolicy, "[export]\nlargest_mean_difference = 2\n")
                  .find("expected a number from 0 to 1"),
              std::string::npos);
}

TEST(SparsePolicyRecipeTest, TheShippedOneIsRead) {
    const auto recipe = load_recipe(tests::source_dir() / "recipes" / "policy-sparse.toml");
    ASSERT_TRUE(recipe) << recipe.error().message;
    EXPECT_EQ(static_cast<const SparsePolicyRecipe&>(*recipe->task).piece_values, "<embedded>");
    // What scholar suite moves asks of are test games by the usual shares: they are not trained on.
    EXPECT_EQ(recipe->data.sampling.shares.test, games::SplitShares{}.test);
}

}  // namespace
}  // namespace scholar::learning
