#include "arena/tournament.hpp"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "arena/comparison.hpp"
#include "arena/ladder.hpp"
#include "arena/match_state.hpp"
#include "arena/more_openings.hpp"
#include "chess/line.hpp"
#include "chess/movegen.hpp"
#include "scripted_programs.hpp"
#include "support/test_data.hpp"

namespace scholar::arena {
namespace {

using testing::HasSubstr;

TEST(Tournament, PairingsAreThoseOfItsFormat) {
    EXPECT_EQ(round_robin(4), (std::vector<Pairing>{{0, 1}, {0, 2}, {1, 2}, {0, 3}, {1, 3}, {2, 3}}));
    EXPECT_EQ(gauntlet(4), (std::vector<Pairing>{{0, 1}, {0, 2}, {0, 3}}));
    EXPECT_EQ(neighbours(4, 1), (std::vector<Pairing>{{0, 1}, {1, 2}, {2, 3}}));
    EXPECT_EQ(neighbours(5, 4), round_robin(5));
}

MatchOptions tournament(int games) {
    MatchOptions options;
    options.engines.clear();
    for (const char* name : {"A", "B", "C", "D"}) {
        EngineConfig engine;
        engine.name = name;
        engine.command = {scripted_engine(), "ok"};
        options.engines.push_back(engine);
    }
    options.time_controls.assign(4, parse_time_control("depth=1").value());
    options.pairings = round_robin(4);
    options.openings = games::parse_openings(embedded_openings(), "built in").value();
    options.games = games;
    options.concurrency = 2;
    options.max_plies = 4;
    options.patience = {.start = std::chrono::seconds(20), .ready = std::chrono::seconds(20)};
    return options;
}

class TournamentRecorder : public MatchObserver {
  public:
    base::Status game_finished(const MatchGame& game, const MatchResult&) override {
        games.push_back(game);
        return {};
    }
    std::vector<MatchGame> games;
};

TEST(Tournament, LetsEverybodyMeetFromTheSameOpeningsInEachRound) {
    TournamentRecorder recorder;
    const auto result = play_match(tournament(5), {&recorder}, {});
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(result->games(), 30U);
    ASSERT_EQ(recorder.games.size(), 30U);
    std::set<int> numbers;
    std::map<int, std::set<int>> openings;                   // by round
    std::map<std::pair<std::string, std::string>, int> met;  // White first
    for (const auto& game : recorder.games) {
        EXPECT_TRUE(numbers.insert(game.number).second);
        openings[game.number / 12].insert(game.opening);
        const auto white = static_cast<std::size_t>(game.white);
        ++met[{game.names[white], game.names[1 - white]}];
    }
    EXPECT_EQ(openings.size(), 3U);
    for (const auto& [round, those] : openings) EXPECT_EQ(those.size(), 1U) << round;
    EXPECT_EQ(met.size(), 12U);
    for (const auto& [players, games] : met) EXPECT_EQ(games, players.first < players.second ? 3 : 2);
    for (const auto& encounter : result->encounters) {
        EXPECT_EQ(encounter.score.draws, 5U);
        EXPECT_EQ(encounter.pairs, (Pentanomial{0, 0, 2, 0, 0}));
    }
    for (const auto& engine : result->engines) EXPECT_EQ(engine.moves, 15U * 2);
    const std::string table = describe_tournament(*result);
    EXPECT_THAT(table, HasSubstr("30 games\n"));
    EXPECT_THAT(table, HasSubstr("    2.5"));
}

TEST(Tournament, GoesOnWhereItWasAndWithMoreGames) {
    const tests::TemporaryFolder folder;
    const MatchOutputs outputs{folder / "games.pgn", folder / "games.jsonl", "Test"};
    std::stop_source stop;
    class Stopper : public MatchObserver {
      public:
        explicit Stopper(std::stop_source& stop) : stop_(stop) {}
        base::Status game_finished(const MatchGame&, const MatchResult& so_far) override {
            if (so_far.games() == 7) stop_.request_stop();
            return {};
        }

      private:
        std::stop_source& stop_;
    } stopper(stop);
    std::uint64_t first = 0;
    {
        const auto options = tournament(4);
        auto state = MatchState::open(folder / "state", options, outputs);
        ASSERT_TRUE(state) << state.error().message;
        const auto result =
            play_match(options, {state->get(), &stopper}, stop.get_token(), (*state)->earlier());
        ASSERT_TRUE(result) << result.error().message;
        EXPECT_TRUE(result->interrupted);
        first = result->games();
        EXPECT_GE(first, 7U);
        EXPECT_LT(first, 24U);
    }
    for (const int games : {4, 6}) {
        const auto options = tournament(games);
        auto state = MatchState::open(folder / "state", options, outputs);
        ASSERT_TRUE(state) << state.error().message;
        EXPECT_EQ((*state)->earlier().games.size(), games == 4 ? first : 24U);
        const auto result = play_match(options, {state->get()}, {}, (*state)->earlier());
        ASSERT_TRUE(result) << result.error().message;
        EXPECT_EQ(result->games(), 6U * static_cast<unsigned>(games));
        for (const auto& encounter : result->encounters)
            EXPECT_EQ(encounter.score.games(), static_cast<unsigned>(games));
    }
    std::ifstream json(outputs.json);
    std::set<std::string> lines;
    for (std::string line; std::getline(json, line);) EXPECT_TRUE(lines.insert(line.substr(0, 20)).second);
    EXPECT_EQ(lines.size(), 36U);
    // Other pairings are another tournament.
    auto gauntlet_of_four = tournament(4);
    gauntlet_of_four.pairings = gauntlet(4);
    EXPECT_THAT(MatchState::open(folder / "state", gauntlet_of_four, outputs).error().message,
                HasSubstr("is the state of another"));
}

TEST(Tournament, GoesOnWithoutAnEngineThatDoesNotStartAgain) {
    const tests::TemporaryFolder folder;
    // Starts once, and never after that.
    const std::string script = folder / "once.sh";
    std::ofstream(script) << "#!/bin/sh\n[ -e " << folder / "there" << " ] && exit 1\n: > "
                          << folder / "there" << "\nexec " << scripted_engine() << " exit 2\n";
    auto options = tournament(4);
    options.engines[1].command = {"/bin/sh", script};
    options.concurrency = 1;
    options.start_attempts = 1;
    options.patience.start = std::chrono::seconds(5);
    const auto result = play_match(options, {}, {});
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(result->problem, "");
    ASSERT_EQ(result->withdrawn.size(), 1U);
    EXPECT_THAT(result->withdrawn.front(), HasSubstr("B"));
    for (const auto& encounter : result->encounters) {
        if (encounter.engines[0] == 1 || encounter.engines[1] == 1) continue;
        EXPECT_EQ(encounter.score.games(), 4U);
    }
}

TEST(Comparison, SaysWhoIsBetterOnlyBeyondTheError) {
    const auto result = [](const WinDrawLoss& score, const Pentanomial& pairs) {
        MatchResult match;
        match.engines.resize(2);
        match.engines[0].name = "new";
        match.engines[1].name = "old";
        match.encounters.push_back({{0, 1}, score, pairs});
        return match;
    };
    EXPECT_EQ(better_of(result({60, 80, 60}, {10, 20, 40, 20, 10}), nullptr), Better::Undecided);
    EXPECT_EQ(better_of(result({120, 60, 20}, {2, 5, 23, 30, 40}), nullptr), Better::First);
    EXPECT_EQ(better_of(result({20, 60, 120}, {40, 30, 23, 5, 2}), nullptr), Better::Second);
    EXPECT_EQ(better_of(result({20, 0, 0}, {0, 0, 0, 0, 10}), nullptr), Better::First);
    EXPECT_EQ(better_of(result({0, 0, 20}, {10, 0, 0, 0, 0}), nullptr), Better::Second);
    EXPECT_EQ(better_of(result({0, 0, 0}, {}), nullptr), Better::Undecided);
    EXPECT_THAT(ledger_line(result({60, 80, 60}, {10, 20, 40, 20, 10}), "nodes=3000"),
                testing::AllOf(HasSubstr("new against old: +0.0 ± "),
                               HasSubstr("(200 games at nodes=3000, +60 =80 -60, pairs 10 20 40 20 10)")));
}

TEST(MoreOpenings, AreManyDifferentOnesThatGoOnFromThoseThereAre) {
    const auto given = games::parse_openings(embedded_openings(), "built in").value();
    const auto made = more_openings(given, 1'000, 1);
    ASSERT_TRUE(made) << made.error().message;
    ASSERT_EQ(made->size(), 1'000U);
    std::set<std::uint64_t> ends;
    for (const auto& opening : *made) {
        chess::Line line(opening.start);
        for (const auto move : opening.moves) {
            ASSERT_TRUE(chess::legal_moves(line.current()).contains(move));
            line.push(move);
        }
        EXPECT_EQ(line.terminal(), chess::Terminal::None);
        EXPECT_TRUE(ends.insert(line.current().key()).second);
    }
    const auto again = more_openings(given, 1'000, 1);
    const auto other = more_openings(given, 1'000, 2);
    EXPECT_EQ(again->back().moves, made->back().moves);
    EXPECT_NE(other->back().moves, made->back().moves);
    EXPECT_TRUE(more_openings({given.front()}, 1, 1));
    EXPECT_FALSE(more_openings({given.front()}, 100'000, 1));
}

}  // namespace
}  // namespace scholar::arena
