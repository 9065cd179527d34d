#include "learning/linear/linear_task.hpp"

#include <ATen/ATen.h>
#include <filesystem>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "learning/linear/sparse_sums.hpp"
#include "learning/training/trainer.hpp"
#include "nets/linear/linear_file.hpp"
#include "support/test_data.hpp"
#include "synthetic_games.hpp"

namespace scholar::learning {
namespace {

using testing::HasSubstr;

// As libtorch's own operator has it, values and gradient.
TEST(SparseSums, AreThoseOfEmbeddingBag) {
    at::manual_seed(3);
    at::Tensor ours = at::randn({7, 4}).requires_grad_();
    at::Tensor theirs = ours.detach().clone().requires_grad_();
    const at::Tensor indices = at::randint(28, {40}, at::kLong);
    const at::Tensor slopes = at::randn({40});
    const at::Tensor begins = at::tensor({0, 0, 13, 14, 40}, at::kLong);  // the first and the last have none
    const at::Tensor weighed = at::randn({5});
    const at::Tensor sums = sparse_sums(ours, indices, slopes, begins);
    const at::Tensor bags =
        std::get<0>(at::embedding_bag(theirs.reshape({28, 1}), indices, begins, false, 0, false, slopes))
            .squeeze(1);
    EXPECT_TRUE(at::allclose(sums, bags));
    (sums * weighed).sum().backward();
    (bags * weighed).sum().backward();
    EXPECT_TRUE(at::allclose(ours.grad(), theirs.grad()));
    EXPECT_EQ(sums[0].item<float>(), 0);
}

class LinearTasks : public testing::Test {
  protected:
    void SetUp() override { tests::write_random_games(folder_ / "games.games", 600, 7, true); }

    std::string text(const std::string& name, const std::string& network, int steps) const {
        return fmt::format(R"([data]
stores = ["{}"]
validation_share = 0.1
[sampler]
stages = ["ply min=8"]
[network]
kind = "linear"
{}
[optimiser]
learning_rate = 3
[schedule]
kind = "constant"
[run]
batch = 256
steps = {}
validation_positions = 1000
validate_every = 1000
threads = 1
output = "{}"
)",
                           (folder_ / "games.games").string(), network, steps, (folder_ / name).string());
    }
    TrainOutcome run(const std::string& name, const std::string& network = "", int steps = 150) const {
        const auto recipe = parse_recipe(text(name, network, steps), "linear.toml");
        EXPECT_TRUE(recipe) << recipe.error().message;
        auto outcome = train(*recipe, {}, {});
        EXPECT_TRUE(outcome) << outcome.error().message;
        return outcome ? *outcome : TrainOutcome{};
    }
    nets::FloatLinearNetwork network_of(const std::string& name) const {
        return nets::load_float_linear_network(folder_ / name / "network.safetensors").value();
    }

    tests::TemporaryFolder folder_;
};

// Whoever is ahead at the end has won. (That the engine says what libtorch does, a run that disagreed would
// have failed.)
TEST_F(LinearTasks, FindsOutWhatMenAreWorth) {
    const TrainOutcome outcome = run("learnt");
    ASSERT_TRUE(outcome.finished);
    const Measure* loss = outcome.measured.find("loss");
    ASSERT_NE(loss, nullptr);
    EXPECT_LT(loss->network, 0.97 * loss->constant);
    const nets::FloatLinearNetwork network = network_of("learnt");
    EXPECT_GT(network.info.piece_values[chess::Pawn], 1);
    EXPECT_GT(network.info.piece_values[chess::Queen], network.info.piece_values[chess::Pawn]);
}

// A run of one step, which moves each weight by its rate at most, from the paper's start, and on from its
// file.
TEST_F(LinearTasks, BeginsWithWeightsOfOthers) {
    const auto close_to = [](const nets::FloatLinearNetwork& one, const nets::FloatLinearNetwork& other) {
        for (std::size_t i = 0; i < one.weights.size(); ++i)
            if (std::abs(one.weights[i] - other.weights[i]) > 3.01F) return false;  // Adam's first step
        return true;
    };
    run("material", "start = \"material\"", 1);
    EXPECT_TRUE(close_to(network_of("material"), nets::FloatLinearNetwork::material_start()));
    EXPECT_FALSE(close_to(network_of("material"), nets::FloatLinearNetwork::all_pawns()));
    run("on", fmt::format("initial = \"{}\"", (folder_ / "material/network.safetensors").string()), 1);
    EXPECT_TRUE(close_to(network_of("on"), network_of("material")));
    const auto both =
        parse_recipe(text("x", "initial = \"a.safetensors\"\nstart = \"pawns\"", 1), "linear.toml");
    ASSERT_FALSE(both);
    EXPECT_THAT(both.error().message, HasSubstr("'start' in [network] stands beside 'initial'"));
}

// A run that --core-minutes end early leaves a network, and goes on all the same.
TEST_F(LinearTasks, MayBeReadBeforeTheEnd) {
    const auto recipe = parse_recipe(text("read", "", 1'000'000), "linear.toml");
    ASSERT_TRUE(recipe);
    const auto read_at = [&](double core_minutes, bool writes) {
        auto outcome = train(
            *recipe,
            {.resume = true, .or_begin = true, .core_minutes = core_minutes, .writes_unfinished = writes},
            {});
        EXPECT_TRUE(outcome) << outcome.error().message;
        return *outcome;
    };
    const auto file = folder_ / "read" / "network.safetensors";
    EXPECT_GT(read_at(0.01, false).step, 0U);
    EXPECT_FALSE(std::filesystem::exists(file));
    const TrainOutcome first = read_at(0.02, true);
    EXPECT_FALSE(first.finished);
    EXPECT_NE(first.measured.find("loss"), nullptr);
    const nets::FloatLinearNetwork early = network_of("read");
    const TrainOutcome second = read_at(0.04, true);
    EXPECT_FALSE(second.finished);
    EXPECT_GT(second.step, first.step);
    EXPECT_NE(network_of("read").weights, early.weights);
}

}  // namespace
}  // namespace scholar::learning
