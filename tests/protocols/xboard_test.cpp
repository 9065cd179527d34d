#include "protocols/xboard.hpp"

#include <array>
#include <gtest/gtest.h>
#include <sstream>

#include "base/random.hpp"
#include "chess/fen.hpp"
#include "protocols/session.hpp"
#include "protocols/xboard_clock.hpp"
#include "support/conversation.hpp"
#include "support/fake_search.hpp"
#include "support/test_data.hpp"

namespace scholar::protocols {
namespace {

using namespace search;
using tests::Conversation;

bool says(const std::string& answer, const std::string& text) {
    return answer.find(text) != std::string::npos;
}

// With a search that plays the first move in the order of allowed_moves().
class Xboard : public testing::Test {
  protected:
    std::string ask(const std::string& command, const std::string& text) { return gui_.ask(command, text); }
    // All that is said before the answer to a ping, which comes when everything before has been dealt with.
    std::string settle(const std::string& command) {
        const std::string number = std::to_string(++pings_);
        return gui_.ask(command + "\nping " + number, "pong " + number + "\n");
    }
    const Limits& limits() const { return log_.limits.back(); }

    tests::FakeSearchLog log_;
    std::unique_ptr<engine::Engine> engine_ = std::move(*engine::Engine::create(tests::fake_presets(log_)));
    Conversation gui_{[this](std::istream& in, std::ostream& out) { run_session(*engine_, in, out); }};
    int pings_ = 0;
};

TEST_F(Xboard, TellsItsFeatures) {
    const std::string answer = settle("xboard\nprotover 2");
    for (const char* feature : {"ping=1",
                                "setboard=1",
                                "playother=1",
                                "usermove=1",
                                "san=0",
                                "time=1",
                                "draw=1",
                                "sigint=0",
                                "sigterm=0",
                                "reuse=1",
                                "analyze=1",
                                "myname=\"Scholar ",
                                "variants=\"normal,fischerandom\"",
                                "colors=0",
                                "nps=1",
                                "memory=1",
                                "smp=1",
                                "egt=\"syzygy\"",
                                "option=\"MultiPV -spin 1 1 256\"",
                                "option=\"Syzygy50MoveRule -check 1\"",
                                "option=\"Clear Hash -button\"",
                                "option=\"System -combo *fake\"",
                                "option=\"EvalFile -file <embedded>\""})
        EXPECT_TRUE(says(answer, feature)) << feature;
    EXPECT_TRUE(answer.ends_with("feature done=1\npong 1\n")) << answer;
    // These have commands of their own, or mean nothing here.
    for (const char* feature :
         {"option=\"Hash", "option=\"Threads", "option=\"SyzygyPath", "option=\"UCI_Chess960"})
        EXPECT_FALSE(says(answer, feature)) << feature;
}

TEST_F(Xboard, PlaysBothSidesOfAGameAsItIsTold) {
    settle("xboard\nprotover 2\nnew");
    // After "new" the engine has Black. The first of Black's moves in the order of bits.
    EXPECT_TRUE(says(ask("usermove e2e4", "move "), "move "));
    ask("", "\n");
    EXPECT_TRUE(says(settle("force\nusermove d2d4\nusermove g8f6"), "pong"));  // forced: no move of its own
    EXPECT_EQ(log_.limits.size(), 1U);
    ask("go", "move ");
    EXPECT_EQ(log_.limits.size(), 2U);
    settle("force\nundo\nundo\nundo");
    // It plays for whoever is not on move, and waits.
    settle("playother");
    EXPECT_EQ(log_.limits.size(), 2U);
    EXPECT_TRUE(says(settle("usermove e2e5"), "Illegal move: e2e5"));
    EXPECT_TRUE(says(settle("nonsense 5"), "Error (unknown command): nonsense 5"));
    EXPECT_TRUE(says(settle("remove\nremove\nremove\nremove\nremove"), "Error (no move to take back)"));
}

TEST_F(Xboard, ClocksBecomeLimits) {
    settle("xboard\nnew\nlevel 40 5:30 0\ntime 1234\notim 100");
    ask("usermove e2e4", "move ");
    auto clock = limits().find<ClockLimit>();
    ASSERT_TRUE(clock);
    EXPECT_EQ(clock->remaining, Milliseconds(12'340));
    EXPECT_EQ(clock->increment, Milliseconds(0));
    EXPECT_EQ(clock->moves_to_go, 40);
    settle("new\nlevel 0 2 12.5");
    ask("usermove e2e4", "move ");
    clock = limits().find<ClockLimit>();
    EXPECT_EQ(clock->remaining, Milliseconds(120'000));
    EXPECT_EQ(clock->increment, Milliseconds(12'500));
    EXPECT_FALSE(clock->moves_to_go);
    settle("new\nst 5\nsd 7\nnps 20000");
    ask("usermove e2e4", "move ");
    EXPECT_FALSE(limits().find<ClockLimit>());
    EXPECT_EQ(limits().find<MoveTimeLimit>()->time, Milliseconds(5'000));
    EXPECT_EQ(limits().find<DepthLimit>()->depth, 7);
    EXPECT_EQ(limits().nodes_per_millisecond, 20U);
    settle("new\nnps 0");
    ask("usermove e2e4", "move ");
    EXPECT_FALSE(limits().find<DepthLimit>());  // a depth holds for one game
    for (const char* wrong : {"level", "level 40 x 0", "level -1 5 0", "st", "st -1", "st nan", "sd 0",
                              "nps 5", "time", "time x", "level 0 1e300 0"})
        EXPECT_TRUE(says(settle(wrong), "Error (expected ")) << wrong;
}

// The second control begins when the moves of the first are made.
TEST(XboardClock, MovesToGoStartAgain) {
    XboardClock clock;
    ASSERT_TRUE(clock.set_level({"level", "40", "5", "0"}));
    EXPECT_EQ(clock.limits(0).find<ClockLimit>()->moves_to_go, 40);
    EXPECT_EQ(clock.limits(39).find<ClockLimit>()->moves_to_go, 1);
    EXPECT_EQ(clock.limits(40).find<ClockLimit>()->moves_to_go, 40);
    ASSERT_TRUE(clock.set_remaining({"time", "-50"}));
    EXPECT_EQ(clock.limits(3).find<ClockLimit>()->remaining, Milliseconds(-500));
}

TEST_F(Xboard, ThinkingIsShownWhenAskedFor) {
    search::Iteration report;
    report.depth = 9;
    report.score = chess::Score(0);
    report.counters.elapsed = std::chrono::milliseconds(1'540);
    report.counters.nodes = 48'000;
    report.principal_variation = {chess::Move(chess::E2, chess::E4), chess::Move(chess::E7, chess::E5)};
    log_.iterations = {report};
    report.score = chess::Score::mate_in(5);
    log_.iterations.push_back(report);
    report.score = chess::Score::mated_in(4);
    log_.iterations.push_back(report);
    settle("xboard\nnew");
    EXPECT_FALSE(says(ask("go", "move "), "48000"));
    settle("new\npost");
    const std::string answer = ask("go", "move ");
    EXPECT_TRUE(says(answer, "9 0 154 48000 e2e4 e7e5\n")) << answer;
    EXPECT_TRUE(says(answer, "9 100003 154 48000 "));
    EXPECT_TRUE(says(answer, "9 -100002 154 48000 "));
    settle("new\nnopost");
    EXPECT_FALSE(says(ask("go", "move "), "48000"));
}

TEST_F(Xboard, AnalysesUntilItIsTold) {
    settle("xboard\nnew\nforce\nusermove e2e4\nanalyze");
    log_.await(1);
    EXPECT_TRUE(limits().is_infinite());
    EXPECT_TRUE(says(settle("."), "stat01: 0 0 0 20 20\n"));
    // Each change of the position begins it again.
    settle("usermove e7e5");
    settle("undo");
    settle("setboard 7k/8/8/8/8/8/8/K7 w - - 0 1");
    EXPECT_TRUE(says(settle("."), " 3 3\n"));
    settle("new");
    log_.await(5);
    EXPECT_TRUE(says(settle("usermove e2e5"), "Illegal move: e2e5"));
    EXPECT_FALSE(says(settle("exit"), "move "));
    EXPECT_FALSE(says(settle("usermove e2e4"), "move "));  // forced afterwards
    EXPECT_TRUE(says(settle("exit"), "Error (not analysing)"));
}

TEST_F(Xboard, EndsGamesByRule) {
    settle("xboard\nnew\nforce\nsetboard 6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - 0 1");
    settle("playother");
    EXPECT_TRUE(says(settle("usermove e1e8"), "1-0 {White mates}"));
    settle("force\nsetboard k7/8/1Q6/8/8/8/8/K7 w - - 0 1\nplayother");
    EXPECT_TRUE(says(settle("usermove b6c7"), "1/2-1/2 {Stalemate}"));
    settle("force\nsetboard 7k/8/8/8/8/8/1p6/K7 w - - 0 1\nplayother");
    EXPECT_TRUE(says(settle("usermove a1b2"), "1/2-1/2 {Insufficient material}"));
    settle("force\nsetboard 7k/8/8/8/8/8/1R6/K7 w - - 99 90\nplayother");
    EXPECT_TRUE(says(settle("usermove b2b3"), "1/2-1/2 {Draw by fifty-move rule}"));
    // Its own mate is announced after its move. Only one move is legal.
    settle("force\nsetboard 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    const std::string none = settle("go");
    EXPECT_TRUE(says(none, "1/2-1/2 {Stalemate}"));
    EXPECT_FALSE(says(none, "move "));
    EXPECT_TRUE(says(settle("setboard 8/8/8/8/8/8/8/K7 w - - 0 1"), "tellusererror Illegal position"));
    // Threefold, in play.
    settle(
        "new\nforce\nusermove g1f3\nusermove g8f6\nusermove f3g1\nusermove f6g8\nusermove g1f3\nusermove "
        "g8f6\nusermove f3g1\nplayother");
    // In force mode nothing is claimed: the GUI may be showing a game.
    settle("force");
    EXPECT_FALSE(says(settle("usermove f6g8"), "Draw by repetition"));
    EXPECT_TRUE(says(settle("go"), "1/2-1/2 {Draw by repetition}"));
}

TEST_F(Xboard, PondersWhenItMay) {
    // The fake search expects nothing: a real one is asked.
    const auto engine = std::move(*engine::Engine::create());
    Conversation gui([&](std::istream& in, std::ostream& out) { run_xboard(*engine, in, out); });
    gui.send("xboard\nprotover 2\nnew\nhard\nst 0.05\npost");
    for (const bool expected : {true, false}) {
        gui.send("new");
        gui.ask_line("go", "move ");
        const std::string hint = gui.ask_line("hint", "Hint: ");
        const std::string reply = hint.substr(hint.find("Hint: ") + 6, 4);
        const std::string other = reply == "h7h6" ? "a7a6" : "h7h6";
        // While it ponders it answers.
        gui.ask("ping 1", "pong 1");
        gui.ask(expected ? "usermove " + reply : "usermove " + other, "move ");
        gui.send("easy");
    }
    gui.ask("ping 2", "pong 2");
}

TEST_F(Xboard, PongsComeAfterTheMove) {
    const auto engine = std::move(*engine::Engine::create());
    Conversation gui([&](std::istream& in, std::ostream& out) { run_xboard(*engine, in, out); });
    const std::string answer = gui.ask("xboard\nnew\nst 0.2\ngo\nping 77", "pong 77");
    EXPECT_TRUE(says(answer, "move "));
    // And a move at once when it is told so, from a search without a near end.
    gui.send("new\nst 1000\ngo");
    gui.ask("?", "move ");
}

TEST_F(Xboard, Chess960) {
    settle("xboard\nnew\nvariant fischerandom\nforce");
    settle("setboard 1r2k2r/7p/8/8/8/8/7P/1R2K2R w HBhb - 0 1");
    EXPECT_FALSE(says(settle("usermove O-O\nusermove O-O-O"), "Illegal"));
    // King takes rook is understood too.
    EXPECT_FALSE(says(settle("undo\nundo\nusermove e1h1\nusermove e8b8"), "Illegal"));
    EXPECT_TRUE(says(settle("variant crazyhouse"), "Error (unknown variant"));
}

TEST_F(Xboard, OptionsBothWays) {
    settle("xboard\nprotover 2\nnew");
    EXPECT_EQ(settle("memory 8\ncores 2\noption MultiPV=3\noption Syzygy50MoveRule=0\noption Clear Hash"),
              "pong 2\n");
    EXPECT_EQ(log_.made_with.back().threads, 2);
    EXPECT_FALSE(log_.made_with.back().tablebases.fifty_move_rule);
    ask("go", "move ");
    EXPECT_EQ(limits().multi_pv, 3);
    EXPECT_EQ(settle("egtpath syzygy " + tests::test_data("syzygy").string()).find("Error"),
              std::string::npos);
    EXPECT_TRUE(log_.made_with.back().tablebases.tables);
    for (const char* wrong : {"memory 0", "memory", "cores x", "egtpath gaviota a", "option MultiPV=0",
                              "option Nothing=1", "option"})
        EXPECT_TRUE(says(settle(wrong), "Error (")) << wrong;
    EXPECT_FALSE(says(
        settle("accepted setboard\nrejected nps\nrandom\ncomputer\nname Somebody\nrating 2000 2100\nics -"),
        "Error"));
    settle("egtpath syzygy <empty>");
}

TEST_F(Xboard, DrawsAreTakenWhereNothingIsHopedFor) {
    settle("xboard\nnew\nlevel 0 1 0");
    EXPECT_FALSE(says(settle("draw"), "offer draw"));
    // Kings that walk about while two locked pawns stand: 30 moves each, nothing three times.
    std::string moves = "force\nsetboard k7/8/8/p7/P7/8/8/K7 w - - 0 1";
    const auto walk = [](int step) {
        // Along the first two ranks and back again one file further on.
        static constexpr std::array kPath{"a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1",
                                          "h2", "g2", "f2", "e2", "d2", "c2", "b2", "a2"};
        return std::string(kPath[static_cast<std::size_t>(step) % kPath.size()]);
    };
    const auto mirrored = [](std::string square) {
        square[1] = square[1] == '1' ? '8' : '7';
        return square;
    };
    for (int step = 0; step < 30; ++step) {
        moves += "\nusermove " + walk(step) + walk(step + 1);
        moves += "\nusermove " + mirrored(walk(step)) + mirrored(walk(step + 1));
    }
    EXPECT_FALSE(says(settle(moves), "Illegal"));
    for (const int score : {30, -30}) {
        log_.score = chess::Score(score);
        settle("force\nundo\nundo\nusermove " + walk(29) + walk(30) + "\nusermove " + mirrored(walk(29)) +
               mirrored(walk(30)));
        ask("go", "move ");
        EXPECT_EQ(says(settle("draw"), "offer draw"), score < 0) << score;
        settle("force\nundo");
    }
}

TEST_F(Xboard, UnknownThingsNeverHurt) {
    base::Random random(4);
    pings_ = 7'000;  // none that comes by chance
    settle("xboard");
    const std::vector<std::string> words{"new",
                                         "force",
                                         "go",
                                         "usermove",
                                         "e2e4",
                                         "e7e5",
                                         "undo",
                                         "remove",
                                         "analyze",
                                         "exit",
                                         ".",
                                         "?",
                                         "hint",
                                         "bk",
                                         "level",
                                         "40",
                                         "0:01",
                                         "st",
                                         "sd",
                                         "1",
                                         "-3",
                                         "time",
                                         "otim",
                                         "hard",
                                         "easy",
                                         "post",
                                         "nopost",
                                         "setboard",
                                         "variant",
                                         "normal",
                                         "draw",
                                         "result",
                                         "1-0",
                                         "memory",
                                         "cores",
                                         "option",
                                         "MultiPV=2",
                                         "ping",
                                         "playother",
                                         "protover",
                                         "\x01\xff",
                                         "fischerandom",
                                         "8/8/8/8/8/8/8/8"};
    for (int line = 0; line < (tests::kSanitized ? 200 : 1000); ++line) {
        std::string command = words[random.below(words.size())];
        for (std::uint64_t i = 0; i < random.below(4); ++i)
            command += ' ' + words[random.below(words.size())];
        gui_.send(command);
    }
    settle("exit\nnew\nforce");
}

// As from a file: what is being looked for at the end is still given.
TEST(XboardSession, TheEndOfInputLeavesNoMoveUngiven) {
    const auto engine = std::move(*engine::Engine::create());
    std::istringstream in("xboard\nnew\nsd 4\nhard\nusermove e2e4\n");
    std::ostringstream out;
    run_session(*engine, in, out);
    EXPECT_TRUE(says(out.str(), "move "));
}

TEST(XboardSession, OtherwiseItIsUci) {
    const auto engine = std::move(*engine::Engine::create());
    std::istringstream in("\nuci\nisready\nquit\n");
    std::ostringstream out;
    run_session(*engine, in, out);
    EXPECT_TRUE(out.str().starts_with("id name Scholar"));
    EXPECT_TRUE(says(out.str(), "readyok"));
}

}  // namespace
}  // namespace scholar::protocols
