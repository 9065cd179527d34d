#include "arena/xboard_engine.hpp"

#include <algorithm>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <thread>

#include "arena/match.hpp"
#include "chess/fen.hpp"
#include "chess/line.hpp"
#include "chess/uci_move.hpp"
#include "scripted_programs.hpp"
#include "support/test_data.hpp"

namespace scholar::arena {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

// Longer than any machine is busy.
constexpr PlayerPatience kLong{.start = 10min, .ready = 10min, .quit = 50ms};
// With an engine from which nothing comes.
constexpr PlayerPatience kShort{.start = 10s, .ready = 1000ms, .quit = 50ms};

EngineConfig scripted(std::vector<std::string> arguments, std::string name = "") {
    EngineConfig config;
    config.name = std::move(name);
    config.protocol = Protocol::Xboard;
    config.command = {scripted_xboard()};
    config.command.insert(config.command.end(), arguments.begin(), arguments.end());
    return config;
}

GameTerms terms(const char* control, bool chess960 = false) {
    return {chess960, parse_time_control(control).value()};
}

std::vector<std::string> lines_of(const std::filesystem::path& path) {
    std::vector<std::string> lines;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
}

// Until there is such a line in the file; a test that waits in vain has ctest's time limit.
void wait_for_line(const std::filesystem::path& path, const std::string& line) {
    const auto there = [&] {
        const auto lines = lines_of(path);
        return std::ranges::find(lines, line) != lines.end();
    };
    while (!there()) std::this_thread::sleep_for(1ms);
}

Reply ask(std::vector<std::string> arguments, std::chrono::milliseconds patience = 10min) {
    auto engine = XboardEngine::start(scripted(std::move(arguments)), kLong);
    EXPECT_TRUE(engine) << engine.error().message;
    EXPECT_TRUE(engine->new_game(terms("movetime=1")));
    const chess::Position start;
    return engine->go(start, {}, start, MoveTimeLimit{1s}, patience);
}

TEST(XboardEngine, AnswersWithItsMoveAndWhatItThought) {
    const Reply reply = ask({"ok"});
    EXPECT_EQ(reply.answer, Answer::Move) << reply.detail;
    EXPECT_EQ(chess::to_uci(reply.move), "a2a3");
    EXPECT_EQ(reply.info.centipawns, 21);
    EXPECT_EQ(reply.info.depth, 7);
    EXPECT_EQ(reply.info.nodes, 3400U);
    EXPECT_EQ(reply.info.time, 120ms);
    EXPECT_EQ(reply.info.principal_variation, std::vector<std::string>{"a2a3"});
    EXPECT_EQ(ask({"mates"}).info.mate, 3);
}

TEST(XboardEngine, NamesEveryKindOfFailure) {
    EXPECT_EQ(ask({"crash"}).answer, Answer::Crash);
    EXPECT_THAT(ask({"exit"}).detail, HasSubstr("ended with exit status 3"));
    EXPECT_EQ(ask({"hang"}, 300ms).answer, Answer::Stall);
    EXPECT_EQ(ask({"illegal"}).answer, Answer::Illegal);
    EXPECT_EQ(ask({"garbage"}).answer, Answer::Garbage);
    EXPECT_THAT(ask({"garbage"}).detail, HasSubstr("is not a move"));
    EXPECT_THAT(ask({"refuses"}).detail, HasSubstr("refuses a legal move"));
    EXPECT_THAT(ask({"claims"}).detail, HasSubstr("claims '1/2-1/2 {I say so}'"));
    EXPECT_EQ(ask({"resign"}).answer, Answer::Resign);
    EXPECT_EQ(ask({"flood"}, 60s).answer, Answer::Flood);
    EXPECT_EQ(ask({"old"}).answer, Answer::Move);
}

// Without ping nothing says where the last game's output ends.
TEST(XboardEngine, WhatTheLastGameLeftAnswersNothingInTheNext) {
    const chess::Position start;
    auto engine = XboardEngine::start(scripted({"claims-after-move", "1"}), kLong);
    ASSERT_TRUE(engine) << engine.error().message;
    ASSERT_TRUE(engine->new_game(terms("movetime=1")));
    ASSERT_EQ(engine->go(start, {}, start, MoveTimeLimit{1s}, 10min).answer, Answer::Move);
    engine->game_over(games::GameResult::WhiteWins, "White mates");
    ASSERT_TRUE(engine->new_game(terms("movetime=1")));
    const Reply next = engine->go(start, {}, start, MoveTimeLimit{1s}, 10min);
    EXPECT_EQ(next.answer, Answer::Move) << next.detail;

    // Nor does a claim that came before the opponent's move.
    const tests::TemporaryFolder folder;
    const std::string log = folder / "log";
    auto hasty = XboardEngine::start(scripted({"claims-after-move", "1", log}), kLong);
    ASSERT_TRUE(hasty);
    ASSERT_TRUE(hasty->new_game(terms("movetime=1")));
    const Reply first = hasty->go(start, {}, start, MoveTimeLimit{1s}, 10min);
    ASSERT_EQ(first.answer, Answer::Move);
    wait_for_line(log, "said its claim");
    chess::Line line(start);
    line.push(first.move);
    const auto reply = chess::parse_uci_move(line.current(), "e7e5").value();
    line.push(reply);
    const Reply second =
        hasty->go(start, std::vector{first.move, reply}, line.current(), MoveTimeLimit{1s}, 10min);
    EXPECT_EQ(second.answer, Answer::Move) << second.detail;
}

TEST(XboardEngine, AnswersFeaturesByWhatItKnows) {
    const tests::TemporaryFolder folder;
    const std::string log = folder / "log";
    ASSERT_TRUE(XboardEngine::start(scripted({"ok", "0", log}), kLong));
    const auto told = lines_of(log);
    for (const char* line : {"accepted setboard", "accepted option", "accepted colors", "accepted ping",
                             "rejected name", "rejected banana"})
        EXPECT_THAT(told, testing::Contains(line));
    EXPECT_THAT(told, testing::Not(testing::Contains("accepted banana")));
}

// The way to set up a position before there was setboard: Black's turn comes by a move of White's.
TEST(XboardEngine, EditsPositionsAndRefusesThoseItCannot) {
    const tests::TemporaryFolder folder;
    const std::string log = folder / "log";
    const auto black_to_move = chess::parse_fen("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 b - - 0 1").value();
    {
        auto engine = XboardEngine::start(scripted({"edits", "0", log}), kLong);
        ASSERT_TRUE(engine);
        ASSERT_TRUE(engine->new_game(terms("movetime=1")));
        static_cast<void>(engine->go(black_to_move, {}, black_to_move, MoveTimeLimit{1s}, 300ms));
        wait_for_line(log, ".");
    }
    EXPECT_THAT(lines_of(log), testing::IsSupersetOf({"usermove a2a3", "edit", "Ke1", "c", "Ke8", "."}));
}

TEST(XboardEngine, AStartThatFailsIsOneErrorWithTheEnginesName) {
    const auto message = [](const EngineConfig& config, PlayerPatience patience = kLong) {
        const auto engine = XboardEngine::start(config, patience);
        return engine ? std::string("it started") : engine.error().message;
    };
    EXPECT_EQ(message(scripted({"promises"}, "P"), kShort),
              "engine P: no feature done=1 within 10 s, which its done=0 promised");
    EXPECT_EQ(message(scripted({"no-pong"}, "Q"), kShort), "engine Q: no pong 1 within 1 s");
    EngineConfig config = scripted({"ok"}, "R");
    config.command = {"sh", "-c", "echo hello; exit 4"};
    EXPECT_EQ(message(config),
              "engine R: ended with exit status 4; its last line was 'hello', expected an xboard engine");
}

TEST(XboardEngine, ChecksOptionsAgainstTheEnginesOwnList) {
    const tests::TemporaryFolder folder;
    const std::string log = folder / "log";
    {
        auto engine = XboardEngine::start(scripted({"ok", "0", log}), kLong);
        ASSERT_TRUE(engine) << engine.error().message;
        EXPECT_EQ(engine->name(), "Scripted X");
        const auto message = [&](const char* name, const char* value) {
            return engine->set_option(name, value).error().message;
        };
        EXPECT_EQ(message("Hash", "1"),
                  "engine Scripted X: no option 'Hash', it has: memory, Style of play, Risk (0-9), Learn");
        EXPECT_EQ(message("risk (0-9)", "10"),
                  "engine Scripted X: option Risk (0-9) is '10', expected a whole number from 0 to 9");
        EXPECT_EQ(message("Style of play", "Bold"),
                  "engine Scripted X: option Style of play is 'Bold', expected one of: Calm, Very Wild, Odd");
        EXPECT_TRUE(engine->set_option("memory", "64"));
        EXPECT_TRUE(engine->set_option("style of play", "very wild"));
        EXPECT_TRUE(engine->set_option("Learn", "false"));
        ASSERT_TRUE(engine->wait_ready());
    }
    const auto told = lines_of(log);
    for (const char* line : {"memory 64", "option Style of play=Very Wild", "option Learn=0"})
        EXPECT_THAT(told, testing::Contains(line));
}

// The dialogue as "Chess Engine Communication Protocol" describes it.
TEST(XboardEngine, TellsClocksRoundedDownAndMovesOnce) {
    const tests::TemporaryFolder folder;
    const std::string log = folder / "log";
    {
        auto engine = XboardEngine::start(scripted({"ok", "0", log}), kLong);
        ASSERT_TRUE(engine) << engine.error().message;
        ASSERT_TRUE(engine->new_game(terms("2/65.9+0.7,30.5")));
        const chess::Position start;
        chess::Line line(start);
        std::vector<chess::Move> moves;
        const auto play = [&](const char* text) {
            moves.push_back(chess::parse_uci_move(line.current(), text).value());
            line.push(moves.back());
        };
        play("e2e4");
        for (const char* answer : {"e7e5", "d7d5", "h7h6"}) {
            static_cast<void>(answer);
            const ClockLimit clock{.white = 65'239ms,
                                   .black = 1'999ms,
                                   .white_increment = 700ms,
                                   .black_increment = 700ms,
                                   .moves_to_go = 2};
            const Reply reply = engine->go(start, moves, line.current(), clock, 10min);
            ASSERT_EQ(reply.answer, Answer::Move) << reply.detail;
            moves.push_back(reply.move);
            line.push(reply.move);
            play(moves.size() == 2 ? "d2d4" : moves.size() == 4 ? "d4d5" : "d5d6");
        }
        engine->game_over(games::GameResult::Draw, "Draw by {agreement}");
        ASSERT_TRUE(engine->wait_ready());
    }
    auto told = lines_of(log);
    told.erase(told.begin(), std::ranges::find(told, "new"));
    EXPECT_THAT(told, ElementsAre("new", "force", "post", "easy", "ping 2", "usermove e2e4", "level 2 1:05 0",
                                  "time 199", "otim 6523", "go", "time 199", "otim 6523", "usermove d2d4",
                                  "level 0 0:30 0", "time 199", "otim 6523", "usermove d4d5",
                                  "result 1/2-1/2 {Draw by agreement}", "force", "ping 3", "quit"));
}

TEST(XboardEngine, SetsUpPositionsAndChess960) {
    const tests::TemporaryFolder folder;
    const std::string log = folder / "log";
    {
        auto engine = XboardEngine::start(scripted({"ok", "0", log}), kLong);
        ASSERT_TRUE(engine);
        EXPECT_EQ(engine->new_game(terms("nodes=5")).error().message,
                  "engine Scripted X: the xboard protocol has no limit by nodes, expected a time or a depth");
        ASSERT_TRUE(engine->new_game(terms("depth=4", true)));
        const auto start =
            chess::parse_fen("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1").value();
        EXPECT_EQ(engine->go(start, {}, start, DepthLimit{4}, 10min).answer, Answer::Move);
    }
    const auto told = lines_of(log);
    EXPECT_THAT(told, testing::IsSupersetOf(
                          {"variant fischerandom",
                           "setboard bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1", "sd 4"}));
    auto old = XboardEngine::start(scripted({"old"}, "Old"), kLong);
    ASSERT_TRUE(old);
    EXPECT_EQ(old->new_game(terms("10", true)).error().message,
              "engine Old: no variant fischerandom, which an opening of this match needs");
    auto shallow = XboardEngine::start(scripted({"no-depth"}), kLong);
    ASSERT_TRUE(shallow);
    ASSERT_TRUE(shallow->new_game(terms("depth=4")));
    const chess::Position start;
    EXPECT_THAT(shallow->go(start, {}, start, DepthLimit{4}, 10min).detail, HasSubstr("no limit by depth"));
}

TEST(XboardFeatures, ReadsOptionsWithDashesAndQuotes) {
    XboardFeatures features;
    EXPECT_TRUE(
        read_feature_line("Prompt: feature myname=\"A = B\" draw=0 option=\"Randomizer (0-50) -slider 0 "
                          "0 50\" option=\"Log file -file /logs/a b\" done=1",
                          features));
    EXPECT_EQ(features.name, "A = B");
    EXPECT_FALSE(features.draw);
    ASSERT_EQ(features.options.size(), 2U);
    EXPECT_EQ(features.options[0].name, "Randomizer (0-50)");
    EXPECT_EQ(features.options[0].maximum, 50);
    EXPECT_EQ(features.options[1].default_value, "/logs/a b");
    EXPECT_EQ(features.done, true);
    EXPECT_FALSE(read_feature_line("# feature done=0", features));
    EXPECT_FALSE(read_feature_line("move e2e4", features));
}

TEST(XboardThinking, ReadsScoresAndMates) {
    SearchInfo info;
    EXPECT_TRUE(read_thinking_line("9 156 1084 48000 Nf3 1... Nc6", info));
    EXPECT_EQ(info.centipawns, 156);
    EXPECT_EQ(info.time, 10'840ms);
    EXPECT_TRUE(read_thinking_line(" 12& -100005 3 7 20 100 5\tKg1 Kg2", info));
    EXPECT_EQ(info.mate, -5);
    EXPECT_FALSE(info.centipawns);
    EXPECT_EQ(info.principal_variation, (std::vector<std::string>{"Kg1", "Kg2"}));
    for (const char* line : {"", "move e2e4", "1. e4 e5", "5 a 3 4", "0-1 {White resigns}", "7 7 7"})
        EXPECT_FALSE(read_thinking_line(line, info)) << line;
    // Whatever number it sends, one can reckon with it.
    EXPECT_TRUE(read_thinking_line("9 -2147483648 3 7 Kg1", info));
    EXPECT_EQ(info.mate, -kMostMateMoves);
    EXPECT_TRUE(read_thinking_line("9 99999 3 7 Kg1", info));
    EXPECT_EQ(info.centipawns, kMostCentipawns);
}

TEST(XboardLevel, IsMinutesAndWholeSeconds) {
    EXPECT_EQ(level_command({.base = 300'000ms, .increment = 3000ms}), "level 0 5:00 3");
    EXPECT_EQ(level_command({.base = 65'999ms, .increment = 999ms, .moves = 40}), "level 40 1:05 0");
    EXPECT_EQ(level_command({.base = 300ms, .increment = 0ms}), "level 0 0:01 0");
}

class Recorder : public MatchObserver {
  public:
    base::Status game_finished(const MatchGame& game, const MatchResult&) override {
        games.push_back(game);
        return {};
    }
    std::vector<MatchGame> games;
};

MatchOptions options_for(EngineConfig first, EngineConfig second) {
    MatchOptions options;
    options.engines = {std::move(first), std::move(second)};
    options.time_controls.assign(2, parse_time_control("movetime=600").value());
    options.openings = {{chess::Position(), {}},
                        {chess::parse_fen("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 b - - 0 1").value(), {}}};
    options.games = 4;
    options.max_plies = 12;
    options.stall_after = 10min;
    options.patience = {.start = 10min, .ready = 10min, .quit = 50ms};
    return options;
}

TEST(XboardMatch, PlaysAgainstUciAndScholarItself) {
    EngineConfig uci;
    uci.command = {scripted_engine(), "ok"};
    EngineConfig internal;
    internal.protocol = Protocol::Internal;
    for (const auto& other : {uci, internal}) {
        auto options = options_for(scripted({"ok"}), other);
        options.concurrency = 4;
        if (other.protocol == Protocol::Internal)
            options.time_controls[1] = parse_time_control("nodes=500").value();
        Recorder recorder;
        const auto result = play_match(options, {&recorder}, {});
        ASSERT_TRUE(result) << result.error().message;
        EXPECT_EQ(result->score().games(), 4U);
        for (const auto& game : recorder.games) EXPECT_EQ(game.failure, Failure::None) << game.reason;
    }
}

TEST(XboardMatch, AnOpeningThatCannotBeSetUpIsRefusedBeforeTheFirstGame) {
    auto options = options_for(scripted({"ok"}, "A"), scripted({"edits"}, "B"));
    options.openings.push_back({chess::parse_fen("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1").value(), {}});
    Recorder recorder;
    const auto result = play_match(options, {&recorder}, {});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().message,
              "engine B: no feature setboard, which a position with such castling or en passant needs: "
              "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1");
    EXPECT_TRUE(recorder.games.empty());
}

TEST(XboardMatch, ResignationAndAgreement) {
    auto options = options_for(scripted({"ok"}, "A"), scripted({"resign", "2"}, "B"));
    options.games = 1;
    Recorder recorder;
    ASSERT_TRUE(play_match(options, {&recorder}, {}));
    EXPECT_EQ(recorder.games[0].reason, "Black resigns");
    EXPECT_EQ(recorder.games[0].ending, games::Ending::Resignation);
    EXPECT_EQ(recorder.games[0].points(0), 1);

    options.engines = {scripted({"offers"}, "A"), scripted({"offers"}, "B")};
    Recorder drawn;
    ASSERT_TRUE(play_match(options, {&drawn}, {}));
    EXPECT_EQ(drawn.games[0].reason, "Draw by agreement");
    EXPECT_EQ(drawn.games[0].moves.size(), 1U);
    // One offer alone changes nothing.
    options.engines[1] = scripted({"ok"}, "B");
    Recorder alone;
    ASSERT_TRUE(play_match(options, {&alone}, {}));
    EXPECT_EQ(alone.games[0].moves.size(), 12U);
}

TEST(XboardMatch, FailuresAreCounted) {
    const std::vector<std::pair<std::vector<std::string>, Failure>> bad{
        {{"crash", "2"}, Failure::Crash},         {{"hang", "1"}, Failure::Stall},
        {{"illegal", "2"}, Failure::IllegalMove}, {{"garbage", "2"}, Failure::Garbage},
        {{"refuses", "2"}, Failure::Garbage},     {{"slow", "1"}, Failure::TimeLoss}};
    for (const auto& [arguments, failure] : bad) {
        auto options = options_for(scripted({"ok"}, "Good"), scripted(arguments, "Bad"));
        options.concurrency = 4;
        if (failure == Failure::Stall || failure == Failure::TimeLoss) {
            options.time_controls[1] = parse_time_control("movetime=0.1").value();
            options.time_margin = 0ms;
            if (failure == Failure::Stall) options.stall_after = 500ms;
        }
        const auto result = play_match(options, {}, {});
        ASSERT_TRUE(result) << result.error().message;
        EXPECT_EQ(result->score().wins, 4U) << arguments.front();
        EXPECT_EQ(result->engines[1].count(failure), 4U) << arguments.front();
    }
}

}  // namespace
}  // namespace scholar::arena
