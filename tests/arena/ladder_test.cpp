#include "arena/ladder.hpp"

#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "arena/ladder_games.hpp"
#include "arena/pairing.hpp"
#include "arena/placement.hpp"
#include "base/random.hpp"
#include "scripted_programs.hpp"
#include "simulated_games.hpp"
#include "support/test_data.hpp"

namespace scholar::arena {
namespace {

using testing::HasSubstr;

TEST(Ladder, TheBuiltInOneIsSound) {
    const auto ladder = built_in_ladder();
    ASSERT_TRUE(ladder) << ladder.error().message;
    EXPECT_EQ(to_string(ladder->time_control), "3+0.03");
    std::set<std::string> names;
    std::map<std::string, double> anchors;
    for (const auto& player : ladder->players) {
        EXPECT_TRUE(names.insert(player.config.name).second);
        if (player.config.protocol == Protocol::Xboard) {
            EXPECT_EQ(to_string(ladder->control_of(player)), "5");
            EXPECT_FALSE(player.note.empty());
        }
        if (player.anchor) anchors[player.config.name] = *player.anchor;
        // Whatever changes with the program is no part of a scale.
        if (player.config.protocol == Protocol::Internal &&
            player.config.options.front().second != "random") {
            EXPECT_THAT(player.config.options,
                        testing::Contains(testing::Pair("EvalFile", testing::StartsWith("<"))));
        }
    }
    // One by convention; the others are free.
    EXPECT_EQ(anchors, (std::map<std::string, double>{{"Toga II 3.0", 2850}}));
    const auto openings = games::parse_openings(embedded_openings(), "built in");
    ASSERT_TRUE(openings) << openings.error().message;
    EXPECT_EQ(openings->size(), 100U);
}

TEST(Ladder, ReadsStrictly) {
    const std::string head = "[ladder]\ntime_control = \"1+0\"\n";
    const auto error = [&](const std::string& text) { return parse_ladder(text, "my.toml").error().message; };
    EXPECT_EQ(error(head + "[A]\ncomand = \"a\"\n"),
              "my.toml: line 4: unknown key 'comand' in [A], did you mean 'command'?");
    EXPECT_EQ(error(head + "[A]\n"), "my.toml: missing key 'command' in [A]");
    EXPECT_EQ(error(head), "my.toml: no players, expected a section for each");
    EXPECT_THAT(error("[A]\ncommand = \"a\"\n"), HasSubstr("missing key 'time_control' in [ladder]"));
    EXPECT_THAT(error(head + "[A]\ncommand = \"a 'b\"\n"), HasSubstr("line 4: 'command' in [A]"));
    EXPECT_EQ(error(head + "[A]\ncommand = \"a\"\noptions = [\"Hash\"]\n"),
              "my.toml: line 5: 'options' in [A] has 'Hash', expected NAME=VALUE");
    EXPECT_THAT(error(head + "[A]\ncommand = \"a\"\nanchor = \"x\"\n"), HasSubstr("expected a number"));
    EXPECT_THAT(error(head + "[A]\ncommand = \"a\"\ntime_control = \"fast\"\n"),
                HasSubstr("line 5: 'time_control' in [A]"));
    EXPECT_THAT(error(head + "[A]\ncommand = \"a\"\nprotocol = \"usi\"\n"), HasSubstr("expected one of"));
    EXPECT_THAT(error(head + "[A]\ncommand = \"a\"\nprotocol = \"internal\"\n"), HasSubstr("expected none"));
    const auto ladder = parse_ladder(
        head + "[B]\ncommand = \"b -x 'y z'\"\nanchor = 1500\n[A]\ncommand = \"a\"\n", "my.toml");
    ASSERT_TRUE(ladder) << ladder.error().message;
    ASSERT_EQ(ladder->players.size(), 2U);
    EXPECT_EQ(ladder->players[0].config.command, (std::vector<std::string>{"b", "-x", "y z"}));
    EXPECT_EQ(ladder->players[0].anchor, 1500);
    EXPECT_EQ(error(head + "games = \"g.jsonl\"\n[A]\ncommand = \"a\"\n"),
              "my.toml: has games in g.jsonl, expected none");
    EXPECT_FALSE(ladder->players[1].anchor);
    EXPECT_FALSE(ladder->players[1].time_control);
}

class LadderFiles : public testing::Test {
  protected:
    std::string path() const { return (folder_ / "games.jsonl").string(); }
    std::string text() const {
        std::ifstream file(path());
        return {std::istreambuf_iterator<char>(file), {}};
    }

    tests::TemporaryFolder folder_;
};

TEST_F(LadderFiles, GamesSurviveAKillInTheMiddleOfALine) {
    const LadderGame game{.pair = 3,
                          .opening = 7,
                          .white = "A",
                          .black = "B \"x\"",
                          .result = games::GameResult::Draw,
                          .reason = "fifty moves",
                          .plies = 120,
                          .seconds = 8.5};
    {
        auto games = LadderGames::open(path());
        ASSERT_TRUE(games);
        ASSERT_TRUE(games->declare("A", "uci a", "1+0"));
        ASSERT_TRUE(games->append(game));
    }
    const std::string whole = text();
    std::ofstream(path(), std::ios::app) << R"({"pair":4,"white":"A","bl)";
    // Who only reads it leaves it as it is.
    const std::string cut_off = text();
    const auto read_only = read_ladder_games(path());
    ASSERT_TRUE(read_only) << read_only.error().message;
    EXPECT_EQ(read_only->games.size(), 1U);
    EXPECT_EQ(text(), cut_off);
    auto opened = LadderGames::open(path());
    ASSERT_TRUE(opened) << opened.error().message;
    std::optional<LadderGames> games(std::move(*opened));
    EXPECT_EQ(text(), whole);
    ASSERT_EQ(games->games().size(), 1U);
    const LadderGame& read = games->games().front();
    EXPECT_EQ(read.pair, 3);
    EXPECT_EQ(read.opening, 7);
    EXPECT_EQ(read.black, "B \"x\"");
    EXPECT_EQ(read.result, games::GameResult::Draw);
    EXPECT_EQ(read.plies, 120);
    EXPECT_EQ(read.seconds, 8.5);
    EXPECT_EQ(games->next_pair("B \"x\"", "A"), 4);
    EXPECT_EQ(games->record().mean_seconds("A"), 8.5);

    // The same player is no news; another one of that name is refused.
    EXPECT_TRUE(games->declare("A", "uci a", "1+0"));
    EXPECT_EQ(text(), whole);
    EXPECT_THAT(games->declare("A", "uci a Hash=1", "1+0").error().message,
                HasSubstr("line 1: 'A' was 'uci a' at 1+0 there, expected 'uci a Hash=1' at 1+0"));

    EXPECT_THAT(LadderGames::open(path()).error().message, HasSubstr("another program is writing it"));
    EXPECT_TRUE(read_ladder_games(path()));

    std::ofstream(path(), std::ios::app) << "nonsense\n";
    games.reset();
    EXPECT_THAT(LadderGames::open(path()).error().message, HasSubstr("line 3: expected one JSON object"));
}

// A simulated engine among simulated players: how its rating is found, with no engine run.
TEST(Pairing, FindsTheRatingOfASimulatedEngine) {
    struct Peer {
        double elo;
        bool anchor;
    };
    std::vector<Peer> peers;
    for (int i = 0; i < 7; ++i) peers.push_back({1350.0 + 250 * i, true});
    for (const double elo : {400.0, 900.0, 1480.0, 2500.0, 2620.0, 2930.0}) peers.push_back({elo, false});
    base::Random random(11);
    double inside = 0, runs = 0, error_sum = 0;
    for (const double truth : {650.0, 1420.0, 1990.0, 2560.0, 2800.0}) {
        for (int run = 0; run < 6; ++run) {
            PairingTask task;
            task.candidates.push_back({"engine", std::nullopt, 1});
            for (std::size_t i = 0; i < peers.size(); ++i)
                task.candidates.push_back({fmt::format("peer {}", i),
                                           peers[i].anchor ? std::optional(peers[i].elo) : std::nullopt, 1});
            const auto elo_of = [&](std::size_t i) { return i == 0 ? truth : peers[i - 1].elo; };
            const auto play = [&](std::size_t a, std::size_t b, int pairs) {
                for (int i = 0; i < 2 * pairs; ++i)
                    play_by_chance(task.played, task.candidates[a].name, task.candidates[b].name,
                                   elo_of(a) - elo_of(b), 0.3, random);
            };
            // The peers know each other already.
            for (std::size_t a = 1; a < task.candidates.size(); ++a)
                for (std::size_t b = 1; b < a; ++b)
                    if (std::abs(elo_of(a) - elo_of(b)) < 600) play(a, b, 20);
            task.focus = 0;
            std::map<std::size_t, int> opponents;
            for (int pair = 0; pair < 50; ++pair) {
                const auto chosen = choose_pairing(task);
                ASSERT_TRUE(chosen);
                ASSERT_TRUE(chosen->first == 0 || chosen->second == 0);
                const std::size_t other = chosen->first + chosen->second;
                ++opponents[other];
                play(0, other, 1);
            }
            RatingOptions options;
            for (const auto& candidate : task.candidates)
                if (candidate.anchor) options.anchors.emplace(candidate.name, *candidate.anchor);
            const auto rated = rate_pool(task.played, options);
            ASSERT_TRUE(rated) << rated.error().message;
            const auto& engine = rated->players[*task.played.find("engine")];
            ASSERT_EQ(engine.standing, Standing::Rated);
            ++runs;
            inside += std::abs(engine.elo - truth) <= engine.error;
            if (truth > 1350) error_sum += engine.error / 24;
            // Against several, and not one by one against all.
            EXPECT_GE(opponents.size(), 3U);
            double near = 0;
            for (const auto& [other, pairs] : opponents)
                if (std::abs(elo_of(other) - truth) < 450) near += pairs;
            // Below the anchors nobody's rating is as certain as an anchor's, which is then worth a longer
            // way.
            EXPECT_GE(near, truth > 1350 ? 40 : 20) << truth;
        }
    }
    EXPECT_GE(inside / runs, 0.83);
    // A hundred games against equals, three tenths of them drawn, give ±57 Elo; the ladder is coarser.
    EXPECT_LT(error_sum, 78);
}

TEST(Pairing, BeginsWithASpreadAndPassesOverNobodyForLong) {
    PairingTask task;
    task.candidates = {{"engine", std::nullopt, 1}};
    for (int i = 0; i < 8; ++i) task.candidates.push_back({fmt::format("anchor {}", i), 1000.0 + 200 * i, 1});
    task.focus = 0;
    std::set<std::size_t> first;
    for (int pair = 0; pair < task.spread_pairs; ++pair) {
        const auto chosen = choose_pairing(task);
        ASSERT_TRUE(chosen);
        first.insert(chosen->second);
        task.under_way.push_back(*chosen);
    }
    EXPECT_EQ(first, (std::set<std::size_t>{2, 4, 6, 8}));
    // Slow opponents are worth less.
    task.under_way.clear();
    task.spread_pairs = 0;
    for (auto& candidate : task.candidates) candidate.seconds = candidate.anchor == 1600 ? 1 : 50;
    EXPECT_EQ(choose_pairing(task)->first + choose_pairing(task)->second, 4U);
    task.candidates.resize(1);
    EXPECT_FALSE(choose_pairing(task));
}

LadderPlayer scripted(std::vector<std::string> arguments, const std::string& name) {
    LadderPlayer player;
    player.config.name = name;
    player.config.command = {scripted_engine()};
    player.config.command.insert(player.config.command.end(), arguments.begin(), arguments.end());
    return player;
}

PlacementOptions small_ladder() {
    PlacementOptions options;
    options.ladder.time_control = parse_time_control("movetime=0.5").value();
    options.ladder.time_margin = std::chrono::minutes(10);
    options.ladder.players = {scripted({"ok"}, "Good"),       scripted({"exit", "3"}, "Bad"),
                              scripted({"ok"}, "Gone"),       scripted({"ok"}, "Other"),
                              scripted({"ok"}, "Optionless"), scripted({}, "Xboard")};
    options.ladder.players[0].anchor = 2000;
    options.ladder.players[2].config.command = {"no-such-program-anywhere"};
    options.ladder.players[3].version = "Somebody else";
    options.ladder.players[4].config.options = {{"System", "random"}};
    options.ladder.players[5].config.command = {scripted_xboard()};
    options.ladder.players[5].config.protocol = Protocol::Xboard;
    options.ladder.players[5].time_control = parse_time_control("nodes=100").value();
    options.openings = games::parse_openings(embedded_openings(), "built in").value();
    options.engine = scripted({"ok"}, "New");
    options.games = 7;
    options.concurrency = 2;
    return options;
}

TEST_F(LadderFiles, PlacesAnEngineSkipsWhoCannotPlayAndGoesOn) {
    auto options = small_ladder();
    {
        auto games = LadderGames::open(path());
        ASSERT_TRUE(games);
        int told = 0;
        const auto result = place_on_ladder(options, *games, [&](const auto&) { ++told; }, {});
        ASSERT_TRUE(result) << result.error().message;
        EXPECT_EQ(result->engine, "New");
        EXPECT_EQ(result->games_played, 7);
        EXPECT_EQ(told, 8);
        ASSERT_EQ(result->skipped.size(), 4U);
        EXPECT_EQ(result->skipped[0].name, "Gone");
        EXPECT_THAT(result->skipped[0].reason, HasSubstr("not installed"));
        EXPECT_EQ(result->skipped[1].reason, "it is Scripted ok, expected Somebody else");
        EXPECT_THAT(result->skipped[2].reason, HasSubstr("no option 'System'"));
        EXPECT_EQ(result->skipped[3].name, "Xboard");
        EXPECT_THAT(result->skipped[3].reason, HasSubstr("has no limit by nodes"));
        ASSERT_EQ(result->failures.size(), 1U);
        EXPECT_EQ(result->failures[0].player, "Bad");
        EXPECT_EQ(result->failures[0].failure, "crash");
        ASSERT_TRUE(result->ratings);
    }
    // A kill after seven games, one of them half a pair: with one more game allowed it is that pair's other.
    options.games = 8;
    auto games = LadderGames::open(path());
    ASSERT_TRUE(games);
    ASSERT_EQ(games->games().size(), 7U);
    const auto result = place_on_ladder(options, *games, [](const auto&) {}, {});
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(result->games_played, 1);
    std::map<std::tuple<std::string, int, int>, std::set<std::string>> whites;
    for (const auto& game : games->games()) {
        const auto& [first, second] = std::minmax(game.white, game.black);
        EXPECT_TRUE((whites[{first + second, game.pair, game.opening}].insert(game.white).second));
    }
    EXPECT_EQ(whites.size(), 4U);
    for (const auto& [pair, names] : whites) EXPECT_EQ(names.size(), 2U);
    EXPECT_EQ(place_on_ladder(options, *games, [](const auto&) {}, {})->games_played, 0);

    options.engine->config.options = {{"Hash", "32"}};
    EXPECT_THAT(place_on_ladder(options, *games, [](const auto&) {}, {}).error().message,
                HasSubstr("give it another name"));
}

// What is written compactly is read as the same games by the same players.
TEST_F(LadderFiles, AreWrittenCompactly) {
    LadderRecord record;
    record.players = {{"A", {0, "uci a", "1+0"}}, {"B", {0, "uci b", "nodes=10"}}};
    record.games = {{.pair = 1,
                     .opening = 2,
                     .white = "A",
                     .black = "B",
                     .result = games::GameResult::WhiteWins,
                     .reason = "White mates",
                     .plies = 30,
                     .seconds = 1.23456},
                    {.pair = 1,
                     .opening = 2,
                     .white = "B",
                     .black = "A",
                     .result = games::GameResult::Draw,
                     .reason = "the fifty-move rule",
                     .plies = 130,
                     .seconds = 2}};
    const auto read = parse_ladder_games(compact_text(record), "compact");
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_EQ(read->games.size(), 2U);
    EXPECT_EQ(read->games[0].white, "A");
    EXPECT_EQ(read->games[0].seconds, 1.23);
    EXPECT_EQ(read->games[0].reason, "");
    EXPECT_EQ(read->games[1].result, games::GameResult::Draw);
    EXPECT_EQ(read->players.at("B").time_control, "nodes=10");
    const auto number = read->pool().find("A");
    EXPECT_EQ(read->pool().record(*number).wins, 1U);
}

// The games of a name are those of the player that it was then.
TEST_F(LadderFiles, APlayerUnlikeItsGamesIsRefused) {
    auto options = small_ladder();
    options.ladder.record.players["Good"] = {1, "uci something else", "movetime=0.5"};
    auto games = LadderGames::open(path());
    ASSERT_TRUE(games);
    EXPECT_THAT(place_on_ladder(options, *games, [](const auto&) {}, {}).error().message,
                HasSubstr("its games were played by 'uci something else'"));
}

TEST_F(LadderFiles, RatesItsOwnPlayers) {
    auto options = small_ladder();
    options.engine.reset();
    // Of two at a time, games under way may be one more than are wanted.
    options.concurrency = 1;
    options.games = 4;
    auto games = LadderGames::open(path());
    ASSERT_TRUE(games);
    const auto result = place_on_ladder(options, *games, [](const auto&) {}, {});
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(games->games().size(), 4U);
    ASSERT_TRUE(result->ratings);
    for (const auto& player : result->ratings->players)
        EXPECT_EQ(player.standing, player.name == "Good" ? Standing::Anchor : Standing::Below);
    // So many of each; none more where they have them.
    EXPECT_EQ(place_on_ladder(options, *games, [](const auto&) {}, {})->games_played, 0);

    options.engine = scripted({"silent"}, "New");
    options.engine->config.command = {"no-such-program-anywhere"};
    EXPECT_FALSE(place_on_ladder(options, *games, [](const auto&) {}, {}));
    options.engine = scripted({"ok"}, "Good");
    EXPECT_THAT(place_on_ladder(options, *games, [](const auto&) {}, {}).error().message,
                HasSubstr("the ladder has a player of this name"));
    options.engine.reset();
    options.ladder.players.resize(1);
    EXPECT_THAT(place_on_ladder(options, *games, [](const auto&) {}, {}).error().message,
                HasSubstr("only one player that can play, expected at least two"));
}

}  // namespace
}  // namespace scholar::arena
