#include "learning/trainer.hpp"

#include <chrono>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "base/files.hpp"
#include "learning/checkpoint.hpp"
#include "learning/survey.hpp"
#include "nets/network_file.hpp"
#include "support/test_data.hpp"
#include "synthetic_games.hpp"

namespace scholar::learning {
namespace {

namespace fs = std::filesystem;

class Trainer : public testing::Test {
  protected:
    void SetUp() override { tests::write_random_games(folder_ / "games.games", 400, 11, true); }

    Recipe recipe(const std::string& run, int steps, const std::string& more = "threads = 1") const {
        auto parsed = parse_recipe(tests::small_recipe(folder_ / "games.games", folder_ / run, steps, more),
                                   "small.toml");
        EXPECT_TRUE(parsed) << parsed.error().message;
        return *parsed;
    }
    static TrainOutcome run(const Recipe& recipe, const TrainOptions& options = {},
                            const std::stop_token& stop = {}) {
        auto outcome = train(recipe, options, stop);
        EXPECT_TRUE(outcome) << outcome.error().message;
        return outcome ? *outcome : TrainOutcome{};
    }
    static std::string bytes(const fs::path& path) { return base::read_text(path).value_or("cannot read"); }
    std::vector<float> trained_weights(const std::string& run) const {
        const auto network = nets::load_float_network(folder_ / run / "network-float.safetensors");
        EXPECT_TRUE(network) << network.error().message;
        return network ? network->transformer : std::vector<float>{};
    }

    tests::TemporaryFolder folder_;
};

TEST_F(Trainer, LearnsMoreThanAConstant) {
    tests::write_random_games(folder_ / "games.games", 3000, 11, true);
    const TrainOutcome outcome = run(recipe("run", 250));
    ASSERT_TRUE(outcome.finished);
    const Comparison& unseen = outcome.validation.unseen.target;
    EXPECT_GT(outcome.validation.unseen.positions, 500U);
    EXPECT_LE(outcome.validation.unseen.positions, outcome.validation.all.positions);
    EXPECT_LT(unseen.network.cross_entropy, 0.97 * unseen.constant.cross_entropy);
    // Material decides these games, so that the material predictor must see more than the constant.
    EXPECT_LT(unseen.material.cross_entropy, 0.9 * unseen.constant.cross_entropy);

    // The files are whole, and the network knows that a queen is worth more than a pawn.
    const auto network = nets::load_network(folder_ / "run" / "network.safetensors");
    ASSERT_TRUE(network) << network.error().message;
    EXPECT_GT(network->info.piece_values[chess::Queen], network->info.piece_values[chess::Pawn]);
    EXPECT_EQ(network->info.history.at("recipe"), "small");
    EXPECT_EQ(network->info.history.at("steps"), "250");
    EXPECT_NE(network->info.history.at("evaluation_scales"), "none");
    EXPECT_TRUE(nets::load_network(folder_ / "run" / "untrained.safetensors"));
    // Every record is one JSON object.
    std::istringstream lines(bytes(folder_ / "run" / "metrics.jsonl"));
    int records = 0;
    for (std::string line; std::getline(lines, line); ++records)
        EXPECT_TRUE(nlohmann::json::parse(line).is_object());
    EXPECT_GT(records, 5);
}

TEST_F(Trainer, ResumesToTheSameBits) {
    for (const std::string threads : {"threads = 1", "threads = 2"}) {
        const std::string whole = "whole" + threads.substr(10);
        const std::string parts = "parts" + threads.substr(10);
        run(recipe(whole, 60, threads));

        // Stopped at the beginning, then after 21 steps (the checkpoint is the one at 21), then to the end.
        std::stop_source stopped;
        stopped.request_stop();
        EXPECT_FALSE(
            train(recipe(parts, 60, threads), {}, stopped.get_token()));  // while it surveys: nothing yet
        fs::remove_all(folder_ / parts);
        run(recipe(parts, 60, threads));
        const auto last = load_checkpoint(folder_ / parts);
        ASSERT_TRUE(last && *last);
        EXPECT_EQ((*last)->checkpoint.model.steps, 60U);
        // Checkpoints come every 7 steps and at the end: the one before is at 56.
        fs::remove(folder_ / parts / "checkpoint.safetensors");
        fs::remove(folder_ / parts / "network-float.safetensors");
        TrainOptions resume;
        resume.resume = true;
        const TrainOutcome outcome = run(recipe(parts, 60, threads), resume);
        EXPECT_TRUE(outcome.finished);
        EXPECT_EQ(trained_weights(whole), trained_weights(parts));
        const auto again = load_checkpoint(folder_ / parts);
        const auto once = load_checkpoint(folder_ / whole);
        ASSERT_TRUE(again && *again && once && *once);
        EXPECT_EQ((*again)->checkpoint.model.transformer.second,
                  (*once)->checkpoint.model.transformer.second);
        EXPECT_EQ((*again)->checkpoint.place, (*once)->checkpoint.place);
        // More than one pass over the data, so that the place in a later pass was restored too.
        EXPECT_GT((*again)->checkpoint.place.epoch, 0U);
    }
}

TEST_F(Trainer, StopsWithACheckpointAndGoesOn) {
    // Stopped from another thread at some step or other.
    const Recipe long_one = recipe("long", 400);
    run(recipe("whole", 400));
    std::stop_source stop;
    std::jthread stopper([&stop, path = folder_ / "long" / "checkpoint.safetensors"](std::stop_token end) {
        while (!end.stop_requested() && !fs::exists(path))
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        stop.request_stop();
    });
    const TrainOutcome stopped = run(long_one, {}, stop.get_token());
    if (!stopped.finished) {
        EXPECT_LT(stopped.step, 400U);
        EXPECT_FALSE(train(long_one, {}, {})) << "a run was overwritten without being asked";
    }
    TrainOptions resume;
    resume.resume = true;
    EXPECT_TRUE(run(long_one, resume).finished);
    EXPECT_EQ(trained_weights("whole"), trained_weights("long"));
}

TEST_F(Trainer, RefusesToResumeAnotherRecipe) {
    run(recipe("run", 14));
    TrainOptions resume;
    resume.resume = true;
    const auto outcome = train(recipe("run", 15), resume, {});
    ASSERT_FALSE(outcome);
    EXPECT_NE(outcome.error().message.find("run.steps was 14 and is 15"), std::string::npos)
        << outcome.error().message;
}

TEST_F(Trainer, RefusesToResumeOnOtherGames) {
    run(recipe("run", 14));
    tests::write_random_games(folder_ / "games.games", 400, 12, true);
    TrainOptions resume;
    resume.resume = true;
    const auto outcome = train(recipe("run", 14), resume, {});
    ASSERT_FALSE(outcome);
    EXPECT_NE(outcome.error().message.find("the games have changed"), std::string::npos)
        << outcome.error().message;
}

TEST_F(Trainer, RefusesAFilterThatLetsNothingThrough) {
    auto nothing = recipe("run", 14);
    nothing.filter.min_ply = 9'000;
    const auto outcome = train(nothing, {}, {});
    ASSERT_FALSE(outcome);
    EXPECT_NE(outcome.error().message.find("passes the filter"), std::string::npos)
        << outcome.error().message;
}

TEST_F(Trainer, RefusesToExportWhatRoundingChangedTooMuch) {
    auto strict = recipe("run", 14);
    strict.largest_difference = 1e-6;
    const auto outcome = train(strict, {}, {});
    ASSERT_FALSE(outcome);
    EXPECT_NE(outcome.error().message.find("differs from the float one"), std::string::npos);
    EXPECT_FALSE(fs::exists(folder_ / "run" / "network.safetensors"));
    EXPECT_TRUE(fs::exists(folder_ / "run" / "network-float.safetensors"));
}

TEST_F(Trainer, SurveyFindsTrainingPositions) {
    const Recipe small = recipe("run", 14);
    fs::create_directories(small.output);
    games::Sampler::Options options;
    options.stores = small.stores;
    options.filter.shares = small.filter.shares;
    options.shuffle_buffer = 1;
    auto sampler = games::Sampler::open(options);
    ASSERT_TRUE(sampler);
    std::vector<games::Sample> samples;
    ASSERT_TRUE(sampler->next(50, samples));
    std::vector<std::uint64_t> keys;
    for (const games::Sample& sample : samples) keys.push_back(sample.position.key());
    keys.push_back(0x1234567812345678ULL);  // no position of a game
    const fs::path cache = small.output / "survey.json";
    for (const char* what : {"made", "from the cache"}) {
        const auto found = survey(small, keys, cache, {});
        ASSERT_TRUE(found) << found.error().message;
        ASSERT_EQ(found->unseen.size(), 51U) << what;
        for (std::size_t i = 0; i < 50; ++i) EXPECT_FALSE(found->unseen[i]) << what;
        EXPECT_TRUE(found->unseen[50]) << what;
        ASSERT_EQ(found->scales.producers.size(), 1U);
        EXPECT_EQ(found->scales.producers[0].producer, "Counter");
        EXPECT_GT(found->scales.producers[0].positions, 1000);
    }
}

}  // namespace
}  // namespace scholar::learning
