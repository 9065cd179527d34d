#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "chess/types.hpp"
#include "games/game.hpp"

// What a chess server says, line by line, as far as the client has to know. Sources: the help files of FICS
// (freechess.org/Help/HelpFiles: seek, match, adjourn, result, getgame, intro_playing) and of ICC
// (chessclub.com/help), and sessions that users have published. Only whole lines from their beginning count,
// so that nothing that another user says can pass for the server's own word.

namespace scholar::protocols::ics {

// "Creating: " and what follows: the game that is about to begin. Arrays are by colour.
struct Creating {
    std::array<std::string, 2> names;
    std::array<std::optional<int>, 2> ratings;
    bool rated = false;
    std::string kind;  // "blitz", "wild/fr", …
    int minutes = 0;
    int increment = 0;  // seconds
};
// "{Game 7 (A vs. B) Creating rated blitz match.}", or Continuing: a game has begun.
struct GameStarted {
    int game = 0;
    std::array<std::string, 2> names;
    bool continued = false;
    bool rated = false;
    std::string kind;
};
// "{Game 7 (A vs. B) A resigns} 0-1": a game has ended. Unknown ("*"): aborted or adjourned.
struct GameEnded {
    int game = 0;
    std::array<std::string, 2> names;
    std::string reason;
    games::GameResult result = games::GameResult::Unknown;
};
// "Challenge: ": a match request.
struct Challenge {
    std::string from;
    std::string to;
    std::optional<int> rating;         // of who asks
    std::optional<chess::Color> side;  // that who asks wants for himself
    bool rated = false;
    std::string kind;
    int minutes = 0;
    int increment = 0;
    bool adjourned = false;  // to go on with an adjourned game
};
// What the opponent of a game proposes.
struct Offer {
    enum class Kind { Draw, Abort, Adjourn, TakeBack, Switch, Pause };
    Kind kind = Kind::Draw;
    std::string from;
};
// The answer to a move that is none.
struct MoveRefused {
    enum class Why { Illegal, NotYourTurn };
    Why why = Why::Illegal;
};
// The answer to what needs a game.
struct NotPlaying {};
// One line of the answer to "stored": an adjourned game.
struct StoredGame {
    chess::Color side = chess::White;  // ours
    std::string opponent;
    bool online = false;
};
struct NoStoredGames {};
// An opponent of an adjourned game has come.
struct AdjournedOpponent {
    std::string name;
};
// "**** Starting FICS session as Name ****".
struct SessionStarted {
    std::string name;
};
// Somebody else has come with our name; the server ends this connection.
struct LoggedInElsewhere {};
struct RatingChanged {
    std::string kind;
    int before = 0;
    int after = 0;
};

// monostate: nothing that the client has to know.
using Message = std::variant<std::monostate, Creating, GameStarted, GameEnded, Challenge, Offer, MoveRefused,
                             NotPlaying, StoredGame, NoStoredGames, AdjournedOpponent, SessionStarted,
                             LoggedInElsewhere, RatingChanged>;

// Of a line without prompts before it.
Message recognise(std::string_view line);

}  // namespace scholar::protocols::ics
