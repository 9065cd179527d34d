#include "arena/engine_trace.hpp"

#include <algorithm>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

#include "arena/player.hpp"
#include "scripted_programs.hpp"
#include "support/test_data.hpp"

namespace scholar::arena {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

// Without the times.
std::vector<std::string> lines_of(const std::string& path) {
    std::ifstream input(path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(input, line);)
        if (!line.starts_with('#')) lines.push_back(line.substr(line.find(' ') + 1));
    return lines;
}

TEST(EngineTrace, HasALineForEachThingSaidAndNoOther) {
    const tests::TemporaryFolder folder;
    {
        const auto trace = EngineTrace::open(folder / "trace");
        ASSERT_TRUE(trace) << trace.error().message;
        const EngineVoice one(*trace, "An Engine"), two(*trace, "An Engine"), none;
        one.told("uci");
        two.said("\x1b[31mred\x07 caf\xe9\ttab\r");
        one.said_as_error("oh\nno");
        none.told("nothing");
        EXPECT_FALSE(none);
        EXPECT_TRUE((*trace)->status());
    }
    EXPECT_THAT(lines_of(folder / "trace"),
                ElementsAre("An_Engine#1 > uci", "An_Engine#2 < \\x1b[31mred\\x07 caf\xe9\ttab\\x0d",
                            "An_Engine#1 ! oh\\x0ano"));
    // Gone on with, not overwritten.
    EngineVoice(EngineTrace::open(folder / "trace").value(), "B").told("quit");
    EXPECT_THAT(lines_of(folder / "trace"), testing::Contains("B#1 > quit"));
    EXPECT_EQ(lines_of(folder / "trace").size(), 4U);
    EXPECT_THAT(EngineTrace::open(folder / "none/trace").error().message, HasSubstr("cannot write"));
}

TEST(EngineTrace, LinesOfSeveralThreadsStayWhole) {
    const tests::TemporaryFolder folder;
    const auto trace = EngineTrace::open(folder / "trace").value();
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 4; ++i)
            threads.emplace_back([&] {
                const EngineVoice voice(trace, "e");
                for (int line = 0; line < 500; ++line) voice.told(std::string(200, 'x'));
            });
    }
    const auto lines = lines_of(folder / "trace");
    EXPECT_EQ(lines.size(), 2000U);
    EXPECT_TRUE(std::ranges::all_of(lines, [](const auto& line) {
        return line.size() == 206 && line.ends_with(" > " + std::string(200, 'x'));
    }));
}

TEST(EngineTrace, ADiskThatIsFullIsSaid) {
    const auto trace = EngineTrace::open("/dev/full");
    if (trace) {
        EngineVoice(*trace, "e").told("uci");
        EXPECT_THAT((*trace)->status().error().message, HasSubstr("/dev/full: cannot write"));
    } else {
        EXPECT_THAT(trace.error().message, HasSubstr("/dev/full: cannot write"));
    }
}

// A game's worth of one engine of each kind.
std::vector<std::string> traced(EngineConfig config) {
    const tests::TemporaryFolder folder;
    config.name = "E";
    config.trace = EngineTrace::open(folder / "trace").value();
    {
        const auto player = start_player(config, {.quit = 20s});
        EXPECT_TRUE(player) << player.error().message;
        if (!player) return {};
        EXPECT_TRUE((*player)->new_game({}));
        const chess::Position start;
        (*player)->go(start, {}, start, DepthLimit{1}, 20s);
    }
    config.trace.reset();
    return lines_of(folder / "trace");
}

TEST(EngineTrace, HoldsWhatAUciEngineIsToldSaysAndComplainsOf) {
    const std::string script = "echo from the start >&2; printf 'half a line' >&2; '" + scripted_engine() +
                               "' ok; echo the end >&2; echo last words";
    EngineConfig config;
    config.command = {"sh", "-c", script};
    config.options = {{"Hash", "32"}};
    const auto lines = traced(config);
    for (const char* line :
         {"E#1 > uci", "E#1 < id name Scripted ok", "E#1 < uciok", "E#1 > setoption name Hash value 32",
          "E#1 > isready", "E#1 < readyok", "E#1 > ucinewgame", "E#1 > position startpos", "E#1 > go depth 1",
          "E#1 < bestmove a2a3 ponder a7a6", "E#1 ! from the start", "E#1 ! half a linethe end", "E#1 > quit",
          "E#1 < last words", "E#1 ! (ended with exit status 0)"})
        EXPECT_THAT(lines, testing::Contains(line));
}

TEST(EngineTrace, HoldsWhatAnXboardEngineIsToldAndSays) {
    EngineConfig config;
    config.protocol = Protocol::Xboard;
    config.command = {scripted_xboard(), "ok"};
    const auto lines = traced(config);
    EXPECT_THAT(lines, testing::Contains("E#1 > protover 2"));
    EXPECT_THAT(lines, testing::Contains("E#1 > new"));
    EXPECT_THAT(lines, testing::Contains(HasSubstr("E#1 < move ")));
}

TEST(EngineTrace, SaysWhatAnEngineInThisProcessIsMadeToDo) {
    EngineConfig config;
    config.protocol = Protocol::Internal;
    config.options = {{"Hash", "2"}};
    const auto lines = traced(config);
    for (const char* line : {"E#1 > setoption name Hash value 2", "E#1 > ucinewgame",
                             "E#1 > position startpos", "E#1 > go depth 1"})
        EXPECT_THAT(lines, testing::Contains(line));
    EXPECT_THAT(lines, testing::Contains(HasSubstr("E#1 < info depth 1 ")));
    EXPECT_THAT(lines, testing::Contains(HasSubstr("E#1 < bestmove ")));
}

}  // namespace
}  // namespace scholar::arena
