#include "learning/selfplay_loop/learner.hpp"

#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <sys/stat.h>
#include <thread>
#include <utility>

#include "base/files.hpp"
#include "games/pgn_import.hpp"
#include "games/pgn_writer.hpp"
#include "games/store.hpp"
#include "learning/measuring/rating_course.hpp"
#include "learning/reports/learn_report.hpp"
#include "learning/run/run_shell.hpp"
#include "learning/selfplay_loop/games_course.hpp"
#include "learning/selfplay_loop/games_lessons.hpp"
#include "learning/selfplay_loop/learn_folder.hpp"
#include "learning/training/recipe.hpp"
#include "nets/perspective/network_file.hpp"
#include "nets/perspective/quantise.hpp"
#include "support/test_data.hpp"
#include "synthetic_games.hpp"

namespace scholar::learning {
namespace {

class SilentLearning final : public LearnObserver {
  public:
    void on_status(const LearnStatus& /*status*/, bool /*round_ended*/) override {}
    void on_notice(const std::string& text) override { notices.push_back(text); }
    std::vector<std::string> notices;
};

base::Result<LearnOutcome> run(const LearnRecipe& recipe, const LearnOptions& options,
                               std::stop_token stop = {}) {
    SilentLearning silent;
    return learn(recipe, options, silent, std::move(stop));
}

// Tiny, but all parts at work: growth of the window, two stages, averaging, moves by lot.
constexpr const char* kLearnerRecipe = R"(
[network]
width = 32
[play]
least_random_moves = 4
random_move = 0.02
own_start = 0.3
unbalanced = 0.2
keep_games = true
most_moves = 60
resign_score = 0
[lessons]
where = "leaf"
[optimiser]
batch = 256
averaging = 0.9
[course]
stages = [
    "stage nodes=20 window=1000 games=8 learning_rate=0.01 reuse=2 result_weight=0.3 lambda=0.7",
    "stage from=1500 nodes=30 window=1200 width=64",
]
[rating]
pairs = 2
)";

// As soon as anything has been learnt, it wins some matches and loses some.
constexpr const char* kPromotion = R"(
[promotion]
pairs = 2
score = 0.6
)";

LearnRecipe recipe_of(const std::string& text) {
    const auto parsed = parse_learn_recipe(text, "test.toml");
    EXPECT_TRUE(parsed) << parsed.error().message;
    return *parsed;
}

LearnRecipe recipe(const std::string& more = "") {
    return recipe_of(kLearnerRecipe + more);
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
    ASSERT_TRUE(run(recipe(), options(folder.path() / "a", 32)));
    ASSERT_TRUE(run(recipe(), options(folder.path() / "b", 32)));
    ASSERT_TRUE(run(recipe(), options(folder.path() / "c", 32, 3)));
    EXPECT_EQ(weights(folder.path() / "a"), weights(folder.path() / "b"));
    EXPECT_EQ(weights(folder.path() / "a"), weights(folder.path() / "c"));
    LearnOptions other = options(folder.path() / "d", 32);
    other.seed = 6;
    ASSERT_TRUE(run(recipe(), other));
    EXPECT_NE(weights(folder.path() / "a"), weights(folder.path() / "d"));
}

// From the first stage on the decay is as the optimiser's own; from the second on, the first has had another.
TEST(Learner, AStageMayHaveItsOwnWeightDecay) {
    const tests::TemporaryFolder folder;
    const auto learnt = [&folder](const char* name, std::string_view optimiser, std::string_view first,
                                  std::string_view second) {
        std::string text = kLearnerRecipe;
        text.insert(text.find("averaging"), optimiser);
        text.insert(text.find("nodes=20"), first);
        text.insert(text.find("nodes=30"), second);
        const auto outcome = run(recipe_of(text), options(folder.path() / name, 64));
        EXPECT_TRUE(outcome);
        EXPECT_GT(outcome->progress.lessons, 1'800);  // some way into the second stage
        return weights(folder.path() / name);
    };
    const std::string adamw = "kind = \"adamw\"\nweight_decay = 5\n";
    const std::string without = learnt("without", "", "", "");
    const std::string whole = learnt("whole", adamw, "", "");
    EXPECT_NE(whole, without);
    EXPECT_EQ(learnt("first", "", "weight_decay=5 ", ""), whole);
    EXPECT_EQ(learnt("none", adamw, "weight_decay=0 ", ""), without);
    const std::string later = learnt("later", "", "", "weight_decay=5 ");
    EXPECT_NE(later, without);
    EXPECT_NE(later, whole);
    EXPECT_EQ(learnt("earlier", adamw, "weight_decay=0 ", "weight_decay=5 "), later);
}

// What goes wrong in a run rings there, on the screen and in its records.
struct Trouble {
    const char* recipe = nullptr;
    std::optional<float> bias{};  // of all units of the network that it begins with
    std::vector<const char*> alarms{};
};

constexpr const char* kShortGames = R"(
[network]
width = 32
activation = "clipped"
[play]
least_random_moves = 4
own_start = 0
unbalanced = 0
resign_score = 0
most_moves = 60
[lessons]
where = "leaf"
[optimiser]
averaging = 0
batch = 256
[course]
stages = ["stage nodes=20 window=2000 games=8 learning_rate=0.001 reuse=2 result_weight=0.3 lambda=0.7"]
[rating]
pairs = 0
)";

class LearnerRings : public testing::TestWithParam<Trouble> {};

TEST_P(LearnerRings, InAWholeRun) {
    const tests::TemporaryFolder folder;
    SilentLearning observer;
    const Trouble& trouble = GetParam();
    LearnOptions how = options(folder / "run", 96);
    if (trouble.bias) {
        nets::FloatNetwork network =
            nets::FloatNetwork::random({.features = *nets::find_feature_set("768"), .width = 32}, 1);
        std::ranges::fill(network.transformer_bias, *trouble.bias);
        how.from = (folder / "biased.safetensors").string();
        ASSERT_TRUE(nets::save_network(how.from, nets::quantise(network)->network));
    }
    const auto outcome = learn(recipe_of(trouble.recipe), how, observer, {});
    ASSERT_TRUE(outcome) << outcome.error().message;
    const auto records = base::read_text(folder / "run" / "metrics.jsonl");
    ASSERT_TRUE(records);
    const auto rings = [&](const std::string& alarm) {
        return std::ranges::any_of(observer.notices, [&](const std::string& notice) {
            return notice.starts_with("alarm: ") && notice.contains(alarm);
        });
    };
    for (const char* alarm : trouble.alarms) {
        EXPECT_TRUE(rings(alarm)) << alarm;
        EXPECT_TRUE(records->contains(alarm)) << alarm;
    }
    EXPECT_EQ(records->contains("\"kind\":\"alarm\""), !trouble.alarms.empty());
    EXPECT_EQ(
        std::ranges::any_of(observer.notices, [](const auto& notice) { return notice.starts_with("alarm"); }),
        !trouble.alarms.empty());
}

INSTANTIATE_TEST_SUITE_P(Troubles, LearnerRings,
                         testing::Values(
                             // All is well. Of few games nearly all may be drawn by chance.
                             Trouble{.recipe = R"(
[network]
width = 32
activation = "clipped"
[play]
least_random_moves = 4
own_start = 0
unbalanced = 0
resign_score = 0
most_moves = 300
[lessons]
where = "leaf"
[optimiser]
averaging = 0
batch = 256
[course]
stages = ["stage nodes=50 window=2000 games=24 learning_rate=0.001 reuse=2 result_weight=0.3 lambda=0.7"]
[rating]
pairs = 0
)"},
                             // One game again and again.
                             Trouble{.recipe = R"(
[network]
width = 32
activation = "clipped"
[play]
least_random_moves = 0
most_random_moves = 0
own_start = 0
unbalanced = 0
resign_score = 0
most_moves = 60
[lessons]
where = "leaf"
[optimiser]
averaging = 0
batch = 4096
[course]
stages = ["stage nodes=20 window=20000 games=8 learning_rate=0.001 reuse=1 result_weight=0.3 lambda=0.7"]
[rating]
pairs = 0
)",
                                     .alarms = {"had been played before", "were drawn"}},
                             // Steps far too long. What they make of the units differs from one processor
                             // to the next; that they learn nothing does not.
                             Trouble{.recipe = R"(
[network]
width = 32
activation = "clipped"
[play]
least_random_moves = 4
own_start = 0
unbalanced = 0
resign_score = 0
most_moves = 60
[lessons]
where = "leaf"
[optimiser]
averaging = 0
batch = 256
[course]
stages = ["stage nodes=20 window=2000 games=8 learning_rate=1 reuse=2 result_weight=0.3 lambda=0.7"]
[rating]
pairs = 0
)",
                                     .alarms = {"above that of a constant"}},
                             // Units that no position reaches have no gradient, nor have those that every
                             // position drives to the top: as they begin, they stay.
                             Trouble{.recipe = kShortGames,
                                     .bias = -2,
                                     .alarms = {"32 of 32 units of the first layer are 0 in every position"}},
                             Trouble{.recipe = kShortGames,
                                     .bias = 3,
                                     .alarms = {"100 % of all activations of the first layer are clipped"}}));

class LearnerGoesOn : public testing::TestWithParam<const char*> {};

TEST_P(LearnerGoesOn, Exactly) {
    const tests::TemporaryFolder folder;
    const LearnRecipe how = recipe(GetParam());
    const auto whole = run(how, options(folder.path() / "whole", 32));
    ASSERT_TRUE(whole && whole->finished);
    EXPECT_EQ(whole->progress.games, 32U);
    LearnOptions part = options(folder.path() / "parts", 16);
    ASSERT_TRUE(run(how, part));
    // Told to stop before anything is played, it leaves all as it was.
    std::stop_source stop;
    stop.request_stop();
    part.resume = true;
    part.seed.reset();  // it is that of the run
    const auto stopped = run(how, part, stop.get_token());
    ASSERT_TRUE(stopped);
    EXPECT_FALSE(stopped->finished);
    part.games = 32;
    const auto resumed = run(how, part);
    ASSERT_TRUE(resumed && resumed->finished);
    EXPECT_EQ(resumed->progress.games, 32U);
    EXPECT_EQ(resumed->progress.lessons, whole->progress.lessons);
    EXPECT_EQ(weights(folder.path() / "whole"), weights(folder.path() / "parts"));
    const auto kept = games::StoreReader::open(folder.path() / "whole" / "self-play.games");
    const auto kept_in_parts = games::StoreReader::open(folder.path() / "parts" / "self-play.games");
    ASSERT_TRUE(kept && kept_in_parts);
    EXPECT_EQ(kept_in_parts->games(), 32U);
    // Their blocks end elsewhere.
    EXPECT_EQ(kept->plies(), kept_in_parts->plies());
    // No round is missing in the records and none is there twice.
    const auto rounds = [&](const char* name) {
        std::ifstream file(folder.path() / name / "metrics.jsonl");
        int count = 0;
        for (std::string line; std::getline(file, line);) count += line.contains("\"kind\":\"round\"");
        return count;
    };
    EXPECT_EQ(rounds("whole"), 4);
    EXPECT_EQ(rounds("parts"), 4);
}

INSTANTIATE_TEST_SUITE_P(Promotion, LearnerGoesOn, testing::Values("", kPromotion));

TEST(Learner, KeepsAsManyLessonsInCheckpointsAsItIsTold) {
    const tests::TemporaryFolder folder;
    LearnOptions few = options(folder.path(), 16);
    few.checkpoint_lessons = 300;
    ASSERT_TRUE(run(recipe(), few));
    const auto loaded = load_learn_checkpoint(folder.path());
    ASSERT_TRUE(loaded && *loaded);
    EXPECT_EQ((*loaded)->checkpoint.window.size(), 300U);
    EXPECT_GT((*loaded)->checkpoint.window_added, 300U);
    few.resume = true;
    few.games = 32;
    const auto resumed = run(recipe(), few);
    ASSERT_TRUE(resumed && resumed->finished);
    EXPECT_EQ(resumed->progress.games, 32U);
}

TEST(Learner, PromotesWhoWinsAMatch) {
    const tests::TemporaryFolder folder;
    const auto with = [](const char* score) {
        return recipe(fmt::format("[promotion]\npairs = 2\nscore = {}\n", score));
    };
    ASSERT_TRUE(run(recipe(), options(folder.path() / "always", 16)));
    ASSERT_TRUE(run(with("0"), options(folder.path() / "easy", 16)));
    EXPECT_EQ(weights(folder.path() / "easy"), weights(folder.path() / "always"));
    const auto records = [&](const char* name, const char* what) {
        std::ifstream file(folder.path() / name / "metrics.jsonl");
        int count = 0;
        for (std::string line; std::getline(file, line);) count += line.contains(what);
        return count;
    };
    EXPECT_EQ(records("easy", "\"promoted\":true"), 2);
    ASSERT_TRUE(run(with("1"), options(folder.path() / "hard", 16)));
    EXPECT_EQ(records("hard", "\"promoted\":false"), 2);
    // Which network plays, and what that had learnt from, is known after a stop, too.
    const auto history = [&] {
        return nets::load_network(folder.path() / "hard" / "network.safetensors")->info.history;
    };
    const auto before = history();
    EXPECT_EQ(before.at("games"), "0");
    LearnOptions on = options(folder.path() / "hard", 24);
    on.resume = true;
    ASSERT_TRUE(run(with("1"), on));
    EXPECT_EQ(history(), before);
    EXPECT_NE(weights(folder.path() / "hard"), weights(folder.path() / "always"));
}

// Stops the run when the first round has ended.
class StopsAfterARound final : public LearnObserver {
  public:
    void on_status(const LearnStatus& /*status*/, bool round_ended) override {
        if (round_ended) stop.request_stop();
    }
    void on_notice(const std::string& /*text*/) override {}
    std::stop_source stop;
};

// What the records of a run's rounds have under this name.
std::vector<nlohmann::json> of_rounds(const std::filesystem::path& folder, const char* name) {
    std::vector<nlohmann::json> found;
    std::ifstream file(folder / "metrics.jsonl");
    for (std::string line; std::getline(file, line);)
        if (const auto record = nlohmann::json::parse(line); record.at("kind") == "round")
            found.push_back(record.value(name, nlohmann::json()));
    return found;
}

// As long as the network of the beginning plays, nothing that is learnt beside it changes what it says of new
// positions, nor of old ones.
TEST(Learner, MeasuresNewPositionsByTheNetworkThatPlays) {
    const tests::TemporaryFolder folder;
    const auto with = [&](const char* name, const std::string& rate) {
        std::string text = kLearnerRecipe + std::string("[promotion]\npairs = 2\nscore = 1\n");
        const std::string usual = "learning_rate=0.01";
        text.replace(text.find(usual), usual.size(), "learning_rate=" + rate);
        const auto outcome = run(recipe_of(text), options(folder / name, 48));
        ASSERT_TRUE(outcome) << outcome.error().message;
        ASSERT_EQ(of_rounds(folder / name, "promoted"), std::vector<nlohmann::json>(6, false));
    };
    with("learns", "0.001");
    with("diverges", "0.5");
    ASSERT_NE(of_rounds(folder / "learns", "loss"), of_rounds(folder / "diverges", "loss"));
    for (const char* loss : {"fresh_loss", "seen_loss"}) {
        const auto losses = of_rounds(folder / "learns", loss);
        EXPECT_EQ(std::ranges::count(losses, nlohmann::json()), 1) << loss << " before the first step alone";
        EXPECT_EQ(losses, of_rounds(folder / "diverges", loss)) << loss;
    }
}

TEST(Learner, SaysHowManyWeightsWereClipped) {
    const tests::TemporaryFolder folder;
    const auto clipped = [&](const char* name, const std::string& clip) {
        std::string text = kLearnerRecipe;
        text.replace(text.find("batch = 256"), 11, "batch = 256\n" + clip);
        EXPECT_TRUE(run(recipe_of(text), options(folder / name, 16)));
        std::uint64_t sum = 0;
        for (const nlohmann::json& of_round : of_rounds(folder / name, "clipped"))
            sum += of_round.is_number() ? of_round.get<std::uint64_t>() : 0;
        return sum;
    };
    const auto report = [&](const char* name) {
        const auto written = write_learn_report(folder / name);
        return written ? base::read_text(*written).value_or("") : written.error().message;
    };
    EXPECT_GT(clipped("tight", "clip_transformer = 0.01"), 100U);
    EXPECT_TRUE(report("tight").contains("| weights clipped in training | "));
    EXPECT_EQ(clipped("loose", ""), 0U);
    EXPECT_FALSE(report("loose").contains("clipped in training"));
}

TEST(Learner, SaysThatThereIsNoRunToGoOnWith) {
    const tests::TemporaryFolder folder;
    LearnOptions how = options(folder / "run", 8);
    how.resume = true;
    const auto refused = [&] {
        const auto outcome = run(recipe(), how);
        ASSERT_FALSE(outcome);
        EXPECT_EQ(
            outcome.error().message,
            how.output.string() + ": holds no run to go on with: without --resume a new one begins there");
    };
    refused();
    EXPECT_FALSE(std::filesystem::exists(how.output)) << "nothing is left of the attempt";
    std::filesystem::create_directories(how.output);
    refused();
    EXPECT_TRUE(std::filesystem::is_empty(how.output));
    // A run that was killed before its first checkpoint is one.
    how.resume = false;
    ASSERT_TRUE(run(recipe(), how));
    for (const char* name : {"checkpoint.safetensors", "checkpoint.previous.safetensors"})
        std::filesystem::remove(how.output / name);
    how.resume = true;
    const auto outcome = run(recipe(), how);
    EXPECT_TRUE(outcome) << outcome.error().message;
}

TEST(Learner, RecordsNoRatingOfGamesThatWereNotPlayed) {
    const tests::TemporaryFolder folder;
    LearnOptions how = options(folder.path() / "run", 1'000);
    const auto steps = [&] {
        std::ifstream file(how.output / "metrics.jsonl");
        std::vector<int> found;
        for (std::string line; std::getline(file, line);)
            if (const auto record = nlohmann::json::parse(line); record.at("kind") == "rating")
                found.push_back(record.at("step"));
        return found;
    };
    // With one rating before, so that there is something to be told.
    how.games = 8;
    ASSERT_TRUE(run(recipe(), how));
    ASSERT_EQ(steps(), std::vector<int>{1});
    // The next would be after the second.
    const auto whole = std::exchange(how.output, folder.path() / "whole");
    how.games = 16;
    ASSERT_TRUE(run(recipe(), how));
    ASSERT_EQ(steps(), (std::vector<int>{1, 2}));
    how.output = whole;
    how.resume = true;
    how.games = 1'000;
    StopsAfterARound observer;
    const auto stopped = learn(recipe(), how, observer, observer.stop.get_token());
    ASSERT_TRUE(stopped) << stopped.error().message;
    EXPECT_EQ(stopped->progress.rounds, 2U);
    EXPECT_EQ(steps(), std::vector<int>{1});
}

class LearnerFromGames : public testing::Test {
  protected:
    void SetUp() override { tests::write_random_games(store_, 400, 11, true); }
    LearnOptions how(const char* name, std::uint64_t games) const {
        LearnOptions how = options(folder_.path() / name, games);
        how.games_files = {store_.string()};
        return how;
    }
    // The store's games as PGN.
    std::filesystem::path write_pgn() const {
        const auto pgn = folder_.path() / "games.pgn";
        const auto store = games::StoreReader::open(store_);
        const auto block = store->read_block(0);
        std::string text;
        for (std::size_t i = 0; i < 400; ++i) text += games::to_pgn(block->game(i).value()) + "\n";
        EXPECT_TRUE(base::write_atomically(pgn, text));
        return pgn;
    }
    static LearnRecipe with_games() { return recipe("[games]\nstages = [\"ply min=10\"]\nbatch = 512\n"); }

    tests::TemporaryFolder folder_;
    std::filesystem::path store_ = folder_.path() / "games.games";
};

TEST_F(LearnerFromGames, LearnsFromThemAndPlaysOn) {
    // It passes over the first stage, of 32 units.
    LearnRecipe taught_first = with_games();
    taught_first.head_start = 2'000;
    LearnOptions only = how("only", 8);
    only.only_games = true;
    const auto taught = run(taught_first, only);
    ASSERT_TRUE(taught) << taught.error().message;
    EXPECT_TRUE(taught->finished);
    EXPECT_EQ(taught->progress.games, 0U);
    const auto network = nets::load_network(folder_.path() / "only" / "network.safetensors");
    ASSERT_TRUE(network);
    // It has learnt what decides these games.
    EXPECT_EQ(network->width(), 64);
    EXPECT_GT(network->info.piece_values[chess::Queen], network->info.piece_values[chess::Pawn]);

    // Whoever begins with it passes over what it did.
    LearnOptions from_it = options(folder_.path() / "from-it", 8);
    from_it.from = (folder_.path() / "only" / "network.safetensors").string();
    const auto went_on = run(taught_first, from_it);
    ASSERT_TRUE(went_on) << went_on.error().message;
    EXPECT_EQ(went_on->progress.head_start, 2'000U);

    // In two runs as in one.
    only.only_games = false;
    only.resume = true;
    ASSERT_TRUE(run(taught_first, only));
    ASSERT_TRUE(run(taught_first, how("whole", 8)));
    EXPECT_EQ(weights(folder_.path() / "only"), weights(folder_.path() / "whole"));
}

TEST_F(LearnerFromGames, GoesOnWhereItWasStopped) {
    std::stop_source stop;
    stop.request_stop();
    LearnOptions part = how("part", 8);
    const auto stopped = run(with_games(), part, stop.get_token());
    ASSERT_TRUE(stopped) << stopped.error().message;
    EXPECT_FALSE(stopped->finished);
    part.resume = true;
    ASSERT_TRUE(run(with_games(), part));
    ASSERT_TRUE(run(with_games(), how("whole", 8)));
    EXPECT_EQ(weights(folder_.path() / "part"), weights(folder_.path() / "whole"));
}

TEST_F(LearnerFromGames, GoesOnWithAnImport) {
    LearnOptions begun = how("begun", 8);
    begun.games_files = {write_pgn().string()};
    begun.only_games = true;
    const auto imported = begun.output / "games" / "imported.games";
    std::filesystem::create_directories(imported.parent_path());
    const auto first_site = [&] {
        const auto store = games::StoreReader::open(imported);
        EXPECT_TRUE(store && store->games() == 400);
        return store ? std::string(store->read_block(0)->game(0)->tag("Site")) : "";
    };
    // The first half is there, by which it can be told from what the file would give.
    games::PgnImport import;
    import.files = begun.games_files;
    games::StoreWriter::Options options;
    options.resumable = true;
    options.session = games::import_session(import);
    games::Game known = games::StoreReader::open(store_)->read_block(0)->game(0).value();
    known.tags = {{"Site", "known"}};
    {
        auto writer = games::StoreWriter::create(imported, options);
        ASSERT_TRUE(writer) << writer.error().message;
        for (std::uint64_t i = 0; i < 200; ++i) {
            writer->set_progress({.source = 0, .games = i + 1, .skipped = 0});
            ASSERT_TRUE(writer->add(known));
        }
        ASSERT_TRUE(writer->flush());
    }
    const auto refused = [&](const char* part) {
        const auto outcome = run(with_games(), begun);
        ASSERT_FALSE(outcome) << part;
        EXPECT_TRUE(outcome.error().message.contains(part)) << outcome.error().message;
    };
    refused("already learns from games: --resume goes on with it");
    begun.resume = true;
    const auto files = std::exchange(begun.games_files, {});
    begun.only_games = false;
    refused("give it --games with the same files");
    begun.games_files = files;
    begun.only_games = true;
    const auto outcome = run(with_games(), begun);
    ASSERT_TRUE(outcome) << outcome.error().message;
    EXPECT_EQ(first_site(), "known");

    // One that came to its end is not done again.
    const auto forget_training = [&] {
        for (const char* name :
             {"games/recipe.toml", "games/run", "checkpoint.safetensors", "checkpoint.previous.safetensors"})
            std::filesystem::remove_all(begun.output / name);
    };
    forget_training();
    const auto when = std::filesystem::last_write_time(imported);
    ASSERT_TRUE(run(with_games(), begun));
    EXPECT_EQ(std::filesystem::last_write_time(imported), when);
    // Other games do not take its place unasked.
    forget_training();
    const auto other = folder_.path() / "other.pgn";
    std::filesystem::copy_file(begun.games_files.front(), other);
    begun.games_files = {other.string()};
    refused("--overwrite begins again");
    EXPECT_EQ(first_site(), "known");
    begun.resume = false;
    begun.overwrite = true;
    ASSERT_TRUE(run(with_games(), begun));
    EXPECT_NE(first_site(), "known");
}

TEST_F(LearnerFromGames, ImportsWithAsManyThreadsAsItIsTold) {
    GamesLessons lessons;
    lessons.threads = 3;
    EXPECT_EQ(import_of(lessons, {"a.pgn"}).threads, 3U);
    EXPECT_EQ(import_of(lessons, {"a.pgn"}).files, std::vector<std::string>{"a.pgn"});
    lessons.threads = 0;
    EXPECT_EQ(import_of(lessons, {}).threads, std::max(1U, std::thread::hardware_concurrency()));
}

TEST_F(LearnerFromGames, TakesAFileThatIsNamedTwiceOnce) {
    const auto pgn = write_pgn();
    const auto link = folder_ / "link.pgn";
    std::filesystem::create_symlink(pgn, link);
    LearnOptions twice = how("twice", 8);
    twice.games_files = {pgn.string(), link.string(), (folder_.path() / "." / "games.pgn").string()};
    twice.only_games = true;
    const auto outcome = run(with_games(), twice);
    ASSERT_TRUE(outcome) << outcome.error().message;
    const auto store = games::StoreReader::open(twice.output / "games" / "imported.games");
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_EQ(store->games(), 400U);
}

// Of few games more than a fiftieth is held out; where there is nothing to hold out the folder stays free for
// others.
TEST_F(LearnerFromGames, LearnsFromFewGamesAndRefusesTooFew) {
    const auto file = [&](const char* name, std::size_t games) {
        const auto path = folder_.path() / name;
        tests::write_random_games(path, games, 12, true);
        return path.string();
    };
    LearnOptions few = how("few", 8);
    few.only_games = true;
    few.games_files = {file("one.games", 1)};
    const auto refused = run(with_games(), few);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("expected more games, with results"), std::string::npos)
        << refused.error().message;
    few.games_files = {file("forty.games", 40)};
    const auto taught = run(with_games(), few);
    ASSERT_TRUE(taught) << taught.error().message;
    const auto course = read_games_course(games_lessons_metrics(few.output / "games"));
    ASSERT_TRUE(course) << course.error().message;
    EXPECT_GT(course->validations.back().held_out, 0U);
}

TEST_F(LearnerFromGames, LeavesWhatItCannotGoOnWith) {
    LearnOptions begun = how("begun", 8);
    begun.games_files = {write_pgn().string()};
    begun.only_games = true;
    begun.resume = true;
    std::filesystem::create_directories(begun.output / "games");
    ASSERT_EQ(games::partial_path("imported.games"), "imported.games.partial");
    const auto strange = begun.output / "games" / "imported.games.partial";
    std::filesystem::copy_file(store_, strange);
    const auto refused = run(with_games(), begun);
    ASSERT_FALSE(refused);
    EXPECT_TRUE(refused.error().message.ends_with("; --overwrite begins again")) << refused.error().message;
    EXPECT_TRUE(std::filesystem::exists(strange));
    begun.resume = false;
    begun.overwrite = true;
    const auto outcome = run(with_games(), begun);
    EXPECT_TRUE(outcome) << outcome.error().message;
}

TEST_F(LearnerFromGames, ReadsAPipeToItsEnd) {
    const auto pgn = write_pgn();
    const auto pipe = folder_.path() / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    LearnOptions piped = how("piped", 8);
    piped.games_files = {pipe.string()};
    piped.only_games = true;
    piped.overwrite = true;
    std::jthread writer([&] { std::ofstream(pipe) << *base::read_text(pgn); });
    const auto outcome = run(with_games(), piped);
    ASSERT_TRUE(outcome) << outcome.error().message;
    const auto store = games::StoreReader::open(piped.output / "games" / "imported.games");
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_EQ(store->games(), 400U);
}

TEST_F(LearnerFromGames, RefusesOtherGamesThanItBeganWith) {
    // Stopped in the middle of the games: the recipe is there, and no checkpoint of the learner.
    LearnOptions begun = how("begun", 8);
    begun.only_games = true;
    ASSERT_TRUE(run(with_games(), begun));
    for (const char* name : {"checkpoint.safetensors", "checkpoint.previous.safetensors"})
        std::filesystem::remove(begun.output / name);
    const auto refused = [&](const LearnOptions& options, const char* part) {
        const auto outcome = run(with_games(), options);
        ASSERT_FALSE(outcome);
        EXPECT_TRUE(outcome.error().message.contains(part)) << outcome.error().message;
        EXPECT_FALSE(outcome.error().message.contains('\n'));
    };
    refused(begun, "already learns from games: --resume goes on with it");
    begun.resume = true;
    LearnOptions without = begun;
    without.games_files.clear();
    without.only_games = false;
    refused(without, "give it --games with the same files");
    LearnOptions other = begun;
    const auto copy = folder_.path() / "other.games";
    std::filesystem::copy_file(store_, copy);
    other.games_files = {copy.string()};
    refused(other, "began with other games or settings");
    EXPECT_TRUE(run(with_games(), begun));

    // Beginning again removes what the run made, and nothing else.
    begun.resume = false;
    begun.overwrite = true;
    ASSERT_TRUE(base::write_atomically(begun.output / "games" / "mine.txt", "mine"));
    ASSERT_TRUE(run(with_games(), begun));
    EXPECT_TRUE(std::filesystem::exists(begun.output / "games" / "mine.txt"));
    // Even if the next is stopped before it has any games of its own.
    ASSERT_TRUE(std::filesystem::exists(begun.output / "metrics.jsonl"));
    std::stop_source stop;
    stop.request_stop();
    ASSERT_TRUE(run(with_games(), begun, stop.get_token()));
    EXPECT_FALSE(std::filesystem::exists(begun.output / "metrics.jsonl"));
}

// Whoever goes on with it names none, and must not find that of the run before.
TEST_F(LearnerFromGames, KeepsTheRecipeOfTheRunThatBeginsAgain) {
    LearnOptions how_begun = how("begun", 8);
    ASSERT_TRUE(run(with_games(), how_begun));
    const LearnFolder there(how_begun.output);
    LearnRecipe other = with_games();
    other.name = "other";
    other.text += "# other\n";
    how_begun.overwrite = true;
    std::stop_source stop;
    stop.request_stop();
    ASSERT_TRUE(run(other, how_begun, stop.get_token()));
    const auto kept = there.kept_recipe();
    ASSERT_TRUE(kept && *kept);
    EXPECT_EQ((*kept)->filename(), "other.toml");
    EXPECT_EQ(base::read_text(**kept), other.text);
}

TEST_F(LearnerFromGames, KeepsTheRecipeOfTheCallThatGotAsFarAsGames) {
    LearnOptions how_begun = how("begun", 8);
    const auto text = folder_.path() / "text.pgn";
    ASSERT_TRUE(base::write_atomically(text, "no game\n"));
    const auto games = std::exchange(how_begun.games_files, {text.string()});
    ASSERT_FALSE(run(with_games(), how_begun));
    LearnRecipe other = with_games();
    other.name = "other";
    how_begun.games_files = games;
    std::stop_source stop;
    stop.request_stop();
    ASSERT_TRUE(run(other, how_begun, stop.get_token()));
    const auto kept = LearnFolder(how_begun.output).kept_recipe();
    ASSERT_TRUE(kept && *kept);
    EXPECT_EQ((*kept)->filename(), "other.toml");
}

// Few games make few steps: the learning rate must come up, and down again, within these.
TEST_F(LearnerFromGames, WarmsUpInATenthOfItsStepsAtMost) {
    LearnOptions only = how("only", 8);
    only.only_games = true;
    ASSERT_TRUE(run(with_games(), only));
    const auto trained = load_recipe(only.output / "games" / "recipe.toml");
    ASSERT_TRUE(trained) << trained.error().message;
    EXPECT_GT(trained->schedule.steps, 10U);
    EXPECT_LE(trained->schedule.warmup, trained->schedule.steps / 10);
}

TEST_F(LearnerFromGames, RefusesFilesWithoutGames) {
    LearnOptions wrong = how("wrong", 8);
    wrong.games_files = {"nowhere.pgn"};
    const auto missing = run(with_games(), wrong);
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().message, "nowhere.pgn: no such file");
    const auto text = folder_.path() / "text.pgn";
    ASSERT_TRUE(base::write_atomically(text, "no game\n"));
    wrong.games_files = {text.string()};
    const auto none = run(with_games(), wrong);
    ASSERT_FALSE(none);
    EXPECT_TRUE(none.error().message.starts_with("no game could be read from")) << none.error().message;
    // A store that is cut off is no PGN file.
    const auto cut = folder_.path() / "cut.games";
    std::filesystem::copy_file(store_, cut);
    std::filesystem::resize_file(cut, std::filesystem::file_size(cut) - 40);
    wrong.games_files = {cut.string()};
    const auto damaged = run(with_games(), wrong);
    ASSERT_FALSE(damaged);
    EXPECT_TRUE(damaged.error().message.contains("cut.games")) << damaged.error().message;
    EXPECT_FALSE(damaged.error().message.contains("no game could be read")) << damaged.error().message;
    // And nothing of it is in the way of the right ones.
    wrong.games_files = {store_.string()};
    wrong.only_games = true;
    EXPECT_TRUE(run(with_games(), wrong));
}

// Who plays elsewhere: a part of the games at most, each of which takes its time there.
class FarPlayers final : public selfplay::Players {
  public:
    explicit FarPlayers(std::uint64_t most, std::string trouble = {})
        : most_(most), trouble_(std::move(trouble)) {}
    void assign(const selfplay::Assignment& assignment) override { local_->assign(assignment); }
    base::Result<std::uint64_t> play(std::uint64_t first, std::uint64_t count, std::stop_token stop,
                                     const std::function<void(selfplay::Record&&)>& take) override {
        const auto played = local_->play(first, std::min(count, most_), stop, [&](selfplay::Record&& record) {
            record.core_seconds_elsewhere = 10;
            take(std::move(record));
        });
        if (!trouble_.empty()) return base::fail("{}", trouble_);
        return played;
    }

  private:
    std::unique_ptr<selfplay::Players> local_ = selfplay::make_local_players(1);
    std::uint64_t most_;
    std::string trouble_;
};

TEST(Learner, LearnsFromPlayersElsewhere) {
    const tests::TemporaryFolder folder;
    LearnOptions far = options(folder.path() / "far", 16);
    far.players = std::make_shared<FarPlayers>(1'000);
    const auto outcome = run(recipe(), far);
    ASSERT_TRUE(outcome) << outcome.error().message;
    EXPECT_GE(outcome->progress.core_seconds, 160);
    ASSERT_TRUE(run(recipe(), options(folder.path() / "near", 16)));
    EXPECT_EQ(weights(folder.path() / "far"), weights(folder.path() / "near"));

    // Those who can no longer play end the run, which goes on with others.
    far.resume = true;
    far.games = 32;
    far.players = std::make_shared<FarPlayers>(5, "machine 3 is gone");
    const auto gone = run(recipe(), far);
    ASSERT_FALSE(gone);
    EXPECT_EQ(gone.error().message, "machine 3 is gone");
    far.players = std::make_shared<FarPlayers>(5);
    const auto few = run(recipe(), far);
    ASSERT_FALSE(few);
    EXPECT_TRUE(few.error().message.contains("only 5 of 8 games could be played")) << few.error().message;
    far.players = nullptr;
    ASSERT_TRUE(run(recipe(), far));
    ASSERT_TRUE(run(recipe(), options(folder.path() / "whole", 32)));
    EXPECT_EQ(weights(folder.path() / "far"), weights(folder.path() / "whole"));
}

TEST(Learner, KeepsItsRecipe) {
    const tests::TemporaryFolder folder;
    const LearnFolder kept(folder.path());
    EXPECT_EQ(kept.kept_recipe().value(), std::nullopt);
    ASSERT_TRUE(run(recipe(), options(folder.path(), 8)));
    ASSERT_EQ(kept.kept_recipe().value(), kept.recipe("test"));
    const auto again = load_learn_recipe(kept.recipe("test"));
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->settings, recipe().settings);
    EXPECT_EQ(again->name, "test");
    // A later stage was changed: by the recipe of another name from then on.
    LearnRecipe later = *parse_learn_recipe(recipe().text, "later.toml");
    LearnOptions on = options(folder.path(), 16);
    on.resume = true;
    ASSERT_TRUE(run(later, on));
    EXPECT_EQ(kept.kept_recipe().value(), kept.recipe("later"));
    EXPECT_EQ(*base::read_text(kept.recipe("later")), later.text);
    // One that somebody puts beside it makes it unclear which is meant, until one is named.
    ASSERT_TRUE(base::write_atomically(kept.recipe("mine"), "nothing"));
    const auto unclear = kept.kept_recipe();
    ASSERT_FALSE(unclear);
    EXPECT_TRUE(unclear.error().message.contains("holds later.toml and mine.toml"))
        << unclear.error().message;
}

TEST(Learner, BeginsWithANetwork) {
    const tests::TemporaryFolder folder;
    const auto first = run(recipe(), options(folder.path() / "first", 48));
    ASSERT_TRUE(first);
    ASSERT_GT(first->progress.lessons, 1'500U);
    LearnOptions on = options(folder.path() / "second", 8);
    on.from = (folder.path() / "first" / "network.safetensors").string();
    LearnRecipe skips = recipe();
    skips.head_start = 1500;
    SilentLearning observer;
    const auto outcome = learn(skips, on, observer, {});
    ASSERT_TRUE(outcome) << outcome.error().message;
    EXPECT_EQ(outcome->progress.head_start, 1500U);
    EXPECT_EQ(std::ranges::count(observer.notices,
                                 "it has learnt before: its course begins where others come to after 1,500 "
                                 "positions"),
              1);
    // No further than it had come itself.
    LearnRecipe far = recipe();
    far.head_start = 1'000'000;
    LearnOptions third = options(folder.path() / "third", 8);
    third.from = on.from;
    const auto from_there = run(far, third);
    ASSERT_TRUE(from_there) << from_there.error().message;
    EXPECT_EQ(from_there->progress.head_start, first->progress.lessons);
    // And on from there, what was passed over counted in.
    LearnOptions fourth = options(folder.path() / "fourth", 8);
    fourth.from = (folder.path() / "third" / "network.safetensors").string();
    const auto on_from_there = run(far, fourth);
    ASSERT_TRUE(on_from_there) << on_from_there.error().message;
    EXPECT_EQ(on_from_there->progress.head_start,
              from_there->progress.head_start + from_there->progress.lessons);
    // The second stage from the start.
    const auto network = nets::load_network(folder.path() / "second" / "network.safetensors");
    ASSERT_TRUE(network);
    EXPECT_EQ(network->width(), 64);
    on.from = "nowhere.safetensors";
    on.overwrite = true;
    EXPECT_FALSE(run(skips, on));
    EXPECT_TRUE(nets::load_network(folder.path() / "second" / "network.safetensors"));
}

// Of a round, as its record says.
struct RoundRecord {
    std::uint64_t lessons = 0;  // of the run, with the round's
    std::uint64_t trained = 0;
    bool matched = false;
};

std::vector<RoundRecord> rounds(const std::filesystem::path& folder) {
    std::vector<RoundRecord> found;
    std::ifstream file(folder / "metrics.jsonl");
    for (std::string line; std::getline(file, line);) {
        const auto record = nlohmann::json::parse(line);
        if (record.at("kind") == "round")
            found.push_back(
                {record.at("lessons"), record.at("trained"), !record.at("match_score").is_null()});
    }
    return found;
}

// That no round after the first `before` trained until `lessons` of the run had come in, and all did from
// then on. Fails unless some waited.
void expect_waiting(const std::filesystem::path& folder, std::size_t before, std::uint64_t lessons) {
    const auto all = rounds(folder);
    ASSERT_GT(all.size(), before + 1);
    EXPECT_EQ(all[before].trained, 0U);
    EXPECT_GT(all.back().trained, 0U);
    for (std::size_t i = before; i < all.size(); ++i)
        EXPECT_EQ(all[i].trained > 0, all[i].lessons >= lessons)
            << "round " << i + 1 << ", lesson " << lessons;
}

TEST(Learner, FillsTheWindowBeforeItTrainsANetworkThatHasLearnt) {
    const tests::TemporaryFolder folder;
    const auto first = run(recipe(), options(folder.path() / "first", 64));
    ASSERT_TRUE(first && first->progress.lessons > 2'000) << "as much as is passed over";
    LearnRecipe fills = recipe();
    // With and without a part of the course that is passed over, into a stage with another window.
    for (const auto& [head_start, window] : {std::pair(0U, 1000.0), std::pair(2000U, 1200.0)}) {
        LearnOptions on = options(folder.path() / fmt::format("{}", head_start), 48);
        on.from = (folder.path() / "first" / "network.safetensors").string();
        fills.head_start = head_start;
        fills.fill = 0.6;
        ASSERT_TRUE(run(fills, on));
        expect_waiting(on.output, 0, static_cast<std::uint64_t>(0.6 * window));
    }
}

class LearnerRefills : public testing::Test {
  protected:
    // A run of four rounds, whose window of 1,000 is full.
    void SetUp() override {
        fills_.fill = 0.6;
        how_.checkpoint_lessons = 10;
        ASSERT_TRUE(run(fills_, how_));
        const auto first = rounds(how_.output);
        ASSERT_EQ(first.size(), 4U);
        ASSERT_GT(first.back().lessons, 1000U);
        how_.resume = true;
    }
    // From how many lessons on it trains again, after those rounds, if `left` of a window are left.
    std::uint64_t again(double window, std::uint64_t left) const {
        return rounds(how_.output)[3].lessons + static_cast<std::uint64_t>(0.6 * window) - left;
    }

    tests::TemporaryFolder folder_;
    LearnRecipe fills_ = recipe();
    LearnOptions how_ = options(folder_.path() / "run", 32);
};

// Of a few lessons, drawn again and again, it would learn nothing but those.
TEST_F(LearnerRefills, BeforeItTrainsOnWithoutAllButAFewLessons) {
    const std::uint64_t from = again(1000, 10);
    // What came in while it waited is not lost when it is stopped, nor is what it waits for.
    for (const std::uint64_t games : {40U, 80U}) {
        how_.games = games;
        ASSERT_TRUE(run(fills_, how_));
    }
    expect_waiting(how_.output, 4, from);
}

TEST_F(LearnerRefills, NothingIfItIsToldSo) {
    how_.games = 48;
    fills_.fill = 0;
    ASSERT_TRUE(run(fills_, how_));
    EXPECT_GT(rounds(how_.output).back().trained, 0U);
}

TEST_F(LearnerRefills, BeforeItTrainsOnWithoutAWindowThatIsDamaged) {
    how_.checkpoint_lessons = 0;
    how_.games = 80;
    ASSERT_TRUE(run(fills_, how_));
    const std::size_t before = rounds(how_.output).size();
    const std::uint64_t lessons = rounds(how_.output).back().lessons;
    std::filesystem::remove_all(how_.output / "window");
    how_.games = 128;
    ASSERT_TRUE(run(fills_, how_));
    expect_waiting(how_.output, before, lessons + 720);
}

// What comes next in the course may need a larger window than there was.
TEST_F(LearnerRefills, NoMoreThanItHad) {
    std::string text = kLearnerRecipe;
    const std::string last = "window=1200 width=64\",";
    text.replace(text.find(last), last.size(), last + " \"stage from=2000 window=100000\",");
    LearnRecipe larger = recipe_of(text);
    larger.fill = 0.6;
    ASSERT_LT(rounds(how_.output).back().lessons, 2000U);
    how_.games = 80;
    ASSERT_TRUE(run(larger, how_));
    expect_waiting(how_.output, 4, again(1000, 10));
}

TEST_F(LearnerRefills, WithoutAMatchAboutWhatHasNotLearnt) {
    fills_ = recipe(kPromotion);
    fills_.fill = 0.6;
    how_ = options(folder_.path() / "promotes", 32);
    how_.checkpoint_lessons = 10;
    ASSERT_TRUE(run(fills_, how_));
    how_.resume = true;
    how_.games = 80;
    ASSERT_TRUE(run(fills_, how_));
    for (const RoundRecord& round : rounds(how_.output)) EXPECT_EQ(round.matched, round.trained > 0);
}

// The window of a run that nobody stops is never emptier than it was.
TEST(Learner, NeverWaitsForAWindowThatItHas) {
    const tests::TemporaryFolder folder;
    LearnRecipe fills = recipe();
    fills.fill = 1;
    ASSERT_TRUE(run(fills, options(folder.path() / "fills", 48)));
    ASSERT_TRUE(run(recipe(), options(folder.path() / "not", 48)));
    EXPECT_EQ(weights(folder.path() / "fills"), weights(folder.path() / "not"));
    LearnOptions parts = options(folder.path() / "parts", 24);
    ASSERT_TRUE(run(fills, parts));
    parts.resume = true;
    parts.games = 48;
    ASSERT_TRUE(run(fills, parts));
    EXPECT_EQ(weights(folder.path() / "parts"), weights(folder.path() / "not"));
}

// Its architecture takes the place of the recipe's, and is learnt with.
TEST(Learner, BeginsWithANetworkOfAnotherKind) {
    const tests::TemporaryFolder folder;
    LearnOptions on = options(folder.path() / "run", 24);
    on.from = (folder.path() / "other.safetensors").string();
    on.overwrite = true;
    for (const nets::Architecture& other :
         {nets::Architecture{.features = *nets::find_feature_set("768-king4"), .width = 32},
          nets::Architecture{.width = 32, .activation = nets::Activation::Squared},
          nets::Architecture{.width = 96, .output_buckets = 8},
          // Of which the recipe, whose networks have no hidden layers, does not say how they are clipped.
          nets::Architecture{.width = 32, .hidden = {16}}}) {
        const nets::FloatNetwork first = nets::FloatNetwork::random(other, 3);
        ASSERT_TRUE(nets::save_network(on.from, first));
        const auto outcome = run(recipe(), on);
        ASSERT_TRUE(outcome) << outcome.error().message;
        const auto network = nets::load_float_network(on.output / "network.safetensors");
        ASSERT_TRUE(network);
        nets::Architecture grown = other;
        grown.width = std::max(grown.width, network->info.architecture.width);
        EXPECT_EQ(network->info.architecture, grown);
        EXPECT_NE(network->transformer, first.transformer);
        for (const nets::FloatLayer& layer : network->hidden)
            EXPECT_GT(std::ranges::max(layer.weight), 0.01F);
    }
    // It grows to what the recipe has from its beginning on, and keeps what it has more of.
    std::string deep = kLearnerRecipe;
    deep.replace(deep.find("width = 32"), 10, "width = 32\nhidden = [16, 32]\noutput_buckets = 2");
    for (const auto& [from, to] :
         {std::pair{nets::Architecture{.width = 64},
                    nets::Architecture{.width = 64, .output_buckets = 2, .hidden = {16, 32}}},
          {nets::Architecture{.width = 64, .output_buckets = 8, .hidden = {16}},
           nets::Architecture{.width = 64, .output_buckets = 8, .hidden = {16}}}}) {
        ASSERT_TRUE(nets::save_network(on.from, nets::FloatNetwork::random(from, 3)));
        const auto outcome = run(recipe_of(deep), on);
        ASSERT_TRUE(outcome) << outcome.error().message;
        EXPECT_EQ(nets::load_float_network(on.output / "network.safetensors")->info.architecture, to);
    }
    ASSERT_TRUE(nets::save_network(on.from, nets::FloatNetwork::random({.width = 64}, 3)));
    deep.replace(deep.find("averaging"), 0, "clip_hidden = 1\n");
    const auto cut = run(recipe_of(deep), on);
    ASSERT_FALSE(cut);
    EXPECT_TRUE(cut.error().message.contains("clip_output is 6, and clip_hidden 1 for 64 units"))
        << cut.error().message;
    // The recipe's second stage has 64 units; pairs come in multiples of 64.
    std::string text = kLearnerRecipe;
    const std::size_t at = text.find("width=64");
    ASSERT_NE(at, std::string::npos);
    text.replace(at, 8, "width=96");
    ASSERT_TRUE(nets::save_network(
        on.from, nets::FloatNetwork::random({.width = 64, .activation = nets::Activation::Paired}, 3)));
    const auto refused = run(recipe_of(text), on);
    ASSERT_FALSE(refused);
    EXPECT_TRUE(refused.error().message.contains("cannot grow")) << refused.error().message;
}

// Stopped before the first round is over: seed and beginning need not be said again.
TEST(Learner, RemembersWhatItBeganWithFromTheStart) {
    const tests::TemporaryFolder folder;
    ASSERT_TRUE(run(recipe(), options(folder.path() / "first", 16)));
    LearnOptions on = options(folder.path() / "second", 8);
    on.seed = 7;
    on.from = (folder.path() / "first" / "network.safetensors").string();
    ASSERT_TRUE(run(recipe(), [&] {
        LearnOptions whole = on;
        whole.output = folder.path() / "whole";
        return whole;
    }()));
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = run(recipe(), on, stop.get_token());
    ASSERT_TRUE(stopped);
    EXPECT_EQ(stopped->progress.rounds, 0U);
    LearnOptions further = options(folder.path() / "second", 8);
    further.seed.reset();
    further.resume = true;
    ASSERT_TRUE(run(recipe(), further));
    EXPECT_EQ(weights(folder.path() / "second"), weights(folder.path() / "whole"));
    std::ifstream metrics(folder.path() / "second" / "metrics.jsonl");
    std::string first;
    std::getline(metrics, first);
    const auto record = nlohmann::json::parse(first);
    EXPECT_EQ(record["kind"], "start");
    EXPECT_EQ(record["began_with"], on.from);
    EXPECT_EQ(record["seed"], 7);
}

TEST(Learner, RemovesNothingThatItWillNeedOrBeforeItKnowsThatItCanBegin) {
    const tests::TemporaryFolder folder;
    LearnOptions how = options(folder.path() / "run", 8);
    ASSERT_TRUE(run(recipe(), how));
    const auto kept = folder.path() / "run" / "self-play.games";
    how.overwrite = true;
    const auto refused = [&](const std::string& part) {
        const auto outcome = run(recipe(), how);
        ASSERT_FALSE(outcome);
        EXPECT_TRUE(outcome.error().message.contains(part)) << outcome.error().message;
        for (const char* name : {"checkpoint.safetensors", "self-play.games", "milestones"})
            EXPECT_TRUE(std::filesystem::exists(folder.path() / "run" / name)) << name;
    };
    how.games_files = {"nowhere.pgn"};
    refused("nowhere.pgn: No such file");
    how.games_files = {kept.string()};
    refused("belongs to the run that --overwrite removes");
    const auto text = folder.path() / "text.pgn";
    ASSERT_TRUE(base::write_atomically(text, "no game\n"));
    how.games_files = {text.string()};
    refused("no game could be read from " + text.string());
    // Nor does a store make up for it.
    const auto store = folder.path() / "store.games";
    tests::write_random_games(store, 10, 1, false);
    how.games_files = {store.string(), text.string()};
    refused("no game could be read from " + text.string());
    how.games_files = {folder.path().string()};
    refused(": is a folder, expected a file of games");
    how.games_files.clear();
    // As floats it is whole.
    auto huge = nets::FloatNetwork::random({.width = 32}, 3);
    std::ranges::fill(huge.transformer, 10.0F);
    how.from = (folder.path() / "huge.safetensors").string();
    ASSERT_TRUE(nets::save_network(how.from, huge));
    refused(how.from + ": transformer: a board could sum to");
    const auto snapshot = std::filesystem::directory_iterator(folder.path() / "run" / "snapshots")->path();
    how.from = snapshot.string();
    refused("belongs to the run that --overwrite removes");
    const auto elsewhere = folder.path() / "elsewhere.safetensors";
    std::filesystem::copy_file(snapshot, elsewhere);
    how.from = elsewhere.string();
    EXPECT_TRUE(run(recipe(), how));
}

class LearnerOfProducts : public testing::TestWithParam<nets::Activation> {};

// A pair of units for each unit of the others.
TEST_P(LearnerOfProducts, LearnsAndGoesOnWithTheRichestArchitecture) {
    const int group = nets::group_size(GetParam());
    std::string text = kLearnerRecipe;
    const auto replace = [&](const std::string& from, const std::string& to) {
        text.replace(text.find(from), from.size(), to);
    };
    replace("width = 32",
            fmt::format("feature_set = \"768-king4\"\nwidth = {}\nactivation = \"{}\"\noutput_buckets = 4",
                        32 * group, to_string(GetParam())));
    replace("width=64", fmt::format("width={}", 64 * group));
    const LearnRecipe rich = recipe_of(text);
    const tests::TemporaryFolder folder;
    ASSERT_TRUE(run(rich, options(folder.path() / "whole", 32)));
    LearnOptions part = options(folder.path() / "parts", 16);
    ASSERT_TRUE(run(rich, part));
    part.resume = true;
    part.games = 32;
    ASSERT_TRUE(run(rich, part));
    EXPECT_EQ(weights(folder.path() / "whole"), weights(folder.path() / "parts"));
    const auto network = nets::load_network(folder.path() / "whole" / "network.safetensors");
    ASSERT_TRUE(network) << network.error().message;
    EXPECT_EQ(network->info.architecture,
              (nets::Architecture{*nets::find_feature_set("768-king4"), 32 * group, GetParam(), 4}));
}

// Stops a run in the middle of the first round that it plays with so many lessons.
class StopsInARound final : public LearnObserver {
  public:
    explicit StopsInARound(std::uint64_t lessons) : lessons_(lessons) {}
    std::stop_token token() const { return stop_.get_token(); }
    void on_status(const LearnStatus& status, bool /*round_ended*/) override {
        if (status.progress.lessons >= lessons_ && status.games_of_round == 3) stop_.request_stop();
    }
    void on_notice(const std::string& /*text*/) override {}

  private:
    std::uint64_t lessons_;
    std::stop_source stop_;
};

// Beside more units and features: hidden layers and heads; a text behind the recipe's.
struct GrownTo {
    std::vector<int> hidden;
    int output_buckets;
    const char* more;
};

class LearnerGrows : public testing::TestWithParam<GrownTo> {};

// All at once: stopped before that, in the first round after it, and later.
TEST_P(LearnerGrows, LearnsAndGoesOn) {
    constexpr std::uint64_t kFrom = 1'000;
    const GrownTo& to = GetParam();
    std::string stage = fmt::format("from={} window=1200 width=64 feature_set=768-king4 output_buckets={}",
                                    kFrom, to.output_buckets);
    if (!to.hidden.empty()) stage += fmt::format(" hidden={}", fmt::join(to.hidden, ","));
    std::string text = kLearnerRecipe;
    const std::string second = "from=1500 nodes=30 window=1200 width=64";
    text.replace(text.find(second), second.size(), stage);
    const LearnRecipe growing = recipe_of(text + to.more);
    const tests::TemporaryFolder folder;
    const auto whole = run(growing, options(folder.path() / "whole", 64));
    ASSERT_TRUE(whole) << whole.error().message;
    ASSERT_GT(whole->progress.lessons, 2 * kFrom);
    LearnOptions part = options(folder.path() / "parts", 8);
    ASSERT_TRUE(run(growing, part));
    part.resume = true;
    part.games = 64;
    StopsInARound stops(kFrom);
    const auto stopped = learn(growing, part, stops, stops.token());
    ASSERT_TRUE(stopped) << stopped.error().message;
    EXPECT_FALSE(stopped->finished);
    EXPECT_LT(stopped->progress.games, 48U);
    part.games = 48;
    ASSERT_TRUE(run(growing, part));
    part.games = 64;
    ASSERT_TRUE(run(growing, part));
    EXPECT_EQ(weights(folder.path() / "whole"), weights(folder.path() / "parts"));
    const auto network = nets::load_network(folder.path() / "whole" / "network.safetensors");
    ASSERT_TRUE(network) << network.error().message;
    EXPECT_EQ(network->info.architecture,
              (nets::Architecture{.features = *nets::find_feature_set("768-king4"),
                                  .width = 64,
                                  .activation = nets::Activation::Squared,
                                  .output_buckets = to.output_buckets,
                                  .hidden = to.hidden}));
}

INSTANTIATE_TEST_SUITE_P(Promotion, LearnerGrows,
                         testing::Values(GrownTo{{}, 1, ""}, GrownTo{{}, 1, kPromotion},
                                         GrownTo{{16, 32}, 8, ""}, GrownTo{{16}, 2, kPromotion}));

// Averaged, grown and stopped in the middle.
TEST(Learner, LearnsAndGoesOnWithHiddenLayers) {
    std::string text = kLearnerRecipe;
    const std::string width = "width = 32";
    text.replace(text.find(width), width.size(), "width = 32\nhidden = [16]\noutput_buckets = 2");
    const LearnRecipe deep = recipe_of(text);
    const tests::TemporaryFolder folder;
    ASSERT_TRUE(run(deep, options(folder.path() / "whole", 32)));
    LearnOptions part = options(folder.path() / "parts", 16);
    ASSERT_TRUE(run(deep, part));
    part.resume = true;
    part.games = 32;
    ASSERT_TRUE(run(deep, part));
    EXPECT_EQ(weights(folder.path() / "whole"), weights(folder.path() / "parts"));
    const auto network = nets::load_network(folder.path() / "whole" / "network.safetensors");
    ASSERT_TRUE(network) << network.error().message;
    EXPECT_EQ(network->info.architecture.hidden, std::vector<int>{16});
}

INSTANTIATE_TEST_SUITE_P(Activations, LearnerOfProducts,
                         testing::Values(nets::Activation::Squared, nets::Activation::Paired),
                         [](const auto& each) { return std::string(to_string(each.param)); });

// Killed between the two renamings: the next one is whole, the last one already has another name.
TEST(Learner, GoesOnFromACheckpointThatHasNoNameYet) {
    const tests::TemporaryFolder folder;
    LearnOptions how = options(folder.path() / "run", 16);
    ASSERT_TRUE(run(recipe(), how));
    std::filesystem::rename(how.output / "checkpoint.safetensors",
                            how.output / "checkpoint.next.safetensors");
    std::filesystem::resize_file(how.output / "checkpoint.previous.safetensors", 1000);
    how.resume = true;
    how.games = 32;
    ASSERT_TRUE(run(recipe(), how));
    ASSERT_TRUE(run(recipe(), options(folder.path() / "whole", 32)));
    EXPECT_EQ(weights(folder.path() / "whole"), weights(folder.path() / "run"));
}

TEST(Learner, FallsBackOnTheCheckpointBefore) {
    const tests::TemporaryFolder folder;
    LearnOptions how = options(folder.path() / "run", 8);
    ASSERT_TRUE(run(recipe(), how));
    how.resume = true;
    how.games = 16;
    ASSERT_TRUE(run(recipe(), how));
    std::filesystem::resize_file(folder.path() / "run" / "checkpoint.safetensors", 1000);
    how.games = 32;
    ASSERT_TRUE(run(recipe(), how));
    ASSERT_TRUE(run(recipe(), options(folder.path() / "whole", 32)));
    EXPECT_EQ(weights(folder.path() / "whole"), weights(folder.path() / "run"));
}

// What it has learnt is worth more than the positions it learnt from.
TEST(Learner, GoesOnWithoutAWindowThatIsDamaged) {
    const tests::TemporaryFolder folder;
    LearnOptions on = options(folder.path(), 16);
    on.checkpoint_seconds = 0;
    ASSERT_TRUE(run(recipe(), on));
    std::filesystem::remove_all(folder.path() / "window");
    on.games = 48;
    on.resume = true;
    SilentLearning silent;
    const auto outcome = learn(recipe(), on, silent, {});
    ASSERT_TRUE(outcome) << outcome.error().message;
    EXPECT_EQ(outcome->progress.games, 48U);
    ASSERT_FALSE(silent.notices.empty());
    EXPECT_TRUE(silent.notices.front().contains("going on with an empty window")) << silent.notices.front();
    const auto loaded = load_learn_checkpoint(folder.path());
    ASSERT_TRUE(loaded && *loaded);
    EXPECT_EQ((*loaded)->warning, "");
}

// Two of them would each remove what the other needs to go on.
TEST(Learner, LearnsAloneInItsFolder) {
    const tests::TemporaryFolder folder;
    const LearnFolder there(folder.path() / "run");
    ASSERT_TRUE(run(recipe(), options(there.root(), 8)));
    EXPECT_FALSE(std::filesystem::exists(there.root() / "learning.lock"));
    LearnOptions again = options(there.root(), 16);
    again.resume = true;
    {
        RunShellOptions alone;
        alone.folder = there.root();
        RunShell other(alone, {});
        ASSERT_TRUE(other.be_alone());
        for (const bool resume : {true, false}) {
            again.resume = resume;
            again.overwrite = !resume;
            const auto refused = run(recipe(), again);
            ASSERT_FALSE(refused);
            EXPECT_EQ(refused.error().message, (there.root() / "learning.lock").string() +
                                                   ": another program is writing it, expected to be the only "
                                                   "one that learns there");
        }
    }
    again.resume = true;
    again.overwrite = false;
    EXPECT_TRUE(run(recipe(), again));
}

TEST(Learner, RefusesWhatWouldLoseARun) {
    const tests::TemporaryFolder folder;
    LearnOptions how = options(folder.path(), 8);
    ASSERT_TRUE(run(recipe(), how));
    const std::string before = weights(folder.path());
    const auto again = run(recipe(), how);
    ASSERT_FALSE(again);
    EXPECT_NE(again.error().message.find("already holds a run of 8 games: --resume"), std::string::npos)
        << again.error().message;
    EXPECT_EQ(weights(folder.path()), before);

    how.resume = true;
    LearnOptions elsewhere = how;
    elsewhere.from = (folder.path() / "network.safetensors").string();
    const auto begun = run(recipe(), elsewhere);
    ASSERT_FALSE(begun);
    EXPECT_TRUE(begun.error().message.contains(
        "this run began with random weights: give it the same again, or leave out --games and --from"))
        << begun.error().message;
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

// What clips weights by default does not depend on how wide the network will get.
TEST(Learner, ALaterStageMayBecomeWiderThanWasThought) {
    const auto with = [](const char* more) {
        std::string text = kLearnerRecipe;
        text.replace(text.find("width = 32"), 10, "width = 32\nactivation = \"squared\"");
        const std::string second = R"(    "stage from=1500 nodes=30 window=1200 width=64",)";
        text.replace(text.find(second), second.size(), more);
        return recipe_of(text);
    };
    const tests::TemporaryFolder folder;
    LearnOptions how = options(folder.path(), 8);
    ASSERT_TRUE(run(with(""), how));
    how.resume = true;
    how.games = 16;
    const auto resumed = run(with("\"stage from=1000000 width=2048\""), how);
    EXPECT_TRUE(resumed) << resumed.error().message;
}

// 32 games are some 1,600 lessons: the second stage has begun, the third and the fourth have not.
TEST(Learner, StagesThatLieAheadMayChange) {
    const auto with = [](const std::string& more, const char* second = "from=500 nodes=30") {
        std::string text = kLearnerRecipe;
        const std::string old = R"(    "stage from=1500 nodes=30 window=1200 width=64",)";
        text.replace(text.find(old), old.size(), fmt::format("\"stage {}\",{}", second, more));
        return recipe_of(text);
    };
    const tests::TemporaryFolder folder;
    LearnOptions how = options(folder.path() / "run", 16);
    const auto first = run(with("\"stage from=1000000 nodes=20\", \"stage from=2000000 nodes=50\""), how);
    ASSERT_TRUE(first);
    ASSERT_GT(first->progress.lessons, 500U);
    ASSERT_LT(first->progress.lessons, 1'000'000U);
    how.resume = true;
    how.games = 32;
    ASSERT_TRUE(run(with("\"stage from=900000 nodes=30 width=64 hidden=16,32\""), how));
    how.games = 48;
    const auto resumed = run(with(""), how);
    ASSERT_TRUE(resumed) << resumed.error().message;
    // As if it had never been otherwise.
    ASSERT_TRUE(run(with(""), options(folder.path() / "whole", 48)));
    EXPECT_EQ(weights(folder.path() / "whole"), weights(folder.path() / "run"));
    // What has begun stays.
    how.games = 64;
    const std::vector<LearnRecipe> changed{with("", "from=500 nodes=40"), with("", "from=1000000 nodes=30"),
                                           with("\"stage from=501 nodes=50\"")};
    for (const LearnRecipe& other : changed) {
        const auto refused = run(other, how);
        ASSERT_FALSE(refused);
        EXPECT_NE(refused.error().message.find("the recipe has changed since the run began: course.stages"),
                  std::string::npos)
            << refused.error().message;
    }
}

class LearnerKeepsGames : public testing::Test {
  protected:
    static LearnRecipe keeping(bool kept, double fill = 0) {
        std::string text = kLearnerRecipe;
        const std::string old = "keep_games = true";
        if (!kept) text.replace(text.find(old), old.size(), "");
        const std::string course = "[course]";
        text.replace(text.find(course), course.size(), fmt::format("[course]\nfill = {}", fill));
        return recipe_of(text);
    }
    std::uint64_t kept() const {
        const auto store = games::StoreReader::open(store_);
        return store ? store->games() : 0;
    }

    tests::TemporaryFolder folder_;
    LearnOptions how_ = options(folder_.path() / "run", 16);
    std::filesystem::path store_ = how_.output / "self-play.games";
};

TEST_F(LearnerKeepsGames, NotToTheEnd) {
    ASSERT_TRUE(run(keeping(true), how_));
    ASSERT_EQ(kept(), 16U);
    how_.resume = true;
    how_.games = 32;
    const auto unkept = run(keeping(false), how_);
    ASSERT_TRUE(unkept) << unkept.error().message;
    EXPECT_EQ(kept(), 16U);
    ASSERT_TRUE(run(keeping(true), options(folder_.path() / "whole", 32)));
    EXPECT_EQ(weights(folder_.path() / "whole"), weights(how_.output));
    // Those in between are lost.
    how_.games = 48;
    const auto again = run(keeping(true), how_);
    ASSERT_FALSE(again);
    EXPECT_TRUE(again.error().message.contains("holds 16 games, expected the 32 that the run has played"))
        << again.error().message;
}

TEST_F(LearnerKeepsGames, NotIfTheyWereLeftBehind) {
    ASSERT_TRUE(run(keeping(true), how_));
    std::filesystem::remove(store_);
    how_.resume = true;
    how_.games = 32;
    ASSERT_TRUE(run(keeping(false), how_));
    EXPECT_FALSE(std::filesystem::exists(store_));
}

// A run that was killed left them without their name.
TEST_F(LearnerKeepsGames, AndEndsTheirStoreWhenItKeepsNoMore) {
    const std::filesystem::path killed = folder_.path() / "killed";
    how_.checkpoint_seconds = 0;
    how_.games = 1'000;
    class Copies final : public LearnObserver {
      public:
        Copies(std::filesystem::path from, std::filesystem::path to)
            : from_(std::move(from)), to_(std::move(to)) {}
        void on_status(const LearnStatus& status, bool /*round_ended*/) override {
            if (status.progress.rounds < 2 || stop.stop_requested()) return;
            std::filesystem::copy(from_, to_, std::filesystem::copy_options::recursive);
            stop.request_stop();
        }
        void on_notice(const std::string& text) override { notices.push_back(text); }
        std::stop_source stop;
        std::vector<std::string> notices;

      private:
        std::filesystem::path from_, to_;
    };
    Copies copies(how_.output, killed);
    ASSERT_TRUE(learn(keeping(true), how_, copies, copies.stop.get_token()));
    store_ = killed / "self-play.games";
    ASSERT_TRUE(std::filesystem::exists(games::journal_path(store_)));
    how_.output = killed;
    how_.resume = true;
    how_.games = 32;
    // How full a window must be says nothing of which games they are.
    ASSERT_TRUE(run(keeping(false, 0.5), how_));
    EXPECT_FALSE(std::filesystem::exists(games::journal_path(store_)));
    EXPECT_GE(kept(), 8U);
    EXPECT_LT(kept(), 32U);
}

TEST(RatingCourse, KeepsFewNetworksOfManyLessons) {
    RatingCourse course("none");
    nlohmann::json state{{"entries", nlohmann::json::array()}, {"games", nlohmann::json::array()}};
    ASSERT_TRUE(course.is_due(0));
    for (std::uint64_t lessons = 0; lessons < 2'000'000'000; lessons += 50'000) {
        if (!course.is_due(lessons)) continue;
        state["entries"].push_back(
            {{"name", "x"}, {"lessons", lessons}, {"games", 1}, {"core_seconds", 1.0}});
        ASSERT_TRUE(course.from_json(state));
        EXPECT_FALSE(course.is_due(lessons));
    }
    EXPECT_GE(course.entries().size(), 20U);
    EXPECT_LE(course.entries().size(), 40U);
}

TEST(LearnRecipe, TheDefaultOneIsSound) {
    const auto parsed = parse_learn_recipe(default_learn_recipe(), "learn.toml");
    ASSERT_TRUE(parsed) << parsed.error().message;
    EXPECT_GE(parsed->stages.size(), 2U);
    EXPECT_EQ(parsed->stage_at(0).from, 0U);
    EXPECT_EQ(parsed->stage_at(1'000'000'000).from, parsed->stages.back().from);
}

TEST(LearnRecipe, WhatItDoesNotSayIsAsInTheBuiltInOne) {
    const LearnRecipe built_in = recipe_of(std::string(default_learn_recipe()));
    EXPECT_EQ(recipe_of("").settings, built_in.settings);
    EXPECT_EQ(recipe_of("[play]\n[course]\n[optimiser]\n").settings, built_in.settings);
    // A course of one's own begins with as much of its first stage as one does not say.
    const LearnRecipe own = recipe_of("[course]\nstages = [\"stage nodes=50\"]\n");
    ASSERT_EQ(own.stages.size(), 1U);
    const LearnStage& first = built_in.stages.front();
    EXPECT_EQ(own.stages[0].play.nodes, 50U);
    EXPECT_EQ(own.stages[0].window, first.window);
    EXPECT_EQ(own.stages[0].games, first.games);
    EXPECT_EQ(own.stages[0].learning_rate, first.learning_rate);
    EXPECT_EQ(own.stages[0].result_weight, first.result_weight);
    EXPECT_EQ(own.stages[0].lambda, first.lambda);
    EXPECT_EQ(own.stages[0].reuse, first.reuse);
    EXPECT_EQ(own.head_start, 0U);
    EXPECT_EQ(own.fill, built_in.fill);
    EXPECT_EQ(recipe_of("[course]\nhead_start = 7\n").head_start, 7U);
    EXPECT_EQ(recipe_of("[course]\nhead_start = 7\n").stages.size(), built_in.stages.size());
    // Nor does the program say otherwise where nobody reads a recipe.
    const LessonPlan lessons;
    EXPECT_EQ(lessons.where, built_in.lessons.where);
    EXPECT_EQ(lessons.lambda, first.lambda);
    EXPECT_EQ(lessons.result_weight, first.result_weight);
    const selfplay::PlayPlan play;
    EXPECT_EQ(play.nodes, first.play.nodes);
    EXPECT_EQ(play.exact_leaves, built_in.lessons.where == LessonPlan::Where::Leaf);
    EXPECT_EQ(play.least_random_moves, first.play.least_random_moves);
    EXPECT_EQ(play.most_random_moves, first.play.most_random_moves);
    EXPECT_EQ(play.own_start, first.play.own_start);
    EXPECT_EQ(play.own_start_moves, first.play.own_start_moves);
    EXPECT_EQ(play.unbalanced, first.play.unbalanced);
    EXPECT_EQ(play.random_move, first.play.random_move);
    EXPECT_EQ(play.most_moves, first.play.most_moves);
    EXPECT_EQ(play.resign_score, first.play.resign_score);
    EXPECT_EQ(play.resign_not, first.play.resign_not);
    EXPECT_EQ(play.table_megabytes, first.play.table_megabytes);
}

TEST(LearnRecipe, KeysOfOtherLessonsAreRefused) {
    for (const auto& [keys, key] : {std::pair("where = \"root\"\nleast_depth = 2\n", "least_depth"),
                                    {"where = \"leaf\"\nmost_nodes = 2\n", "most_nodes"},
                                    {"where = \"tree\"\nonly_exact = true\n", "only_exact"}}) {
        const auto parsed = parse_learn_recipe(fmt::format("[lessons]\n{}", keys), "r.toml");
        ASSERT_FALSE(parsed) << key;
        EXPECT_TRUE(
            parsed.error().message.starts_with(fmt::format("r.toml: line 3: '{}' in [lessons] ", key)))
            << parsed.error().message;
    }
}

TEST(LearnRecipe, EachStagePlaysAsItSaysAndElseAsTheOneBefore) {
    const LearnRecipe recipe = recipe_of(
        "[play]\nunbalanced = 0.5\nown_start = 0\n[course]\nstages = [\"stage nodes=50\", "
        "\"stage from=1000 unbalanced=0.1 full_share=0.25 nodes=400 quick_nodes=40 opening_score=150\", "
        "\"stage from=2000 own_start=0.2 draw_score=10 resign_score=0\"]\n");
    EXPECT_EQ(recipe.stage_at(999).play.unbalanced, 0.5);
    EXPECT_EQ(recipe.stage_at(999).play.full_share, 1);
    EXPECT_EQ(recipe.stage_at(1'000).play.unbalanced, 0.1);
    const selfplay::PlayPlan last = recipe.stage_at(5'000).play;
    EXPECT_EQ(last.unbalanced, 0.1);
    EXPECT_EQ(last.full_share, 0.25);
    EXPECT_EQ(last.nodes, 400U);
    EXPECT_EQ(last.quick_nodes, 40U);
    EXPECT_EQ(last.opening_score, 150);
    EXPECT_EQ(last.draw_score, 10);
    EXPECT_EQ(last.resign_score, 0);
    // The first stages' games are later ones' starts.
    EXPECT_EQ(recipe.stage_at(0).play.own_start, 0);
    EXPECT_TRUE(recipe.has_own_starts());
}

TEST(LearnRecipe, WhatChangesAlongAStageEndsWhereTheNextBegins) {
    const LearnRecipe recipe = recipe_of(
        "[course]\nstages = [\"stage learning_rate=0.004 learning_rate_to=0.001 lambda=0.5 lambda_to=0.9 "
        "result_weight=0\", \"stage from=1000 result_weight_to=0.4\", \"stage from=3000 reuse=1\"]\n");
    EXPECT_DOUBLE_EQ(recipe.stage_at(0).learning_rate, 0.004);
    EXPECT_DOUBLE_EQ(recipe.stage_at(500).learning_rate, 0.002);
    EXPECT_DOUBLE_EQ(recipe.stage_at(500).lambda, 0.7);
    EXPECT_DOUBLE_EQ(recipe.stage_at(1'000).learning_rate, 0.001);
    EXPECT_DOUBLE_EQ(recipe.stage_at(1'500).lambda, 0.9);
    EXPECT_DOUBLE_EQ(recipe.stage_at(1'500).result_weight, 0.1);
    EXPECT_DOUBLE_EQ(recipe.stage_at(1'000'000).result_weight, 0.4);
    const auto endless =
        parse_learn_recipe("[course]\nstages = [\"stage learning_rate_to=0.001\"]\n", "r.toml");
    ASSERT_FALSE(endless);
    EXPECT_TRUE(
        endless.error().message.contains("learning_rate_to stands in the last stage, expected one behind it"))
        << endless.error().message;
}

TEST(LearnRecipe, SaysThatStagesWhichItDoesNotHaveAreBuiltIn) {
    const auto wide = parse_learn_recipe("[network]\nwidth = 512\n", "wide.toml");
    ASSERT_FALSE(wide);
    EXPECT_EQ(wide.error().message,
              "wide.toml: 'stages' in [course] is wrong: width is 128, expected a multiple of 32 from 512 on "
              "(the recipe has no stages of its own: these are built in)");
}

// TOML has words for them.
TEST(LearnRecipe, RefusesWhatIsNoFiniteNumberByKeyAndLine) {
    const auto refusal = [](const std::string& text) {
        const auto parsed = parse_learn_recipe(text, "r.toml");
        return parsed ? "no error" : parsed.error().message;
    };
    for (const char* number : {"nan", "-nan", "inf", "-inf"}) {
        for (const auto& [name, value] : recipe_of("").settings) {
            const std::string section = name.substr(0, name.find('.'));
            const std::string key = name.substr(name.find('.') + 1);
            const std::string error = refusal(fmt::format("[{}]\n{} = {}\n", section, key, number));
            EXPECT_TRUE(error.starts_with("r.toml: line 2: '" + key + "' in [" + section + "] is ")) << error;
        }
        for (const char* key : {"from", "nodes", "window", "games", "learning_rate", "result_weight",
                                "lambda", "own_weight", "learning_rate_to", "weight_decay", "reuse", "width",
                                "hidden", "full_share", "opening_score", "unbalanced"}) {
            const std::string error = refusal(
                fmt::format("[course]\nstages = [\n\"stage\",\n\"stage from=9 {}={}\"]\n", key, number));
            EXPECT_TRUE(error.starts_with("r.toml: line 4: 'stages' in [course] is wrong: ")) << error;
            EXPECT_TRUE(error.contains(key)) << error;
        }
    }
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
    std::string refined_first = kLearnerRecipe;
    refined_first.replace(refined_first.find("width = 32"), 10, "feature_set = \"768-king6\"\nwidth = 32");
    has(refusal(kLearnerRecipe, "width = 32", "width = 33"),
        "'width' in [network] is 33, expected a multiple of 32");
    has(refusal(kLearnerRecipe, "width = 32", "width = 32\nactivation = \"square\""),
        "'activation' in [network] is wrong: activation 'square' is not known, expected one of: clipped, "
        "squared, paired");
    has(refusal(kLearnerRecipe, "width = 32", "width = 96\nactivation = \"paired\""),
        "'width' in [network] is 96, expected a multiple of 64 (units are paired)");
    has(refusal(kLearnerRecipe, "width = 32", "width = 32\noutput_buckets = 3"),
        "'output_buckets' in [network] is 3, expected one of: 1, 2, 4, 8");
    has(refusal(kLearnerRecipe, "width = 32", "width = 32\nfeature_set = \"768-king5\""),
        "'feature_set' in [network] is wrong: feature set '768-king5' is not known, expected one of: 768, ");
    has(refusal(kLearnerRecipe, "nodes=30", "node=30"), "unknown parameter 'node'");
    has(refusal(kLearnerRecipe, "from=1500 ", ""), "from is 0, expected more than in the one before");
    has(refusal(kLearnerRecipe, "random_move = 0.02", "random_moves = 0.02"), "random_moves");
    has(refusal(kLearnerRecipe, "batch = 256", "batch = 1024"),
        "'batch' in [optimiser] is 1024, expected at most the smallest window, 1000");
    has(refusal(kLearnerRecipe, "width=64", "width=16"), "width is 16, expected a multiple of 32 from 32 on");
    has(refusal(kLearnerRecipe, "width=64", "feature_set=768-king5"),
        "feature_set is '768-king5', expected one of: 768, 768-mirrored, ");
    std::string deep_first = kLearnerRecipe;
    deep_first.replace(deep_first.find("width = 32"), 10,
                       "width = 32\nhidden = [16, 32]\noutput_buckets = 4");
    has(refusal(refined_first, "width=64", "feature_set=768-king4"),
        "feature_set is 768-king4, expected 768-king6 or a finer one");
    has(refusal(kLearnerRecipe, "width=64", "hidden=16,,32"),
        "hidden is '16,,32', expected units of at most 4 layers as in 16,32, each a multiple of 16 up to "
        "256");
    has(refusal(kLearnerRecipe, "width=64", "hidden="), "hidden is '', expected units of at most 4 layers");
    std::string narrow_clip = kLearnerRecipe;
    narrow_clip.replace(narrow_clip.find("width=64"), 8, "width=64 hidden=16");
    has(refusal(narrow_clip, "averaging = 0.9", "averaging = 0.9\nclip_output = 2"),
        "'clip_output' in [optimiser] is 2, and clip_hidden 4 for 64 units: expected at least 4 and 2.75, as "
        "hidden layers come in");
    has(refusal(narrow_clip, "averaging = 0.9", "averaging = 0.9\nclip_hidden = 3"),
        "'clip_output' in [optimiser] is 6, and clip_hidden 3 for 64 units: expected at least 4 and 3.75");
    has(refusal(kLearnerRecipe, "width=64", "output_buckets=3"),
        "output_buckets is 3, expected one of 1, 2, 4, 8, and 1 at least");
    has(refusal(deep_first, "width=64", "hidden=32"), "hidden is 32, expected 16,32 as before");
    has(refusal(deep_first, "width=64", "output_buckets=2"),
        "output_buckets is 2, expected one of 1, 2, 4, 8, and 4 at least");
    has(refusal(kLearnerRecipe, "averaging = 0.9", "averaging = 1"), "averaging");
    std::string pairs = kLearnerRecipe;
    pairs.replace(pairs.find("width = 32"), 10, "width = 64\nactivation = \"paired\"");
    has(refusal(pairs, "width=64", "width=96"),
        "width is 96, expected a multiple of 64 (units are paired) from 64 on");
}

}  // namespace
}  // namespace scholar::learning
