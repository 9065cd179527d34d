#include "arena/uci_engine.hpp"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <optional>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

#include "arena/child_process.hpp"
#include "chess/fen.hpp"
#include "chess/uci_move.hpp"
#include "scripted_programs.hpp"
#include "support/test_data.hpp"

namespace scholar::arena {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

EngineConfig scripted(std::vector<std::string> arguments) {
    EngineConfig config;
    config.command = {scripted_engine()};
    config.command.insert(config.command.end(), arguments.begin(), arguments.end());
    return config;
}

// Longer than any machine is busy.
constexpr UciEngine::Patience kLong{.start = 10min, .ready = 10min, .quit = 50ms};
// With an engine from which nothing comes.
constexpr UciEngine::Patience kShort{.start = 1000ms, .ready = 1000ms, .quit = 50ms};

Reply ask(std::vector<std::string> arguments, std::chrono::milliseconds patience = 10min) {
    auto engine = UciEngine::start(scripted(std::move(arguments)), kLong);
    EXPECT_TRUE(engine) << engine.error().message;
    EXPECT_TRUE(engine->new_game({}));
    const chess::Position start;
    return engine->go(start, {}, start, NodeLimit{1}, patience);
}

TEST(UciEngine, AnswersWithItsMoveAndWhatItSaid) {
    const Reply reply = ask({"ok"});
    EXPECT_EQ(reply.answer, Answer::Move);
    EXPECT_EQ(chess::to_uci(reply.move), "a2a3");
    EXPECT_EQ(reply.info.centipawns, 13);  // not the bound after it, not the remark
    EXPECT_EQ(reply.info.depth, 2);
    EXPECT_EQ(reply.info.selective_depth, 4);
    EXPECT_EQ(reply.info.nodes, 250U);
    EXPECT_EQ(reply.info.principal_variation, std::vector<std::string>{"a2a3"});
}

TEST(UciEngine, NamesEveryKindOfFailure) {
    EXPECT_EQ(ask({"crash"}).answer, Answer::Crash);
    EXPECT_THAT(ask({"crash"}).detail, HasSubstr("killed by signal 11"));
    EXPECT_THAT(ask({"exit"}).detail, HasSubstr("ended with exit status 3"));
    EXPECT_EQ(ask({"close"}).answer, Answer::Crash);
    EXPECT_THAT(ask({"close"}).detail, HasSubstr("closed its output"));
    EXPECT_EQ(ask({"hang"}, 500ms).answer, Answer::Stall);
    EXPECT_THAT(ask({"hang"}, 500ms).detail, HasSubstr("no bestmove within 0.5 s"));
    EXPECT_EQ(ask({"chatter"}, 500ms).answer, Answer::Stall);
    EXPECT_EQ(ask({"illegal"}).answer, Answer::Illegal);
    EXPECT_EQ(ask({"illegal"}).detail, "a1a1");
    EXPECT_EQ(ask({"garbage"}).answer, Answer::Garbage);
    EXPECT_THAT(ask({"garbage"}).detail, HasSubstr("banana"));
    EXPECT_EQ(ask({"no-move"}).answer, Answer::Garbage);
}

TEST(UciEngine, SurvivesWritingToADeadEngine) {
    auto engine = UciEngine::start(scripted({"exit"}), kLong);
    ASSERT_TRUE(engine);
    const chess::Position start;
    EXPECT_EQ(engine->go(start, {}, start, NodeLimit{1}, 10min).answer, Answer::Crash);
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(engine->go(start, {}, start, NodeLimit{1}, 10min).answer, Answer::Crash);
    EXPECT_FALSE(engine->new_game({}));
    EXPECT_FALSE(engine->set_option("Hash", "32"));
}

TEST(UciEngine, StopsAtTheTokenAndNotAtTheEndOfItsPatience) {
    auto engine = UciEngine::start(scripted({"hang"}), kLong);
    ASSERT_TRUE(engine);
    std::stop_source stop;
    const std::jthread later([&stop] {
        std::this_thread::sleep_for(100ms);
        stop.request_stop();
    });
    const chess::Position start;
    EXPECT_EQ(engine->go(start, {}, start, NodeLimit{1}, 1h, stop.get_token()).answer, Answer::Stopped);
}

TEST(UciEngine, AStartThatFailsIsOneErrorWithTheEnginesName) {
    const auto message = [](const EngineConfig& config) {
        return UciEngine::start(config, kShort).error().message;
    };
    EngineConfig config = scripted({"silent"});
    config.name = "Mute";
    EXPECT_EQ(message(config), "engine Mute: no uciok within 1 s, expected a UCI engine");
    config.command = {"no-such-program-anywhere"};
    EXPECT_EQ(message(config), "engine Mute: there is no program 'no-such-program-anywhere' in PATH");
    config.command = {"./no-such-program"};
    EXPECT_EQ(message(config), "engine Mute: there is no program './no-such-program'");
    config.command = {"sh", "-c", "echo hello; exit 4"};
    EXPECT_EQ(message(config),
              "engine Mute: ended with exit status 4; its last line was 'hello', expected a UCI engine");
    config.command = {};
    EXPECT_EQ(message(config), "engine Mute: the command is empty, expected a program");
    config = scripted({"ok"});
    config.name = "Lost";
    config.directory = "/no/such/folder";
    EXPECT_EQ(message(config), "engine Lost: there is no folder '/no/such/folder' to start it in");
}

TEST(UciEngine, AFloodOfLinesIsNotReadForEver) {
    EngineConfig config = scripted({"flood"});
    config.name = "Loud";
    EXPECT_EQ(
        UciEngine::start(config, kShort).error().message,
        "engine Loud: no uciok within 1 s; its last line was 'info string noise', expected a UCI engine");
    config = scripted({"flood-when-asked"});
    config.name = "Loud";
    EXPECT_EQ(UciEngine::start(config, {.start = 10min, .ready = 1000ms, .quit = 50ms}).error().message,
              "engine Loud: no readyok within 1 s");
}

TEST(ChildProcess, IsKilledWhenTheThreadThatStartedItEnds) {
    std::optional<ChildProcess> child;
    std::jthread([&child] {
        auto started = ChildProcess::start({"sleep", "1000"}, "");
        ASSERT_TRUE(started) << started.error().message;
        child.emplace(std::move(*started));
    }).join();
    ASSERT_TRUE(child);
    ASSERT_TRUE(child->wait(ChildProcess::Clock::now() + 10min));
    EXPECT_THAT(child->describe_end(), HasSubstr("killed by signal 9"));
}

TEST(UciEngine, StartsInItsFolderAndFindsARelativeProgramFromOurs) {
    const auto folder = std::filesystem::path(testing::TempDir());
    std::ofstream(folder / "move.txt") << "bestmove e2e4\n";
    EngineConfig config;
    config.directory = folder;
    config.command = {"sh", "-c",
                      "echo uciok; echo readyok; while read x; do case $x in go*) cat move.txt;; esac; done"};
    auto engine = UciEngine::start(config, kLong);
    ASSERT_TRUE(engine) << engine.error().message;
    const chess::Position start;
    EXPECT_EQ(chess::to_uci(engine->go(start, {}, start, NodeLimit{1}, 10min).move), "e2e4");

    EngineConfig relative = scripted({"ok"});
    relative.command.front() = std::filesystem::relative(scripted_engine()).string();
    if (relative.command.front().find('/') == std::string::npos) relative.command.front().insert(0, "./");
    relative.directory = folder;
    EXPECT_TRUE(UciEngine::start(relative, kLong));
}

TEST(UciEngine, ChecksOptionsAgainstTheEnginesOwnList) {
    auto engine = UciEngine::start(scripted({"ok"}), kLong);
    ASSERT_TRUE(engine);
    EXPECT_EQ(engine->name(), "Scripted ok");
    ASSERT_EQ(engine->options().size(), 4U);
    EXPECT_TRUE(engine->set_option("hash", "1024"));
    EXPECT_TRUE(engine->set_option("Style", "very risky"));
    EXPECT_TRUE(engine->set_option("OwnBook", "FALSE"));
    const auto message = [&](const char* name, const char* value) {
        return engine->set_option(name, value).error().message;
    };
    EXPECT_EQ(message("Hash", "0"),
              "engine Scripted ok: option Hash is '0', expected a whole number from 1 to 1024");
    EXPECT_EQ(message("Hash", "12x"),
              "engine Scripted ok: option Hash is '12x', expected a whole number from 1 to 1024");
    EXPECT_EQ(message("Style", "Calm"),
              "engine Scripted ok: option Style is 'Calm', expected one of: Normal, Very Risky");
    EXPECT_EQ(message("OwnBook", "yes"),
              "engine Scripted ok: option OwnBook is 'yes', expected true or false");
    EXPECT_EQ(message("Speed", "1"),
              "engine Scripted ok: no option 'Speed', it has: Hash, Style, OwnBook, UCI_Chess960");
}

TEST(UciOption, ReadsNamesAndChoicesWithBlanks) {
    const auto option = parse_uci_option(
        "option name NullMove Pruning type combo default Fail High var Always var Fail High var Never");
    ASSERT_TRUE(option);
    EXPECT_EQ(option->name, "NullMove Pruning");
    EXPECT_EQ(option->type, EngineOption::Type::Combo);
    EXPECT_EQ(option->default_value, "Fail High");
    EXPECT_EQ(option->choices, (std::vector<std::string>{"Always", "Fail High", "Never"}));
    EXPECT_FALSE(parse_uci_option("option name X"));
    EXPECT_FALSE(parse_uci_option("id name X type spin"));
}

TEST(SearchInfo, MateAndOtherVariations) {
    SearchInfo info;
    read_info_line("info depth 9 multipv 1 score mate -3 nodes 10 pv a b", info);
    read_info_line("info depth 9 multipv 2 score cp 50 nodes 20 pv c d", info);
    EXPECT_EQ(info.mate, -3);
    EXPECT_LT(info.score(), -90'000);
    EXPECT_EQ(info.nodes, 10U);
    read_info_line("info depth 10 score cp 7", info);
    EXPECT_FALSE(info.mate);
    EXPECT_EQ(info.centipawns, 7);
}

// The line is Stockfish 15.1's.
TEST(SearchInfo, WinsDrawsAndLosses) {
    SearchInfo info;
    read_info_line(
        "info depth 12 seldepth 16 multipv 1 score cp 47 wdl 82 909 9 nodes 20003 nps 1176647 hashfull 6 "
        "tbhits 0 "
        "time 17 pv e2e4",
        info);
    EXPECT_EQ(info.wdl, (std::array{82, 909, 9}));
    EXPECT_EQ(info.nodes, 20'003U);
    // What is no whole game is none.
    for (const char* wrong : {"82 909 8", "82 909", "-1 1001 0", "82 909 x"}) {
        read_info_line(std::string("info depth 13 score cp 40 wdl ") + wrong, info);
        EXPECT_EQ(info.depth, 13);
        EXPECT_FALSE(info.wdl) << wrong;
    }
    read_info_line("info depth 14 score cp 40 wdl 82 909 pv e2e4", info);
    EXPECT_FALSE(info.wdl);
    EXPECT_EQ(info.principal_variation, std::vector<std::string>{"e2e4"});
}

// Whatever number an engine sends, one can reckon with it.
TEST(SearchInfo, NumbersBeyondAllChessAreCutShort) {
    SearchInfo info;
    read_info_line("info depth 9 score mate 2147483647", info);
    EXPECT_EQ(info.mate, kMostMateMoves);
    read_info_line("info depth 9 score mate -2147483648", info);
    EXPECT_EQ(info.mate, -kMostMateMoves);
    EXPECT_LT(info.score(), -kMostCentipawns);
    read_info_line("info depth 9 score cp -2147483648", info);
    EXPECT_EQ(info.centipawns, -kMostCentipawns);
    read_info_line("info depth 9 score cp 2147483647 time 9223372036854775807", info);
    EXPECT_EQ(info.centipawns, kMostCentipawns);
    EXPECT_LE(info.time, std::chrono::hours(24 * 365));
}

// Lines of Stockfish 15.1, of older ones and of Scholar.
TEST(UciEngine, ReadsStaticValues) {
    const auto value = [](std::string_view line) { return read_static_value(line); };
    EXPECT_EQ(value("Final evaluation       +0.53 (white side)")->centipawns, 53);
    EXPECT_EQ(
        value("Final evaluation       -12.07 (white side) [with scaled NNUE, optimism, ...]")->centipawns,
        -1207);
    EXPECT_EQ(value("Final evaluation: 0.25 (white side)")->centipawns, 25);
    EXPECT_EQ(value("Static evaluation: -42 (-0.24 pawns) for Black; the network itself expects 47.4 %")
                  ->centipawns,
              24);
    EXPECT_EQ(value("Static evaluation: -42 (-0.24 pawns) for White; the network itself expects 47.4 %")
                  ->centipawns,
              -24);
    EXPECT_EQ(value("Final evaluation 1e300 (white side)")->centipawns, kMostCentipawns);
    ASSERT_TRUE(value("Final evaluation: none (in check)"));
    EXPECT_EQ(value("Final evaluation: none (in check)")->centipawns, std::nullopt);
    for (const char* other : {"", "Final", "Final evaluation", "Final evaluation nan", "Static evaluation: 3",
                              "Static evaluation (x", "Classical evaluation   +0.58 (white side)",
                              "NNUE evaluation        +0.03 (white side)"})
        EXPECT_FALSE(value(other)) << other;
}

TEST(UciEngine, OneThatDoesNotKnowEvalHasNoStaticValue) {
    auto engine = UciEngine::start(scripted({"ok"}));
    ASSERT_TRUE(engine) << engine.error().message;
    const auto value = engine->static_value(chess::Position());
    ASSERT_FALSE(value);
    EXPECT_THAT(value.error().message, HasSubstr("no answer to 'eval', expected a line 'Final evaluation"));
}

TEST(ChildProcess, WithoutDescriptorsItDoesNotStart) {
    if (tests::kSanitized)
        GTEST_SKIP() << "the sanitizers need descriptors themselves to look at an exception";
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
    // As many as are open, and a few more each time: whichever of its steps gets none, it says so.
    const int open = ::dup(0);
    ASSERT_GE(open, 0);
    ::close(open);
    for (int more = 0; more < 12; ++more) {
        rlimit few = before;
        few.rlim_cur = static_cast<rlim_t>(open + more);
        ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
        const auto child = ChildProcess::start({"cat"}, "");
        setrlimit(RLIMIT_NOFILE, &before);
        if (more == 0) {
            EXPECT_FALSE(child);
        }
        if (!child) {
            EXPECT_THAT(child.error().message, HasSubstr("open files"));
        }
    }
    EXPECT_TRUE(ChildProcess::start({"cat"}, ""));
}

TEST(Chess960, IsNeededOnlyWhereCastlingIsNotStandard) {
    EXPECT_FALSE(needs_chess960(chess::Position()));
    EXPECT_TRUE(
        needs_chess960(chess::parse_fen("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1").value()));
    EXPECT_FALSE(
        needs_chess960(chess::parse_fen("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w - - 0 1").value()));
}

}  // namespace
}  // namespace scholar::arena
