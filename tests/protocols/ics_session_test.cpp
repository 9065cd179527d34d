// The client's parts that decide: login, whom to play, how fast to speak, and the session itself, which is
// fed lines and times by hand.

#include "protocols/ics_session.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "chess/movegen.hpp"
#include "chess/san.hpp"
#include "chess/uci_move.hpp"
#include "protocols/ics_timeseal.hpp"
#include "protocols/style12_text.hpp"

namespace scholar::protocols::ics {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using namespace std::chrono_literals;
using Kind = LoginDialogue::Step::Kind;

TEST(IcsLogin, WithAPassword) {
    LoginDialogue login({"Scholar", "secret"});
    EXPECT_EQ(login.on_line("          welcome").kind, Kind::Wait);
    EXPECT_EQ(login.on_partial("log").kind, Kind::Wait);
    const auto name = login.on_partial("login:");
    EXPECT_EQ(name.kind, Kind::Answer);
    EXPECT_EQ(name.text, "Scholar");
    EXPECT_FALSE(name.secret);
    // The rest of the prompt, and the line's end after it, ask nothing again.
    EXPECT_EQ(login.on_partial("login: ").kind, Kind::Wait);
    EXPECT_EQ(login.on_line("login: ").kind, Kind::Wait);
    const auto password = login.on_partial("password: ");
    EXPECT_EQ(password.kind, Kind::Answer);
    EXPECT_EQ(password.text, "secret");
    EXPECT_TRUE(password.secret);
    const auto done = login.on_line("password: **** Starting FICS session as Scholar(C) ****");
    EXPECT_EQ(done.kind, Kind::Done);
    EXPECT_EQ(done.text, "Scholar");
}

TEST(IcsLogin, OnOneLine) {
    LoginDialogue login({"Scholar", "secret"});
    EXPECT_EQ(login.on_partial("login: ").text, "Scholar");
    EXPECT_EQ(login.on_partial("login: password: ").text, "secret");
}

TEST(IcsLogin, AsAGuest) {
    LoginDialogue login({});
    EXPECT_EQ(login.on_partial("login: ").text, "guest");
    login.on_line("login: Logging you in as \"GuestVLJC\"; you may use this name to play unrated games.");
    const auto enter = login.on_partial("Press return to enter the server as \"GuestVLJC\":");
    EXPECT_EQ(enter.kind, Kind::Answer);
    EXPECT_EQ(enter.text, "");
    EXPECT_EQ(login.on_line("**** Starting FICS session as GuestVLJC(U) ****").text, "GuestVLJC");
}

TEST(IcsLogin, WithoutAnAnnouncedSession) {
    LoginDialogue login({"Scholar", "secret"});
    login.on_partial("login: ");
    login.on_line("login: ");
    login.on_partial("password: ");
    login.on_line("password: ");
    const auto done = login.on_partial("aics% ");
    EXPECT_EQ(done.kind, Kind::Done);
    EXPECT_EQ(done.text, "Scholar");
}

TEST(IcsLogin, IsRefusedInOneLine) {
    LoginDialogue wrong({"Scholar", "secret"});
    wrong.on_partial("login: ");
    wrong.on_partial("login: password: ");
    const auto step = wrong.on_line("login: password: **** Invalid password! ****");
    EXPECT_EQ(step.kind, Kind::Refused);
    EXPECT_EQ(step.text, "**** Invalid password! ****");

    LoginDialogue unknown({"Scholar", "secret"});
    unknown.on_partial("login: ");
    unknown.on_line("login: Sorry, names can only consist of letters.");
    const auto again = unknown.on_partial("login: ");
    EXPECT_EQ(again.kind, Kind::Refused);
    EXPECT_THAT(again.text, HasSubstr("only consist of letters"));

    // Who is registered does not come in as somebody else.
    LoginDialogue guest({"Scholar", "secret"});
    guest.on_partial("login: ");
    EXPECT_EQ(guest.on_partial("login: \nPress return to enter the server as \"Scholar\":").kind, Kind::Wait);
    EXPECT_EQ(guest.on_line("login: ").kind, Kind::Wait);
    EXPECT_EQ(guest.on_partial("Press return to enter the server as \"Scholar\":").kind, Kind::Refused);
}

// The password goes out once, and after nothing but a question for it.
RC_GTEST_PROP(IcsLogin, SendsThePasswordAtMostOnce, ()) {
    LoginDialogue login({"Scholar", "secret"});
    static const std::vector<std::string> kTexts{
        "login: ", "password: ", "fics% ", "x", "", "password:", "Press return to enter the server as \"A\":",
        "login:"};
    int secrets = 0;
    const auto texts = *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(kTexts));
    bool asked = false;
    for (const auto& text : texts) {
        const bool whole = *rc::gen::arbitrary<bool>();
        asked = asked || text.starts_with("password:");
        const auto step = whole ? login.on_line(text) : login.on_partial(text);
        if (step.kind != Kind::Answer || step.text != "secret") continue;
        RC_ASSERT(step.secret);
        RC_ASSERT(asked);
        ++secrets;
    }
    RC_ASSERT(secrets <= 1);
}

Challenge challenge(std::string kind, int minutes, int increment) {
    return {.from = "Other",
            .to = "Scholar",
            .rating = 1500,
            .side = {},
            .rated = false,
            .kind = std::move(kind),
            .minutes = minutes,
            .increment = increment,
            .adjourned = false};
}

TEST(IcsPolicy, PlaysOrdinaryChessOnly) {
    const OpponentPolicy policy({});
    EXPECT_EQ(policy.reason_to_decline(challenge("blitz", 3, 0)), "");
    EXPECT_EQ(policy.reason_to_decline(challenge("standard", 15, 0)), "");
    for (const char* kind :
         {"bughouse", "crazyhouse", "suicide", "losers", "atomic", "wild/fr", "wild/5", "untimed"})
        EXPECT_NE(policy.reason_to_decline(challenge(kind, 3, 0)), "") << kind;
}

TEST(IcsPolicy, ChoosesOpponentsAndTimes) {
    PolicySettings settings;
    settings.seeks = {{30, 0}};
    settings.fastest = {1, 0};
    settings.slowest = {5, 0};
    settings.least_rating = 1'400;
    settings.most_rating = 1'600;
    settings.refused = {"Abuser"};
    settings.rated = false;
    settings.most_in_a_row = 2;
    OpponentPolicy policy(settings);
    auto request = challenge("blitz", 3, 0);
    EXPECT_EQ(policy.reason_to_decline(request), "");
    EXPECT_THAT(policy.reason_to_decline(challenge("blitz", 6, 0)), HasSubstr("out of range"));
    EXPECT_EQ(policy.reason_to_decline(challenge("standard", 30, 0)), "") << "what is advertised is played";
    request.rating = 1'601;
    EXPECT_THAT(policy.reason_to_decline(request), HasSubstr("rating"));
    request.rating = std::nullopt;
    EXPECT_THAT(policy.reason_to_decline(request), HasSubstr("rating"));
    request = challenge("blitz", 3, 0);
    request.from = "aBUSER";
    EXPECT_NE(policy.reason_to_decline(request), "");
    request = challenge("blitz", 3, 0);
    request.rated = true;
    EXPECT_THAT(policy.reason_to_decline(request), HasSubstr("unrated"));
    request.adjourned = true;
    EXPECT_EQ(policy.reason_to_decline(request), "") << "what was begun is finished";
    request = challenge("blitz", 3, 0);
    policy.note_game("Other");
    policy.note_game("other");
    EXPECT_THAT(policy.reason_to_decline(request), HasSubstr("in a row"));
    policy.note_game("Third");
    EXPECT_EQ(policy.reason_to_decline(request), "");
    EXPECT_THAT(policy.seek_commands(), ElementsAre("seek 30 0 unrated 1400-1600"));
}

TEST(IcsPolicy, ReadsTimes) {
    EXPECT_EQ(parse_server_time("3 0").value(), (ServerTime{3, 0}));
    EXPECT_EQ(parse_server_time(" 2+12 ").value(), (ServerTime{2, 12}));
    for (const char* text : {"", "3", "3 x", "-1 0", "0 0", "3 0 0", "700 0", "3.5 0"})
        EXPECT_FALSE(parse_server_time(text).has_value()) << text;
}

// However many commands there are: never more than the burst and one for each interval, in any stretch of
// time; none is lost that is urgent, and those come first.
RC_GTEST_PROP(IcsThrottle, KeepsThePace, ()) {
    const ThrottleSettings settings{.burst = 5, .interval = 100ms, .most_waiting = 10};
    Clock::time_point now{};
    CommandQueue queue(settings, now);
    std::vector<Clock::time_point> sent;
    int urgent_in = 0, urgent_out = 0, number = 0;
    const auto drain = [&] {
        bool only_others = false;
        while (const auto command = queue.next(now)) {
            sent.push_back(now);
            urgent_out += command->urgent;
            RC_ASSERT(!(only_others && command->urgent));
            only_others = !command->urgent;
        }
    };
    for (int step = 0; step < 60; ++step) {
        now += std::chrono::milliseconds(*rc::gen::inRange(0, 250));
        for (int i = *rc::gen::inRange(0, 6); i > 0; --i) {
            const bool urgent = *rc::gen::arbitrary<bool>();
            urgent_in += urgent;
            queue.push({std::to_string(number++), urgent});
        }
        drain();
    }
    for (int i = 0; i < 1'000 && !queue.empty(); ++i) {
        now += 100ms;
        drain();
    }
    RC_ASSERT(queue.empty());
    RC_ASSERT(urgent_in == urgent_out);
    for (std::size_t i = 0; i < sent.size(); ++i)
        for (std::size_t j = i; j < sent.size(); ++j)
            RC_ASSERT(static_cast<long>(j - i + 1) <=
                      settings.burst + (sent[j] - sent[i]) / settings.interval + 1);
}

TEST(IcsThrottle, SendsNothingTwiceThatStillWaits) {
    CommandQueue queue({.burst = 1, .interval = 100ms, .most_waiting = 10}, {});
    for (int i = 0; i < 3; ++i) queue.push({"refresh", false});
    queue.push({"e2e4", true});
    queue.push({"d2d4", true});
    queue.withdraw("e2e4");
    EXPECT_EQ(queue.next({})->text, "d2d4");
    EXPECT_FALSE(queue.next({}));
    EXPECT_EQ(queue.next(Clock::time_point(100ms))->text, "refresh");
    EXPECT_TRUE(queue.empty());
}

TEST(IcsThrottle, HoldsNoMoreThanItIsTold) {
    CommandQueue queue({.burst = 1, .interval = 100ms, .most_waiting = 10}, {});
    for (int i = 0; i < 1'000; ++i) queue.push({"decline " + std::to_string(i), false});
    EXPECT_EQ(queue.size(), 10U);
    for (const char* urgent : {"e2e4", "draw", "refresh"}) queue.push({urgent, true});
    EXPECT_EQ(queue.size(), 10U);
    EXPECT_EQ(queue.next({})->text, "e2e4");
}

// What a server does with a sealed line: the steps of the description backwards.
std::string unsealed(std::string bytes) {
    static const std::string kKey = "Timestamp (FICS) v1.0 - programmed by Henrik Gram.";
    EXPECT_TRUE(bytes.ends_with("\x80\n"));
    bytes.resize(bytes.size() - 2);
    EXPECT_EQ(bytes.size() % 12, 0U);
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<char>(((static_cast<unsigned char>(bytes[i]) + 32) ^ kKey[i % 50]) & 127);
    for (std::size_t block = 0; block < bytes.size(); block += 12) {
        std::swap(bytes[block], bytes[block + 11]);
        std::swap(bytes[block + 2], bytes[block + 9]);
        std::swap(bytes[block + 4], bytes[block + 7]);
    }
    return bytes;
}

TEST(IcsTimeseal, CanBeOpened) {
    EXPECT_EQ(unsealed(timeseal("e2e4", 123'456ms)),
              "e2e4\x18"
              "123456\x19");
    EXPECT_EQ(unsealed(timeseal("", 7ms)),
              "\x18"
              "7\x19"
              "111111111");
    // By hand: the first byte is the twelfth, '1', then '1' | 128 = 177, xor 'T' = 229, less 32 = 197.
    EXPECT_EQ(static_cast<unsigned char>(timeseal("", 7ms)[0]), 197);
    for (int size = 0; size < 100; ++size) {
        const std::string line(static_cast<std::size_t>(size), 'a');
        const std::string sealed = timeseal(line, 99ms);
        EXPECT_EQ(sealed.find('\n'), sealed.size() - 1) << size;
        EXPECT_THAT(unsealed(sealed), testing::StartsWith(line + "\x18"
                                                                 "99\x19"));
    }
}

// Takes down what the session wants.
class FakeHost : public SessionHost {
  public:
    void send(std::string_view line, bool secret) override {
        EXPECT_EQ(line.find('\n'), std::string_view::npos);
        static_cast<void>(secret);
        sent.emplace_back(line);
    }
    void hang_up() override { ++hang_ups; }
    void game_starts(const engine::GameHeader& header) override { started.push_back(header); }
    void think(TurnRequest request) override {
        EXPECT_FALSE(thinking) << "asked for a second move before the first";
        thinking = std::move(request);
    }
    void stop_thinking() override { thinking.reset(); }
    void game_over(engine::PlayedGame game) override { over.push_back(std::move(game)); }
    void note(std::string_view what) override { notes.emplace_back(what); }

    std::vector<std::string> take() { return std::exchange(sent, {}); }

    std::vector<std::string> sent;
    int hang_ups = 0;
    std::vector<engine::GameHeader> started;
    std::optional<TurnRequest> thinking;
    std::vector<engine::PlayedGame> over;
    std::vector<std::string> notes;
};

class IcsSession : public testing::Test {
  protected:
    static SessionSettings settings() {
        SessionSettings settings;
        settings.credentials = {"Scholar", "secret"};
        settings.policy.seeks = {{3, 0}};
        settings.throttle = {.burst = 1'000, .interval = 1ms, .most_waiting = 100};
        return settings;
    }
    void make(const SessionSettings& with) { session_.emplace(with, host_, now_); }
    void say(const std::string& line) { session_->line(line, now_); }
    void pass(Milliseconds time) {
        now_ += time;
        session_->tick(now_);
    }
    void log_in() {
        session_->connected(now_);
        session_->partial("login: ", now_);
        session_->partial("login: password: ", now_);
        say("**** Starting FICS session as Scholar(C) ****");
    }
    void log_in_to_idle() {
        log_in();
        say("Scholar has no adjourned games.");
        pass(1ms);
        host_.take();
    }
    void begin(bool white, const std::string& opponent = "Other") {
        const std::string names = white ? "Scholar vs. " + opponent : opponent + " vs. Scholar";
        say(white ? "Creating: Scholar (1600) " + opponent + " (1500) unrated blitz 3 0"
                  : "Creating: " + opponent + " (1500) Scholar (1600) unrated blitz 3 0");
        say("{Game 7 (" + names + ") Creating unrated blitz match.}");
        white_ = white;
        opponent_ = opponent;
        line_ = chess::Line();
        show();
    }
    std::string board(const chess::Line& line, int game = 7) const {
        tests::Style12Text text{.position = line.current(), .game = game};
        text.white = white_ ? "Scholar" : opponent_;
        text.black = white_ ? opponent_ : "Scholar";
        text.relation = (line.current().side_to_move() == chess::White) == white_ ? 1 : -1;
        if (line.ply() > 0)
            for (const chess::Move move : chess::legal_moves(line.ago(1)))
                if (line.ago(1).after(move) == line.current())
                    text.double_push = tests::double_push_file(line.ago(1), move);
        return text.text();
    }
    void show() { say(board(line_)); }
    // The server plays a move and shows it.
    void play(const std::string& san) {
        line_.push(chess::parse_san(line_.current(), san).value());
        show();
    }
    engine::Decision decision(const std::string& san) const {
        engine::Decision decision;
        decision.move = chess::parse_san(line_.current(), san).value();
        return decision;
    }
    void decide(const engine::Decision& decision) {
        ASSERT_TRUE(host_.thinking.has_value());
        const auto ticket = std::exchange(host_.thinking, std::nullopt)->ticket;
        session_->decided(ticket, decision, now_);
    }
    void decide(const std::string& san) { decide(decision(san)); }

    Clock::time_point now_{};
    FakeHost host_;
    std::optional<Session> session_;
    bool white_ = true;
    std::string opponent_;
    chess::Line line_;
};

TEST_F(IcsSession, LogsInSetsUpAndSeeks) {
    make(settings());
    log_in();
    EXPECT_THAT(host_.take(),
                testing::AllOf(Contains("Scholar"), Contains("secret"), Contains("set style 12"),
                               Contains("iset ms 1"), Contains("stored"), Not(Contains("seek 3 0 unrated"))));
    say("Scholar has no adjourned games.");
    pass(1ms);
    EXPECT_THAT(host_.take(), ElementsAre("seek 3 0 unrated"));
    pass(301s);
    EXPECT_THAT(host_.take(), Contains("seek 3 0 unrated"));
}

TEST_F(IcsSession, PlaysAGameToItsEnd) {
    make(settings());
    log_in_to_idle();
    begin(true);
    ASSERT_EQ(host_.started.size(), 1U);
    EXPECT_EQ(host_.started[0].opponent(), "Other");
    EXPECT_EQ(host_.started[0].opponent_rating(), 1500);
    decide("f3");
    EXPECT_THAT(host_.take(), ElementsAre("f2f3"));
    play("f3");
    EXPECT_FALSE(host_.thinking);
    play("e5");
    decide("g4");
    play("g4");
    play("Qh4#");
    EXPECT_FALSE(host_.thinking) << "there is no legal move";
    say("{Game 7 (Scholar vs. Other) Scholar checkmated} 0-1");
    ASSERT_EQ(host_.over.size(), 1U);
    const auto& game = host_.over[0];
    EXPECT_EQ(game.end, engine::GameEnd::Checkmate);
    EXPECT_EQ(game.points(), 0.0);
    EXPECT_EQ(game.moves.size(), 4U);
    host_.take();
    pass(1s);
    EXPECT_THAT(host_.take(), IsEmpty()) << "nothing is sought before the game was looked back at";
    session_->reviewed(now_);
    EXPECT_THAT(host_.take(), ElementsAre("seek 3 0 unrated"));
}

TEST_F(IcsSession, WritesMovesAsServersReadThem) {
    make(settings());
    log_in_to_idle();
    begin(true);
    for (const auto& [ours, theirs] : std::vector<std::pair<std::string, std::string>>{{"Nf3", "a5"},
                                                                                       {"g3", "a4"},
                                                                                       {"Bg2", "a3"},
                                                                                       {"O-O", "axb2"},
                                                                                       {"h4", "bxa1=N"},
                                                                                       {"h5", "b6"},
                                                                                       {"h6", "b5"},
                                                                                       {"hxg7", "b4"},
                                                                                       {"gxh8=Q", "b3"}}) {
        decide(ours);
        play(ours);
        play(theirs);
    }
    EXPECT_THAT(host_.take(),
                ElementsAre("g1f3", "g2g3", "f1g2", "O-O", "h2h4", "h4h5", "h5h6", "h6g7", "g7h8=Q"));
}

TEST_F(IcsSession, SendsNothingForAnOldPosition) {
    make(settings());
    log_in_to_idle();
    begin(true);
    ASSERT_TRUE(host_.thinking);
    const auto old = host_.thinking->ticket;
    // The server has moved for us: the answer to the old question is worthless.
    play("e4");
    play("e5");
    ASSERT_TRUE(host_.thinking);
    EXPECT_NE(host_.thinking->ticket, old);
    engine::Decision late;
    late.move = chess::Move(chess::D2, chess::D4);
    session_->decided(old, late, now_);
    EXPECT_THAT(host_.take(), IsEmpty());
}

TEST_F(IcsSession, DoubtsAStrangeBoardUntilItComesAgain) {
    make(settings());
    log_in_to_idle();
    begin(true);
    play("e4");
    play("e5");
    host_.take();
    // A board of another line of play.
    chess::Line other;
    other.push(chess::parse_san(other.current(), "d4").value());
    other.push(chess::parse_san(other.current(), "d5").value());
    say(board(other));
    EXPECT_THAT(host_.take(), ElementsAre("refresh"));
    decide("Nf3");
    EXPECT_THAT(host_.take(), IsEmpty()) << "a move for a position that may not be";
    // The truth comes: the move goes out.
    show();
    EXPECT_THAT(host_.take(), ElementsAre("g1f3"));
    play("Nf3");
    play("Nc6");
    // Now the server means it.
    chess::Line back = line_;
    back.pop();
    back.pop();
    say(board(back));
    say(board(back));
    ASSERT_TRUE(host_.thinking);
    EXPECT_EQ(host_.thinking->line.ply(), 2);
    EXPECT_TRUE(host_.thinking->line.start() == chess::Position());
}

TEST_F(IcsSession, SendsALostMoveAgain) {
    make(settings());
    log_in_to_idle();
    begin(true);
    decide("e4");
    EXPECT_THAT(host_.take(), ElementsAre("e2e4"));
    // Boards that repeat the position do not make it move twice.
    show();
    EXPECT_THAT(host_.take(), IsEmpty());
    pass(9s);
    EXPECT_THAT(host_.take(), ElementsAre("refresh"));
    show();
    EXPECT_THAT(host_.take(), ElementsAre("e2e4"));
    play("e4");
    pass(1s);
    EXPECT_THAT(host_.take(), IsEmpty());
}

TEST_F(IcsSession, TriesARefusedMoveInAnotherNotationAndThenGivesUp) {
    make(settings());
    log_in_to_idle();
    begin(true);
    decide("Nf3");
    for (int i = 0; i < 3; ++i) {
        say("Illegal move (g1f3).");
        show();
    }
    EXPECT_THAT(host_.take(), ElementsAre("g1f3", "refresh", "Nf3", "refresh", "g1f3", "refresh", "abort"));
    for (int i = 0; i < 5; ++i) show();
    EXPECT_THAT(host_.take(), IsEmpty());
}

TEST_F(IcsSession, DeclinesWhatIsAskedForDuringAGame) {
    make(settings());
    log_in_to_idle();
    begin(true);
    play("e4");
    play("e5");
    host_.take();
    say("Other would like to take back 2 half move(s).");
    say("Stranger would like to take back 2 half move(s).");
    EXPECT_THAT(host_.take(), ElementsAre("decline Other"));
    say("Other would like to abort the game; type \"abort\" to accept.");
    EXPECT_THAT(host_.take(), ElementsAre("decline Other"));
    say("Challenge: Third (1500) Scholar (1600) unrated blitz 3 0.");
    EXPECT_THAT(host_.take(), ElementsAre("decline Third"));
}

TEST_F(IcsSession, AnswersDrawOffersWithItsMove) {
    make(settings());
    log_in_to_idle();
    begin(true);
    say("Other offers you a draw.");
    EXPECT_THAT(host_.take(), IsEmpty());
    auto no = decision("e4");
    decide(no);
    EXPECT_THAT(host_.take(), ElementsAre("e2e4"));
    play("e4");
    play("e5");
    // That offer is gone; without another there is nothing to accept.
    auto yes = decision("Nf3");
    yes.accepts_draw = true;
    decide(yes);
    EXPECT_THAT(host_.take(), ElementsAre("g1f3"));
    play("Nf3");
    play("Nc6");
    say("Other offers you a draw.");
    yes = decision("Bb5");
    yes.accepts_draw = true;
    decide(yes);
    EXPECT_THAT(host_.take(), ElementsAre("draw", "f1b5"));
    say("{Game 7 (Scholar vs. Other) Game drawn by mutual agreement} 1/2-1/2");
    EXPECT_EQ(host_.over.at(0).end, engine::GameEnd::Agreement);
}

TEST_F(IcsSession, ClaimsADrawByRepetition) {
    make(settings());
    log_in_to_idle();
    begin(true);
    const std::vector<std::string> moves{"Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"};
    for (std::size_t i = 0; i < moves.size(); i += 2) {
        decide(moves[i]);
        play(moves[i]);
        play(moves[i + 1]);
    }
    host_.take();
    auto decided = decision("e4");
    decided.accepts_draw = true;
    decide(decided);
    EXPECT_THAT(host_.take(), ElementsAre("draw", "e2e4"));
}

TEST_F(IcsSession, CallsTheFlagNowAndThen) {
    make(settings());
    log_in_to_idle();
    begin(false);
    pass(182s);
    EXPECT_THAT(host_.take(), Not(Contains("flag")));
    pass(2s);
    EXPECT_THAT(host_.take(), ElementsAre("flag"));
    pass(1s);
    EXPECT_THAT(host_.take(), IsEmpty());
    pass(3s);
    EXPECT_THAT(host_.take(), ElementsAre("flag"));
}

TEST_F(IcsSession, FindsOutWhatBecameOfAGameThatWasCutOff) {
    make(settings());
    log_in_to_idle();
    begin(true);
    decide("e4");
    play("e4");
    play("e5");
    session_->disconnected(now_);
    EXPECT_FALSE(host_.thinking);
    EXPECT_TRUE(session_->wants_connection());
    host_.take();
    log_in();
    EXPECT_THAT(host_.take(), Contains("stored"));
    say("Scholar has no adjourned games.");
    pass(1ms);
    EXPECT_THAT(host_.take(), ElementsAre("oldmoves"));
    for (const char* text :
         {"Scholar (1600) vs. Other (1500) --- Sun Nov 22, 10:00 UTC 2026",
          "Unrated blitz match, initial time: 3 minutes, increment: 0 seconds.", "",
          "Move  Scholar            Other", "----  ----------------   ----------------",
          "  1.  e4      (0:00)     e5      (0:00)", "  2.  Nf3     (0:01)", "      {Other resigns} 1-0"})
        say(text);
    ASSERT_EQ(host_.over.size(), 1U);
    EXPECT_EQ(host_.over[0].end, engine::GameEnd::Resignation);
    EXPECT_EQ(host_.over[0].points(), 1.0);
    EXPECT_EQ(host_.over[0].moves.size(), 3U);
}

TEST_F(IcsSession, AcceptsOneChallengeAtATime) {
    make(settings());
    log_in_to_idle();
    host_.take();
    say("Challenge: One (1500) Scholar (1600) unrated blitz 3 0.");
    say("Challenge: Two (1500) Scholar (1600) unrated blitz 3 0.");
    const auto sent = host_.take();
    EXPECT_THAT(sent, Contains("accept One"));
    EXPECT_THAT(sent, Not(Contains("accept Two")));
}

TEST_F(IcsSession, TellsOfTheGameWhenThereWillBeNoOtherConnection) {
    make(settings());
    log_in_to_idle();
    begin(true);
    decide("e4");
    play("e4");
    session_->disconnected(now_);
    session_->give_up("no server");
    EXPECT_TRUE(session_->is_over());
    ASSERT_EQ(host_.over.size(), 1U);
    EXPECT_EQ(host_.over[0].end, engine::GameEnd::Unknown);
    EXPECT_EQ(host_.over[0].moves.size(), 1U);
    EXPECT_EQ(host_.over[0].reason, "no server");
}

TEST_F(IcsSession, GoesOnWithAnAdjournedGameAndKeepsItsMoves) {
    make(settings());
    log_in_to_idle();
    begin(true);
    decide("e4");
    play("e4");
    play("e5");
    session_->disconnected(now_);
    host_.take();
    log_in();
    host_.take();
    say("Stored games for Scholar:");
    say(" 1: B Somebody          N [ bu  3   0] 39-39 W9   C20 Sun Nov 15, 10:00 UTC 2026");
    // The list comes in parts.
    pass(500ms);
    EXPECT_THAT(host_.take(), IsEmpty());
    say(" 2: W Other             Y [ bu  3   0] 39-39 W2   C20 Sun Nov 22, 10:00 UTC 2026");
    pass(999ms);
    EXPECT_THAT(host_.take(), IsEmpty());
    pass(1ms);
    EXPECT_THAT(host_.take(), ElementsAre("match Other"));
    say("{Game 9 (Scholar vs. Other) Continuing unrated blitz match.}");
    say(board(line_, 9));
    ASSERT_TRUE(host_.thinking);
    EXPECT_EQ(host_.thinking->line.ply(), 2);
    EXPECT_TRUE(host_.started.back().resumed);
}

// Of a game that an earlier run began there is nothing but the board, and the server's list of its moves.
TEST_F(IcsSession, MakesAGameWholeThatItTookUpInItsMiddle) {
    make(settings());
    log_in_to_idle();
    opponent_ = "Other";
    for (const char* san : {"e4", "e5"}) line_.push(chess::parse_san(line_.current(), san).value());
    say("Notification: Other, who has an adjourned game with you, has arrived.");
    EXPECT_THAT(host_.take(), ElementsAre("match Other"));
    say("Creating: Scholar (1600) Other (1500) rated blitz 3 0");
    say("{Game 7 (Scholar vs. Other) Continuing rated blitz match.}");
    show();
    ASSERT_TRUE(host_.thinking) << "the clock runs: the list is not waited for";
    EXPECT_THAT(host_.take(), ElementsAre("moves"));
    decide("Nf3");
    for (const char* text :
         {"Movelist for game 7:", "", "Scholar (1600) vs. Other (1500) --- Sun Nov 22, 10:00 UTC 2026",
          "Rated blitz match, initial time: 3 minutes, increment: 0 seconds.", "",
          "Move  Scholar            Other", "----  ----------------   ----------------",
          "  1.  e4      (0:00)     e5      (0:00)", "      {Still in progress} *"})
        say(text);
    play("Nf3");
    say("{Game 7 (Scholar vs. Other) Other resigns} 1-0");
    const auto& game = host_.over.at(0);
    EXPECT_TRUE(game.is_whole);
    EXPECT_TRUE(game.header.rated);
    ASSERT_EQ(game.moves.size(), 3U);
    EXPECT_EQ(chess::to_uci(game.moves[0].move), "e2e4");
    EXPECT_EQ(chess::to_uci(game.moves[2].move), "g1f3");
}

// However many games the server says are stored, and however many it begins and adjourns.
TEST_F(IcsSession, KeepsAsManyAdjournedGamesAsItMay) {
    SessionSettings with = settings();
    with.throttle.most_waiting = 100'000;
    make(with);
    log_in();
    host_.take();
    say("Stored games for Scholar:");
    for (int i = 0; i < 5'000; ++i)
        say(" 1: B Opponent" + std::to_string(i) +
            "          Y [ bu  3   0] 39-39 W9   C20 Sun Nov 15, 10:00 UTC 2026");
    pass(2s);
    const auto sent = host_.take();
    EXPECT_EQ(std::ranges::count_if(sent, [](const auto& line) { return line.starts_with("match "); }),
              static_cast<std::ptrdiff_t>(kMostStored));

    make(settings());
    log_in_to_idle();
    const auto adjourn = [&](const std::string& opponent) {
        begin(true, opponent);
        decide("e4");
        play("e4");
        play("e5");
        say("{Game 7 (Scholar vs. " + opponent + ") Game adjourned by mutual agreement} *");
        session_->reviewed(now_);
    };
    // What is known of a game that goes on: two half-moves, or the board alone.
    const auto known = [&](const std::string& opponent) {
        opponent_ = opponent;
        line_ = chess::Line();
        for (const char* san : {"e4", "e5"}) line_.push(chess::parse_san(line_.current(), san).value());
        say("{Game 7 (Scholar vs. " + opponent + ") Continuing unrated blitz match.}");
        show();
        const int plies = host_.thinking ? host_.thinking->line.ply() : -1;
        say("{Game 7 (Scholar vs. " + opponent + ") Game aborted by mutual agreement} *");
        session_->reviewed(now_);
        return plies;
    };
    constexpr int kGames = 50;
    for (int i = 0; i < kGames; ++i) adjourn("Opponent" + std::to_string(i));
    for (int i = 0; i < kGames; ++i)
        EXPECT_EQ(known("Opponent" + std::to_string(i)),
                  i + static_cast<int>(kMostAdjourned) < kGames ? 0 : 2)
            << i;
}

// A game without an end: what is kept of it has one, and its moves are still answered.
TEST_F(IcsSession, KeepsAsMuchOfAGameAsItMay) {
    make(settings());
    log_in_to_idle();
    begin(false);
    constexpr int kRounds = kMostPlies / 4 + 50;
    for (int round = 0; round < kRounds; ++round)
        for (const char* san : {"Nf3", "Nf6", "Ng1", "Ng8"}) {
            if (line_.current().side_to_move() == chess::Black) decide(san);
            play(san);
        }
    host_.take();
    play("e4");
    ASSERT_TRUE(host_.thinking);
    EXPECT_LE(host_.thinking->line.ply(), kMostPlies);
    say("{Game 7 (Other vs. Scholar) Other resigns} 0-1");
    const auto& game = host_.over.at(0);
    EXPECT_LE(game.moves.size(), static_cast<std::size_t>(kMostPlies));
    EXPECT_FALSE(game.is_whole);
    EXPECT_EQ(game.result, games::GameResult::BlackWins);
}

TEST_F(IcsSession, GivesUpOnAnOpponentWhoDoesNotComeBack) {
    make(settings());
    log_in_to_idle();
    begin(true);
    session_->disconnected(now_);
    log_in();
    say(" 1: W Other             N [ bu  3   0] 39-39 W2   C20 Sun Nov 22, 10:00 UTC 2026");
    for (int i = 0; i < 130; ++i) pass(1s);
    ASSERT_EQ(host_.over.size(), 1U);
    EXPECT_EQ(host_.over[0].end, engine::GameEnd::Adjourned);
}

TEST_F(IcsSession, LeavesWhenToldTo) {
    for (const OnStop on_stop : {OnStop::Finish, OnStop::Resign, OnStop::Adjourn}) {
        auto with = settings();
        with.on_stop = on_stop;
        host_ = {};
        make(with);
        log_in_to_idle();
        begin(true);
        host_.take();
        session_->stop(now_);
        if (on_stop == OnStop::Finish) {
            EXPECT_THAT(host_.take(), IsEmpty());
            decide("e4");
            EXPECT_THAT(host_.take(), ElementsAre("e2e4"));
        } else {
            EXPECT_THAT(host_.take(), ElementsAre(on_stop == OnStop::Resign ? "resign" : "adjourn"));
        }
        say(on_stop == OnStop::Adjourn ? "{Game 7 (Scholar vs. Other) Game adjourned by mutual agreement} *"
                                       : "{Game 7 (Scholar vs. Other) Scholar resigns} 0-1");
        session_->reviewed(now_);
        EXPECT_THAT(host_.take(), ElementsAre("quit"));
        session_->disconnected(now_);
        EXPECT_TRUE(session_->is_over());
        EXPECT_FALSE(session_->error());
        EXPECT_EQ(host_.over.size(), 1U);
    }
}

TEST_F(IcsSession, WaitsForAGameThatMayHaveBegunBeforeItLeaves) {
    make(settings());
    log_in_to_idle();
    session_->stop(now_);
    EXPECT_THAT(host_.take(), ElementsAre("unseek"));
    begin(true);
    ASSERT_TRUE(host_.thinking);
    pass(5s);
    EXPECT_THAT(host_.take(), Not(Contains("quit")));
}

TEST_F(IcsSession, DoesNotFightForItsName) {
    make(settings());
    log_in_to_idle();
    say("**** Scholar has arrived - you can't both be logged in. ****");
    EXPECT_TRUE(session_->is_over());
    ASSERT_TRUE(session_->error());
    EXPECT_EQ(host_.hang_ups, 1);
}

TEST_F(IcsSession, LeavesAServerThatSaysNothing) {
    make(settings());
    session_->connected(now_);
    pass(61s);
    EXPECT_EQ(host_.hang_ups, 1);
    session_->disconnected(now_);
    EXPECT_TRUE(session_->wants_connection());
    log_in_to_idle();
    pass(91s);
    EXPECT_THAT(host_.take(), Contains("date"));
    pass(9s);
    EXPECT_EQ(host_.hang_ups, 2);
}

// Lines in any order: the session goes on, sends no more than it may, and no move that is not legal on a
// board that it was shown.
RC_GTEST_PROP(IcsSessionProperty, SurvivesAnyLines, ()) {
    FakeHost host;
    SessionSettings settings;
    settings.credentials = {"Scholar", "secret"};
    settings.policy.seeks = {{3, 0}};
    Clock::time_point now{};
    Session session(settings, host, now);
    tests::Style12Text text{.position = {}, .game = 7, .white = "Scholar", .black = "Other"};
    const std::string start = text.text();
    chess::Position next = chess::Position().after(chess::Move(chess::E2, chess::E4));
    text.position = next;
    text.relation = -1;
    const std::string moved = text.text();
    const std::vector<std::string> lines{
        start,
        moved,
        "{Game 7 (Scholar vs. Other) Creating unrated blitz match.}",
        "{Game 7 (Scholar vs. Other) Continuing unrated blitz match.}",
        "{Game 7 (Scholar vs. Other) Other resigns} 1-0",
        "{Game 7 (Scholar vs. Other) Game adjourned by server} *",
        "Illegal move (e2e4).",
        "It is not your move.",
        "You are not playing or examining a game.",
        "Other offers you a draw.",
        "Other would like to abort the game;",
        "Scholar has no adjourned games.",
        " 1: W Other             Y [ bu  3   0] 39-39 W2",
        "Notification: Other, who has an adjourned game with you, has arrived.",
        "**** Starting FICS session as Scholar(C) ****",
        "Challenge: Other (1500) Scholar (1600) unrated blitz 3 0.",
        "Scholar (1) vs. Other (2) --- x",
        "----  ---",
        "  1.  e4 (0:00)",
        "{Still in progress} *",
        "{Other resigns} 1-0",
        ""};
    const int steps = *rc::gen::inRange(1, 120);
    for (int step = 0; step < steps; ++step) {
        now += std::chrono::milliseconds(*rc::gen::elementOf(std::vector<int>{0, 10, 300, 9'000, 100'000}));
        switch (*rc::gen::inRange(0, 12)) {
            case 0:
                session.connected(now);
                session.partial("login: ", now);
                session.partial("login: password: ", now);
                session.line("**** Starting FICS session as Scholar(C) ****", now);
                break;
            case 1:
                session.disconnected(now);
                break;
            case 2:
                session.tick(now);
                break;
            case 3:
                if (host.thinking) {
                    engine::Decision decision;
                    decision.move = chess::legal_moves(host.thinking->line.current())[0];
                    decision.accepts_draw = decision.offers_draw = true;
                    session.decided(std::exchange(host.thinking, std::nullopt)->ticket, decision, now);
                }
                break;
            case 4:
                if (!host.over.empty()) session.reviewed(now);
                break;
            case 5:
                if (*rc::gen::inRange(0, 10) == 0) session.stop(now);
                break;
            default:
                session.line(*rc::gen::elementOf(lines), now);
        }
    }
    // The first legal move of the start position, in either notation; never one for the other board.
    for (const auto& line : host.sent) {
        RC_ASSERT(line.find('\n') == std::string::npos);
        const auto move = chess::parse_san(next, line);
        const auto first = chess::legal_moves(chess::Position())[0];
        if (chess::parse_san(chess::Position(), line))
            RC_ASSERT(chess::parse_san(chess::Position(), line).value() == first);
        else
            RC_ASSERT(!move);
    }
}

}  // namespace
}  // namespace scholar::protocols::ics
