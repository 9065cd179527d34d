#include "learning/training/trainer.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "base/files.hpp"
#include "chess/mirror.hpp"
#include "learning/perspective/model_file.hpp"
#include "learning/perspective/perspective_recipe.hpp"
#include "learning/perspective/validation.hpp"
#include "learning/run/checkpoint_files.hpp"
#include "learning/run/run_shell.hpp"
#include "learning/targets/survey.hpp"
#include "learning/training/checkpoint.hpp"
#include "nets/container/tensor_file.hpp"
#include "nets/perspective/network_file.hpp"
#include "support/test_data.hpp"
#include "synthetic_games.hpp"

namespace scholar::learning {
namespace {

namespace fs = std::filesystem;

// A checkpoint as a whole: what the loop and what the task has put there.
struct RunCheckpoint {
    TrainingProgress progress;
    ModelState model;
};

base::Result<std::optional<Loaded<RunCheckpoint>>> load_run_checkpoint(const fs::path& folder) {
    return read_checkpoint<RunCheckpoint>(folder,
                                          [](const nets::TensorFile& file) -> base::Result<RunCheckpoint> {
                                              auto progress = take_progress(file);
                                              if (!progress) return std::unexpected(progress.error());
                                              auto model = take_model(file);
                                              if (!model) return std::unexpected(model.error());
                                              return RunCheckpoint{std::move(*progress), std::move(*model)};
                                          });
}

const Measure& unseen(const TrainOutcome& outcome) {
    return outcome.measured.measures.front();
}

// The recipe with another network, or other ways to train it.
template <class Change>
Recipe changed(Recipe recipe, Change change) {
    auto task = std::make_shared<PerspectiveRecipe>(perspective_of(recipe));
    change(*task);
    recipe.task = std::move(task);
    return recipe;
}

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
    const Measure& loss = unseen(outcome);
    EXPECT_EQ(loss.name, "unseen, target: cross-entropy");
    EXPECT_GT(loss.samples, 500U);
    const Measure* all = outcome.measured.find("all, target: cross-entropy");
    ASSERT_NE(all, nullptr);
    EXPECT_LE(loss.samples, all->samples);
    EXPECT_LT(loss.network, 0.97 * loss.constant);
    // Material decides these games, so that the material predictor must see more than the constant.
    ASSERT_EQ(loss.others.size(), 1U);
    EXPECT_LT(loss.others[0].second, 0.9 * loss.constant);

    // The files are whole, and the network knows that a queen is worth more than a pawn.
    const auto network = nets::load_network(folder_ / "run" / "network.safetensors");
    ASSERT_TRUE(network) << network.error().message;
    EXPECT_GT(network->info.piece_values[chess::Queen], network->info.piece_values[chess::Pawn]);
    EXPECT_EQ(network->info.history.at("recipe"), "small");
    EXPECT_EQ(network->info.history.at("steps"), "250");
    EXPECT_NE(network->info.history.at("evaluation_scales"), "none");
    EXPECT_TRUE(nets::load_network(folder_ / "run" / "untrained.safetensors"));

    // What the file says of rounding is what comes out of the two files as they were written.
    const auto exact = nets::load_float_network(folder_ / "run" / "network-float.safetensors");
    ASSERT_TRUE(exact) << exact.error().message;
    const auto samples = draw_validation(recipe("run", 250));
    ASSERT_TRUE(samples) << samples.error().message;
    double sum = 0;
    double largest = 0;
    for (const games::Sample& sample : *samples) {
        const double score = chess::Score::kScale * static_cast<double>(exact->logit(sample.position));
        const double error = std::abs(nets::evaluate_plainly(*network, sample.position).value() - score);
        sum += error;
        largest = std::max(largest, error);
    }
    const double mean = sum / static_cast<double>(samples->size());
    EXPECT_GT(mean, 0);
    EXPECT_LT(mean, 5);
    EXPECT_LT(largest, 40);
    EXPECT_EQ(samples->size(), all->samples);
    EXPECT_EQ(network->info.history.at("agreement_positions"), std::to_string(samples->size()));
    EXPECT_NEAR(std::stod(network->info.history.at("agreement_mean_difference")), mean, 0.01);
    EXPECT_NEAR(std::stod(network->info.history.at("agreement_largest_difference")), largest, 0.1);
    // Every record is one JSON object.
    std::istringstream lines(bytes(folder_ / "run" / "metrics.jsonl"));
    int records = 0;
    for (std::string line; std::getline(lines, line); ++records)
        EXPECT_TRUE(nlohmann::json::parse(line).is_object());
    EXPECT_GT(records, 5);
}

TEST_F(Trainer, TrainsTheRichestArchitecture) {
    const auto rich = [&](const char* name, int steps) {
        return changed(recipe(name, steps), [](PerspectiveRecipe& with) {
            with.network.architecture = {*nets::find_feature_set("768-king4"), 32, nets::Activation::Squared,
                                         4};
            with.network.factorise = true;
        });
    };
    tests::write_random_games(folder_ / "games.games", 3000, 11, true);
    const TrainOutcome outcome = run(rich("whole", 250));
    EXPECT_LT(unseen(outcome).network, 0.97 * unseen(outcome).constant);
    const auto network = nets::load_network(folder_ / "whole" / "network.safetensors");
    ASSERT_TRUE(network) << network.error().message;
    EXPECT_EQ(network->info.architecture, perspective_of(rich("whole", 250)).network.architecture);
    EXPECT_GT(network->info.piece_values[chess::Queen], network->info.piece_values[chess::Pawn]);
    EXPECT_LT(std::stod(network->info.history.at("agreement_mean_difference")), 5);
}

TEST_F(Trainer, SaysThatThereIsNoRunToGoOnWith) {
    TrainOptions resume;
    resume.resume = true;
    const Recipe how = recipe("run", 5);
    const auto refused = train(how, resume, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message,
              how.output.string() + ": holds no run to go on with: without --resume a new one begins there");
    EXPECT_FALSE(fs::exists(how.output));
    // Unless one is to begin then.
    resume.or_begin = true;
    EXPECT_TRUE(run(how, resume).finished);
    // A run that was stopped before its first checkpoint is one.
    resume.or_begin = false;
    for (const char* name : {"checkpoint.safetensors", "checkpoint.previous.safetensors"})
        fs::remove(how.output / name);
    EXPECT_TRUE(run(how, resume).finished);
}

// Learns, goes on to the same bits, and gives out what the engine says.
TEST_F(Trainer, TrainsHiddenLayers) {
    const auto deep = [&](const char* name, int steps) {
        return changed(recipe(name, steps), [](PerspectiveRecipe& with) {
            with.network.architecture = {
                *nets::find_feature_set("768-mirrored"), 64, nets::Activation::Paired, 2, {16, 32}};
            with.network.factorise = true;
            with.clip = {1.9F, 2, 2};
        });
    };
    tests::write_random_games(folder_ / "games.games", 3000, 11, true);
    const TrainOutcome outcome = run(deep("whole", 250));
    EXPECT_LT(unseen(outcome).network, 0.97 * unseen(outcome).constant);
    const auto network = nets::load_network(folder_ / "whole" / "network.safetensors");
    ASSERT_TRUE(network) << network.error().message;
    EXPECT_EQ(network->info.architecture, perspective_of(deep("whole", 250)).network.architecture);
    EXPECT_GT(network->info.piece_values[chess::Queen], network->info.piece_values[chess::Pawn]);
    EXPECT_LT(std::stod(network->info.history.at("agreement_mean_difference")), 5);
    EXPECT_NE(bytes(folder_ / "whole" / "metrics.jsonl").find("\"hidden_bound\":"), std::string::npos);

    run(deep("parts", 250));
    // Checkpoints come every 7 steps and at the end: the one before is at 245.
    fs::remove(folder_ / "parts" / "checkpoint.safetensors");
    fs::remove(folder_ / "parts" / "network.safetensors");
    TrainOptions resume;
    resume.resume = true;
    EXPECT_EQ(run(deep("parts", 250), resume).step, 250U);
    const auto again = nets::load_network(folder_ / "parts" / "network.safetensors");
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(nets::content_name(*again), nets::content_name(*network));
}

TEST_F(Trainer, ResumesToTheSameBits) {
    for (const std::string threads : {"threads = 1", "threads = 2"}) {
        const std::string whole = "whole" + threads.substr(10);
        const std::string parts = "parts" + threads.substr(10);
        run(recipe(whole, 60, threads));

        // Stopped before anything was learnt; then to the end, set back to the checkpoint before, and again.
        std::stop_source stopped;
        stopped.request_stop();
        // While it surveys: nothing yet.
        EXPECT_FALSE(run(recipe(parts, 60, threads), {}, stopped.get_token()).finished);
        fs::remove_all(folder_ / parts);
        run(recipe(parts, 60, threads));
        const auto last = load_run_checkpoint(folder_ / parts);
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
        const auto again = load_run_checkpoint(folder_ / parts);
        const auto once = load_run_checkpoint(folder_ / whole);
        ASSERT_TRUE(again && *again && once && *once);
        EXPECT_EQ((*again)->checkpoint.model.transformer.second,
                  (*once)->checkpoint.model.transformer.second);
        EXPECT_EQ((*again)->checkpoint.progress.place, (*once)->checkpoint.progress.place);
        // More than one pass over the data, so that the place in a later pass was restored too.
        EXPECT_GT((*again)->checkpoint.progress.place.epoch, 0U);
    }
}

TEST_F(Trainer, StopsWithACheckpointAndGoesOn) {
    // Far longer than the test waits. The rate is constant, so that the run goes as a shorter one would.
    const std::string constant = "threads = 1\n[schedule]\nkind = \"constant\"";
    const Recipe long_one = recipe("long", 1'000'000, constant);
    const auto run_until_after = [&](std::uint64_t step, const TrainOptions& options) {
        std::stop_source stop;
        std::jthread stopper([&](const std::stop_token& end) {
            while (!end.stop_requested()) {
                const auto last = load_run_checkpoint(long_one.output);
                if (last && *last && (*last)->checkpoint.model.steps > step) break;
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
            }
            stop.request_stop();
        });
        return run(long_one, options, stop.get_token());
    };
    TrainOptions resume;
    resume.resume = true;
    std::uint64_t reached = 0;
    for (const TrainOptions& options : {TrainOptions{}, resume}) {
        const TrainOutcome stopped = run_until_after(reached, options);
        EXPECT_FALSE(stopped.finished);
        ASSERT_GT(stopped.step, reached);
        reached = stopped.step;
        const auto last = load_run_checkpoint(long_one.output);
        ASSERT_TRUE(last && *last);
        EXPECT_EQ((*last)->checkpoint.model.steps, reached);
        EXPECT_FALSE(fs::exists(long_one.output / "network.safetensors"));
        const auto again = train(long_one, {}, {});
        ASSERT_FALSE(again) << "a run was overwritten without being asked";
        EXPECT_NE(again.error().message.find(fmt::format("at step {}:", reached)), std::string::npos)
            << again.error().message;
    }
    // Stopped twice, it is where a run without stops is after as many steps.
    run(recipe("whole", static_cast<int>(reached), constant));
    const auto whole = load_run_checkpoint(folder_ / "whole");
    const auto parts = load_run_checkpoint(folder_ / "long");
    ASSERT_TRUE(whole && *whole && parts && *parts);
    EXPECT_EQ((*parts)->checkpoint.progress.place, (*whole)->checkpoint.progress.place);
    EXPECT_EQ((*parts)->checkpoint.model.network.transformer, (*whole)->checkpoint.model.network.transformer);
    EXPECT_EQ((*parts)->checkpoint.model.output.second, (*whole)->checkpoint.model.output.second);
}

TEST_F(Trainer, StopsWhenItsTimeIsUpAndGoesOn) {
    run(recipe("whole", 30));
    // Less than the survey costs, so that it is up before the first step.
    TrainOptions short_one;
    short_one.core_minutes = 1e-9;
    const TrainOutcome stopped = run(recipe("parts", 30), short_one);
    EXPECT_FALSE(stopped.finished);
    EXPECT_EQ(stopped.step, 0U);
    TrainOptions resume;
    resume.resume = true;
    resume.core_minutes = 1e9;
    EXPECT_TRUE(run(recipe("parts", 30), resume).finished);
    EXPECT_EQ(trained_weights("parts"), trained_weights("whole"));
}

TEST_F(Trainer, TrainsAloneInItsFolder) {
    const Recipe alone = recipe("run", 7);
    fs::create_directories(alone.output);
    RunShellOptions there;
    there.folder = alone.output;
    {
        RunShell other(there, {});
        ASSERT_TRUE(other.be_alone());
        const auto refused = train(alone, {}, {});
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().message, (alone.output / "learning.lock").string() +
                                               ": another program is writing it, expected to be the only one "
                                               "that learns there");
    }
    EXPECT_TRUE(run(alone).finished);
    EXPECT_FALSE(fs::exists(alone.output / "learning.lock"));
}

TEST_F(Trainer, OverwritingLeavesNothingToTakeForTheNewRun) {
    const fs::path folder = folder_ / "run";
    run(recipe("run", 14));
    TrainOptions overwrite;
    overwrite.overwrite = true;
    const std::array names{"checkpoint.safetensors", "checkpoint.previous.safetensors",
                           "network.safetensors",    "network-float.safetensors",
                           "untrained.safetensors",  "metrics.jsonl"};
    // A new run that is refused leaves the old one as it was.
    auto nothing = recipe("run", 14);
    nothing.data.sampling.stages = {games::stages::Ply{.min = 9'000}};
    std::vector<std::string> before;
    for (const char* name : names) before.push_back(bytes(folder / name));
    EXPECT_FALSE(train(nothing, overwrite, {}));
    for (std::size_t i = 0; i < names.size(); ++i) EXPECT_EQ(bytes(folder / names[i]), before[i]) << names[i];

    // One that is stopped while it surveys the data has taken the old one's place.
    fs::remove(folder / "survey.json");
    std::stop_source stopped;
    stopped.request_stop();
    const auto outcome = train(recipe("run", 14), overwrite, stopped.get_token());
    ASSERT_TRUE(outcome) << outcome.error().message;
    EXPECT_FALSE(outcome->finished);
    EXPECT_EQ(outcome->step, 0U);
    for (const char* name : names) {
        if (name != std::string_view("untrained.safetensors") && name != std::string_view("metrics.jsonl")) {
            EXPECT_FALSE(fs::exists(folder / name)) << name;
        }
    }
    EXPECT_EQ(bytes(folder / "metrics.jsonl").find("\"train\""), std::string::npos);
}

TEST_F(Trainer, StartsFromAnotherNetwork) {
    run(recipe("parent", 14));
    const fs::path parent = folder_ / "parent" / "network-float.safetensors";
    const auto from = [](const Recipe& recipe, const fs::path& network) {
        return changed(recipe, [&](PerspectiveRecipe& with) { with.network.initial = network.string(); });
    };
    Recipe child = from(recipe("child", 14), parent);
    // Stopped before the first step: the checkpoint is the parent, to the bit. The games are surveyed
    // already.
    fs::create_directories(child.output);
    fs::copy_file(folder_ / "parent" / "survey.json", child.output / "survey.json");
    std::stop_source stopped;
    stopped.request_stop();
    const TrainOutcome begun = run(child, {}, stopped.get_token());
    EXPECT_FALSE(begun.finished);
    EXPECT_EQ(begun.step, 0U);
    const auto exact = nets::load_float_network(parent);
    ASSERT_TRUE(exact) << exact.error().message;
    const auto first = load_run_checkpoint(child.output);
    ASSERT_TRUE(first && *first);
    const nets::FloatNetwork& start = (*first)->checkpoint.model.network;
    EXPECT_EQ(start.transformer, exact->transformer);
    EXPECT_EQ(start.transformer_bias, exact->transformer_bias);
    EXPECT_EQ(start.output, exact->output);
    EXPECT_EQ(start.output_bias, exact->output_bias);
    ASSERT_EQ((*first)->checkpoint.model.factors.size(), 1U);
    for (const float factor : (*first)->checkpoint.model.factors[0].rows) EXPECT_EQ(factor, 0.0F);

    TrainOptions resume;
    resume.resume = true;
    EXPECT_TRUE(run(child, resume).finished);
    EXPECT_NE(trained_weights("child"), exact->transformer);
    const auto network = nets::load_network(child.output / "network.safetensors");
    ASSERT_TRUE(network) << network.error().message;
    EXPECT_EQ(network->info.history.at("parent"), parent.string());

    // A run that begins again from its own result does not lose it before it has another.
    child = from(child, child.output / "network-float.safetensors");
    fs::remove(child.output / "survey.json");
    TrainOptions overwrite;
    overwrite.overwrite = true;
    EXPECT_FALSE(run(child, overwrite, stopped.get_token()).finished);
    EXPECT_TRUE(fs::exists(child.output / "network-float.safetensors"));
    EXPECT_FALSE(fs::exists(child.output / "network.safetensors"));

    const Recipe wide = changed(from(recipe("wide", 14), parent),
                                [](PerspectiveRecipe& with) { with.network.architecture.width = 64; });
    const auto outcome = train(wide, {}, {});
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().message,
              parent.string() +
                  ": 768 → 32 × 2 → 1, clipped, expected 768 → 64 × 2 → 1, clipped as the recipe says");
}

TEST_F(Trainer, StopsAtALossThatIsNotFinite) {
    const fs::path folder = folder_ / "run";
    const Recipe damaged = recipe("run", 60);
    run(damaged);
    // The checkpoint at 56 is the last one, with a weight that is not a number.
    const fs::path path = folder / "checkpoint.safetensors";
    fs::rename(folder / "checkpoint.previous.safetensors", path);
    auto file = nets::read_tensors(path);
    ASSERT_TRUE(file) << file.error().message;
    const std::vector<float> bias{std::numeric_limits<float>::quiet_NaN()};
    file->tensors["output.bias"] = nets::Tensor::from<float>(nets::Dtype::F32, {1}, bias);
    ASSERT_TRUE(nets::write_tensors(path, *file));
    const std::string before = bytes(path);
    TrainOptions resume;
    resume.resume = true;
    const auto outcome = train(damaged, resume, {});
    ASSERT_FALSE(outcome);
    EXPECT_TRUE(outcome.error().message.starts_with("step 57: the training loss is not a finite number"))
        << outcome.error().message;
    EXPECT_EQ(bytes(path), before);
}

TEST_F(Trainer, TakesARecipeWhoseNameIsNotUtf8) {
    const auto latin = parse_recipe(
        tests::small_recipe(folder_ / "games.games", folder_ / "run", 7, "threads = 1"), "kl\xF6tze.toml");
    ASSERT_TRUE(latin) << latin.error().message;
    EXPECT_TRUE(run(*latin).finished);
    const auto network = nets::load_network(folder_ / "run" / "network.safetensors");
    ASSERT_TRUE(network) << network.error().message;
    EXPECT_EQ(network->info.history.at("recipe"), "kl\uFFFDtze");
    std::istringstream lines(bytes(folder_ / "run" / "metrics.jsonl"));
    std::string line;
    ASSERT_TRUE(std::getline(lines, line));
    EXPECT_EQ(nlohmann::json::parse(line).at("recipe"), "kl\uFFFDtze");
}

TEST_F(Trainer, RefusesToResumeAnotherRecipe) {
    run(recipe("run", 14));
    TrainOptions resume;
    resume.resume = true;
    // A cosine that ends later had other rates before.
    const auto outcome = train(recipe("run", 15), resume, {});
    ASSERT_FALSE(outcome);
    EXPECT_TRUE(outcome.error().message.contains("at step 1, which is done, the learning rate was"))
        << outcome.error().message;
    const auto other = train(recipe("run", 14, "seed = 2"), resume, {});
    ASSERT_FALSE(other);
    EXPECT_TRUE(other.error().message.contains("run.seed was 1 and is 2")) << other.error().message;
}

TEST_F(Trainer, GoesOnToAnotherEndAsIfItHadBeenMeant) {
    const std::string cooldown = "threads = 1\n[schedule]\nkind = \"cooldown\"\ncooldown = 0.5\n";
    const Recipe meant = recipe("meant", 28, cooldown);
    run(meant);
    run(recipe("changed", 14, "threads = 1\n[schedule]\nkind = \"constant\"\n"));
    TrainOptions resume;
    resume.resume = true;
    EXPECT_EQ(run(recipe("changed", 28, cooldown), resume).step, 28U);
    EXPECT_TRUE(bytes(folder_ / "changed" / "metrics.jsonl").contains("\"step\":14,\"threads\""))
        << "it began again";
    EXPECT_EQ(trained_weights("changed"), trained_weights("meant"));
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
    nothing.data.sampling.stages = {games::stages::Ply{.min = 9'000}};
    const auto outcome = train(nothing, {}, {});
    ASSERT_FALSE(outcome);
    EXPECT_NE(outcome.error().message.find("passes the filter"), std::string::npos)
        << outcome.error().message;
}

TEST_F(Trainer, RefusesToExportWhatRoundingChangedTooMuch) {
    const Recipe strict =
        changed(recipe("run", 14), [](PerspectiveRecipe& with) { with.limits.largest_difference = 1e-6; });
    const auto outcome = train(strict, {}, {});
    ASSERT_FALSE(outcome);
    const auto exact = nets::load_float_network(folder_ / "run" / "network-float.safetensors");
    ASSERT_TRUE(exact) << exact.error().message;
    const auto& history = exact->info.history;
    EXPECT_EQ(history.at("agreement_positions"), std::to_string(draw_validation(strict)->size()));
    // The error says by how much, and what was allowed.
    EXPECT_NE(outcome.error().message.find(
                  fmt::format("and {} at most, in Score units; expected at most 5 and 1e-06",
                              history.at("agreement_largest_difference"))),
              std::string::npos)
        << outcome.error().message;
    EXPECT_FALSE(fs::exists(folder_ / "run" / "network.safetensors"));

    const Recipe strict_in_the_mean = changed(
        recipe("mean", 14), [](PerspectiveRecipe& with) { with.limits.largest_mean_difference = 1e-6; });
    const auto mean = train(strict_in_the_mean, {}, {});
    ASSERT_FALSE(mean);
    EXPECT_NE(mean.error().message.find("expected at most 1e-06 and 40"), std::string::npos)
        << mean.error().message;
    EXPECT_FALSE(fs::exists(folder_ / "mean" / "network.safetensors"));
}

TEST_F(Trainer, SurveyFindsTrainingPositions) {
    const Recipe small = recipe("run", 14);
    fs::create_directories(small.output);
    games::Sampler::Options options;
    options.stores = small.data.stores;
    options.sampling.shares = small.data.sampling.shares;
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
        ASSERT_TRUE(found && *found) << found.error().message;
        ASSERT_EQ((*found)->unseen.size(), 51U) << what;
        for (std::size_t i = 0; i < 50; ++i) EXPECT_FALSE((*found)->unseen[i]) << what;
        EXPECT_TRUE((*found)->unseen[50]) << what;
        ASSERT_EQ((*found)->scales.producers.size(), 1U);
        EXPECT_EQ((*found)->scales.producers[0].producer, "Counter");
        EXPECT_GT((*found)->scales.producers[0].positions, 1000);
    }
}

// Where boards are turned over, so are those of the training games.
TEST_F(Trainer, SurveyFindsTrainingPositionsThatAreTurnedOver) {
    Recipe plain = recipe("run", 14);
    fs::create_directories(plain.output);
    Recipe mirror = plain;
    mirror.data.sampling.stages.emplace_back(games::stages::Mirror{});
    games::Sampler::Options options;
    options.stores = plain.data.stores;
    options.sampling.shares = plain.data.sampling.shares;
    options.shuffle_buffer = 1;
    std::vector<games::Sample> samples;
    for (const bool turned : {false, true}) {
        if (turned) options.sampling.stages.emplace_back(games::stages::Mirror{});
        auto sampler = games::Sampler::open(options);
        ASSERT_TRUE(sampler);
        samples.clear();
        ASSERT_TRUE(sampler->next(400, samples));
        std::vector<std::uint64_t> keys;
        for (const games::Sample& sample : samples)
            keys.push_back(survey_key(turned ? mirror : plain, sample.position));
        const fs::path cache = plain.output / "survey.json";
        const auto found = survey(turned ? mirror : plain, keys, cache, {});
        ASSERT_TRUE(found && *found) << found.error().message;
        EXPECT_EQ(std::ranges::count((*found)->unseen, true), 0) << turned;
    }
    // Without the stage a board and the one turned over are two positions, with it they are one.
    const chess::Position position = samples.back().position;
    const chess::Position other = chess::mirrored(position);
    EXPECT_NE(survey_key(plain, position), survey_key(plain, other));
    EXPECT_EQ(survey_key(mirror, position), survey_key(mirror, other));
}

}  // namespace
}  // namespace scholar::learning
