#include "learning/dense/dense_moves_task.hpp"

#include <ATen/Context.h>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <torch/types.h>

#include "base/files.hpp"
#include "base/random.hpp"
#include "chess/movegen.hpp"
#include "learning/dense/dense_modules.hpp"
#include "learning/dense/dense_move_tensors.hpp"
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
using nets::DenseOutput;

constexpr const char* kSmallMoves =
    "moves = \"giraffe-moves-turned\"\napart = [8, 16, 8, 16]\njoint = [16]\n";

std::string moves_recipe_text(const fs::path& store, const fs::path& output, const std::string& network,
                              const std::string& target, const std::string& optimiser, int steps = 20) {
    return fmt::format(R"([data]
stores = ["{}"]
validation_share = 0.1
[sampler]
shuffle_buffer = 4096
[network]
kind = "dense-moves"
{}
[target]
{}
[optimiser]
{}
[schedule]
kind = "constant"
[run]
batch = 64
steps = {}
validation_positions = 500
checkpoint_every = {}
validate_every = 1000
threads = 1
output = "{}"
)",
                       store.string(), network, target, optimiser, steps, steps > 20 ? 1'000 : 7,
                       output.string());
}

nets::DenseShape moves_shape(const char* features, const std::vector<std::vector<int>>& apart,
                             const std::vector<int>& joint, DenseOutput output,
                             const char* moves = "giraffe-moves") {
    return nets::dense_shape(**nets::find_dense_feature_set(features), apart, joint,
                             *nets::find_dense_move_set(moves), output);
}

// Positions of random games and the moves made there.
std::vector<games::Sample> played_samples(std::size_t count, std::uint64_t seed) {
    std::vector<games::Sample> samples;
    base::Random random(seed);
    while (samples.size() < count)
        tests::play_random_game(random, chess::Position(), 60,
                                [&](const chess::Position& before, chess::Move move, const chess::Position&) {
                                    if (random.below(8) != 0 || samples.size() == count) return;
                                    games::Sample sample;
                                    sample.position = before;
                                    sample.move = move;
                                    samples.push_back(sample);
                                });
    return samples;
}

// z of each legal move by plain loops, one position's.
std::vector<double> plain_judgement(const nets::DenseNetwork& network, const chess::Position& position,
                                    const std::vector<int>& places) {
    const nets::DenseShape& shape = network.info.shape;
    const chess::MoveList moves = chess::legal_moves(position);
    std::vector<double> z;
    const nets::MoveView view(*shape.moves, position);
    for (int i = 0; i < moves.size(); ++i) {
        std::vector<float> inputs(static_cast<std::size_t>(shape.inputs()));
        shape.features->encode(view.position(),
                               std::span(inputs).first(static_cast<std::size_t>(shape.features->size())));
        float* const of_move = inputs.data() + shape.features->size();
        shape.moves->encode_to(view.position(), view.of(moves[i]), of_move);
        const int place = places[static_cast<std::size_t>(i)];
        if (place != nets::kNoPlace) of_move[shape.moves->described + nets::place_input(place)] = 1;
        z.push_back(nets::dense_output(network, inputs));
    }
    return z;
}

std::vector<int> places_by(const std::vector<double>& z) {
    std::vector<int> places;
    for (const double one : z)
        places.push_back(
            static_cast<int>(std::ranges::count_if(z, [one](double other) { return other > one; })));
    return places;
}

// Both judgements of a position, each its part of the loss, written as the paper's reader would.
double plain_loss(DenseMovesLoss loss, const nets::DenseNetwork& network, const games::Sample& sample,
                  const std::vector<int>& places) {
    const chess::MoveList moves = chess::legal_moves(sample.position);
    double total = 0;
    for (const auto& of : {std::vector<int>(places.size(), nets::kNoPlace), places}) {
        const std::vector<double> z = plain_judgement(network, sample.position, of);
        double sum = 0;
        for (const double one : z) sum += std::exp(one);
        for (int i = 0; i < moves.size(); ++i) {
            const double one = z[static_cast<std::size_t>(i)];
            const bool best = moves[i] == sample.move;
            if (loss == DenseMovesLoss::Softmax)
                total -= best ? one - std::log(sum) : 0;
            else
                total += std::log(1 + std::exp(best ? -one : one));
        }
    }
    return total / 2;
}

struct MovesCase {
    nets::DenseShape shape;
    DenseMovesLoss loss;
};
class DenseMovesModels : public testing::TestWithParam<MovesCase> {};

// What libtorch says is what plain loops say; its loss is that by hand; and its gradient that of differences.
TEST_P(DenseMovesModels, SayAndLearnWhatPlainArithmeticSays) {
    const auto& [shape, loss] = GetParam();
    at::manual_seed(5);
    DenseMoveModules network(shape);
    // Biases too.
    for (at::Tensor& each : network.parameters()) each.data().add_(0.02 * at::randn_like(each));
    const nets::DenseNetwork exported = network.exported();
    const std::vector<games::Sample> samples = played_samples(12, 3);
    const Tensors said = network.forward(dense_move_inputs(shape, samples));
    std::vector<std::vector<int>> places;
    double expected = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const auto count = static_cast<std::size_t>(chess::count_legal_moves(samples[i].position));
        const std::vector<int> none(count, nets::kNoPlace);
        const std::vector<double> first = plain_judgement(exported, samples[i].position, none);
        places.push_back(places_by(first));
        const std::vector<double> second = plain_judgement(exported, samples[i].position, places.back());
        for (std::size_t k = 0; k < count; ++k) {
            EXPECT_NEAR(said[0][static_cast<std::int64_t>(i)][static_cast<std::int64_t>(k)].item<double>(),
                        first[k], 1e-4);
            EXPECT_NEAR(said[1][static_cast<std::int64_t>(i)][static_cast<std::int64_t>(k)].item<double>(),
                        second[k], 1e-4);
        }
        EXPECT_TRUE(std::isinf(
            said[1][static_cast<std::int64_t>(i)][static_cast<std::int64_t>(count)].item<double>()));
        expected += plain_loss(loss, exported, samples[i], places.back());
    }
    const Tensors targets = dense_move_targets(samples);
    const at::Tensor total =
        (dense_move_loss(loss, said[0], targets) + dense_move_loss(loss, said[1], targets)) / 2;
    const auto positions = static_cast<double>(samples.size());
    EXPECT_NEAR(total.item<double>(), expected / positions, 1e-4 * expected / positions);

    total.backward();
    base::Random random(9);
    nets::DenseNetwork changed = exported;
    nets::for_each_weights(changed, [&](const std::string& name, const auto&, std::vector<float>& array) {
        const at::Tensor gradient = network.named_parameters().find(name)->grad().flatten();
        for (int time = 0; time < 3; ++time) {
            const auto at = static_cast<std::size_t>(random.below(array.size()));
            const float before = array[at];
            const auto loss_with = [&](float weight) {
                array[at] = weight;
                double sum = 0;
                for (std::size_t i = 0; i < samples.size(); ++i)
                    sum += plain_loss(loss, changed, samples[i], places[i]);
                return sum / positions;
            };
            constexpr float kStep = 1e-3F;
            const float above = before + kStep;
            const float below = before - kStep;
            const double difference = (loss_with(above) - loss_with(below)) / (above - below);
            array[at] = before;
            EXPECT_NEAR(gradient[static_cast<std::int64_t>(at)].item<double>(), difference,
                        2e-3 + 0.02 * std::abs(difference))
                << name << " " << at;
        }
    });
}

INSTANTIATE_TEST_SUITE_P(
    All, DenseMovesModels,
    testing::Values(
        MovesCase{moves_shape("giraffe-363", {{9, 16, 8, 12}}, {12, 8}, DenseOutput::Logistic),
                  DenseMovesLoss::CrossEntropy},
        MovesCase{moves_shape("giraffe-no-maps", {{3, 5, 7}, {4, 4, 4}}, {6}, DenseOutput::Softmax),
                  DenseMovesLoss::Softmax},
        MovesCase{moves_shape("bits-773", {}, {10}, DenseOutput::Logistic, "giraffe-moves-turned"),
                  DenseMovesLoss::CrossEntropy}));

TEST(DenseMovesLosses, NoConstantIsBetterThanTheBest) {
    const std::vector<games::Sample> samples = played_samples(30, 8);
    const Tensors targets = dense_move_targets(samples);
    for (const DenseMovesLoss loss : {DenseMovesLoss::CrossEntropy, DenseMovesLoss::Softmax}) {
        const auto of_all = [&](const at::Tensor& z) {
            return dense_move_loss(loss, z.expand_as(targets[0]), targets).item<double>();
        };
        const double least = of_all(best_move_constant(loss, targets));
        for (const float z : {-5.0F, -4.0F, -3.5F, -3.0F, -2.5F, -2.0F, 0.0F})
            EXPECT_LE(least, of_all(torch::tensor({{z}})) + 1e-6);
    }
}

class DenseMovesTasks : public testing::Test {
  protected:
    void SetUp() override { tests::write_capturing_games(folder_ / "games.games", 150, 11); }

    Recipe recipe(const std::string& name, const std::string& target, const std::string& optimiser,
                  int steps = 20) const {
        auto parsed = parse_recipe(
            moves_recipe_text(folder_ / "games.games", folder_ / name, kSmallMoves, target, optimiser, steps),
            "small.toml");
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

TEST_F(DenseMovesTasks, LearnMoreThanTheConstantAndWriteWhatTheEngineReads) {
    for (const char* loss : {"cross-entropy", "softmax"}) {
        const TrainOutcome outcome = run(
            recipe(loss, fmt::format("loss = \"{}\"", loss), "kind = \"adam\"\nlearning_rate = 0.01", 120));
        ASSERT_TRUE(outcome.finished);
        const Measurement& measured = outcome.measured;
        const Measure& own = *measured.find("loss");
        EXPECT_LT(own.network, 0.95 * own.constant) << measured.table;
        const Measure& first = *measured.find("first move");
        EXPECT_GT(first.network, 1.5 * first.constant) << measured.table;
        const auto opened = nets::open_network((folder_ / loss / "network.safetensors").string());
        ASSERT_TRUE(opened) << opened.error().message;
        const auto network = opened->as<nets::DenseNetwork>();
        ASSERT_TRUE(network);
        EXPECT_EQ(to_string(network->info.shape.output),
                  std::string(loss) == "softmax" ? "softmax" : "logistic");
        EXPECT_EQ(network->info.history.at("validation_first_move"), show_measure(first.network));
        const std::string metrics = *base::read_text(folder_ / loss / "metrics.jsonl");
        EXPECT_NE(metrics.find("\"compared_positions\":500"), std::string::npos);
    }
}

TEST_F(DenseMovesTasks, GoOnToTheSameBits) {
    const std::string optimiser = "kind = \"adadelta\"\nlearning_rate = 1";
    run(recipe("whole", "", optimiser));
    run(recipe("parts", "", optimiser));
    // Killed after the checkpoint at 14.
    fs::remove(last_checkpoint(folder_ / "parts"));
    fs::remove(folder_ / "parts" / "network.safetensors");
    TrainOptions resume;
    resume.resume = true;
    EXPECT_EQ(run(recipe("parts", "", optimiser), resume).step, 20U);
    EXPECT_EQ(nets::open_network((folder_ / "whole" / "network.safetensors").string())->content_name(),
              nets::open_network((folder_ / "parts" / "network.safetensors").string())->content_name());
}

TEST(DenseMovesRecipes, AreReadOrRefusedByName) {
    const auto refusal = [](const std::string& network, const std::string& target) {
        const auto recipe =
            parse_recipe(moves_recipe_text("a.games", "run", network, target, "learning_rate = 1"), "r.toml");
        return recipe ? "no error" : recipe.error().message;
    };
    EXPECT_EQ(
        refusal("moves = \"giraffe\"\n", ""),
        "r.toml: line 8: 'moves' in [network] is wrong: set of numbers of moves 'giraffe' is not known, "
        "expected one of: giraffe-moves, giraffe-moves-attacks, giraffe-moves-turned");
    EXPECT_EQ(
        refusal("apart = [8, 8, 8]\n", ""),
        "r.toml: line 8: 'apart' in [network] has 3 numbers, expected 4 for each layer: position, pieces, "
        "squares, move");
    EXPECT_EQ(refusal("", "loss = \"l1\""),
              "r.toml: line 10: 'loss' in [target] is 'l1', expected one of \"cross-entropy\", \"softmax\"");
    const auto shipped = load_recipe(tests::source_dir() / "recipes" / "giraffe-moves.toml");
    ASSERT_TRUE(shipped) << shipped.error().message;
    const auto& plan = static_cast<const DenseMovesRecipe&>(*shipped->task);
    EXPECT_EQ(plan.shape.features->name, "giraffe-363");
    EXPECT_EQ(plan.shape.moves->name, "giraffe-moves-turned");
}

}  // namespace
}  // namespace scholar::learning
