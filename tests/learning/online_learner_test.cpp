#include "learning/online/online_learner.hpp"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "arena/ladder.hpp"
#include "arena/locked_appender.hpp"
#include "base/files.hpp"
#include "chess/fen.hpp"
#include "chess/uci_move.hpp"
#include "games/pgn.hpp"
#include "learning/linear/online_predictions.hpp"
#include "learning/online/online_checkpoint.hpp"
#include "learning/reports/online_report.hpp"
#include "nets/linear/linear_file.hpp"
#include "support/test_data.hpp"

namespace scholar::learning {
namespace {

using testing::HasSubstr;

// Opponents whose moves depend on nothing but the position.
constexpr const char* kOpponents = R"([ladder]
time_control = "nodes=40"
["known"]
protocol = "internal"
options = ["Hash=1"]
anchor = 1500
["unknown"]
protocol = "internal"
options = ["System=oneply"]
)";

// The moves of all games in a file of PGN.
std::vector<std::vector<chess::Move>> games_in(const std::filesystem::path& path) {
    std::vector<std::vector<chess::Move>> games;
    auto reader = games::PgnReader::open(path.string());
    EXPECT_TRUE(reader);
    if (!reader) return games;
    for (auto item = reader->next(); item && *item != games::PgnItem::End; item = reader->next())
        if (*item == games::PgnItem::Game) games.push_back(reader->game().moves);
    return games;
}

class OnlineLearning : public testing::Test {
  protected:
    // What a run says of each game does not belong among the test's own words.
    void SetUp() override { testing::internal::CaptureStdout(); }
    void TearDown() override { testing::internal::GetCapturedStdout(); }
    OnlineRecipe recipe(const std::string& learning = "", const std::string& players = "") const {
        const std::string opponents = (folder_.path() / "opponents.toml").string();
        std::ofstream(opponents) << kOpponents;
        const auto parsed = parse_online_recipe(
            fmt::format("[learning]\n{}\n[play]\nnodes = 60\ntable_megabytes = 1\nrandom_moves = 4\n"
                        "[opponents]\nplayers = \"{}\"\n",
                        learning, players.empty() ? opponents : players),
            "test.toml");
        EXPECT_TRUE(parsed) << parsed.error().message;
        return *parsed;
    }
    OnlineOptions options(const char* name, std::uint64_t games) const {
        OnlineOptions how;
        how.output = folder_.path() / name;
        how.games = games;
        how.json = true;  // no text among the test's
        return how;
    }
    static OnlineCheckpoint checkpoint(const OnlineOptions& how) {
        auto loaded = load_online_checkpoint(how.output);
        EXPECT_TRUE(loaded && *loaded);
        return (*loaded)->checkpoint;
    }

    const tests::TemporaryFolder folder_;
};

TEST_F(OnlineLearning, TheBuiltInRecipeAndOpponentsAreSound) {
    const auto built_in = parse_online_recipe(knightcap_recipe(), "knightcap.toml");
    ASSERT_TRUE(built_in) << built_in.error().message;
    EXPECT_EQ(built_in->update.lambda, 0.7);
    EXPECT_EQ(built_in->search.root_search, search::RootSearch::Mtdf);
    EXPECT_EQ(built_in->search.convergence, 14);  // 0.07 pawns
    EXPECT_TRUE(built_in->search.exact_leaves);
    for (const auto text : {knightcap_beyond_recipe(), knightcap_pawns_recipe(), knightcap_self_recipe(),
                            knightcap_self_varied_recipe()}) {
        const auto kin = parse_online_recipe(text, "kin.toml");
        ASSERT_TRUE(kin) << kin.error().message;
        EXPECT_EQ(kin->nodes, built_in->nodes);
        EXPECT_EQ(kin->search.root_search, built_in->search.root_search);
    }
    const auto ladder = arena::parse_ladder(online_opponents(), "online.toml");
    EXPECT_TRUE(ladder) << ladder.error().message;
}

TEST_F(OnlineLearning, ABadRecipeIsRefusedWithItsLine) {
    const auto bad = parse_online_recipe("[learning]\nlamda = 0.7\n", "bad.toml");
    ASSERT_FALSE(bad);
    EXPECT_THAT(bad.error().message, HasSubstr("bad.toml: line 2: "));
    EXPECT_THAT(bad.error().message, HasSubstr("lamda"));
}

TEST(OnlineRecipe, WhatItDoesNotSayIsAsInTheBuiltInOne) {
    const auto built_in = parse_online_recipe(knightcap_recipe(), "knightcap.toml");
    const auto empty = parse_online_recipe("", "empty.toml");
    ASSERT_TRUE(built_in && empty);
    EXPECT_EQ(empty->settings, built_in->settings);
    EXPECT_EQ(empty->search.root_search, built_in->search.root_search);
}

// TOML has words for them.
TEST(OnlineRecipe, RefusesWhatIsNoFiniteNumberByKeyAndLine) {
    auto names = parse_online_recipe("", "empty.toml")->settings;
    for (const char* name : {"learning.step", "learning.alpha_games", "learning.average_games"})
        names.emplace_back(name, "");  // noted only where they are said
    for (const char* number : {"nan", "-nan", "inf", "-inf"})
        for (const auto& [name, value] : names) {
            const std::string section = name.substr(0, name.find('.'));
            const std::string key = name.substr(name.find('.') + 1);
            const auto refused =
                parse_online_recipe(fmt::format("[{}]\n{} = {}\n", section, key, number), "r.toml");
            ASSERT_FALSE(refused) << name;
            EXPECT_TRUE(refused.error().message.starts_with(
                fmt::format("r.toml: line 2: '{}' in [{}] is ", key, section)))
                << refused.error().message;
        }
}

TEST_F(OnlineLearning, WeightsChangeAfterEachGameAndThePawnStays) {
    const auto how = options("run", 4);
    const auto outcome = learn_online(recipe(), how, {});
    ASSERT_TRUE(outcome) << outcome.error().message;
    EXPECT_TRUE(outcome->finished);
    EXPECT_EQ(outcome->games, 4U);
    EXPECT_LT(outcome->rating.deviation, arena::Glicko::kNew);
    const auto now = checkpoint(how);
    EXPECT_EQ(now.updates, 4U);
    const auto start = nets::FloatLinearNetwork::material_start();
    std::size_t changed = 0;
    for (std::size_t i = 0; i < now.weights.size(); ++i) changed += now.weights[i] != start.weights[i];
    EXPECT_GT(changed, 200U);
    for (const nets::Stage stage : nets::kStages) {
        const auto pawn = nets::weight_index(nets::feature(nets::Block::Material), stage);
        EXPECT_EQ(now.weights[pawn], start.weights[pawn]);
    }
    // What is on disk: the newest weights, those of the start, and every game.
    const auto newest = nets::load_float_linear_network(how.output / "network.safetensors");
    ASSERT_TRUE(newest);
    for (std::size_t i = 0; i < now.weights.size(); ++i)
        ASSERT_EQ(newest->weights[i], static_cast<float>(now.weights[i]));
    const auto first = nets::load_float_linear_network(how.output / "snapshots" / "game-000000.safetensors");
    ASSERT_TRUE(first);
    EXPECT_EQ(first->weights, start.weights);
    EXPECT_EQ(games_in(how.output / "games.pgn").size(), 4U);
    const auto report = write_online_report(how.output);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_THAT(*base::read_text(*report), HasSubstr("# 4 games on-line"));
    EXPECT_TRUE(std::filesystem::exists(how.output / "report" / "rating.svg"));
}

// Also in the middle of the games that an update takes.
TEST_F(OnlineLearning, GoesOnExactly) {
    const std::string batch = "games_per_update = 4";
    const auto whole = options("whole", 6);
    ASSERT_TRUE(learn_online(recipe(batch), whole, {}));
    auto parts = options("parts", 3);
    ASSERT_TRUE(learn_online(recipe(batch), parts, {}));
    // A game that a kill left in the file of games, and nowhere else.
    std::ofstream(parts.output / "games.pgn", std::ios::app) << "[Event \"left behind\"]\n\n1. e4 *\n\n";
    parts.games = 6;
    parts.resume = true;
    ASSERT_TRUE(learn_online(recipe(batch), parts, {}));
    const auto expected = checkpoint(whole);
    const auto resumed = checkpoint(parts);
    EXPECT_EQ(expected.weights, resumed.weights);
    EXPECT_EQ(expected.pending, resumed.pending);
    EXPECT_EQ(expected.updates, 1U);
    EXPECT_EQ(expected.rating.rating, resumed.rating.rating);
    EXPECT_EQ(expected.opponents.at("unknown").rating, resumed.opponents.at("unknown").rating);
    EXPECT_EQ(games_in(parts.output / "games.pgn").size(), 6U);
}

TEST_F(OnlineLearning, AnotherSeedLearnsSomethingElse) {
    const auto one = options("one", 2);
    auto two = options("two", 2);
    two.seed = 2;
    ASSERT_TRUE(learn_online(recipe(), one, {}));
    ASSERT_TRUE(learn_online(recipe(), two, {}));
    EXPECT_NE(checkpoint(one).weights, checkpoint(two).weights);
}

TEST_F(OnlineLearning, AgainstItselfItHasNoRating) {
    const auto how = options("self", 2);
    const auto outcome = learn_online(recipe("", "self"), how, {});
    ASSERT_TRUE(outcome) << outcome.error().message;
    EXPECT_EQ(outcome->rating.deviation, arena::Glicko::kNew);
    EXPECT_EQ(checkpoint(how).updates, 2U);
    // Both sides teach: all half-moves but the four by lot were thought about.
    const auto games = games_in(how.output / "games.pgn");
    ASSERT_EQ(games.size(), 2U);
    const std::string metrics = *base::read_text(how.output / "metrics.jsonl");
    EXPECT_THAT(metrics, HasSubstr(fmt::format("\"searched\":{},", games[0].size() - 4)));
}

// An engine that answers nothing but its name.
TEST_F(OnlineLearning, WhoAlwaysFailsPlaysNoMore) {
    const auto program = folder_.path() / "crashes.sh";
    std::ofstream(program)
        << "#!/bin/sh\nwhile read line; do case \"$line\" in uci) echo uciok;; isready) echo "
           "readyok;; go*|quit) exit 0;; esac; done\n";
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    const std::string crashes =
        fmt::format("[\"crashes\"]\ncommand = \"{}\"\nanchor = 1500\n", program.string());
    const std::string alone = (folder_.path() / "alone.toml").string();
    std::ofstream(alone) << "[ladder]\ntime_control = \"nodes=40\"\n" << crashes;
    const auto nobody = learn_online(recipe("", alone), options("alone", 3), {});
    ASSERT_FALSE(nobody);
    EXPECT_THAT(nobody.error().message, HasSubstr("no opponent is left that plays"));

    const std::string both = (folder_.path() / "both.toml").string();
    std::ofstream(both) << kOpponents << crashes;
    const auto how = options("both", 4);
    const auto outcome = learn_online(recipe("", both), how, {});
    ASSERT_TRUE(outcome) << outcome.error().message;
    EXPECT_EQ(outcome->games, 4U);
    EXPECT_EQ(games_in(how.output / "games.pgn").size(), 4U);
}

TEST_F(OnlineLearning, LeavesTheFilesOfOthersAlone) {
    const auto how = options("mine", 1);
    std::filesystem::create_directories(how.output);
    std::ofstream(how.output / "games.pgn") << "my life's work\n";
    const auto refused = learn_online(recipe(), how, {});
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message,
                HasSubstr("games.pgn: is left of a run that cannot go on: --overwrite removes it"));
    EXPECT_EQ(*base::read_text(how.output / "games.pgn"), "my life's work\n");
}

// Whose nodes teach: as long as others do not, by lot where there are many.
TEST_F(OnlineLearning, InsideTheTree) {
    const OnlineRecipe how = recipe("where = \"tree\"\nalpha = 0.03\nmost_nodes = 10");
    const OnlineOptions once = options("tree", 4);
    ASSERT_TRUE(learn_online(how, once, {}));
    OnlineOptions twice = options("in-two", 2);
    ASSERT_TRUE(learn_online(how, twice, {}));
    const auto half = checkpoint(twice).weights;
    twice.games = 4;
    twice.resume = true;
    ASSERT_TRUE(learn_online(how, twice, {}));
    EXPECT_EQ(checkpoint(twice).weights, checkpoint(once).weights);
    EXPECT_NE(half, checkpoint(once).weights);
}

TEST(OnlineRecipe, TheTreeDoesNotAskHowTheGameGoesOn) {
    const auto refused = [](const std::string& learning) {
        const auto parsed = parse_online_recipe("[learning]\n" + learning, "test.toml");
        return parsed ? std::string() : parsed.error().message;
    };
    EXPECT_THAT(refused("where = \"tree\"\nlambda = 0.5"),
                HasSubstr("line 3: 'lambda' in [learning] stands beside where = \"tree\""));
    EXPECT_THAT(refused("most_nodes = 5"),
                HasSubstr("'most_nodes' in [learning] stands beside another where"));
    EXPECT_EQ(refused("where = \"tree\"\nmost_nodes = 5"), "");
}

TEST_F(OnlineLearning, TwoRunsCannotShareAFolder) {
    auto how = options("shared", 1);
    ASSERT_TRUE(learn_online(recipe(), how, {}));
    const auto other = arena::LockedAppender::open((how.output / "games.pgn").string());
    ASSERT_TRUE(other);
    how.overwrite = true;
    EXPECT_FALSE(learn_online(recipe(), how, {}));
    EXPECT_EQ(checkpoint(how).games, 1U);
}

TEST_F(OnlineLearning, DoesNotRemoveWhatItWouldStartFrom) {
    auto how = options("run", 1);
    ASSERT_TRUE(learn_online(recipe(), how, {}));
    const auto start = how.output / "snapshots" / "game-000000.safetensors";
    OnlineRecipe from_it = recipe();
    from_it.start = start.string();
    how.overwrite = true;
    const auto refused = learn_online(from_it, how, {});
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("lies in the folder of the run"));
    EXPECT_TRUE(std::filesystem::exists(start));
    how = options("next", 1);
    EXPECT_TRUE(learn_online(from_it, how, {}));
}

// The first game teaches as much as ever, the sixth a sixth of it.
TEST_F(OnlineLearning, AlphaFalls) {
    const auto steady = options("steady", 1);
    ASSERT_TRUE(learn_online(recipe(), steady, {}));
    const auto falling = options("falling", 1);
    ASSERT_TRUE(learn_online(recipe("alpha_games = 1"), falling, {}));
    EXPECT_EQ(checkpoint(falling).weights, checkpoint(steady).weights);
    // Six games with the same weights throughout: what the sixth alone adds.
    const auto change = [&](const char* name, const std::string& learning) {
        const auto how = options(name, 6);
        EXPECT_TRUE(learn_online(recipe(learning + "\ngames_per_update = 6"), how, {}));
        const auto before = options((std::string(name) + "5").c_str(), 5);
        EXPECT_TRUE(learn_online(recipe(learning + "\ngames_per_update = 7"), before, {}));
        std::vector<double> sixth = checkpoint(how).weights;
        const auto start = nets::FloatLinearNetwork::material_start();
        for (std::size_t i = 0; i < sixth.size(); ++i)
            sixth[i] -= static_cast<double>(start.weights[i]) + checkpoint(before).pending[i];
        return sixth;
    };
    const auto whole = change("whole", "fixed_pawn = false");
    const auto part = change("part", "fixed_pawn = false\nalpha_games = 1");
    double largest = 0;
    for (std::size_t i = 0; i < whole.size(); ++i) {
        ASSERT_NEAR(part[i], whole[i] / 6, 1e-9 + 1e-6 * std::abs(whole[i])) << i;
        largest = std::max(largest, std::abs(whole[i]));
    }
    EXPECT_GT(largest, 0.1);
}

// The first step is alpha pawns for every weight that is told to move at all, whatever it is told.
TEST_F(OnlineLearning, AdaptiveStepsAreAlphaPawnsAtFirst) {
    const std::string rule = "step = \"adaptive\"\nalpha = 0.5\nfixed_pawn = false";
    const auto one = options("one", 1);
    ASSERT_TRUE(learn_online(recipe(rule), one, {}));
    const auto plain = options("plain", 1);
    ASSERT_TRUE(learn_online(recipe("alpha = 1\nfixed_pawn = false\ngames_per_update = 2"), plain, {}));
    const auto start = nets::FloatLinearNetwork::material_start();
    const auto& told = checkpoint(plain).pending;
    const auto first = checkpoint(one);
    std::size_t moved = 0;
    for (std::size_t i = 0; i < told.size(); ++i) {
        const double change = first.weights[i] - static_cast<double>(start.weights[i]);
        const double expected = told[i] == 0 ? 0 : std::copysign(0.5 * nets::kPawnScore, told[i]);
        ASSERT_NEAR(change, expected, 1e-9) << i;
        moved += told[i] != 0;
    }
    EXPECT_GT(moved, 200U);
    // Of the next game, by the squares of both.
    auto two = options("two", 1);
    ASSERT_TRUE(learn_online(recipe(rule + "\ngames_per_update = 1"), two, {}));
    two.resume = true;
    two.games = 2;
    ASSERT_TRUE(learn_online(recipe(rule + "\ngames_per_update = 1"), two, {}));
    const auto second = checkpoint(two);
    std::size_t checked = 0;
    for (std::size_t i = 0; i < told.size(); ++i) {
        const double square = second.squares[i] - first.squares[i];
        const double change = std::abs(second.weights[i] - first.weights[i]);
        ASSERT_NEAR(change, square == 0 ? 0 : 0.5 * nets::kPawnScore * std::sqrt(square / second.squares[i]),
                    1e-6)
            << i;
        checked += square != 0;
    }
    EXPECT_GT(checked, 200U);
}

// With as long a memory as there are games: the mean of the weights after each of them.
TEST_F(OnlineLearning, TheMeanOfTheWeightsIsKeptAndTheWeightsPlay) {
    const std::string learning = "average_games = 100";
    std::vector<double> sum(nets::kLinearWeights);
    auto how = options("run", 0);
    for (how.games = 1; how.games <= 3; ++how.games) {
        ASSERT_TRUE(learn_online(recipe(learning), how, {}));
        how.resume = true;
        const auto now = checkpoint(how);
        for (std::size_t i = 0; i < sum.size(); ++i) {
            sum[i] += now.weights[i];
            ASSERT_NEAR(now.mean[i], sum[i] / static_cast<double>(how.games), 1e-9 * std::abs(sum[i])) << i;
        }
        const auto newest = nets::load_float_linear_network(how.output / "network.safetensors");
        ASSERT_TRUE(newest);
        for (std::size_t i = 0; i < sum.size(); ++i)
            ASSERT_EQ(newest->weights[i], static_cast<float>(now.mean[i]));
    }
    EXPECT_NE(checkpoint(how).mean, checkpoint(how).weights);
    // The games are those without a mean.
    const auto without = options("without", 3);
    ASSERT_TRUE(learn_online(recipe(), without, {}));
    EXPECT_EQ(checkpoint(without).weights, checkpoint(how).weights);
    // A run that is never stopped has the same.
    const auto whole = options("whole", 3);
    ASSERT_TRUE(learn_online(recipe(learning), whole, {}));
    EXPECT_EQ(checkpoint(whole).mean, checkpoint(how).mean);
}

TEST_F(OnlineLearning, UpdatesAfterSeveralGames) {
    const auto how = options("few", 5);
    ASSERT_TRUE(learn_online(recipe("games_per_update = 4"), how, {}));
    const auto now = checkpoint(how);
    EXPECT_EQ(now.updates, 1U);
    // Of the fifth game.
    EXPECT_TRUE(std::ranges::any_of(now.pending, [](double change) { return change != 0; }));
}

TEST_F(OnlineLearning, SaysThatThereIsNoRunToGoOnWith) {
    auto how = options("run", 1);
    how.resume = true;
    const auto refused = learn_online(recipe(), how, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message,
              how.output.string() + ": holds no run to go on with: without --resume a new one begins there");
    EXPECT_FALSE(std::filesystem::exists(how.output));
    // Unless one is to begin then.
    how.or_begin = true;
    const auto begun = learn_online(recipe(), how, {});
    ASSERT_TRUE(begun) << begun.error().message;
    // A run that was killed in its first game is one.
    how.or_begin = false;
    for (const char* name : {"checkpoint.safetensors", "checkpoint.previous.safetensors"})
        std::filesystem::remove(how.output / name);
    std::filesystem::resize_file(how.output / "games.pgn", 0);
    const auto again = learn_online(recipe(), how, {});
    EXPECT_TRUE(again) << again.error().message;
}

TEST_F(OnlineLearning, RefusesWhatWouldBeLost) {
    auto how = options("run", 1);
    ASSERT_TRUE(learn_online(recipe(), how, {}));
    const auto again = learn_online(recipe(), how, {});
    ASSERT_FALSE(again);
    EXPECT_THAT(again.error().message, HasSubstr("already holds a run of 1 game:"));
    how.resume = true;
    how.games = 2;
    const auto other = learn_online(recipe("lambda = 0.5"), how, {});
    ASSERT_FALSE(other);
    EXPECT_THAT(other.error().message, HasSubstr("lambda"));
    EXPECT_EQ(checkpoint(how).games, 1U);
}

// Weights that have become no numbers are not kept.
TEST_F(OnlineLearning, ALearningRateThatIsFarTooLargeEndsTheRun) {
    const auto how = options("wild", 20);
    const auto outcome = learn_online(recipe("alpha = 1e6"), how, {});
    ASSERT_FALSE(outcome);
    EXPECT_THAT(outcome.error().message, HasSubstr("the learning rate may be too large"));
}

chess::Position position(const char* fen) {
    return *chess::parse_fen(fen);
}

// A thought whose score is the static value of a leaf one half-move on.
TEST(Predictions, AreFromTheLearnersView) {
    const auto network = nets::FloatLinearNetwork::material_start();
    const auto root = position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    selfplay::Thought thought;
    thought.result.leaf = position("4k3/8/8/8/8/8/4P3/3K4 b - - 1 1");
    thought.result.leaf_kind = search::LeafKind::Exact;
    thought.result.score = chess::Score(static_cast<int>(-network.value(thought.result.leaf)));
    thought.result.ponder = *chess::parse_uci_move(thought.result.leaf, "e8e7");
    const auto own = *chess::parse_uci_move(root, "e1d1");
    const auto said = predictions(std::span(&thought, 1), {root, {own, thought.result.ponder}}, chess::White,
                                  OnlineWhere::Leaf, network);
    ASSERT_EQ(said.size(), 1U);
    EXPECT_NEAR(said[0].value, 0.25, 0.002);  // a pawn ahead
    EXPECT_TRUE(said[0].reply_expected);
    double value = 0;
    ASSERT_EQ(said[0].lessons.size(), 1U);
    EXPECT_EQ(said[0].lessons[0].value, said[0].value);
    for (const nets::Slope& slope : said[0].lessons[0].slopes)
        value += network.weights[slope.weight] * slope.slope;
    EXPECT_NEAR(value, nets::kPawnScore, 0.01);
}

TEST(Predictions, KnowWhatWasExpected) {
    selfplay::Thought thought;
    thought.result.ponder = chess::Move::none();
    const chess::Position start;
    const auto e4 = *chess::parse_uci_move(start, "e2e4");
    const auto e5 = *chess::parse_uci_move(start.after(e4), "e7e5");
    const auto expected = [&](std::vector<chess::Move> moves, bool mated) {
        return predictions(std::span(&thought, 1), {start, std::move(moves), mated}, chess::White,
                           OnlineWhere::Leaf, nets::FloatLinearNetwork::material_start())[0]
            .reply_expected;
    };
    EXPECT_FALSE(expected({e4, e5}, false));
    // The game ended with the learner's move: by mate, or because the opponent gave up.
    EXPECT_TRUE(expected({e4}, true));
    EXPECT_FALSE(expected({e4}, false));
}

TEST(Predictions, OnlyExactLeavesTeach) {
    selfplay::Thought thought;
    thought.result.leaf_kind = search::LeafKind::Mate;
    thought.result.score = chess::Score::mate_in(3);
    for (const OnlineWhere where : {OnlineWhere::Leaf, OnlineWhere::Root, OnlineWhere::Line}) {
        const auto said = predictions(std::span(&thought, 1), {}, chess::White, where,
                                      nets::FloatLinearNetwork::material_start());
        EXPECT_EQ(said[0].value, 1);
        EXPECT_TRUE(said[0].lessons.empty());
    }
}

// White takes a pawn, Black moves his king: the position with the capture is not quiet, the one after it is.
TEST(Predictions, OfALineAreItsQuietPositionsAndTheLeaf) {
    const auto network = nets::FloatLinearNetwork::material_start();
    const auto root = position("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1");
    selfplay::Thought thought;
    const auto takes = *chess::parse_uci_move(root, "e4d5");
    const auto taken = root.after(takes);
    const auto answer = *chess::parse_uci_move(taken, "e8d7");
    thought.result.principal_variation = {takes, answer};
    thought.result.leaf = taken.after(answer);
    thought.result.leaf_kind = search::LeafKind::Exact;
    thought.result.score = chess::Score(static_cast<int>(network.value(thought.result.leaf)));
    const auto said = [&](OnlineWhere where) {
        return predictions(std::span(&thought, 1), {root, {takes}}, chess::White, where, network)[0];
    };
    EXPECT_EQ(said(OnlineWhere::Leaf).lessons.size(), 1U);
    EXPECT_TRUE(said(OnlineWhere::Root).lessons.empty());
    const auto line = said(OnlineWhere::Line);
    ASSERT_EQ(line.lessons.size(), 2U);
    for (const OnlineLesson& lesson : line.lessons) {
        EXPECT_NEAR(lesson.value, 0.25, 0.002);  // a pawn ahead, whoever is to move
        double value = 0;
        for (const nets::Slope& slope : lesson.slopes) value += network.weights[slope.weight] * slope.slope;
        EXPECT_NEAR(value, nets::kPawnScore, 0.01);
    }
    // A node that was found to be worth what it says teaches nothing, a bound that it breaks does.
    thought.nodes = {{taken, selfplay::Interval::at_least(0.2), {}},
                     {root, selfplay::Interval::at_least(0.9), {}}};
    const auto inside = said(OnlineWhere::Tree);
    ASSERT_EQ(inside.lessons.size(), 1U);
    EXPECT_NEAR(inside.lessons[0].value, 0, 1e-9);  // even
    EXPECT_EQ(inside.lessons[0].found, selfplay::Interval::at_least(0.9));
    // Before it took: even, and to be moved towards a pawn.
    thought.result.principal_variation = {*chess::parse_uci_move(root, "e1d1"), takes};
    const auto quiet = said(OnlineWhere::Root);
    ASSERT_EQ(quiet.lessons.size(), 1U);
    EXPECT_NEAR(quiet.lessons[0].value, 0, 1e-9);
}

}  // namespace
}  // namespace scholar::learning
