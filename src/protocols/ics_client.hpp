#pragma once

#include <chrono>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "engine/contestant.hpp"
#include "protocols/ics_session.hpp"

namespace scholar::protocols::ics {

// How a connection that was lost is made again: after `first`, and each time twice as long, up to `most`,
// give or take a quarter, so that not all clients come back at once.
struct Backoff {
    Milliseconds first{1'000};
    Milliseconds most{120'000};
    int tries = 12;                // in a row; then the client gives up
    Milliseconds steady{60'000};   // a login that has lasted so long ends the row
    Milliseconds connect{30'000};  // for one try
};

struct ClientSettings {
    std::string host;
    std::string port = "5000";
    SessionSettings session;
    Backoff backoff;
    bool timeseal = false;
    // Everything that passes, for finding errors: a line each, "<" heard, ">" sent, with the time. Passwords
    // are left out. "": none.
    std::string transcript;
};

// Who hears of what happens. Called in the thread of run_client().
class ClientObserver {
  public:
    virtual ~ClientObserver() = default;
    virtual void game_starts(const engine::GameHeader& header) { static_cast<void>(header); }
    // Of adjourned games too. An error ends the client: what is not kept should not be played.
    virtual base::Status game_over(const engine::PlayedGame& game) {
        static_cast<void>(game);
        return {};
    }
    virtual void note(std::string_view what) { static_cast<void>(what); }
};

// Plays on a chess server until the games asked for are played, `stop` is requested, or the server will have
// no more of us. The contestant is called in a thread of its own. Errors: the server cannot be reached, the
// login is refused, somebody else logs in with the name, the observer's.
base::Status run_client(const ClientSettings& settings, engine::Contestant& contestant,
                        ClientObserver& observer, std::stop_token stop);

}  // namespace scholar::protocols::ics
