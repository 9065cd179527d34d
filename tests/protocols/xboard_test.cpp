#include "protocols/xboard.hpp"

#include <array>
#include <gtest/gtest.h>
#include <sstream>

#include "base/files.hpp"
#include "base/random.hpp"
#include "chess/fen.hpp"
#include "chess/uci_move.hpp"
#include "protocols/session.hpp"
#include "protocols/xboard_clock.hpp"
#include "support/conversation.hpp"
#include "support/fake_search.hpp"
#include "support/test_data.hpp"

namespace scholar::protocols {
namespace {

using namespace search;
using tests::Conversation;

using tests::says;

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
    std::unique_ptr<engine::Engine> engine_ = std::move(*engine::Engine::create(tests::fake_players(log_)));
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
    EXPECT_EQ(limits().nodes_per_second, 20'000U);
    EXPECT_EQ(limits().move_overhead, Milliseconds(0));  // nothing is lost on the way where nodes are time
    settle("new");
    ask("usermove e2e4", "move ");
    EXPECT_FALSE(limits().find<DepthLimit>());  // a depth holds for one game
    EXPECT_EQ(limits().nodes_per_second, 0U);   // as does a rate
    EXPECT_GT(limits().move_overhead, Milliseconds(0));
    settle("new\nnps 7");
    ask("usermove e2e4", "move ");
    EXPECT_EQ(limits().nodes_per_second, 7U);
    for (const char* wrong : {"level", "level 40 x 0", "level -1 5 0", "st", "st -1", "st nan", "sd 0",
                              "nps x", "nps -1", "time", "time x", "level 0 1e300 0"})
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

// What the clock shows after a move, as FIDE's does: less what was used, plus the increment, plus the next
// control.
TEST(XboardClock, RunsOnBetweenTheGuisWords) {
    XboardClock clock;
    ASSERT_TRUE(clock.set_level({"level", "2", "1", "5"}));
    clock.spend(Milliseconds(12'000), 1);
    EXPECT_EQ(clock.limits(1).find<ClockLimit>()->remaining, Milliseconds(53'000));
    clock.spend(Milliseconds(3'000), 2);
    EXPECT_EQ(clock.limits(2).find<ClockLimit>()->remaining, Milliseconds(115'000));
    EXPECT_EQ(clock.limits(2, Milliseconds(15'000)).find<ClockLimit>()->remaining, Milliseconds(100'000));
    ASSERT_TRUE(clock.set_time_per_move({"st", "10"}));
    EXPECT_EQ(clock.limits(2, Milliseconds(4'000)).find<MoveTimeLimit>()->time, Milliseconds(6'000));
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

// Though the engine's own colour is to move: it analyses, and is not playing.
TEST_F(Xboard, AnswersPingsWhileItAnalyses) {
    settle("xboard\nnew\nanalyze");
    settle("usermove e2e4");
    settle("usermove e7e5");
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

// Time is counted in nodes here, so that a test can say how much was used: a second for each search.
TEST_F(Xboard, PondersWhenItMay) {
    log_.expects_a_reply = true;
    log_.counters.nodes = 1'000;
    settle("xboard\nnew\nhard\nlevel 0 1 5\nnps 1000");
    ask("go", "move ");
    log_.await(2);
    // On the reply it expects, with what its own move has left it.
    EXPECT_TRUE(limits().find<PonderLimit>());
    ASSERT_TRUE(limits().find<ClockLimit>());
    EXPECT_EQ(limits().find<ClockLimit>()->remaining, Milliseconds(60'000 - 1'000 + 5'000));
    // While it ponders it answers.
    const std::string hint = gui_.ask_line("ping 901\nhint", "Hint: ");
    EXPECT_TRUE(says(hint, "pong 901"));
    const std::string reply = hint.substr(hint.find("Hint: ") + 6, 4);
    ask("usermove " + reply, "move ");
    // The search that pondered gave the move, and the next one ponders again.
    log_.await(3);
    EXPECT_TRUE(limits().find<PonderLimit>());
    EXPECT_EQ(limits().find<ClockLimit>()->remaining, Milliseconds(64'000 - 1'000 + 5'000));
    // Another move than the expected one: another search, which does not ponder.
    const std::string next = gui_.ask_line("hint", "Hint: ");
    const std::string other = next.substr(next.find("Hint: ") + 6, 4) == "h7h6" ? "h7h5" : "h7h6";
    ask("usermove " + other, "move ");
    log_.await(5);
    EXPECT_FALSE(log_.limits[3].find<PonderLimit>());
    EXPECT_TRUE(log_.limits[4].find<PonderLimit>());
    settle("easy");
    ask("usermove g7g6", "move ");
    settle("");
    EXPECT_EQ(log_.limits.size(), 6U);
    EXPECT_FALSE(limits().find<PonderLimit>());
}

// The clock goes on while the search is begun again.
TEST_F(Xboard, AnOptionInMidThoughtGivesNoTimeBack) {
    search::Iteration report;
    report.depth = 9;
    report.counters.nodes = 7'000;
    log_.iterations = {report};
    log_.lingers = true;
    settle("xboard\nnew\npost\nlevel 0 1 0\nnps 1000");
    gui_.ask("go", "7000");
    int searches = 1;
    for (const std::string command : {"option MultiPV=2", "memory 2", "cores 2"}) {
        gui_.ask(command, "7000");
        ASSERT_EQ(log_.limits.size(), static_cast<std::size_t>(++searches));
        EXPECT_EQ(limits().find<ClockLimit>()->remaining, Milliseconds(60'000 - (searches - 1) * 7'000));
    }
    log_.lingers = false;
    gui_.hear("move ");
    // By the watch it is the same; of a time for each move too.
    log_.lingers = true;
    settle("new\nst 60");
    gui_.ask("go", "7000");
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    gui_.ask("option MultiPV=3", "7000");
    EXPECT_LT(limits().find<MoveTimeLimit>()->time, Milliseconds(60'000));
    log_.lingers = false;
    gui_.hear("move ");
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

TEST_F(Xboard, WritesCastlingAsTheVariantHasIt) {
    const std::string fen = "1r2k2r/7p/8/8/8/8/7P/1R2K2R w HBhb - 0 1";
    const auto castles = [&](const char* variant, const char* rook) {
        log_.prefers = *chess::parse_uci_move(*chess::parse_fen(fen), rook);
        settle(std::string("new\nvariant ") + variant + "\nforce\nsetboard " + fen);
        return gui_.ask_line("go", "move ");
    };
    settle("xboard");
    EXPECT_TRUE(says(castles("fischerandom", "e1h1"), "move O-O\n"));
    EXPECT_TRUE(says(castles("fischerandom", "e1b1"), "move O-O-O\n"));
    EXPECT_TRUE(says(castles("normal", "e1h1"), "move e1g1\n"));
}

TEST_F(Xboard, OptionsBothWays) {
    settle("xboard\nprotover 2\nnew");
    EXPECT_EQ(settle("memory 8\ncores 2\noption MultiPV=3\noption Syzygy50MoveRule=0\noption Clear Hash"),
              "pong 2\n");
    EXPECT_TRUE(engine_->prepare());
    EXPECT_EQ(log_.made_with.back().threads, 2);
    EXPECT_FALSE(log_.made_with.back().tablebases.fifty_move_rule);
    ask("go", "move ");
    EXPECT_EQ(limits().multi_pv, 3);
    EXPECT_EQ(settle("egtpath syzygy " + tests::test_data("syzygy").string()).find("Error"),
              std::string::npos);
    EXPECT_TRUE(engine_->prepare());
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

// As the protocol has it for positions that are illegal: no move is legal until there is another.
TEST_F(Xboard, ARefusedPositionLeavesNone) {
    settle("xboard\nprotover 2\nnew\nforce\nusermove e2e4");
    EXPECT_TRUE(says(settle("setboard 8/8/8/8/8/8/8/K7 w - - 0 1"), "tellusererror Illegal position: FEN: "));
    EXPECT_TRUE(says(settle("usermove e7e5"), "Illegal move (no position): e7e5"));
    EXPECT_TRUE(says(settle("usermove e2e4"), "Illegal move (no position): e2e4"));
    EXPECT_TRUE(says(settle("go"), "Error (no position): go"));
    settle("analyze\nexit\nplayother");
    EXPECT_TRUE(log_.limits.empty());
    settle("force\nsetboard 4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    EXPECT_FALSE(says(settle("usermove e1g1"), "Illegal"));
    settle("setboard moon\nnew\nsd 1");
    ask("usermove e2e4", "move ");
}

TEST_F(Xboard, APositionThatCanBeMendedIs) {
    const std::string answer =
        settle("xboard\nprotover 2\nnew\nforce\nsetboard 4k3/8/8/8/8/8/8/4K2R w KQ e6");
    EXPECT_TRUE(says(answer,
                     "telluser Position: FEN: castling: White has no rook to castle with on the queen's "
                     "side; left out\n"))
        << answer;
    EXPECT_TRUE(says(answer, "telluser Position: FEN: en-passant square e6"));
    EXPECT_FALSE(says(answer, "tellusererror"));
    EXPECT_FALSE(says(settle("usermove e1g1"), "Illegal"));
}

TEST_F(Xboard, WhatIsWrongIsQuotedShort) {
    settle("xboard\nprotover 2\nnew\nforce");
    const std::string endless(1'000'000, 'x');
    for (const std::string command : {"", "usermove ", "setboard ", "variant ", "memory ",
                                      "option EvalFile=", "option ", "level ", "egtpath syzygy "})
        EXPECT_LT(settle(command + endless).size(), 2'000U) << command;
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

TEST_F(Xboard, TellsTheLearntBookHowGamesEnd) {
    const tests::TemporaryFolder folder;
    const std::string path = (folder / "a.book").string();
    const auto journal = [&] { return base::read_text(path).value(); };
    log_.counters.nodes = 500;
    log_.counters.depth = 6;
    log_.score = chess::Score(-20);
    settle("xboard\nprotover 2\nnew\noption LearntBook=" + path);
    settle("name Ann Other");
    ask("usermove e2e4", "move ");
    ask("usermove d2d4", "move ");
    settle("result * {Game abandoned}");
    EXPECT_FALSE(says(journal(), "game 1")) << journal();
    settle("new");
    ask("usermove e2e4", "move ");
    ask("usermove d2d4", "move ");
    settle("usermove g1f3\nresult 0-1 {White resigns}");
    EXPECT_TRUE(says(journal(), "game 1 black 0-1 startpos e2e4,")) << journal();
    EXPECT_TRUE(says(journal(), ":-20:6:500,d2d4,")) << journal();
    EXPECT_TRUE(says(journal(), " Ann Other\n")) << journal();
    settle("result 0-1 {White resigns}");
    EXPECT_FALSE(says(journal(), "game 2")) << journal();
}

}  // namespace
}  // namespace scholar::protocols
