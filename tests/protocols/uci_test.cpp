#include "protocols/uci.hpp"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

#include "base/random.hpp"
#include "nets/conv/conv_file.hpp"
#include "support/conversation.hpp"
#include "support/small_conv.hpp"
#include "support/test_data.hpp"

namespace scholar::protocols {
namespace {

// What the engine answers to a whole session.
std::string talk(const std::string& commands) {
    auto engine = engine::Engine::create();
    EXPECT_TRUE(engine) << (engine ? "" : engine.error().message);
    std::istringstream in(commands);
    std::ostringstream out;
    run_uci(**engine, in, out);
    return out.str();
}

using tests::says;

TEST(Uci, IntroducesItselfWithItsOptions) {
    const std::string answer = talk("uci\nisready\nquit\n");
    EXPECT_TRUE(answer.starts_with("id name Scholar"));
    for (const char* line :
         {"id author ", "option name Hash type spin default 16 min 1 max ",
          "option name Threads type spin default 1 min 1 max 1024\n",
          "option name System type combo default scholar var scholar var knightcap var giraffe var "
          "convchess var rl-in-chess var deepchess var oneply var random\n",
          "option name Search type combo default default var default var mtdf var pvs "
          "var probability var naive-depth var naive-probability var mcts var likely var value var policy "
          "var top-move var order var ordered var naive-ordered var random\n",
          "option name CPuct type string default 1.745\n",
          "option name MinibatchSize type spin default 8 min 1 max 1024\n",
          "option name MtdfConvergence type spin default 30 min 0 max 1000\n",
          "option name UCI_ShowWDL type check default false\n",
          "option name SyzygyPath type string default <empty>\n", "option name Move Overhead type spin",
          "option name EvalFile type string default <embedded>\n", "option name Clear Hash type button\n",
          "\nuciok\n", "\nreadyok\n"})
        EXPECT_TRUE(says(answer, line)) << line;
}

// A network that is asked in batches plays, says what it thinks of the game so far, and is refused where a
// position alone must decide.
TEST(Uci, PlaysAConvolutionalNetworkAndSaysWhatItThinks) {
    const tests::TemporaryFolder folder;
    const std::string file = (folder / "network.safetensors").string();
    ASSERT_TRUE(nets::save_network(file, tests::small_conv_network(nets::PlanesLayout::Lc0Classical112)));
    const std::string answer = talk("setoption name PolicyFile value " + file +
                                    "\nsetoption name Search value policy\n"
                                    "position startpos moves e2e4 e7e5\ngo nodes 1\neval\n"
                                    "setoption name Search value mtdf\nsetoption name EvalFile value " +
                                    file + "\ngo depth 2\n");
    EXPECT_TRUE(says(answer, "bestmove ")) << answer;
    EXPECT_TRUE(says(answer, "\nNetwork: ")) << answer;
    EXPECT_TRUE(says(answer, "Win, draw, loss, as the network has them: ")) << answer;
    EXPECT_TRUE(says(answer, "\nLikely moves: ")) << answer;
    EXPECT_TRUE(says(answer, "Search mtdf keeps answers by position: EvalFile is residual 1: lc0-112"))
        << answer;
    const std::string over = talk("setoption name PolicyFile value " + file +
                                  "\nsetoption name Search value policy\n"
                                  "position startpos moves f2f3 e7e5 g2g4 d8h4\neval\n");
    EXPECT_TRUE(says(over, "eval: the game is over")) << over;
}

// With either way to search the root.
class UciSearch : public testing::TestWithParam<const char*> {
  protected:
    static std::string choice() { return std::string("setoption name Search value ") + GetParam() + "\n"; }
    static std::string talk(const std::string& commands) { return protocols::talk(choice() + commands); }
};

INSTANTIATE_TEST_SUITE_P(Either, UciSearch, testing::Values("pvs", "mtdf"),
                         [](const auto& tested) { return tested.param; });

TEST_P(UciSearch, SearchesAndAnswers) {
    const std::string answer = talk("position startpos moves e2e4\ngo depth 4\n");
    EXPECT_FALSE(says(answer, "error"));
    EXPECT_TRUE(says(answer, "info depth 4 seldepth "));
    EXPECT_TRUE(says(answer, " score cp "));
    EXPECT_TRUE(says(answer, " pv "));
    EXPECT_TRUE(says(answer, "\nbestmove "));
    EXPECT_TRUE(
        says(talk("position fen 6k1/5ppp/8/8/8/8/5PPP/3RR1K1 w - - 0 1\ngo mate 1\n"), "score mate 1"));
    EXPECT_TRUE(says(talk("position fen 7k/8/6K1/8/8/8/8/R7 b - - 0 1\ngo depth 6\n"), "score mate -1"));
    EXPECT_TRUE(says(talk("position fen 7k/8/6Q1/8/8/8/8/K7 b - - 0 1\ngo depth 3\n"), "bestmove 0000"));
    EXPECT_TRUE(says(talk("position startpos\ngo depth 3 searchmoves a2a3\n"), "bestmove a2a3"));
}

// A search that has no end, or that ponders, answers when it is told to and not before.
TEST_P(UciSearch, StopsAndPonders) {
    const auto engine = std::move(*engine::Engine::create());
    tests::Conversation gui([&](std::istream& in, std::ostream& out) { run_uci(*engine, in, out); });
    gui.send(choice() + "setoption name Threads value 2");
    for (const std::string end : {"stop", "ponderhit"}) {
        gui.send("position startpos moves e2e4\ngo ponder wtime 300 btime 300");
        EXPECT_FALSE(says(gui.ask("isready", "readyok"), "bestmove"));
        gui.ask(end, "bestmove ");
    }
    gui.send("position startpos\ngo infinite");
    gui.hear("info depth 6 ");
    EXPECT_FALSE(says(gui.ask("isready", "readyok"), "bestmove"));
    gui.ask("stop", "bestmove ");
    gui.ask("go movetime 30", "bestmove ");
    gui.ask("go wtime 100 btime 100 winc 1", "bestmove ");
    EXPECT_FALSE(says(gui.ask("stop\nisready", "readyok"), "bestmove"));
}

// The last line of information belongs to the move that is played.
TEST_P(UciSearch, TheBestMoveIsTheFirstOfTheLastVariation) {
    for (const char* limit : {"go depth 6", "go nodes 3000", "go nodes 40000", "go movetime 40"}) {
        const std::string answer = talk(std::string("position startpos moves d2d4\n") + limit + "\n");
        const std::size_t best = answer.find("bestmove ");
        ASSERT_NE(best, std::string::npos);
        const std::size_t variation = answer.rfind(" pv ");
        ASSERT_NE(variation, std::string::npos);
        EXPECT_EQ(answer.substr(best + 9, 4), answer.substr(variation + 4, 4)) << limit;
    }
}

// The input ends with the question, as from a file.
TEST(Uci, AMateIsAnnouncedAlsoAtTheEndOfTheInput) {
    EXPECT_TRUE(
        says(talk("position fen r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1\ngo mate 3\n"), "score mate 3"));
}

// A game that came to its present position twice before is drawn if it comes there again.
TEST_P(UciSearch, RepetitionCountsTheGameBefore) {
    std::string shuffle;
    for (int i = 0; i < 2; ++i) shuffle += " h1g1 a8b8 g1h1 b8a8";
    const std::string answer = talk("position fen k7/8/8/8/8/8/q7/7K b - - 0 1 moves a2b2" + shuffle +
                                    "\ngo depth 5 searchmoves h1g1\n");
    const std::size_t last = answer.rfind("info depth 5 ");
    ASSERT_NE(last, std::string::npos);
    EXPECT_TRUE(answer.substr(last).contains(" score cp 0 ")) << answer;
    // Without the game before, White is lost.
    const std::string afresh =
        talk("position fen 1k6/8/8/8/8/8/1q6/7K w - - 8 5\ngo depth 5 searchmoves h1g1\n");
    EXPECT_TRUE(afresh.substr(afresh.rfind("info depth 5 ")).contains(" score cp -")) << afresh;
}

TEST(Uci, PerftCounts) {
    EXPECT_TRUE(says(talk("position startpos\ngo perft 4\n"), "Nodes searched: 197281"));
    EXPECT_TRUE(says(talk("position startpos moves e2e4\ngo perft 3\n"), "Nodes searched: 13160"));
}

// A count of centuries.
TEST(Uci, PerftListens) {
    for (const std::string end : {"stop\nisready\n", "quit\n"}) {
        const std::string answer = talk("position startpos\ngo perft 20\nisready\n" + end);
        EXPECT_TRUE(says(answer, "readyok"));
        EXPECT_TRUE(says(answer, "info string perft: stopped"));
        EXPECT_FALSE(says(answer, "Nodes searched"));
    }
    EXPECT_TRUE(says(talk("go perft 20\nstop\nposition startpos\ngo perft 3\n"), "Nodes searched: 8902"));
    // Nor does a command that cannot run beside it wait for centuries.
    for (const std::string next :
         {"position startpos moves e2e4", "setoption name Hash value 2", "ucinewgame"}) {
        const std::string answer = talk("go perft 20\n" + next + "\ngo depth 2\n");
        EXPECT_TRUE(says(answer, "info string perft: stopped")) << next;
        EXPECT_TRUE(says(answer, "bestmove ")) << next;
    }
    EXPECT_TRUE(says(talk("bench 100\ngo depth 2\n"), "bestmove "));
}

TEST(Uci, CastlingInBothNotations) {
    const std::string fen = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    EXPECT_TRUE(says(talk(fen + " moves e1g1\nd\n"), "Fen: 4k3/8/8/8/8/8/8/5RK1 b - - 1 1"));
    EXPECT_TRUE(says(talk(fen + " moves e1h1\nd\n"), "Fen: 4k3/8/8/8/8/8/8/5RK1 b - - 1 1"));
    EXPECT_TRUE(says(talk("setoption name UCI_Chess960 value true\n" + fen + "\ngo perft 1\n"), "e1h1: 1"));
    EXPECT_TRUE(says(talk(fen + "\ngo perft 1\n"), "e1g1: 1"));
}

// A wrong command is answered, changes nothing, and the engine goes on.
TEST(Uci, WrongCommandsAreAnsweredAndChangeNothing) {
    const std::string good = "position startpos moves e2e4\n";
    for (const char* wrong :
         {"go perft", "setoption", "setoption name Hash value 0", "setoption name Nonsense value 1",
          "setoption name EvalFile value missing.safetensors", "setoption name Threads value 0",
          "setoption name System value x", "setoption name Search value alphabeta",
          "setoption name MtdfConvergence value -1", "setoption name SyzygyPath value missing", "bench x",
          "hello"}) {
        const std::string answer = talk(good + wrong + "\nd\n");
        EXPECT_TRUE(says(answer, "info string error: ")) << wrong;
        EXPECT_TRUE(says(answer, "Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")) << wrong;
    }
}

// Of what cannot be a position, or moves from it, nothing stays that could be searched by mistake.
TEST(Uci, ARefusedPositionLeavesNone) {
    for (const std::string wrong :
         {"position fen 8/8/8/8/8/8/8/K7 w - - 0 1", "position fen", "position",
          "position startpos moves e2e5", "position moon", "position fen 4k3/8/8/8/8/8/8/4RK2 w - - 0 1"}) {
        const std::string before = "position startpos moves e2e4\n" + wrong + "\n";
        for (const std::string go :
             {"go depth 3", "go movetime 5", "go nodes 1", "go wtime 100 btime 100", "go mate 2"}) {
            const std::string answer = talk(before + go + "\n");
            EXPECT_TRUE(says(answer, "info string error: position")) << answer;
            EXPECT_TRUE(answer.ends_with("bestmove 0000\n")) << answer;
            EXPECT_FALSE(says(answer, " pv ")) << answer;
        }
        for (const std::string command : {"d", "eval", "go perft 2"}) {
            const std::string answer = talk(before + command + "\n");
            EXPECT_TRUE(answer.ends_with("there is no position, since the last one was refused\n")) << answer;
        }
        // The next one that is good ends that.
        EXPECT_TRUE(says(talk(before + "position startpos\ngo depth 2\n"), " pv "));
    }
}

TEST(Uci, APositionThatCanBeMendedIs) {
    const std::string answer = talk(
        "position fen r1bqkbnr/pppppppp/2n5/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 moves g1f3 g8f6 h1g1\nd\n"
        "position fen 4k3/8/8/8/8/8/8/4K3 w KQ - 0 1 moves e1e2\nd\n");
    EXPECT_TRUE(says(answer, "info string position: FEN: en-passant square e6: no Black pawn")) << answer;
    EXPECT_TRUE(says(answer, "info string position: FEN: no half-move clock; taken as 0\n"));
    EXPECT_TRUE(says(answer, "info string position: FEN: no move number; taken as 1\n"));
    EXPECT_TRUE(says(answer, "Fen: r1bqkb1r/pppppppp/2n2n2/8/4P3/5N2/PPPP1PPP/RNBQKBR1 b Qkq - 3 2"));
    EXPECT_TRUE(says(answer,
                     "info string position: FEN: castling: White has no rook to castle with on the "
                     "king's side; left out\n"));
    EXPECT_TRUE(says(answer, "Fen: 4k3/8/8/8/8/8/4K3/8 b - - 1 1"));
    EXPECT_FALSE(says(answer, "error"));
}

// However small the limit, GUIs learn what the move is thought to be worth.
TEST(Uci, EveryMoveHasAScore) {
    for (const std::string system :
         {"scholar", "knightcap", "giraffe", "convchess", "rl-in-chess", "deepchess", "oneply", "random",
          "scholar\nsetoption name Search value mcts\n"
          "setoption name PolicyFile value <random:1>"})
        for (const std::string go : {"go nodes 1", "go nodes 2", "go movetime 0", "go wtime -5 btime 0",
                                     "go mate 1 nodes 1", "go depth 1", "go nodes 1 searchmoves e2e4"}) {
            const std::string answer = talk("setoption name System value " + system + "\n" + go + "\n");
            const std::size_t pv = answer.rfind(" pv ");
            const std::size_t best = answer.find("bestmove ");
            ASSERT_NE(pv, std::string::npos) << system << ", " << go << ": " << answer;
            ASSERT_NE(best, std::string::npos) << system << ", " << go;
            // Who plays by lot has none, nor who never sees a number.
            EXPECT_EQ(answer.rfind(" score ", pv) != std::string::npos,
                      system != "random" && system != "deepchess");
            EXPECT_EQ(answer.substr(pv + 4, 4), answer.substr(best + 9, 4)) << system << ", " << go;
        }
}

// A program that drives the engine can rely on it: who asked for what cannot be had is told so in one line,
// and nothing else has changed.
TEST(Uci, AnOptionThatFailsSaysSoInOneLine) {
    const tests::TemporaryFolder folder;
    const std::string nonsense = (folder / "nonsense").string();
    std::ofstream(nonsense) << "no network, no book\n";
    const std::vector<std::string> no_values{
        "", "x", "-1", "99999999999999999999", "nan", "\x01\xff", std::string(5'000, 'y')};
    const std::vector<std::string> no_files{(folder / "missing").string(), folder.path().string(), nonsense,
                                            std::string(5'000, 'y'), "\x01\xff"};
    std::string commands;
    int wrong = 0;
    const auto set = [&](const std::string& name, const std::string& value) {
        commands += "setoption name " + name + " value " + value + "\nisready\n";
        ++wrong;
    };
    const auto engine = std::move(*engine::Engine::create());
    for (const engine::Option& option : engine->options()) {
        if (std::holds_alternative<engine::StringOption>(option.kind) ||
            std::holds_alternative<engine::ButtonOption>(option.kind))
            continue;
        for (const std::string& value : no_values) set(option.name, value);
    }
    for (const std::string option : {"EvalFile", "BookFile", "SyzygyPath"})
        for (const std::string& value : no_files) set(option, value);
    for (const std::string& value : {folder.path().string(), nonsense, std::string(5'000, 'y')})
        set("LearntBook", value);
    for (const std::string& value : no_values) set("Nonsense " + value, value);
    const std::string go = "go depth 8\n";
    const std::string answer = talk(commands + go);
    std::istringstream lines(answer);
    int errors = 0;
    int ready = 0;
    for (std::string line; std::getline(lines, line) && ready < wrong;) {
        if (line == "readyok") {
            ++ready;
            EXPECT_EQ(errors, ready) << "before readyok " << ready;
            errors = ready;
        } else {
            EXPECT_TRUE(line.starts_with("info string error: ")) << line;
            ++errors;
        }
    }
    EXPECT_EQ(ready, wrong);
    const auto nodes = [](const std::string& text) {
        const std::size_t at = text.rfind(" nodes ");
        return text.substr(at, text.find(" nps ", at) - at);
    };
    EXPECT_EQ(nodes(answer), nodes(talk(go)));
}

TEST(Uci, WhatIsWrongIsQuotedShort) {
    const std::string endless(1'000'000, 'x');
    std::string many;
    for (int i = 0; i < 100'000; ++i) many += " x";
    for (const std::string& wrong :
         {endless, "go " + endless, "go depth " + endless, "go" + many, "go searchmoves" + many,
          "go perft " + endless, "bench " + endless, "position " + endless, "position fen " + endless,
          "position fen" + many, "position fen 8/8/8/8/8/8/8/8 w " + endless + " - 0 1",
          "position startpos moves " + endless, "position fen 4k3/8/8/8/8/8/8/4K3 w - - " + endless + " 1",
          "position fen 4k3/8/8/8/8/8/8/4K3 w " + std::string(100'000, 'K') + " - 0 1",
          "setoption name " + endless, "setoption name Hash value " + endless,
          "setoption name EvalFile value " + endless, "setoption name Search value " + endless}) {
        const std::string answer = talk(wrong + "\nstop\n");
        EXPECT_LT(answer.size(), 5'000U) << wrong.substr(0, 60);
        EXPECT_TRUE(says(answer, "info string ")) << wrong.substr(0, 60);
    }
}

// The protocol's own example of words to be passed over.
TEST(Uci, UnknownWordsBeforeACommandArePassedOver) {
    EXPECT_TRUE(says(talk("joho debug on\ngo depth 1\n"), "info string the leaf is "));
    EXPECT_TRUE(says(talk("well then isready\n"), "readyok"));
    EXPECT_FALSE(says(talk("please quit\nisready\n"), "readyok"));
}

TEST(Uci, AGoThatIsHalfWrongGetsItsMove) {
    const std::string answer = talk("go depth x movetime 20 searchmoves e2e5 e2e4\n");
    EXPECT_TRUE(says(answer, "info string go depth 'x', expected a whole number; ignored"));
    EXPECT_TRUE(says(answer, "info string go searchmoves: "));
    EXPECT_TRUE(says(answer, "bestmove e2e4"));
    EXPECT_TRUE(says(talk("position startpos moves e2e4\ngo wtime 20\n"), "bestmove "));
}

TEST(Uci, WhereThereIsNoMoveTheScoreSaysWhy) {
    EXPECT_TRUE(says(talk("position fen R6k/8/6K1/8/8/8/8/8 b - - 0 1\ngo depth 5\n"),
                     "info depth 0 score mate 0\nbestmove 0000"));
    EXPECT_TRUE(says(talk("position fen 7k/8/6Q1/8/8/8/8/K7 b - - 0 1\ngo depth 5\n"),
                     "info depth 0 score cp 0\nbestmove 0000"));
}

// Two models of what the score means, each under its own name.
TEST(Uci, TheEvaluationSaysWhoseExpectationItIs) {
    const std::string answer = talk("position startpos\neval\n");
    EXPECT_TRUE(says(answer, "the network itself expects "));
    EXPECT_TRUE(says(answer, "Win, draw, loss, as fitted to games: "));
}

TEST_P(UciSearch, StopEndsAnInfiniteSearch) {
    const std::string answer = talk("position startpos\ngo infinite\nisready\nstop\nisready\nquit\n");
    EXPECT_TRUE(says(answer, "bestmove "));
    EXPECT_TRUE(says(talk("position startpos\ngo infinite\nquit\n"), "bestmove "));
}

TEST(Uci, NoiseDoesNoHarm) {
    base::Random random(8);
    const std::vector<std::string> words{"position",
                                         "startpos",
                                         "fen",
                                         "moves",
                                         "e2e4",
                                         "go",
                                         "depth",
                                         "1",
                                         "-7",
                                         "nodes",
                                         "50",
                                         "setoption",
                                         "name",
                                         "Hash",
                                         "value",
                                         "2",
                                         "Clear",
                                         "stop",
                                         "d",
                                         "eval",
                                         "searchmoves",
                                         "8/8/8/8/8/8/8/8",
                                         "w",
                                         "KQkq",
                                         "-",
                                         "0",
                                         "ucinewgame",
                                         "isready",
                                         "\x01\xff",
                                         "wtime",
                                         "mate",
                                         "movestogo",
                                         "UCI_Chess960",
                                         "true"};
    std::string commands;
    for (int line = 0; line < (tests::kSanitized ? 200 : 2000); ++line) {
        for (std::uint64_t i = 0; i <= random.below(6); ++i)
            commands += words[random.below(words.size())] + ' ';
        commands += "\nstop\n";
    }
    EXPECT_TRUE(says(talk(commands + "uci\n"), "uciok"));
}

}  // namespace
}  // namespace scholar::protocols
