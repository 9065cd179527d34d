// ChessNet's networks: trained on games with something to learn, written, and read by the engine.

#include "learning/conv/chess_nets_task.hpp"

#include <ATen/ATen.h>
#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>

#include "chess/movegen.hpp"
#include "evaluators/make.hpp"
#include "learning/conv/policy_logits.hpp"
#include "learning/targets/move_targets.hpp"
#include "learning/training/trainer.hpp"
#include "nets/container/open_network.hpp"
#include "support/random_games.hpp"
#include "support/test_data.hpp"
#include "synthetic_games.hpp"

namespace scholar::learning {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSmallNets = "filters = [16, 16]\nunits = 32\n";

std::string nets_recipe(const fs::path& store, const fs::path& output, const std::string& network, int steps,
                        const std::string& stages = "ply min=2") {
    return fmt::format(R"([data]
stores = ["{}"]
validation_share = 0.1
[sampler]
stages = ["{}"]
shuffle_buffer = 4096
[network]
kind = "chessnet"
{}
[optimiser]
learning_rate = 0.003
[schedule]
kind = "constant"
[run]
batch = 128
steps = {}
validation_positions = 1000
checkpoint_every = 100
validate_every = 1000
threads = 1
output = "{}"
)",
                       store.string(), stages, network, steps, output.string());
}

TEST(ChessNetsTasks, LearnWhichManAndWhichSquareAndWhatItIsWorth) {
    const tests::TemporaryFolder folder;
    const fs::path store = folder / "games.games";
    tests::write_capturing_games(store, 1'500, 5);
    const std::string network = std::string(kSmallNets) +
                                "input = \"board-12\"\npiece_layer = true\nnetworks = [\"value\", \"piece\", "
                                "\"pawn\", \"knight\", \"bishop\", \"rook\", \"queen\", \"king\"]\n";
    auto recipe = parse_recipe(nets_recipe(store, folder / "run", network, 200), "nets.toml");
    ASSERT_TRUE(recipe) << recipe.error().message;
    // It compares what the engine says with libtorch, network by network, and fails if they differ.
    const auto outcome = train(*recipe, {}, {});
    ASSERT_TRUE(outcome) << outcome.error().message;
    const Measurement& measured = outcome->measured;
    for (const char* name : {"loss", "loss of piece", "loss of pawn", "loss of king"})
        EXPECT_LT(measured.find(name)->network, 0.97 * measured.find(name)->constant) << measured.table;
    for (const char* name : {"piece", "pawn in 3", "queen in 10"})
        EXPECT_GT(measured.find(name)->network, measured.find(name)->constant) << measured.table;
    // One side begins without rooks and loses.
    EXPECT_LT(measured.find("squared error of the value")->network,
              0.6 * measured.find("squared error of the value")->constant);
    // Each network's figures are of the positions that are its own.
    std::size_t of_kinds = 0;
    for (const char* name : {"pawn", "knight", "bishop", "rook", "queen", "king"})
        of_kinds += measured.find(name)->samples;
    EXPECT_EQ(of_kinds, measured.find("piece")->samples);

    const auto opened = nets::open_network((folder / "run" / "network.safetensors").string());
    ASSERT_TRUE(opened) << opened.error().message;
    EXPECT_EQ(opened->history().at("recipe"), "nets");
    auto batch = evaluators::make_batch(*opened);
    ASSERT_TRUE(batch) << batch.error().message;
    EXPECT_EQ((*batch)->capacity(), 16U);
    // Asked together and one by one, it says the same.
    base::Random random(3);
    std::vector<chess::Position> positions;
    tests::play_random_game(random, chess::Position(), 16,
                            [&](const chess::Position& position, chess::Move, const chess::Position&) {
                                positions.push_back(position);
                            });
    std::vector<evaluators::Opinion> together;
    for (const chess::Position& position : positions)
        (*batch)->submit(chess::Line(position), chess::legal_moves(position));
    ASSERT_TRUE((*batch)->collect(together));
    for (std::size_t i = 0; i < positions.size(); ++i) {
        const auto& probabilities = together[i].probabilities;
        EXPECT_EQ(probabilities.size(), static_cast<std::size_t>(chess::legal_moves(positions[i]).size()));
        EXPECT_NEAR(std::accumulate(probabilities.begin(), probabilities.end(), 0.0), 1, 1e-5);
        EXPECT_TRUE(together[i].value);
        std::vector<evaluators::Opinion> alone;
        (*batch)->submit(chess::Line(positions[i]), chess::legal_moves(positions[i]));
        ASSERT_TRUE((*batch)->collect(alone));
        for (std::size_t k = 0; k < probabilities.size(); ++k)
            EXPECT_NEAR(alone[0].probabilities[k], probabilities[k], 1e-4);
    }
}

std::string refusal(const std::string& network) {
    const auto recipe = parse_recipe(nets_recipe("a.games", "run", network, 1), "n.toml");
    return recipe ? "no error" : recipe.error().message;
}

TEST(ChessNetsRecipes, RefuseEachKeyByName) {
    EXPECT_EQ(
        refusal("networks = [\"piece\", \"piece\"]\n"),
        "n.toml: line 9: 'networks' in [network] has 'piece, piece', expected some of piece, pawn, knight, "
        "bishop, rook, queen, king, value, each once");
    EXPECT_THAT(refusal("networks = [\"value\"]\ninput = \"board-6+outcome\"\n"),
                testing::HasSubstr("must not see the outcome"));
    EXPECT_THAT(refusal("filters = [4294967360]\n"), testing::HasSubstr("expected a number from 1 to 1024"));
    EXPECT_THAT(refusal("filters = [0]\n"),
                testing::HasSubstr("filters 0, expected a number from 1 to 1024"));
    EXPECT_THAT(refusal("input = \"board-6+piece\"\n"), testing::HasSubstr("expected board-6, board-12"));
    EXPECT_THAT(refusal("input = \"board-6+rating\"\n"),
                testing::HasSubstr("missing key 'rating_least' in [network]"));
    EXPECT_EQ(refusal("unit = 3\n"),
              "n.toml: line 9: unknown key 'unit' in [network], did you mean 'units'?");
}

TEST(ChessNetsRecipes, TheShippedOnesAreRead) {
    for (const char* name :
         {"convchess-laptop.toml", "convchess-paper.toml", "convchess-value.toml", "convchess.toml"}) {
        const auto recipe = load_recipe(tests::source_dir() / "recipes" / name);
        EXPECT_TRUE(recipe) << recipe.error().message;
        // What scholar suite moves asks of are test games by the usual shares: they are not trained on.
        EXPECT_EQ(recipe->data.sampling.shares.test, games::SplitShares{}.test);
    }
}

// Logits as tensors against the same steps one position at a time, promotions among them.
TEST(PolicyLogits, OfSquaresAreWhatTheEngineSays) {
    base::Random random(6);
    std::vector<games::Sample> samples(1);
    samples[0].position = *chess::parse_fen("8/P6k/8/8/8/8/5p2/K7 w - - 0 1");
    tests::play_random_game(random, chess::Position(), 80,
                            [&](const chess::Position& position, chess::Move move, const chess::Position&) {
                                samples.emplace_back().position = position;
                                samples.back().move = move;
                            });
    const auto form = nets::PolicyForm::Squares;
    const MoveTargets targets = played_moves(samples, [](const chess::Position& position, chess::Move move) {
        return policy_place(nets::PolicyForm::Squares, position, move);
    });
    at::manual_seed(8);
    const at::Tensor said = 3 * at::randn({static_cast<std::int64_t>(samples.size()), policy_size(form)});
    const at::Tensor found = at::softmax(policy_logits(form, said, targets.places), 1);
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const auto row = static_cast<std::int64_t>(i);
        std::vector<nets::SquareMove> moves;
        for (const chess::Move move : chess::legal_moves(samples[i].position))
            moves.push_back(nets::square_move(move, samples[i].position.side_to_move()));
        const std::vector<float> expected =
            nets::two_step_probabilities([&](int place) { return said[row][place].item<float>(); }, moves);
        for (std::size_t k = 0; k < moves.size(); ++k)
            EXPECT_NEAR(found[row][static_cast<std::int64_t>(k)].item<float>(), expected[k], 1e-5);
    }
    // Unmasked, each step is among all squares: less likely than among the legal ones.
    const at::Tensor played = targets.wanted.narrow(0, 1, targets.wanted.size(0) - 1);
    const at::Tensor places = targets.places.narrow(0, 1, targets.places.size(0) - 1);
    const at::Tensor logits = said.narrow(0, 1, said.size(0) - 1);
    const double unmasked = unmasked_squares_loss(form, logits, places, played).item<double>();
    EXPECT_GT(unmasked, move_loss(policy_logits(form, logits, places), played).item<double>());
    double by_hand = 0;
    for (std::size_t i = 1; i < samples.size(); ++i) {
        const nets::SquareMove move = nets::square_move(samples[i].move, samples[i].position.side_to_move());
        const at::Tensor row = said[static_cast<std::int64_t>(i)];
        by_hand -=
            at::log_softmax(row.narrow(0, 0, 64), 0)[move.from].item<double>() +
            at::log_softmax(row.narrow(0, nets::to_place(move.from, 0), 64), 0)[move.to].item<double>();
    }
    EXPECT_NEAR(unmasked, by_hand / static_cast<double>(samples.size() - 1), 1e-3);
}

// Source and target against the engine's sums, and libtorch's own losses; gradients against differences.
TEST(PolicyLogits, OfSourceAndTargetAreWhatTheEngineSays) {
    base::Random random(9);
    std::vector<games::Sample> samples(1);
    samples[0].position = *chess::parse_fen("8/P6k/8/8/8/8/5p2/K7 w - - 0 1");
    samples[0].move = chess::Move::promotion(chess::A7, chess::A8, chess::Rook);
    tests::play_random_game(random, chess::Position(), 40,
                            [&](const chess::Position& position, chess::Move move, const chess::Position&) {
                                samples.emplace_back().position = position;
                                samples.back().move = move;
                            });
    const auto form = nets::PolicyForm::SourceTarget;
    const MoveTargets targets = played_moves(samples, [](const chess::Position& position, chess::Move move) {
        return policy_place(nets::PolicyForm::SourceTarget, position, move);
    });
    const auto count = static_cast<std::int64_t>(samples.size());
    at::manual_seed(10);
    at::Tensor said = at::randn({count, policy_size(form)}, at::kDouble);
    const at::Tensor found = policy_logits(form, said, targets.places);
    at::Tensor left = at::empty({count}, at::kLong);
    at::Tensor reached = at::empty({count}, at::kLong);
    double sources = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        const games::Sample& sample = samples[static_cast<std::size_t>(i)];
        const chess::Color side = sample.position.side_to_move();
        const at::Tensor floats = said[i].to(at::kFloat).contiguous();
        const std::span<const float> logits(floats.data_ptr<float>(), 128);
        const chess::MoveList moves = chess::legal_moves(sample.position);
        for (int k = 0; k < moves.size(); ++k)
            EXPECT_NEAR(found[i][k].item<double>(),
                        nets::source_target_logit(logits.first(64), logits.last(64),
                                                  nets::square_move(moves[k], side)),
                        1e-5);
        const nets::SquareMove move = nets::square_move(sample.move, side);
        left[i] = move.from;
        reached[i] = move.to;
        sources += std::ranges::max_element(logits.first(64)) - logits.begin() == move.from ? 1 : 0;
    }
    const auto loss_of = [&](const at::Tensor& of) {
        return unmasked_squares_loss(form, of, targets.places, targets.wanted.to(at::kDouble));
    };
    const at::Tensor expected = at::cross_entropy_loss(said.narrow(1, 0, 64), left) +
                                at::cross_entropy_loss(said.narrow(1, 64, 64), reached);
    EXPECT_NEAR(loss_of(said).item<double>(), expected.item<double>(), 1e-9);
    const auto figures = square_figures(form, said, targets.places, targets.wanted.to(at::kDouble));
    EXPECT_EQ(figures[0].first, "source");
    EXPECT_NEAR(figures[0].second, sources / static_cast<double>(count), 1e-6);

    said.requires_grad_();
    loss_of(said).backward();
    const at::Tensor gradient = said.grad();
    constexpr double step = 1e-4;
    for (int i = 0; i < 50; ++i) {
        const auto row = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(count)));
        const auto column = static_cast<std::int64_t>(random.below(128));
        at::Tensor more = said.detach().clone();
        at::Tensor less = said.detach().clone();
        more[row][column] += step;
        less[row][column] -= step;
        const double slope = (loss_of(more) - loss_of(less)).item<double>() / (2 * step);
        EXPECT_NEAR(gradient[row][column].item<double>(), slope, 1e-7);
    }
}

TEST(ValueTargets, AreComparedAsLibtorchCompares) {
    std::vector<games::Sample> samples(3);
    samples[0].result = 1;
    samples[1].result = 0.5F;
    samples[2].result = 0;
    const at::Tensor wanted = value_targets(samples);
    EXPECT_TRUE(at::equal(wanted, at::tensor({1.0F, 0.0F, -1.0F}).unsqueeze(1)));
    const at::Tensor said = at::tensor({0.3F, -2.0F, 0.1F}).unsqueeze(1);
    EXPECT_NEAR(value_loss(said, wanted).item<double>(), at::mse_loss(at::tanh(said), wanted).item<double>(),
                1e-7);
    // The mean is the best single answer.
    const at::Tensor skewed = at::tensor({1.0F, 1.0F, -1.0F, 0.0F}).unsqueeze(1);
    EXPECT_NEAR(at::tanh(average_value(skewed)).item<double>(), 0.25, 1e-6);
}

TEST(ValueTargets, AreBetweenTheResultAndWhatASearchExpected) {
    std::vector<games::Sample> samples(4);
    for (games::Sample& sample : samples) sample.result = 1;
    // The odds are three to one at 400 · ln 3.
    samples[0].evaluation = games::Evaluation{.centipawns = 439};
    samples[1].evaluation = games::Evaluation{.centipawns = -439};
    samples[2].evaluation = games::Evaluation{.mate = -3};
    const at::Tensor wanted = value_targets(samples, 0.25);
    const auto at_row = [&wanted](int row) { return wanted[row][0].item<double>(); };
    EXPECT_NEAR(at_row(0), 0.25 * 1 + 0.75 * 0.5, 1e-3);
    EXPECT_NEAR(at_row(1), 0.25 * 1 - 0.75 * 0.5, 1e-3);
    EXPECT_NEAR(at_row(2), 0.25 * 1 - 0.75 * 1, 1e-6);
    EXPECT_EQ(at_row(3), 1);
    EXPECT_TRUE(at::equal(value_targets(samples), at::ones({4, 1})));
}

}  // namespace
}  // namespace scholar::learning
