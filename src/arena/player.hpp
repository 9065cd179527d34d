#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "arena/move_opinion.hpp"
#include "arena/time_control.hpp"
#include "base/error.hpp"
#include "chess/position.hpp"
#include "games/game.hpp"

namespace scholar::arena {

class EngineTrace;

// How an engine is spoken to; Internal: Scholar's own, in this process.
enum class Protocol { Uci, Xboard, Internal };
// "uci", "xboard", "internal".
std::string_view to_string(Protocol protocol);
std::optional<Protocol> parse_protocol(std::string_view text);

// How to start an engine.
struct EngineConfig {
    std::string name;                  // in tables and games; empty: what the engine calls itself
    std::vector<std::string> command;  // program and arguments; a program without '/' is looked for in PATH
    std::string directory;             // to start it in; empty: this process's
    std::vector<std::pair<std::string, std::string>> options;  // to set at the start
    Protocol protocol = Protocol::Uci;
    std::shared_ptr<EngineTrace> trace{};  // where all that it is told and says is written; nullptr: nowhere
};

// An option as the engine declares it.
struct EngineOption {
    enum class Type { Check, Spin, Combo, Button, String };
    std::string name;
    Type type = Type::String;
    std::string default_value;
    std::int64_t minimum = 0;  // of a spin
    std::int64_t maximum = 0;
    std::vector<std::string> choices;  // of a combo
};

// The option of this name, whatever the case of its letters; nullptr: there is none.
const EngineOption* find_option(const std::vector<EngineOption>& options, std::string_view name);
// The value as it has to be sent. Refused, in words that follow "option NAME": a check that is neither true
// nor false, a spin out of range, a combo value that is not among the choices.
base::Result<std::string> check_option_value(const EngineOption& option, std::string_view value);
// Of what an engine says against an option; a path may be in it.
inline constexpr std::size_t kLongestComplaint = 400;
// "engine X: no option 'Y', it has: …".
std::unexpected<base::Error> no_such_option(const std::string& engine,
                                            const std::vector<EngineOption>& options, std::string_view name);

// What to tell the engine about its time.
struct ClockLimit {
    std::chrono::milliseconds white{0};
    std::chrono::milliseconds black{0};
    std::chrono::milliseconds white_increment{0};
    std::chrono::milliseconds black_increment{0};
    int moves_to_go = 0;  // 0: the clock is for the rest of the game
};
struct MoveTimeLimit {
    std::chrono::milliseconds time{0};
};
struct NodeLimit {
    std::uint64_t nodes = 0;
};
struct DepthLimit {
    int depth = 0;
};
// Until a mate in at most so many moves is found.
struct MateLimit {
    int moves = 0;
};
using SearchLimit = std::variant<ClockLimit, MoveTimeLimit, NodeLimit, DepthLimit, MateLimit>;

// More than any engine can mean: what it says beyond them is taken for these. In moves, and in centipawns.
inline constexpr int kMostMateMoves = 10'000;
inline constexpr int kMostCentipawns = 89'999;

// What an engine last said of its search. The score is in the engine's own centipawns, from its view.
struct SearchInfo {
    std::optional<int> centipawns;
    std::optional<int> mate;  // in so many moves; negative: the engine is mated
    // Wins, draws and losses that it expects, per mille, from its view: of engines that say so
    // (UCI_ShowWDL).
    std::optional<std::array<int, 3>> wdl;
    int depth = 0;  // 0: not said
    int selective_depth = 0;
    std::uint64_t nodes = 0;
    std::chrono::milliseconds time{0};             // by the engine's own watch
    std::vector<std::string> principal_variation;  // in UCI's notation

    bool has_score() const { return centipawns || mate; }
    // For comparing with a threshold: mates lie beyond every evaluation.
    int score() const {
        return mate ? (*mate > 0 ? 100'000 - *mate : -100'000 - *mate) : centipawns.value_or(0);
    }
};

// How a search ended, seen from outside.
enum class Answer {
    Move,     // a legal move
    Illegal,  // well-formed, but not legal here
    Garbage,  // something that is not a move, a claim that is not so, a legal move refused
    Stall,    // alive, but no move while we had patience
    Crash,    // the process ended or closed its output
    Flood,    // more output than any search has to say
    Resign,   // the engine gives the game up
    Agree,    // it takes the draw that it was offered
    Stopped,  // our stop token
};

struct Reply {
    Answer answer = Answer::Move;
    chess::Move move;
    bool offers_draw = false;  // with its move
    std::string detail;        // of a failure, one line: the text sent, the signal that ended it
    SearchInfo info;
    MoveOpinion opinion;                   // of an engine in this process; empty of others
    std::chrono::microseconds elapsed{0};  // by our watch, from the command to the answer
};

// How long to wait for what has no clock.
struct PlayerPatience {
    std::chrono::milliseconds start{20'000};  // from the start of the process to the end of the handshake
    std::chrono::milliseconds ready{20'000};  // until it is ready for a game
    std::chrono::milliseconds quit{500};      // after quit, and again after SIGTERM, before SIGKILL
};

// What a player has to know before a game. `time_control` with a base of 0 is none.
struct GameTerms {
    bool chess960 = false;
    TimeControl time_control;
    // What an engine in this process leaves to chance is that of its game of this number, whatever it played
    // before; nothing: of its next game.
    std::optional<std::uint64_t> number{};
};

// An opponent, whatever stands behind it. Nothing it does is fatal to us: every wait has a limit, and a
// player that fails says so in its reply. After a failure (anything but Move, Resign, Agree and Illegal) it
// can only be destroyed. For one thread at a time; it does not outlive the thread that started it.
class Player {
  public:
    virtual ~Player() = default;

    // The configured name, else the engine's own, else its program's.
    virtual const std::string& name() const = 0;
    virtual const std::vector<EngineOption>& options() const = 0;
    // Checked against options() first.
    virtual base::Status set_option(std::string_view name, std::string_view value) = 0;

    // Refuses terms that it has no way to play by.
    virtual base::Status check_terms(const GameTerms& terms) const {
        static_cast<void>(terms);
        return {};
    }
    // Refuses a position that it has no way to set up.
    virtual base::Status check_start(const chess::Position& start) const {
        static_cast<void>(start);
        return {};
    }
    // Forgets earlier games and waits until the engine is ready. Refuses as check_terms() does.
    virtual base::Status new_game(const GameTerms& terms) = 0;
    // Searches the position `current`, which `moves` lead to from `start`, and waits for the move at most
    // `patience`.
    virtual Reply go(const chess::Position& start, std::span<const chess::Move> moves,
                     const chess::Position& current, const SearchLimit& limit,
                     std::chrono::milliseconds patience, std::stop_token stop = {}) = 0;
    // What it thinks of a position without a search, in its own centipawns of White's advantage; nothing
    // where it has no such answer, as many have none in check. Refused by one that cannot be asked.
    virtual base::Result<std::optional<int>> static_value(const chess::Position& position) {
        static_cast<void>(position);
        return base::fail("engine {}: its protocol has no static evaluation, expected uci or internal",
                          name());
    }
    // The opponent offers a draw with its last move; an answer comes with the next go().
    virtual void offer_draw() {}
    virtual void game_over(games::GameResult result, std::string_view reason) {
        static_cast<void>(result);
        static_cast<void>(reason);
    }
    // False: it wants to be started again for another game.
    virtual bool plays_again() const { return true; }
};

// Starts the engine and sets its options. The error names the engine. An option that the engine answers with
// an error, such as a network that it cannot read, is one too: it would play with another one.
base::Result<std::unique_ptr<Player>> start_player(const EngineConfig& config,
                                                   const PlayerPatience& patience);

// Whether a position's castling rights need UCI_Chess960: a king or rook that does not stand where standard
// chess has it.
bool needs_chess960(const chess::Position& position);

}  // namespace scholar::arena
