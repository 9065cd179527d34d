#include "learning/papers/reproduction.hpp"

#include <chrono>
#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <utility>

#include "base/files.hpp"
#include "learning/papers/recipe_text.hpp"
#include "learning/papers/store_experiment.hpp"
#include "support/test_data.hpp"

namespace scholar::learning {
namespace {

using testing::HasSubstr;

constexpr std::string_view kSelfPlay = R"([play]
nodes = 60
table_megabytes = 1
random_moves = 4
[opponents]
players = "self"
)";

// A dense network from such a store, 4 steps of 16.
std::string small_recipe(const std::filesystem::path& store) {
    return "[data]\nstores = [\"" + store.string() + R"("]
validation_share = 0.3
test_share = 0
[sampler]
stages = ["not_in_check"]
[network]
kind = "dense"
features = "giraffe-pieces"
apart = []
joint = [8]
[target]
fit_evaluations = false
result_weight = 0
[optimiser]
kind = "adam"
learning_rate = 0.01
[schedule]
kind = "constant"
[run]
batch = 16
positions = 64
validate_every = 100
checkpoint_every = 100
validation_positions = 100
output = "elsewhere"
)";
}

const arena::TimeControl kNodes{arena::TimeControl::Nodes{50}};

class Reproductions : public testing::Test {
  protected:
    // What a run says of each game does not belong among the test's own words.
    void SetUp() override { testing::internal::CaptureStdout(); }
    void TearDown() override { testing::internal::GetCapturedStdout(); }
    ReproductionOptions options() const {
        return {.output = folder_.path(), .threads = 2, .match_games = 4, .ladder_games = 0};
    }
    static Contender contender(const Reproduction& work, const std::string& name) {
        return {name, work.path("run") / "snapshots" / "game-000000.safetensors", {{"Search", "mtdf"}}};
    }

    static std::filesystem::path only_match(const Reproduction& work) {
        std::vector<std::filesystem::path> files;
        for (const auto& entry : std::filesystem::directory_iterator(work.path("matches")))
            files.push_back(entry.path());
        EXPECT_EQ(files.size(), 1U);
        return files.empty() ? std::filesystem::path() : files.front();
    }

    const tests::TemporaryFolder folder_;
};

TEST_F(Reproductions, TrainOnceOnGamesOfTheirOwn) {
    const Reproduction work(options(), {});
    const PaperStore wanted{.name = "labelled", .games = 6, .nodes = 20, .is_static = true};
    const auto store = work.games(wanted);
    ASSERT_TRUE(store) << store.error().message;
    const auto written = std::filesystem::last_write_time(*store);
    const std::string recipe = small_recipe(*store);
    const auto first = work.train("some", recipe);
    ASSERT_TRUE(first) << first.error().message;
    ASSERT_TRUE(first->figures.contains("l2"));
    EXPECT_GT(first->figures.at("l2").network, 0);
    EXPECT_GT(first->figures.at("l2").constant, 0);

    // Neither played nor trained again: what was noted is believed, and refused if it is nothing that was
    // noted.
    EXPECT_EQ(work.games(wanted).value(), *store);
    EXPECT_EQ(std::filesystem::last_write_time(*store), written);
    std::filesystem::path figures;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_.path()))
        if (entry.path().filename() == "figures.json") figures = entry.path();
    ASSERT_TRUE(base::write_atomically(figures, std::string_view(R"({"l2": [0.25, 0.5]})")));
    EXPECT_EQ(work.train("some", recipe)->figures.at("l2").network, 0.25);
    ASSERT_TRUE(base::write_atomically(figures, std::string_view("[1, 2")));
    EXPECT_THAT(work.train("some", recipe).error().message,
                HasSubstr("figures.json: expected figures, each [network, constant]"));
    // Another recipe is another run.
    EXPECT_NE(work.train("some", recipe + "seed = 2\n")->figures.at("l2").network, 0.25);
}

// The step of a run's last record.
std::int64_t last_step(const Trained& trained) {
    const auto metrics = base::read_text(trained.folder / "metrics.jsonl");
    EXPECT_TRUE(metrics) << metrics.error().message;
    const std::size_t at = metrics->rfind("\"step\":");
    return at == std::string::npos ? -1 : std::atoll(metrics->c_str() + at + 7);
}

TEST_F(Reproductions, LearnForAShareOfTheLength) {
    ReproductionOptions half = options();
    const auto store =
        Reproduction(half, {}).games({.name = "labelled", .games = 6, .nodes = 20, .is_static = true});
    ASSERT_TRUE(store) << store.error().message;
    half.stores = {store->string()};
    const std::string recipe = small_recipe("elsewhere");
    const StoreRecipes recipes{.stores = R"(stores = ["elsewhere"])"};
    const TakeFindings take = [](const Findings&) { return base::Status(); };
    for (const auto& [length, steps] : {std::pair{1.0, 4}, {0.5, 2}, {0.001, 1}}) {
        half.length = length;
        Reproduction work(half, {});
        const auto experiment = StoreExperiment::begin(work, take, recipes);
        ASSERT_TRUE(experiment) << experiment.error().message;
        const auto trained = experiment->train("some", recipe, {});
        ASSERT_TRUE(trained) << trained.error().message;
        EXPECT_EQ(last_step(*trained), steps) << length;
        EXPECT_EQ(experiment->findings.remarks.size(), length < 1 ? 2U : 1U);
        // A recipe without a length has none to share.
        const auto endless = experiment->train("other", recipe, {{"positions = 64\n", ""}});
        ASSERT_FALSE(endless);
        EXPECT_THAT(endless.error().message,
                    HasSubstr(length < 1 ? "other: expected a length" : "missing key 'steps'"));
    }
}

// A run that plays itself goes on from one reading to the next; what it was is not made up afterwards.
TEST_F(Reproductions, ReadSelfPlayAfterSomeCoreMinutes) {
    const Reproduction work(options(), {});
    const std::string recipe =
        "[course]\nstages = [\"stage nodes=20 games=20 window=10000 reuse=1\"]\n[rating]\npairs = 0\n";
    const auto read = [&](double core_minutes, std::uint64_t seed) {
        return work.learn_for("own", recipe, seed, core_minutes);
    };
    const auto first = read(0.002, 2);
    ASSERT_TRUE(first) << first.error().message;
    const auto text = base::read_text(first->network());
    ASSERT_TRUE(text);
    const auto second = read(0.1, 2);
    ASSERT_TRUE(second) << second.error().message;
    EXPECT_GT(second->find("samples")->network, first->find("samples")->network);
    const auto again = read(0.002, 2);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->find("samples")->network, first->find("samples")->network);
    EXPECT_EQ(base::read_text(again->network()).value_or(""), *text);
    std::filesystem::remove_all(first->folder);
    const auto gone = read(0.002, 2);
    ASSERT_FALSE(gone);
    EXPECT_THAT(gone.error().message, HasSubstr("so what it knew after 0.002 is gone"));
    // A run that was killed before its first checkpoint has its recipe, and still another seed's games.
    const auto whole = read(0.002, 3);
    ASSERT_TRUE(whole);
    const auto run = whole->folder.parent_path();
    for (const auto& entry : std::filesystem::directory_iterator(run))
        if (entry.path().filename() != "recipe") std::filesystem::remove_all(entry.path());
    const auto killed = read(0.002, 3);
    ASSERT_TRUE(killed) << killed.error().message;
    const auto metrics = base::read_text(run / "metrics.jsonl");
    ASSERT_TRUE(metrics);
    EXPECT_THAT(*metrics, HasSubstr("\"seed\":3"));
}

TEST_F(Reproductions, AskASuiteOnce) {
    // Whoever sees the mate answers at once; nobody is late however busy the machine is.
    constexpr std::chrono::seconds kTimeEnough{10};
    ReproductionOptions asking = options();
    asking.suite = (folder_.path() / "suite.epd").string();
    ASSERT_TRUE(base::write_atomically(asking.suite,
                                       "6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; id \"one.1\";\n"
                                       "6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Rb1; id \"one.2\";\n"));
    const Reproduction work(asking, {});
    const Contender player{"knightcap", {}, {{"System", "knightcap"}, {"Search", "mtdf"}}};
    const auto first = work.solve(player, kTimeEnough);
    ASSERT_TRUE(first) << first.error().message;
    EXPECT_EQ(first->points, 1);
    EXPECT_EQ(first->max_points, 2);
    std::filesystem::path file;
    for (const auto& entry : std::filesystem::directory_iterator(work.path("suites"))) file = entry.path();
    ASSERT_TRUE(base::write_atomically(file, "[7, 6, 5, 4, 3, 2]\n"));
    EXPECT_EQ(work.solve(player, kTimeEnough)->points, 5);
    ASSERT_TRUE(base::write_atomically(file, "[7, 6]\n"));
    const auto damaged = work.solve(player, kTimeEnough);
    ASSERT_FALSE(damaged);
    EXPECT_THAT(damaged.error().message, HasSubstr("the suite is asked again"));
}

TEST_F(Reproductions, DoNothingTwice) {
    const Reproduction work(options(), {});
    ASSERT_TRUE(work.learn_online("run", kSelfPlay, 1, 2));
    const auto games = base::read_text(work.path("run") / "games.pgn");
    ASSERT_TRUE(games);
    EXPECT_TRUE(std::filesystem::exists(work.path("run") / "report.md"));
    const auto duel = work.match(contender(work, "a"), contender(work, "b"), kNodes);
    ASSERT_TRUE(duel) << duel.error().message;
    EXPECT_EQ(duel->games.games(), 4U);
    ASSERT_TRUE(duel->rating);
    const auto file = only_match(work);
    EXPECT_TRUE(file.filename().string().starts_with("a-"));
    const auto state = base::read_text(file);
    ASSERT_TRUE(state);

    const Reproduction again(options(), {});
    ASSERT_TRUE(again.learn_online("run", kSelfPlay, 1, 2));
    EXPECT_EQ(*base::read_text(work.path("run") / "games.pgn"), *games);
    const auto same = again.match(contender(again, "a"), contender(again, "b"), kNodes);
    ASSERT_TRUE(same) << same.error().message;
    EXPECT_EQ(same->games.wins, duel->games.wins);
    EXPECT_EQ(same->games.games(), 4U);
    EXPECT_EQ(only_match(work), file);
    EXPECT_EQ(*base::read_text(file), *state);

    // Under an old name, other weights: a match of its own.
    std::filesystem::copy_file(work.path("run") / "snapshots" / "game-000000.safetensors",
                               folder_.path() / "first.safetensors");
    const Contender b{"b", folder_.path() / "first.safetensors", {{"Search", "mtdf"}}};
    std::filesystem::copy_file(work.path("run") / "network.safetensors",
                               work.path("run") / "snapshots" / "game-000000.safetensors",
                               std::filesystem::copy_options::overwrite_existing);
    ASSERT_TRUE(again.match(contender(again, "a"), b, kNodes));
    EXPECT_EQ(std::ranges::distance(std::filesystem::directory_iterator(work.path("matches"))), 2);
    EXPECT_EQ(*base::read_text(file), *state);
}

TEST_F(Reproductions, SayWhichNetworkIsNotThere) {
    const Reproduction work(options(), {});
    const auto duel = work.match({"a", "none.safetensors", {}}, {"b", {}, {}}, kNodes);
    ASSERT_FALSE(duel);
    EXPECT_THAT(duel.error().message, HasSubstr("none.safetensors"));
    // Whatever option names it.
    const auto policy =
        work.match({"a", {}, {{"Search", "policy"}, {"PolicyFile", "<unmasked:none.safetensors>"}}},
                   {"b", {}, {}}, kNodes);
    ASSERT_FALSE(policy);
    EXPECT_THAT(policy.error().message, HasSubstr("none.safetensors"));
}

TEST_F(Reproductions, SayWhichGamesWereNotLostOnTheBoard) {
    const Reproduction work(options(), {});
    // Says that it plays, and then promotes a pawn in the middle of the board.
    const std::vector<std::string> cheat{
        "/bin/sh", "-c",
        "while read word rest; do case $word in uci) echo uciok;; isready) echo readyok;; "
        "go) echo bestmove d4d5q;; quit) exit;; esac; done"};
    const auto duel = work.match({"a", {}, {}}, {"cheat", {}, {}, cheat}, kNodes);
    ASSERT_TRUE(duel) << duel.error().message;
    EXPECT_EQ(duel->games.wins, 4);
    EXPECT_EQ(duel->failures, "cheat 4 illegal move");
    EXPECT_EQ(describe(*duel),
              "100.0 % (at least -19 Elo; +4 =0 −0); not lost on the board: cheat 4 illegal move");
}

TEST_F(Reproductions, LearnFromTheStoresThatAreGiven) {
    ReproductionOptions given = options();
    given.stores = {"a.games", "b.games"};
    EXPECT_EQ(Reproduction(given, {}).stores_or({.name = "own"}).value(), given.stores);
    EXPECT_EQ(in_toml(given.stores), R"(["a.games", "b.games"])");
    EXPECT_EQ(with_replaced("r", "a = 1\nb = 2\n", {{"a = 1", "a = 3"}}).value(), "a = 3\nb = 2\n");
    EXPECT_THAT(with_replaced("r", "a = 1\n", {{"b = 1", "b = 3"}}).error().message,
                HasSubstr("r is not as this experiment knows it: expected 'b = 1'"));
}

TEST_F(Reproductions, SayThatTheyWereStopped) {
    ASSERT_TRUE(Reproduction(options(), {}).learn_online("run", kSelfPlay, 1, 1));
    std::stop_source stop;
    stop.request_stop();
    const Reproduction work(options(), stop.get_token());
    const auto learnt = work.learn_online("run", kSelfPlay, 1, 2);
    ASSERT_FALSE(learnt);
    EXPECT_THAT(learnt.error().message, HasSubstr("stopped"));
    const auto duel = work.match(contender(work, "a"), contender(work, "b"), kNodes);
    ASSERT_FALSE(duel);
    EXPECT_THAT(duel.error().message, HasSubstr("stopped"));
}

TEST_F(Reproductions, PlaceNobodyWithoutLadderGames) {
    Reproduction work(options(), {});
    const auto place = work.place({"a", "none.safetensors", {}}, kNodes);
    ASSERT_TRUE(place);
    EXPECT_FALSE(*place);
}

TEST_F(Reproductions, RefuseAFaultyRecipe) {
    const auto learnt = Reproduction(options(), {}).learn_online("run", "[play]\nnodse = 60\n", 1, 1);
    ASSERT_FALSE(learnt);
    EXPECT_THAT(learnt.error().message, HasSubstr("nodse"));
}

}  // namespace
}  // namespace scholar::learning
