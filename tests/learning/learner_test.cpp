#include "learning/learner.hpp"

#include <fstream>
#include <gtest/gtest.h>

#include "base/files.hpp"
#include "nets/network_file.hpp"
#include "support/test_data.hpp"

namespace scholar::learning {
namespace {

class Silent final : public LearnObserver {
  public:
    void on_status(const LearnStatus& /*status*/, bool /*round_ended*/) override {}
    void on_notice(const std::string& text) override { notices.push_back(text); }
    std::vector<std::string> notices;
};

base::Result<LearnOutcome> run(const LearnRecipe& recipe, const LearnOptions& options,
                               std::stop_token stop = {}) {
    Silent silent;
    return learn(recipe, options, silent, std::move(stop));
}

// Tiny, but all parts at work: growth of the window, two stages, averaging, moves by lot.
constexpr const char* kRecipe = R"(
[network]
width = 32
[play]
random_move = 0.02
most_moves = 60
[lessons]
reuse = 2
[optimiser]
batch = 256
averaging = 0.9
[course]
stages = [
    "stage nodes=20 window=1000 games=6 learning_rate=0.01",
    "stage from=500 nodes=30 window=2000",
]
[rating]
pairs = 2
)";

LearnRecipe recipe() {
    const auto parsed = parse_learn_recipe(kRecipe, "test.toml");
    EXPECT_TRUE(parsed) << parsed.error().message;
    return *parsed;
}

LearnOptions options(const std::filesystem::path& output, std::uint64_t games, int threads = 1) {
    LearnOptions options;
    options.output = output;
    options.seed = 5;
    options.threads = threads;
    options.games = games;
    return options;
}

// The weights alone: what else a network's file says is not the same each time (seconds).
std::string weights(const std::filesystem::path& folder) {
    const auto network = nets::load_network(folder / "network.safetensors");
    EXPECT_TRUE(network);
    return nets::content_name(*network);
}

TEST(Learner, TheSameSeedGivesTheSameNetworkWhateverTheThreads) {
    const tests::TemporaryFolder folder;
    ASSERT_TRUE(run(recipe(), options(folder.path() / "a", 30)));
    ASSERT_TRUE(run(recipe(), options(folder.path() / "b", 30)));
    ASSERT_TRUE(run(recipe(), options(folder.path() / "c", 30, 3)));
    EXPECT_EQ(weights(folder.path() / "a"), weights(folder.path() / "b"));
    EXPECT_EQ(weights(folder.path() / "a"), weights(folder.path() / "c"));
    LearnOptions other = options(folder.path() / "d", 30);
    other.seed = 6;
    ASSERT_TRUE(run(recipe(), other));
    EXPECT_NE(weights(folder.path() / "a"), weights(folder.path() / "d"));
}

TEST(Learner, GoesOnExactly) {
    const tests::TemporaryFolder folder;
    const auto whole = run(recipe(), options(folder.path() / "whole", 30));
    ASSERT_TRUE(whole && whole->finished);
    EXPECT_EQ(whole->progress.games, 30U);
    LearnOptions part = options(folder.path() / "parts", 12);
    ASSERT_TRUE(run(recipe(), part));
    // Told to stop before anything is played, it leaves all as it was.
    std::stop_source stop;
    stop.request_stop();
    part.resume = true;
    const auto stopped = run(recipe(), part, stop.get_token());
    ASSERT_TRUE(stopped);
    EXPECT_FALSE(stopped->finished);
    part.games = 30;
    const auto resumed = run(recipe(), part);
    ASSERT_TRUE(resumed && resumed->finished);
    EXPECT_EQ(resumed->progress.games, 30U);
    EXPECT_EQ(resumed->progress.lessons, whole->progress.lessons);
    EXPECT_EQ(weights(folder.path() / "whole"), weights(folder.path() / "parts"));
    // No round is missing in the records and none is there twice.
    const auto rounds = [&](const char* name) {
        std::ifstream file(folder.path() / name / "metrics.jsonl");
        int count = 0;
        for (std::string line; std::getline(file, line);) count += line.contains("\"kind\":\"round\"");
        return count;
    };
    EXPECT_EQ(rounds("whole"), 5);
    EXPECT_EQ(rounds("parts"), 5);
}

TEST(Learner, FallsBackOnTheCheckpointBefore) {
    const tests::TemporaryFolder folder;
    LearnOptions how = options(folder.path() / "run", 6);
    ASSERT_TRUE(run(recipe(), how));
    how.resume = true;
    how.games = 12;
    ASSERT_TRUE(run(recipe(), how));
    std::filesystem::resize_file(folder.path() / "run" / "checkpoint.safetensors", 1000);
    how.games = 30;
    ASSERT_TRUE(run(recipe(), how));
    ASSERT_TRUE(run(recipe(), options(folder.path() / "whole", 30)));
    EXPECT_EQ(weights(folder.path() / "whole"), weights(folder.path() / "run"));
}

TEST(Learner, RefusesWhatWouldLoseARun) {
    const tests::TemporaryFolder folder;
    LearnOptions how = options(folder.path(), 6);
    ASSERT_TRUE(run(recipe(), how));
    const std::string before = weights(folder.path());
    const auto again = run(recipe(), how);
    ASSERT_FALSE(again);
    EXPECT_NE(again.error().message.find("already holds a run of 6 games: --resume"), std::string::npos)
        << again.error().message;
    EXPECT_EQ(weights(folder.path()), before);

    how.resume = true;
    LearnRecipe other = recipe();
    other.settings.front().second = "something else";
    const auto changed = run(other, how);
    ASSERT_FALSE(changed);
    EXPECT_NE(changed.error().message.find("the recipe has changed since the run began"), std::string::npos)
        << changed.error().message;

    how.resume = false;
    how.overwrite = true;
    how.seed = 9;
    ASSERT_TRUE(run(recipe(), how));
    EXPECT_NE(weights(folder.path()), before);
}

TEST(LearnRecipe, TheDefaultOneIsSound) {
    const auto parsed = parse_learn_recipe(default_learn_recipe(), "learn.toml");
    ASSERT_TRUE(parsed) << parsed.error().message;
    EXPECT_GE(parsed->stages.size(), 2U);
    EXPECT_EQ(parsed->stage_at(0).from, 0U);
    EXPECT_EQ(parsed->stage_at(1'000'000'000).from, parsed->stages.back().from);
}

TEST(LearnRecipe, RefusesInOneLine) {
    const auto refusal = [](std::string text, const std::string& from, const std::string& to) {
        text.replace(text.find(from), from.size(), to);
        const auto parsed = parse_learn_recipe(text, "x.toml");
        EXPECT_FALSE(parsed);
        return parsed ? std::string() : parsed.error().message;
    };
    const auto has = [](const std::string& text, const char* part) {
        EXPECT_NE(text.find(part), std::string::npos) << text;
        EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    };
    has(refusal(kRecipe, "width = 32", "width = 33"),
        "'width' in [network] is 33, expected a multiple of 32");
    has(refusal(kRecipe, "nodes=30", "node=30"), "unknown parameter 'node'");
    has(refusal(kRecipe, "from=500 ", ""), "from is 0, expected more than in the one before");
    has(refusal(kRecipe, "window=1000 ", ""), "the first must say window, games and learning_rate");
    has(refusal(kRecipe, "random_move = 0.02", "random_moves = 0.02"), "random_moves");
    has(refusal(kRecipe, "averaging = 0.9", "averaging = 1"), "averaging");
}

}  // namespace
}  // namespace scholar::learning
