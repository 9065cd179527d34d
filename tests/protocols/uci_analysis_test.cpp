#include <algorithm>
#include <gtest/gtest.h>

#include "protocols/uci.hpp"
#include "support/conversation.hpp"
#include "support/fake_search.hpp"
#include "support/test_data.hpp"

// What a GUI that analyses sees, with a search that says what the test wants said.

namespace scholar::protocols {
namespace {

using tests::Conversation;

using tests::says;

class UciAnalysis : public testing::Test {
  protected:
    tests::FakeSearchLog log_;
    std::unique_ptr<engine::Engine> engine_ = std::move(*engine::Engine::create(tests::fake_players(log_)));
    Conversation gui_{[this](std::istream& in, std::ostream& out) { run_uci(*engine_, in, out); }};
};

search::Iteration iteration(int depth, chess::Score score) {
    search::Iteration report;
    report.depth = depth;
    report.score = score;
    report.counters.nodes = 5'000;
    report.counters.elapsed = std::chrono::seconds(2);
    report.counters.tablebase_hits = 7;
    report.counters.selective_depth = 31;
    report.counters.table_permille = 125;
    return report;
}

TEST_F(UciAnalysis, ALineSaysEverything) {
    auto report = iteration(9, chess::Score(0));
    report.number = 2;
    report.principal_variation = {chess::Move(chess::E2, chess::E4), chess::Move(chess::E7, chess::E5)};
    log_.iterations = {report};
    report.score = chess::Score::mate_in(5);
    report.bound = search::Bound::Lower;
    log_.iterations.push_back(report);
    report.score = chess::Score::mated_in(4);
    report.bound = search::Bound::Upper;
    log_.iterations.push_back(report);
    const std::string answer = gui_.ask("go depth 9", "bestmove ");
    EXPECT_TRUE(
        says(answer,
             "info depth 9 seldepth 31 multipv 2 score cp 0 nodes 5000 nps 2500 hashfull 125 tbhits 7 time "
             "2000 pv e2e4 e7e5\n"))
        << answer;
    EXPECT_TRUE(says(answer, " score mate 3 lowerbound nodes "));
    EXPECT_TRUE(says(answer, " score mate -2 upperbound nodes "));
    EXPECT_FALSE(says(answer, "wdl"));
}

TEST_F(UciAnalysis, WinDrawLossWhenAskedFor) {
    gui_.send("setoption name UCI_ShowWDL value true");
    log_.iterations = {iteration(1, chess::Score::mate_in(1)), iteration(2, chess::Score::mated_in(2)),
                       iteration(3, chess::Score(0))};
    auto known = iteration(4, chess::Score(10));
    known.wdl = chess::Wdl{0.2, 0.7994, 0.0006};
    log_.iterations.push_back(known);
    const std::string answer = gui_.ask("go depth 4", "bestmove ");
    EXPECT_TRUE(says(answer, " score mate 1 wdl 1000 0 0 nodes ")) << answer;
    EXPECT_TRUE(says(answer, " score mate -1 wdl 0 0 1000 nodes "));
    EXPECT_TRUE(says(answer, " wdl 200 799 1 nodes "));
    // An even score: as likely to win as to lose, and all sums to 1000.
    const auto at = answer.find("score cp 0 wdl ");
    ASSERT_NE(at, std::string::npos);
    int win = 0;
    int draw = 0;
    int loss = 0;
    ASSERT_EQ(std::sscanf(answer.c_str() + at, "score cp 0 wdl %d %d %d", &win, &draw, &loss), 3);
    EXPECT_EQ(win, loss);
    EXPECT_EQ(win + draw + loss, 1000);
}

TEST_F(UciAnalysis, NoAnswerBeforeItIsWanted) {
    for (const std::string end : {"stop", "ponderhit"}) {
        gui_.send("go ponder wtime 1000 btime 1000");
        EXPECT_FALSE(says(gui_.ask("isready", "readyok"), "bestmove"));
        EXPECT_FALSE(says(gui_.ask("isready", "readyok"), "bestmove"));
        gui_.ask(end, "bestmove ");
    }
    gui_.send("go infinite");
    EXPECT_FALSE(says(gui_.ask("ponderhit\nisready", "readyok"), "bestmove"));
    gui_.ask("stop", "bestmove ");
    // Each command that cannot run beside a search ends it, with its answer.
    for (const std::string command :
         {"position startpos", "setoption name Hash value 2", "ucinewgame", "go depth 1"}) {
        gui_.send("go infinite");
        gui_.ask(command, "bestmove ");
    }
    gui_.hear("bestmove ");
    EXPECT_FALSE(says(gui_.ask("stop\nstop\nponderhit\nisready", "readyok"), "bestmove"));
    gui_.send("go infinite");
    gui_.ask("quit", "bestmove ");
}

// Nor the answer that there is no position.
TEST_F(UciAnalysis, NoNullMoveBeforeItIsWanted) {
    gui_.send("position moon");
    for (const std::string end : {"stop", "ponderhit"}) {
        gui_.send("go ponder wtime 1000 btime 1000");
        EXPECT_FALSE(says(gui_.ask("isready", "readyok"), "bestmove"));
        gui_.ask(end, "bestmove 0000\n");
    }
    gui_.send("go infinite");
    EXPECT_FALSE(says(gui_.ask("ponderhit\nisready", "readyok"), "bestmove"));
    gui_.ask("stop", "bestmove 0000\n");
    gui_.send("go infinite");
    gui_.ask("go depth 1", "bestmove 0000\n");
    gui_.hear("bestmove 0000\n");
    EXPECT_FALSE(says(gui_.ask("stop\nponderhit\nisready", "readyok"), "bestmove"));
    EXPECT_TRUE(log_.limits.empty());
    gui_.send("go infinite");
    gui_.ask("quit", "bestmove 0000\n");
}

// Tiny positions have hundreds of iterations in no time, and each may have hundreds of lines.
TEST_F(UciAnalysis, LinesAreRationedButTheLastOnesCome) {
    for (int depth = 1; depth <= 200; ++depth)
        for (int number = 1; number <= 50; ++number) {
            auto report = iteration(depth, chess::Score(depth));
            report.number = number;
            report.counters.elapsed = std::chrono::milliseconds(depth);
            log_.iterations.push_back(report);
        }
    const std::string answer = gui_.ask("go depth 200", "bestmove ");
    EXPECT_LT(std::ranges::count(answer, '\n'), 1'000);
    for (int number = 1; number <= 50; ++number)
        EXPECT_TRUE(says(answer, "info depth 200 seldepth 31 multipv " + std::to_string(number) + " "));
    // Who analyses without an end sees them before the stop.
    log_.finds_all = true;
    gui_.send("go infinite");
    gui_.hear("info depth 200 seldepth 31 multipv 50 ");
    EXPECT_FALSE(says(gui_.ask("isready", "readyok"), "bestmove"));
    gui_.ask("stop", "bestmove ");
    // The next search has its own ration.
    log_.iterations.resize(1);
    EXPECT_TRUE(says(gui_.ask("go depth 1", "bestmove "), "info depth 1 "));
}

TEST_F(UciAnalysis, BenchListens) {
    const auto engine = std::move(*engine::Engine::create());
    Conversation gui([&](std::istream& in, std::ostream& out) { run_uci(*engine, in, out); });
    gui.send("bench 100");
    gui.ask("isready", "readyok");
    gui.ask("stop", "info string bench: stopped");
    EXPECT_TRUE(says(gui.ask("bench 2", " nps\n"), " nodes "));
}

// The same nodes again after "ucinewgame", at growing limits.
TEST_F(UciAnalysis, TheSameNodesComeAgainAfterANewGame) {
    const auto engine = std::move(*engine::Engine::create());
    Conversation gui([&](std::istream& in, std::ostream& out) { run_uci(*engine, in, out); });
    const auto search = [&](int nodes) {
        gui.send("ucinewgame\nposition startpos moves e2e4 c7c5");
        std::istringstream answer(gui.ask_line("go nodes " + std::to_string(nodes), "bestmove "));
        // All but times and speeds, and the moves and bounds that are told of once a search has taken long.
        std::string kept;
        for (std::string line; std::getline(answer, line);) {
            if (says(line, " currmove ") || says(line, "bound ")) continue;
            std::istringstream words(line);
            for (std::string word; words >> word;)
                if (word == "nps" || word == "time")
                    words >> word;
                else
                    kept += word + ' ';
        }
        return kept;
    };
    for (const int nodes : {100, 1'000, 5'000, 20'000, 60'000}) {
        const std::string first = search(nodes);
        search(777);
        EXPECT_EQ(search(nodes), first);
    }
}

}  // namespace
}  // namespace scholar::protocols
