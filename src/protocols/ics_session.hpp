#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/contestant.hpp"
#include "protocols/ics_game.hpp"
#include "protocols/ics_login.hpp"
#include "protocols/ics_messages.hpp"
#include "protocols/ics_move_list.hpp"
#include "protocols/ics_policy.hpp"
#include "protocols/ics_style12.hpp"
#include "protocols/ics_throttle.hpp"

namespace scholar::protocols::ics {

using Milliseconds = std::chrono::milliseconds;

// How long what is waited for. A server that is never heard of again is left and called anew.
struct Patience {
    Milliseconds login{60'000};
    Milliseconds answer{8'000};    // to a command; to a move: its echo
    Milliseconds silence{90'000};  // without any word, until the server is asked for one
    Milliseconds resume{120'000};  // for the opponent of a game that was cut off
    Milliseconds retry{10'000};    // between two tries to resume
    Milliseconds seek{300'000};    // between two advertisements
    Milliseconds flag{3'000};      // over the opponent's time before his flag is called, and between calls
    Milliseconds settle{1'000};    // after taking our advertisements back: a game may have begun
    Milliseconds leave{5'000};     // for the server to say good-bye
};

// How much is kept of what the server tells, whatever it tells. More than any server lets a user have.
inline constexpr std::size_t kMostStored = 64;    // names of opponents of adjourned games
inline constexpr std::size_t kMostAdjourned = 8;  // adjourned games with their moves; the oldest go

// What becomes of the game in progress when the client is told to end.
enum class OnStop { Finish, Resign, Adjourn };

struct SessionSettings {
    Credentials credentials;
    PolicySettings policy;
    std::string site;  // for the games' header
    int games = 0;     // to be played to a result before leaving; 0: no limit
    OnStop on_stop = OnStop::Finish;
    bool resumes = true;  // adjourned games are gone on with
    Patience patience;
    ThrottleSettings throttle;
};

// A position to find a move for.
struct TurnRequest {
    std::uint64_t ticket = 0;
    engine::GameHeader header;
    chess::Line line;
    std::array<Milliseconds, 2> clocks{};
};

// Whom the session tells what is to be done.
class SessionHost {
  public:
    virtual ~SessionHost() = default;
    // A line for the server, without its end.
    virtual void send(std::string_view line, bool secret) = 0;
    // The connection is of no use any more. disconnected() follows.
    virtual void hang_up() = 0;
    // For the contestant. The answer to a turn comes by decided(), to the end of a game by reviewed().
    virtual void game_starts(const engine::GameHeader& header) = 0;
    virtual void think(TurnRequest request) = 0;
    virtual void stop_thinking() = 0;
    virtual void game_over(engine::PlayedGame game) = 0;
    // For people: what happened, in one line.
    virtual void note(std::string_view what) = 0;
};

// A client's part in the Internet Chess Server protocol, over as many connections as it takes: from login to
// log-out, with all games between. It has no connection, no thread and no clock of its own: it is told what
// comes and what time it is, and tells its host what to do. Whatever comes, it sends no move that is not
// legal in the position that the server has shown, and no more commands than the throttle allows.
class Session {
  public:
    Session(SessionSettings settings, SessionHost& host, Clock::time_point now);

    void connected(Clock::time_point now);
    void disconnected(Clock::time_point now);
    // A line without its end; what there is of an unfinished one, whenever it grows.
    void line(std::string_view text, Clock::time_point now);
    void partial(std::string_view text, Clock::time_point now);
    // The answers of the contestant.
    void decided(std::uint64_t ticket, engine::Decision decision, Clock::time_point now);
    void reviewed(Clock::time_point now);
    // Time has passed: to be called several times a second.
    void tick(Clock::time_point now);
    // To end, as the settings say.
    void stop(Clock::time_point now);
    // There will be no other connection: a game in progress is over for the contestant.
    void give_up(const std::string& why);

    // Nothing more will happen: we have left, or, with an error, must not come back.
    bool is_over() const { return phase_ == Phase::Over; }
    const std::optional<base::Error>& error() const { return error_; }
    // Whether a connection that ended is to be made again.
    bool wants_connection() const { return phase_ != Phase::Over && phase_ != Phase::Leaving; }
    bool is_logged_in() const { return !name_.empty() && phase_ != Phase::LoggingIn; }

  private:
    enum class Phase {
        LoggingIn,   // or not connected
        Recovering,  // finding out what became of a game that was cut off
        Idle,        // looking for an opponent
        Playing,
        Reviewing,  // waiting for the contestant, who looks back at a game
        Leaving,
        Over,
    };

    void send(std::string text, bool urgent = false);
    void flush(Clock::time_point now);
    void fail(base::Error error);

    void login_step(const LoginDialogue::Step& step, Clock::time_point now);
    void set_up(Clock::time_point now);

    // The messages, in ics_session_messages.cpp.
    void dispatch(std::string_view text, Clock::time_point now);
    void on(const Creating& message);
    void on(const GameStarted& message);
    void on(const GameEnded& message);
    void on(const Challenge& message);
    void on(const Offer& message);
    void on(const MoveRefused& message, Clock::time_point now);
    void on_not_playing(Clock::time_point now);
    void on(const StoredGame& message);
    void on(const AdjournedOpponent& message);
    void on_board(const Style12& board, Clock::time_point now);
    void on_list(const MoveList& list);

    // The game in progress, in ics_session_game.cpp.
    void start_game(const Style12& board, Clock::time_point now);
    engine::GameHeader header_of(const Style12& board) const;
    void follow(const Style12& board, Clock::time_point now);
    void take_turn(Clock::time_point now);
    void answer(const engine::Decision& decision, Clock::time_point now);
    void send_move(Clock::time_point now);
    void doubt(const Style12& board);
    void drop_thought();
    void finish_game(games::GameResult result, engine::GameEnd end, const std::string& reason);
    bool is_ours(const std::array<std::string, 2>& names) const;
    void end_early(Clock::time_point now);
    void tick_game(Clock::time_point now);

    // Between games, in ics_session.cpp.
    bool is_done() const;
    void go_on(Clock::time_point now);
    void recover(Clock::time_point now);
    void tick_recovery(Clock::time_point now);
    void seek(Clock::time_point now);
    void leave(Clock::time_point now);

    SessionSettings settings_;
    SessionHost& host_;
    OpponentPolicy policy_;
    CommandQueue queue_;
    Phase phase_ = Phase::LoggingIn;
    bool is_connected_ = false;
    bool stopping_ = false;
    bool reviewing_ = false;  // the contestant has a game that is over, whatever the phase
    std::optional<base::Error> error_;
    int finished_ = 0;

    std::optional<LoginDialogue> login_;
    std::string name_;         // that the server knows us by
    Clock::time_point since_;  // the phase, or the connection, began
    Clock::time_point heard_;  // the last line
    bool asked_for_a_word_ = false;

    MoveListReader list_reader_;
    std::optional<Creating> creating_;
    std::optional<GameStarted> started_;
    std::optional<Clock::time_point> accepted_at_;  // a challenge, whose game has not begun yet

    // The game in progress, or the one that is to be recovered.
    std::optional<GameTracker> game_;
    int game_number_ = -1;
    std::array<Milliseconds, 2> clocks_{};
    Clock::time_point board_at_;  // when clocks_ were true
    std::uint64_t ticket_ = 0;
    bool thinking_ = false;
    std::optional<engine::Decision> held_;     // while it is not sure where we are
    std::optional<engine::Decision> pending_;  // sent, and not yet on the server's board
    std::string pending_text_;
    Clock::time_point pending_since_;
    int refusals_ = 0;     // of the pending move
    bool resend_ = false;  // the pending move, if the board is still the same
    bool draw_offered_ = false;
    int last_offer_ply_ = -100;       // of ours
    std::optional<Style12> strange_;  // a board that is believed if it comes again
    Clock::time_point strange_since_;
    Clock::time_point flag_at_;

    // Adjourned games: what we have of them, the latest last, and who of their opponents is there.
    void keep_adjourned(GameTracker game);
    std::optional<GameTracker> take_adjourned(std::string_view opponent);
    void note_stored(const std::string& opponent, bool online);
    std::vector<GameTracker> adjourned_;
    std::map<std::string, bool> stored_;
    bool has_stored_list_ = false;
    std::optional<Clock::time_point> stored_heard_;  // the last line of it
    bool asked_old_moves_ = false;
    bool waits_for_opponent_ = false;
    Clock::time_point next_try_;
    Clock::time_point seek_at_;
};

}  // namespace scholar::protocols::ics
