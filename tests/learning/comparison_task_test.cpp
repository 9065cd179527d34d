#include "learning/comparison/comparison_task.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <torch/csrc/autograd/autograd.h>
#include <torch/nn/functional/loss.h>
#include <torch/types.h>

#include "base/files.hpp"
#include "chess/fen.hpp"
#include "games/store.hpp"
#include "learning/comparison/comparison_export.hpp"
#include "learning/comparison/comparison_losses.hpp"
#include "learning/comparison/comparison_modules.hpp"
#include "learning/comparison/comparison_tensors.hpp"
#include "learning/comparison/encoder_recipe.hpp"
#include "learning/training/trainer.hpp"
#include "nets/comparison/comparison_file.hpp"
#include "nets/comparison/comparison_runner.hpp"
#include "nets/container/open_network.hpp"
#include "support/random_games.hpp"
#include "support/test_data.hpp"
#include "synthetic_games.hpp"

namespace scholar::learning {
namespace {

namespace fs = std::filesystem;

std::string comparison_recipe_text(const fs::path& store, const fs::path& output, const std::string& network,
                                   const std::string& more = "", int steps = 5,
                                   const std::string& optimiser = "",
                                   const std::string& sampler = "stages = [\"ply min=4\"]") {
    return fmt::format(R"([data]
stores = ["{}"]
validation_share = 0.2
[sampler]
{}
shuffle_buffer = 4096
[network]
{}
[optimiser]
learning_rate = 0.003
{}
[schedule]
kind = "constant"
[run]
batch = 64
steps = {}
validation_positions = 500
checkpoint_every = 1000
validate_every = 1000
threads = 1
output = "{}"
{}
)",
                       store.string(), sampler, network, optimiser, steps, output.string(), more);
}

std::string comparison_refusal(const std::string& network, const std::string& more = "") {
    const auto recipe = parse_recipe(comparison_recipe_text("a.games", "run", network, more), "r.toml");
    return recipe ? "no error" : recipe.error().message;
}

std::vector<SamplePair> random_pairs(std::size_t count, std::uint64_t seed) {
    std::vector<SamplePair> pairs;
    base::Random random(seed);
    while (pairs.size() < count)
        tests::play_random_game(random, chess::Position(), 80,
                                [&](const chess::Position& a, chess::Move, const chess::Position& b) {
                                    SamplePair pair;
                                    pair.won.position = a;
                                    pair.lost.position = b;
                                    pair.lost_first = random.below(2) == 1;
                                    if (random.below(4) == 0) pairs.push_back(pair);
                                });
    return pairs;
}

class ComparisonTasks : public testing::Test {
  protected:
    void SetUp() override { tests::write_capturing_games(folder_ / "games.games", 300, 11); }

    Recipe recipe(const std::string& name, const std::string& network, const std::string& more = "",
                  int steps = 5, const std::string& optimiser = "") const {
        auto parsed = parse_recipe(
            comparison_recipe_text(folder_ / "games.games", folder_ / name, network, more, steps, optimiser),
            "small.toml");
        EXPECT_TRUE(parsed) << parsed.error().message;
        return *parsed;
    }
    Measurement run(const Recipe& recipe) const {
        auto outcome = train(recipe, {}, {});
        EXPECT_TRUE(outcome) << outcome.error().message;
        return outcome ? outcome->measured : Measurement{};
    }
    std::string refusal(const Recipe& recipe) const {
        auto outcome = train(recipe, {}, {});
        return outcome ? "no error" : outcome.error().message;
    }
    std::string file(const std::string& name) const {
        return (folder_ / name / "network.safetensors").string();
    }
    std::shared_ptr<const nets::ComparisonNetwork> network_of(const std::string& name) const {
        const auto opened = nets::open_network(file(name));
        EXPECT_TRUE(opened) << opened.error().message;
        return opened ? opened->as<nets::ComparisonNetwork>() : nullptr;
    }

    tests::TemporaryFolder folder_;
};

// Who has no rooks has lost.
TEST_F(ComparisonTasks, EachFormLearnsWhoHasRooks) {
    for (const std::string form : {"pair", "antisymmetric", "split"}) {
        const Measurement measured = run(recipe(
            form, fmt::format("kind = \"comparison\"\nencoder = [32, 16]\nhead = [16]\nform = \"{}\"", form),
            "", 60));
        ASSERT_NE(measured.find("accuracy"), nullptr);
        EXPECT_GT(measured.find("accuracy")->network, 0.95) << measured.table;
        EXPECT_NEAR(measured.find("accuracy")->constant, 0.5, 0.15);
        EXPECT_LT(measured.find("loss")->network, 0.5 * measured.find("loss")->constant);
        EXPECT_EQ(measured.find("loss")->network, measured.find("cross-entropy")->network);
        if (form != "pair") {
            EXPECT_LT(measured.find("antisymmetry error")->network, 1e-6);
            EXPECT_EQ(measured.find("contradictions")->network, 0);
        } else {
            EXPECT_GT(measured.find("antisymmetry error")->network, 1e-4);
        }
        const auto network = network_of(form);
        ASSERT_TRUE(network);
        EXPECT_EQ(network->info.shape.encoder, (std::vector{32, 16}));
        EXPECT_EQ(nets::to_string(network->info.shape.form), form);
        EXPECT_EQ(network->info.history.at("recipe"), "small");
        EXPECT_EQ(network->info.history.at("teacher"), "none");
        EXPECT_TRUE(network->info.history.contains("validation_accuracy"));
        if (form == "split") {
            EXPECT_GT(network->info.piece_values[chess::Rook], 100);
        }
    }
}

// The encoder is Pos2Vec's, which learnt layer by layer; all is trained on.
TEST_F(ComparisonTasks, BeginsWithTheAutoencoder) {
    const std::string encoder = "encoder = [48, 16]\n";
    const Measurement measured = run(
        recipe("pos2vec", "kind = \"autoencoder\"\n" + encoder, "", 400,
               "stages = [\"stage train=encoder.0+decoder.0\", \"stage from=200 train=encoder.1+decoder.1\", "
               "\"stage from=260\"]"));
    ASSERT_NE(measured.find("men right from 48"), nullptr);
    for (const char* name : {"bits right from 48", "men right from 48", "bits right from 16"})
        EXPECT_GT(measured.find(name)->network, measured.find(name)->constant) << measured.table;
    EXPECT_NEAR(measured.find("loss")->constant, 1, 1e-6);
    EXPECT_LT(measured.find("loss")->network, 0.95);

    const std::string begins =
        fmt::format("kind = \"comparison\"\n{}head = [8]\ninitial = \"{}\"\ninitial_parts = [\"encoder\"]\n",
                    encoder, file("pos2vec"));
    run(recipe("begun", begins, "", 1, "stages = [\"stage train=head\"]"));
    const auto pos2vec = nets::read_tensors(file("pos2vec"));
    ASSERT_TRUE(pos2vec);
    EXPECT_EQ(encoder_units_in(*pos2vec), (std::vector{48, 16}));
    const auto begun = network_of("begun");
    ASSERT_TRUE(begun);
    EXPECT_TRUE(
        std::ranges::equal(begun->encoder[1].weight, pos2vec->tensors.at("encoder.1.weight").as<float>()));
    EXPECT_EQ(begun->info.history.at("parent"), file("pos2vec"));
    run(recipe("trained", begins, "", 1));
    EXPECT_NE(network_of("trained")->encoder[1].weight, begun->encoder[1].weight);
}

// The paper's two steps: first the codes, then the answers.
TEST_F(ComparisonTasks, ASmallOneIsTaughtByALargeOne) {
    run(recipe("large", "kind = \"comparison\"\nencoder = [40, 12]\nhead = [16]", "", 40));
    const std::string teacher = fmt::format("teacher = \"{}\"\n", file("large"));
    const Measurement codes =
        run(recipe("codes", "kind = \"encoder\"\nencoder = [16, 12]\n" + teacher, "", 150));
    EXPECT_NEAR(codes.find("loss")->constant, 1, 0.05);
    EXPECT_LT(codes.find("loss")->network, 0.5) << codes.table;
    const std::string small = fmt::format(
        "kind = \"comparison\"\nencoder = [16, 12]\nhead = [8]\n{}initial = \"{}\"\n"
        "initial_parts = [\"encoder\"]",
        teacher, file("codes"));
    const Measurement measured =
        run(recipe("small", small, "[target]\nteacher_weight = 2\ntemperature = 3", 40));
    EXPECT_GT(measured.find("as the teacher")->network, 0.9) << measured.table;
    EXPECT_GT(measured.find("accuracy")->network, 0.9);
    EXPECT_EQ(network_of("small")->info.history.at("teacher"), file("large"));

    EXPECT_EQ(refusal(recipe("r", "kind = \"encoder\"\nencoder = [16, 11]\n" + teacher)),
              file("large") + ": codes of 12 numbers, expected 11 as the last layer of 'encoder' has");
    const std::string no_teacher = fmt::format("teacher = \"{}\"\n", (folder_ / "none").string());
    EXPECT_NE(refusal(recipe("r", "kind = \"comparison\"\nencoder = [16]\n" + no_teacher)).find("none"),
              std::string::npos);
    EXPECT_EQ(
        refusal(recipe("r", "kind = \"comparison\"\nencoder = [16]\nteacher = \"" + file("codes") + "\"")),
        file("codes") + ": no 'architecture' in the metadata");
}

TEST_F(ComparisonTasks, RefusesBoardsThatWereTurned) {
    auto parsed = parse_recipe(
        comparison_recipe_text(folder_ / "games.games", folder_ / "run",
                               "kind = \"comparison\"\nencoder = [8]", "", 5, "", "stages = [\"mirror\"]"),
        "small.toml");
    ASSERT_TRUE(parsed);
    EXPECT_NE(refusal(*parsed).find("behind 'mirror' nobody knows who was White"), std::string::npos);
}

// The paper's rules, by plain replay of the games.
TEST_F(ComparisonTasks, PairsFollowThePapersRules) {
    tests::write_random_games(folder_ / "games.games", 400, 3);
    auto parsed = parse_recipe(
        comparison_recipe_text(folder_ / "games.games", folder_ / "run",
                               "kind = \"comparison\"\nencoder = [8]", "", 5, "", "rule = \"deepchess\""),
        "small.toml");
    ASSERT_TRUE(parsed) << parsed.error().message;
    struct Place {
        std::size_t game;
        std::size_t ply;
        bool capture;
        games::GameResult result;
    };
    std::map<std::string, std::vector<Place>> places;
    const auto store = games::StoreReader::open(folder_ / "games.games");
    ASSERT_TRUE(store);
    std::size_t games = 0;
    for (std::size_t block = 0; block < store->blocks().size(); ++block) {
        const auto read = store->read_block(block);
        ASSERT_TRUE(read);
        for (std::size_t number = 0; number < read->games(); ++number, ++games) {
            const auto game = read->game(number);
            ASSERT_TRUE(game);
            chess::Position position = game->start;
            for (std::size_t ply = 0; ply < game->moves.size(); ++ply) {
                places[chess::to_fen(position)].push_back(
                    {games, ply, position.is_capture(game->moves[ply]), game->result});
                position.make(game->moves[ply]);
            }
        }
    }
    std::map<games::Split, std::set<std::size_t>> games_of;
    std::set<std::string> pairs_of_passes;
    std::size_t all_pairs = 0;
    for (const games::Split split : {games::Split::Train, games::Split::Validation}) {
        auto source = open_pairs(parsed->sampling(split, 1));
        ASSERT_TRUE(source);
        for (const std::uint64_t pass : {0U, 1U}) {
            (*source)->start_pass(pass);
            Samples samples = (*source)->none();
            ASSERT_TRUE((*source)->next(1'000'000, samples));
            std::map<std::size_t, int> of_game;
            std::set<std::size_t> won_games;
            std::set<std::size_t> lost_games;
            for (const SamplePair& pair : std::get<std::vector<SamplePair>>(samples)) {
                ++all_pairs;
                pairs_of_passes.insert(chess::to_fen(pair.won.position) + chess::to_fen(pair.lost.position));
                for (const bool won : {true, false}) {
                    const auto& at = places.at(chess::to_fen((won ? pair.won : pair.lost).position));
                    if (at.size() != 1) continue;  // no telling which it was
                    EXPECT_GE(at[0].ply, 10U);
                    EXPECT_FALSE(at[0].capture);
                    EXPECT_EQ(at[0].result,
                              won ? games::GameResult::WhiteWins : games::GameResult::BlackWins);
                    EXPECT_LE(++of_game[at[0].game], 10);
                    (won ? won_games : lost_games).insert(at[0].game);
                    games_of[split].insert(at[0].game);
                }
            }
            EXPECT_GT(won_games.size(), 10U);
            for (const std::size_t game : won_games) EXPECT_FALSE(lost_games.contains(game));
        }
    }
    for (const std::size_t game : games_of[games::Split::Validation])
        EXPECT_FALSE(games_of[games::Split::Train].contains(game));
    // Of 400 games the rule takes half, and of these the decisive ones.
    EXPECT_LT(games_of[games::Split::Train].size() + games_of[games::Split::Validation].size(), 240U);
    // A pass pairs anew.
    EXPECT_GT(pairs_of_passes.size(), all_pairs * 9 / 10);
}

TEST(ComparisonRecipe, DefaultsAndShape) {
    const auto recipe = parse_recipe(
        comparison_recipe_text("a.games", "run", "kind = \"comparison\"\nencoder = [9, 8]"), "r");
    ASSERT_TRUE(recipe) << recipe.error().message;
    const auto& plan = static_cast<const ComparisonRecipe&>(*recipe->task);
    EXPECT_EQ(plan.shape, (nets::ComparisonShape{{9, 8}, {}, nets::ComparisonForm::Pair}));
    EXPECT_EQ(plan.teacher_weight, 1);
    EXPECT_EQ(plan.temperature, 2);
    EXPECT_EQ(plan.largest_difference, 0.01);
}

TEST(ComparisonRecipe, TheShippedOnesAreRead) {
    const auto load = [](const std::string& name) {
        auto recipe = load_recipe(tests::source_dir() / "recipes" / name);
        EXPECT_TRUE(recipe) << recipe.error().message;
        return *recipe;
    };
    const std::vector paper{600, 400, 200, 100};
    const std::vector small{100, 100, 100};
    EXPECT_EQ(static_cast<const EncoderRecipe&>(*load("deepchess-pos2vec.toml").task).units, paper);
    EXPECT_EQ(static_cast<const ComparisonRecipe&>(*load("deepchess.toml").task).shape,
              (nets::ComparisonShape{paper, {400, 200, 100}}));
    for (const char* name : {"deepchess-small.toml", "deepchess-distilled.toml"})
        EXPECT_EQ(static_cast<const ComparisonRecipe&>(*load(name).task).shape,
                  (nets::ComparisonShape{small, {100}}));
    EXPECT_EQ(static_cast<const EncoderRecipe&>(*load("deepchess-distilled-codes.toml").task).units, small);
    for (const char* name : {"deepchess-split.toml", "deepchess-both.toml"})
        EXPECT_EQ(static_cast<const ComparisonRecipe&>(*load(name).task).shape.form,
                  nets::ComparisonForm::Split);
}

TEST(ComparisonRecipe, RefusesEachKeyByName) {
    EXPECT_EQ(comparison_refusal("kind = \"comparison\"\nencodr = [8]"),
              "r.toml: line 9: unknown key 'encodr' in [network], did you mean 'encoder'?");
    EXPECT_EQ(comparison_refusal("kind = \"comparison\""), "r.toml: missing key 'encoder' in [network]");
    EXPECT_EQ(comparison_refusal("kind = \"comparison\"\nencoder = [8, 0]"),
              "r.toml: line 9: 'encoder' in [network] has 0, expected numbers from 1 to 4096");
    EXPECT_EQ(comparison_refusal("kind = \"comparison\"\nencoder = [1, 1, 1, 1, 1, 1, 1, 1, 1]"),
              "r.toml: line 9: 'encoder' in [network] is wrong: encoder: 9 layers, expected 8 at most");
    EXPECT_EQ(comparison_refusal("kind = \"comparison\"\nencoder = [8]\nform = \"three\""),
              "r.toml: line 10: 'form' in [network] is 'three', expected one of \"pair\", \"antisymmetric\", "
              "\"split\"");
    EXPECT_NE(comparison_refusal("kind = \"comparison\"\nencoder = [8]", "[target]\ntemperature = 2")
                  .find("'temperature' in [target] stands without 'teacher' in [network], expected one"),
              std::string::npos);
    EXPECT_NE(comparison_refusal("kind = \"comparison\"\nencoder = [8]\nteacher = \"x\"",
                                 "[target]\ntemperature = 0.5")
                  .find("'temperature' in [target] is 0.5, expected a number from 1 to 1000"),
              std::string::npos);
    EXPECT_EQ(comparison_refusal("kind = \"encoder\"\nencoder = [8]"),
              "r.toml: missing key 'teacher' in [network]");
    EXPECT_EQ(
        comparison_refusal("kind = \"autoencoder\"\nencoder = [8]\nteacher = \"x\""),
        "r.toml: line 10: 'teacher' in [network] is there, expected none: an autoencoder learns from what "
        "goes in");
}

// libtorch's cross-entropy of two outputs, and of a softmax of the teacher's at a temperature.
TEST(ComparisonLosses, AreThoseOfASoftmaxOverTwo) {
    at::manual_seed(3);
    const at::Tensor logits = torch::randn({50, 2}, at::kDouble).requires_grad_();
    const at::Tensor teacher = 3 * torch::randn({50, 2}, at::kDouble);
    const at::Tensor better = (torch::rand({50}, at::kDouble) > 0.5).to(at::kDouble);
    const auto z = [](const at::Tensor& of) { return of.select(1, 0) - of.select(1, 1); };
    namespace F = torch::nn::functional;
    const auto expect_same = [&](const at::Tensor& ours, const at::Tensor& theirs) {
        EXPECT_NEAR(ours.item<double>(), theirs.item<double>(), 1e-12);
        const auto gradient = [&](const at::Tensor& loss) {
            return torch::autograd::grad({loss}, {logits}, {}, true).front();
        };
        EXPECT_TRUE(torch::allclose(gradient(ours), gradient(theirs), 1e-9, 1e-12));
    };
    expect_same(comparison_loss(z(logits), better), F::cross_entropy(logits, (1 - better).to(at::kLong)));
    const double temperature = 2.5;
    expect_same(softened_loss(z(logits), z(teacher), temperature),
                -(torch::softmax(teacher / temperature, 1) * torch::log_softmax(logits / temperature, 1))
                     .sum(1)
                     .mean());
}

TEST(ComparisonTensorsTest, WhatIsUnexplainedByHand) {
    const at::Tensor wanted = torch::tensor({{0.0F, 1.0F}, {2.0F, 1.0F}});
    // The mean, (1, 1), leaves 1 of each.
    EXPECT_TRUE(torch::allclose(unexplained(torch::ones({2, 2}), wanted), torch::ones({2})));
    EXPECT_TRUE(torch::allclose(unexplained(torch::zeros({2, 2}), wanted), torch::tensor({1.0F, 5.0F})));
    const at::Tensor bits = torch::tensor({{0.0F, 1.0F}, {1.0F, 1.0F}});
    // Of the second bit nothing is to be said, of the first ln 2.
    const at::Tensor logits = torch::tensor({{0.0F, 20.0F}, {std::log(3.0F), 20.0F}});
    const at::Tensor left = unexplained_bits(logits, bits);
    EXPECT_NEAR(left[0].item<double>(), 1, 1e-6);
    EXPECT_NEAR(left[1].item<double>(), std::log(4.0 / 3) / std::log(2.0), 1e-6);
}

TEST(ComparisonTensorsTest, ReconstructionByHand) {
    games::Sample sample;
    const at::Tensor bits = position_bits(std::vector{sample, sample, sample});
    EXPECT_EQ(bits.sum().item<double>(), 3 * 37);
    at::Tensor logits = 2 * bits - 1;
    logits[1][chess::A2] = -1;          // a white pawn fewer
    logits[2][64 + chess::A2] = 1;      // a knight where a pawn stands
    logits[2][2 * 64 + chess::E4] = 1;  // a bishop where nobody does
    logits[2][768] = -1;                // White not to move
    const Reconstruction found = reconstruction(logits, bits);
    EXPECT_TRUE(torch::allclose(found.bits, torch::tensor({1.0F, 772.0F / 773, 770.0F / 773})));
    EXPECT_TRUE(torch::allclose(found.men, torch::tensor({1.0F, 31.0F / 32, 31.0F / 32})));
    EXPECT_TRUE(torch::allclose(found.boards, torch::tensor({1.0F, 0.0F, 0.0F})));
}

// By hand from the parameters: one layer on the codes of those below, and a stack of two.
TEST(AutoencoderModulesTest, LearnsFromWhatGoesIntoTheLowestThatLearns) {
    at::manual_seed(1);
    AutoencoderModules network({20, 10, 5});
    std::vector<games::Sample> samples;
    for (const SamplePair& pair : random_pairs(20, 5)) samples.push_back(pair.won);
    const at::Tensor bits = position_bits(samples);
    const auto named = network.named_parameters();
    const auto layer = [&](const std::string& name, const at::Tensor& in) {
        return torch::matmul(in, named[name + ".weight"].t()) + named[name + ".bias"];
    };
    const auto train_only = [&](const std::set<std::string>& parts) {
        for (const auto& item : named)
            item.value().set_requires_grad(
                std::ranges::any_of(parts, [&](const std::string& part) { return holds(part, item.key()); }));
    };
    const at::Tensor first = torch::relu(layer("encoder.0", bits));
    const at::Tensor second = torch::relu(layer("encoder.1", first));
    const at::Tensor third = torch::relu(layer("encoder.2", second));
    const auto expect_said = [&](const at::Tensor& expected) {
        const Tensors said = network.forward({bits});
        ASSERT_EQ(said.size(), 1U);
        EXPECT_TRUE(torch::allclose(said[0], expected, 1e-4, 1e-5));
    };
    network.train();
    train_only({"encoder.0", "decoder.0"});
    expect_said(unexplained_bits(layer("decoder.0", first), bits));
    train_only({"encoder.1", "decoder.1"});
    expect_said(unexplained(layer("decoder.1", second), first));
    train_only({"encoder.1", "decoder.1", "encoder.2", "decoder.2"});
    expect_said(unexplained(layer("decoder.1", torch::relu(layer("decoder.2", third))), first));
    network.forward({bits})[0].mean().backward();
    EXPECT_TRUE(named["encoder.1.weight"].grad().defined());
    EXPECT_FALSE(named["encoder.0.weight"].grad().defined());
    network.eval();
    const Tensors measured = network.forward({bits});
    ASSERT_EQ(measured.size(), 1U + 3 * 3);
    const Reconstruction expected =
        reconstruction(layer("decoder.0", torch::relu(layer("decoder.1", second))), bits);
    EXPECT_TRUE(torch::equal(measured[4], expected.bits));
    EXPECT_TRUE(torch::equal(measured[5], expected.men));
}

TEST(ComparisonExport, TheEngineSaysWhatLibtorchSays) {
    const tests::TemporaryFolder folder;
    const fs::path path = folder / "network.safetensors";
    const std::vector<SamplePair> pairs = random_pairs(200, 3);
    for (const nets::ComparisonForm form :
         {nets::ComparisonForm::Pair, nets::ComparisonForm::Antisymmetric, nets::ComparisonForm::Split})
        for (const nets::ComparisonShape& shape : {nets::ComparisonShape{{100, 100, 100}, {100}, form},
                                                   {{30, 7}, {9, 5}, form},
                                                   {{20}, {}, form}}) {
            at::manual_seed(7);
            ComparisonModules network(shape);
            nets::ComparisonNetwork exported = network.exported();
            // Each of libtorch's parameters has a tensor's name of the file, and none is left.
            std::size_t named = 0;
            nets::for_each_weights(exported, [&](const std::string& name, const auto&, const auto& array) {
                const at::Tensor* parameter = network.named_parameters().find(name);
                ASSERT_NE(parameter, nullptr) << name;
                EXPECT_EQ(static_cast<std::size_t>(parameter->numel()), array.size()) << name;
                ++named;
            });
            EXPECT_EQ(named, network.parameters().size());
            ASSERT_TRUE(nets::save_network(path, exported));
            const auto agreement = compare_with_engine(path, network, pairs);
            ASSERT_TRUE(agreement) << agreement.error().message;
            EXPECT_EQ(agreement->pairs, pairs.size());
            EXPECT_LT(agreement->largest_difference, 1e-4) << nets::describe(exported);
            EXPECT_GE(agreement->same_answer, pairs.size() - 2);

            // And it can tell.
            exported.head.back().weight.front() += 1;
            ASSERT_TRUE(nets::save_network(path, exported));
            const auto disagreement = compare_with_engine(path, network, pairs);
            ASSERT_TRUE(disagreement);
            EXPECT_GT(disagreement->largest_difference, 0.01);
        }
}

// The values of as many won as lost positions mean an expected result of ½.
TEST(ComparisonExport, CentresValues) {
    nets::ComparisonNetwork network =
        nets::random_comparison_network({{8}, {}, nets::ComparisonForm::Split}, 3);
    network.head.back().bias.front() = 4;
    const std::vector<SamplePair> pairs = random_pairs(100, 9);
    const double z = nets::logit_plainly(network, pairs[0].won.position, pairs[0].lost.position);
    centre_values(network, pairs);
    EXPECT_NEAR(nets::logit_plainly(network, pairs[0].won.position, pairs[0].lost.position), z, 1e-6);
    nets::ComparisonRunner runner(std::make_shared<const nets::ComparisonNetwork>(network));
    double sum = 0;
    for (const SamplePair& pair : pairs)
        for (const games::Sample* sample : {&pair.won, &pair.lost})
            sum += 1 / (1 + std::exp(-double{runner.value(sample->position)}));
    EXPECT_NEAR(sum / static_cast<double>(2 * pairs.size()), 0.5, 1e-4);
}

}  // namespace
}  // namespace scholar::learning
