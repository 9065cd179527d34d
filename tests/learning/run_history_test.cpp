#include "learning/selfplay_loop/run_history.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "chess/movegen.hpp"

namespace scholar::learning {
namespace {

using nlohmann::json;

json a_round(std::uint64_t step) {
    return {{"kind", "round"},
            {"step", step},
            {"games", 10 * step},
            {"lessons", 900 * step * step},
            {"core_seconds", 1.5 * static_cast<double>(step)},
            {"round_games", 10},
            {"positions", 1'000},
            {"searched_nodes", 100'000},
            {"trained", 4'096},
            {"steps", 2},
            {"playing", 1.25},
            {"training", 0.25},
            {"loss", 0.5},
            {"constant_loss", 0.69},
            {"clipped", 7},
            {"fresh_loss", step == 1 ? json() : json(0.52)},
            {"seen_loss", step == 1 ? json() : json(0.51)},
            {"draws", 0.2},
            {"half_moves", 101.5},
            {"piece_values", {100, 300, 310, 500, 900, 0}},
            {"network", "768 to 1"},
            {"match_score", step == 1 ? json() : json(0.75)},
            {"target_entropy", step == 1 ? json() : json(0.41)},
            {"stage", 1'000},
            {"targets", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}},
            {"promoted", step == 2},
            {"something_new", "passed over"}};
}

selfplay::Record a_record() {
    selfplay::Record record;
    record.number = 40;
    record.generation = 4;
    record.game.result = games::GameResult::Draw;
    record.game.ending = games::Ending::Adjudication;
    chess::Position position;
    for (int i = 0; i < 4; ++i) {
        record.game.moves.push_back(chess::legal_moves(position)[0]);
        position.make(record.game.moves.back());
        record.judgements.emplace_back().searched = i >= 3;
    }
    return record;
}

TEST(RunHistory, ReadsWhatARunWrites) {
    const std::vector<LearnRating> ratings{{0, 1, 0, 0, 0, "first"}, {900, 2, 120.5, 40, 10, "second"}};
    const std::string text =
        start_record({"Scholar 1", "random weights", 7, 2, {{"a.b", "c"}}, false}, 0).dump() + "\n" +
        a_round(1).dump() + "\n" +
        json{{"kind", "rating"}, {"step", 1}, {"course", course_record({ratings[0]})}}.dump() + "\n" +
        game_record(a_record(), 5).dump() + "\n" +
        start_record({"Scholar 1", "random weights", 7, 3, {{"a.b", "d"}}, true}, 1).dump() + "\n" +
        a_round(2).dump() + "\n" + R"({"kind":"alarm","step":2,"text":"alarm: help"})" + "\n" +
        R"({"kind":"what is to come"})" + "\n" +
        json{{"kind", "rating"}, {"step", 2}, {"course", course_record(ratings)}}.dump() + "\n";
    const auto history = parse_run_history(
        text + ladder_record({60.5, 1'234, 56, 100, arena::PlaceKind::MoreThan}, 2).dump() + "\n",
        "metrics.jsonl");
    ASSERT_TRUE(history) << history.error().message;
    EXPECT_EQ(history->start.program, "Scholar 1");
    EXPECT_EQ(history->start.began_with, "random weights");
    EXPECT_EQ(history->start.seed, 7U);
    // As it goes on: stages that lay ahead may have changed.
    EXPECT_EQ(history->start.threads, 3);
    EXPECT_EQ(history->start.settings, (std::vector<std::pair<std::string, std::string>>{{"a.b", "d"}}));
    EXPECT_EQ(history->resumed, 1);
    ASSERT_EQ(history->rounds.size(), 2U);
    EXPECT_EQ(history->rounds[0].match_score, std::nullopt);
    EXPECT_EQ(history->rounds[0].clipped, 7U);
    EXPECT_EQ(history->rounds[0].fresh_loss, std::nullopt);
    EXPECT_EQ(history->rounds[1].fresh_loss, 0.52);
    EXPECT_EQ(history->rounds[1].seen_loss, 0.51);
    EXPECT_FALSE(history->rounds[0].promoted);
    EXPECT_EQ(history->rounds[1].match_score, 0.75);
    EXPECT_TRUE(history->rounds[1].promoted);
    EXPECT_EQ(history->rounds[1].network, "768 to 1");
    EXPECT_EQ(history->rounds[1].games, 20U);
    EXPECT_EQ(history->rounds[0].new_lessons, 900U);
    EXPECT_EQ(history->rounds[1].new_lessons, 2'700U);
    EXPECT_EQ(history->rounds[1].core_seconds, 3.0);
    EXPECT_EQ(history->rounds[1].searched_nodes, 100'000U);
    EXPECT_EQ(history->rounds[1].half_moves, 101.5);
    EXPECT_EQ(history->rounds[0].target_entropy, std::nullopt);
    EXPECT_EQ(history->rounds[1].target_entropy, 0.41);
    EXPECT_EQ(history->rounds[1].stage, 1'000);
    EXPECT_EQ(history->rounds[1].targets[9], 10U);
    EXPECT_EQ(history->rounds[1].depth, std::nullopt);  // of an older run
    EXPECT_EQ(history->rounds[1].piece_values[4], 900);
    ASSERT_EQ(history->ratings.size(), 2U);  // the last course counts
    EXPECT_EQ(history->ratings[1].elo, 120.5);
    EXPECT_EQ(history->ratings[1].games, 10U);
    EXPECT_EQ(history->ratings[1].name, "second");
    ASSERT_EQ(history->games.size(), 1U);
    EXPECT_EQ(history->games[0].random_moves, 3U);
    EXPECT_EQ(history->games[0].half_moves, 4U);
    EXPECT_EQ(history->games[0].games, 40U);
    EXPECT_EQ(history->games[0].ending, "adjudication");
    EXPECT_NE(history->games[0].pgn.find("[White \"Scholar, generation 4\"]"), std::string::npos);
    EXPECT_NE(history->games[0].pgn.find("1/2-1/2"), std::string::npos);
    ASSERT_EQ(history->places.size(), 1U);
    EXPECT_EQ(history->places[0].core_seconds, 60.5);
    EXPECT_EQ(history->places[0].elo, 1'234);
    EXPECT_EQ(history->places[0].games, 100U);
    EXPECT_EQ(history->places[0].kind, arena::PlaceKind::MoreThan);
    ASSERT_EQ(history->alarms.size(), 1U);
    EXPECT_EQ(history->alarms[0].step, 2U);
}

TEST(RunHistory, SaysWhatIsWrongInOneLine) {
    const std::string good = a_round(1).dump() + "\n";
    const auto refusal = [&](const std::string& line) {
        const auto history = parse_run_history(good + line + "\n" + good, "x/metrics.jsonl");
        EXPECT_FALSE(history) << line;
        return history ? std::string() : history.error().message;
    };
    const auto changed = [&](const char* key, const json& value) {
        json round = a_round(2);
        round[key] = value;
        return refusal(round.dump());
    };
    const auto has = [](const std::string& message, const std::string& part) {
        EXPECT_NE(message.find("x/metrics.jsonl: line 2: " + part), std::string::npos) << message;
        EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    };
    for (const char* line :
         {"", "garbage", "{\"kind\":\"round\"", "[]", "7", "{}", "{\"kind\":7}", "\xff\xfe"})
        has(refusal(line), "is no record of scholar learn, expected a JSON object with a 'kind'");
    has(refusal("{\"kind\":\"round\"}"), "no 'step', expected one in a record of kind 'round'");
    has(changed("games", "10"), "'games' is no whole number");
    has(changed("games", -1), "'games' is no whole number");
    has(changed("loss", nullptr), "'loss' is no number");
    has(changed("piece_values", "none"), "'piece_values' is of the wrong kind");
    has(changed("piece_values", {1, 2}), "'piece_values' is of the wrong kind");
    has(refusal(R"({"kind":"start","step":0,"recipe":"d2","threads":2})"), "no 'program', expected one");
    has(refusal(R"({"kind":"rating","course":[7]})"), "'course' has an entry that is not a JSON object");
    has(refusal(R"({"kind":"rating","course":[{"name":"x"}]})"), "no 'games', expected one");
    has(refusal(R"({"kind":"game","step":1,"games":0,"random_moves":0,"half_moves":1,"ending":7,"pgn":""})"),
        "'ending' is of the wrong kind");
}

TEST(RunHistory, PassesOverWhatAKillCutOff) {
    const std::string text = a_round(1).dump() + "\n" + a_round(2).dump() + "\n";
    const std::size_t first = a_round(1).dump().size() + 1;
    for (std::size_t length = 0; length <= text.size(); ++length) {
        const auto history = parse_run_history(text.substr(0, length), "cut");
        ASSERT_TRUE(history) << length << ": " << history.error().message;
        const std::size_t whole = length == 0                 ? 0
                                  : length + 1 >= text.size() ? 2
                                  : length + 1 >= first       ? 1
                                                              : 0;
        EXPECT_EQ(history->rounds.size(), whole) << length;
    }
}

TEST(RunHistory, KeepsFewGamesOfManyRounds) {
    int kept = 0;
    std::vector<std::uint64_t> first;
    for (std::uint64_t round = 0; round < 1'000'000; ++round)
        if (is_sample_round(round)) {
            ++kept;
            if (first.size() < 4) first.push_back(round);
        }
    EXPECT_EQ(first.front(), 0U);
    EXPECT_GE(kept, 20);
    EXPECT_LE(kept, 60);
}

}  // namespace
}  // namespace scholar::learning
