#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "chess/position.hpp"

namespace scholar::arena {

// How to start an engine.
struct EngineConfig {
    std::string name;                  // in tables and games; empty: what the engine calls itself
    std::vector<std::string> command;  // program and arguments; a program without '/' is looked for in PATH
    std::string directory;             // to start it in; empty: this process's
    std::vector<std::pair<std::string, std::string>> options;  // UCI options to set at the start
};

// An option as the engine declares it.
struct UciOption {
    enum class Type { Check, Spin, Combo, Button, String };
    std::string name;
    Type type = Type::String;
    std::string default_value;
    std::int64_t minimum = 0;  // of a spin
    std::int64_t maximum = 0;
    std::vector<std::string> choices;  // of a combo
};

// Reads a line "option name … type …"; nothing if it is not one.
std::optional<UciOption> parse_uci_option(std::string_view line);
// The value as it has to be sent. Refused, in words that follow "option NAME": a check that is neither true
// nor false, a spin out of range, a combo value that is not among the choices.
base::Result<std::string> check_option_value(const UciOption& option, std::string_view value);

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
using SearchLimit = std::variant<ClockLimit, MoveTimeLimit, NodeLimit, DepthLimit>;

// What an engine last said of its search. The score is in the engine's own centipawns, from its view.
struct SearchInfo {
    std::optional<int> centipawns;
    std::optional<int> mate;  // in so many moves; negative: the engine is mated
    int depth = 0;            // 0: not said
    int selective_depth = 0;
    std::uint64_t nodes = 0;
    std::chrono::milliseconds time{0};  // by the engine's own watch
    std::vector<std::string> principal_variation;

    bool has_score() const { return centipawns || mate; }
    // For comparing with a threshold: mates lie beyond every evaluation.
    int score() const {
        return mate ? (*mate > 0 ? 100'000 - *mate : -100'000 - *mate) : centipawns.value_or(0);
    }
};

// Takes over what an info line says; other lines and other variations than the first change nothing.
void read_info_line(std::string_view line, SearchInfo& info);

// How a search ended, seen from outside.
enum class Answer {
    Move,     // a legal move
    Illegal,  // well-formed, but not legal here
    Garbage,  // "bestmove" with something that is not a move
    Stall,    // alive, but no bestmove while we had patience
    Crash,    // the process ended or closed its output
    Stopped,  // our stop token
};

struct Reply {
    Answer answer = Answer::Move;
    chess::Move move;
    std::string detail;  // of a failure, one line: the text sent, the signal that ended it
    SearchInfo info;
    std::chrono::microseconds elapsed{0};  // by our watch, from "go" sent to "bestmove" read
};

// A UCI engine in a process of its own. Nothing it does is fatal to us: every read has a time limit, and an
// engine that fails says so in its reply. After a failure (anything but Move and Illegal) it can only be
// destroyed. For one thread at a time; it does not outlive the thread that started it.
class UciEngine {
  public:
    struct Patience {
        std::chrono::milliseconds start{20'000};  // from start to uciok
        std::chrono::milliseconds ready{20'000};  // isready to readyok
        std::chrono::milliseconds quit{500};      // after quit, and again after SIGTERM, before SIGKILL
    };

    // Starts the process, shakes hands, sets the options. The error names the engine.
    static base::Result<UciEngine> start(const EngineConfig& config, const Patience& patience);
    static base::Result<UciEngine> start(const EngineConfig& config) { return start(config, Patience{}); }
    UciEngine(UciEngine&&) noexcept;
    UciEngine& operator=(UciEngine&&) noexcept;
    // "quit", then SIGTERM, then SIGKILL, to the engine and what it started.
    ~UciEngine();

    // The configured name, else the engine's own, else its program's.
    const std::string& name() const;
    const std::vector<UciOption>& options() const;
    // nullptr: the engine has none of this name, whatever the case of its letters.
    const UciOption* find_option(std::string_view name) const;

    base::Status set_option(std::string_view name, std::string_view value);
    base::Status wait_ready();
    // ucinewgame (and UCI_Chess960 where it has to change), then waits until the engine is ready.
    base::Status new_game(bool chess960);

    // Searches the position `current`, which `moves` lead to from `start`, and waits for the move at most
    // `patience`.
    Reply go(const chess::Position& start, std::span<const chess::Move> moves, const chess::Position& current,
             const SearchLimit& limit, std::chrono::milliseconds patience, std::stop_token stop = {});

  private:
    class Process;
    explicit UciEngine(std::unique_ptr<Process> process);
    std::unique_ptr<Process> process_;
};

// Whether a position's castling rights need UCI_Chess960: a king or rook that does not stand where standard
// chess has it.
bool needs_chess960(const chess::Position& position);

}  // namespace scholar::arena
