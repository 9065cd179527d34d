#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "arena/player.hpp"
#include "arena/statistics.hpp"
#include "arena/time_control.hpp"
#include "base/error.hpp"
#include "chess/position.hpp"
#include "games/game.hpp"
#include "games/openings.hpp"
#include "tablebases/tablebases.hpp"

namespace scholar::arena {

// A game is called a draw when, after full move `after`, both engines' scores were within `score` centipawns
// of 0 for `moves` full moves running.
struct DrawRule {
    int moves = 8;
    int score = 10;
    int after = 40;
};

// An engine resigns when its own score was at or below −`score` centipawns for its last `moves` moves and, if
// the rule is two-sided, its opponent's at or above `score` for as many.
struct ResignRule {
    int moves = 4;
    int score = 600;
    bool two_sided = false;
};

// Two engines of a match, by their numbers. The first has White in the even games.
using Pairing = std::array<int, 2>;

// A match of two engines, or a tournament of more.
struct MatchOptions {
    std::vector<EngineConfig> engines = std::vector<EngineConfig>(2);
    std::vector<TimeControl> time_controls = std::vector<TimeControl>(2);  // one for each engine
    std::vector<Pairing> pairings{{0, 1}};                                 // who meets whom
    std::vector<games::Opening> openings;
    int games = 100;  // of each pairing
    int concurrency = 1;
    std::uint64_t seed = 1;  // of the order of the openings
    std::optional<DrawRule> draw;
    std::optional<ResignRule> resign;
    // Ends a game as soon as these know its outcome for certain, the fifty-move rule included.
    std::optional<tablebases::Tablebases> tablebases;
    int max_plies = 0;  // a draw after so many half-moves without the opening's; 0: no limit
    // An answer this much over the time allowed is still in time: what pipes and a busy machine may cost.
    std::chrono::milliseconds time_margin{50};
    // After that, how long to wait for an answer at all before the engine counts as stalled. An answer in
    // between loses on time.
    std::chrono::milliseconds stall_after{5'000};
    // For searches limited by nodes or depth, which have no clock.
    std::chrono::milliseconds untimed_patience{300'000};
    PlayerPatience patience;
    // How often in a row an engine that does not start again, or is not ready, is given another chance before
    // the match ends.
    int start_attempts = 3;
};

// What an engine can do to lose a game off the board.
enum class Failure { None, IllegalMove, Crash, Stall, TimeLoss, Garbage, Flood };
inline constexpr std::array<Failure, 6> kFailures{Failure::IllegalMove, Failure::Crash,   Failure::Stall,
                                                  Failure::TimeLoss,    Failure::Garbage, Failure::Flood};
// "illegal move", "crash", "stall", "time loss", "garbage" (no move at all, or a claim that is not so),
// "flood" (more output than any search has).
std::string_view to_string(Failure failure);

// A move that an engine chose, with what it said of it.
struct PlayedMove {
    chess::Move move;
    SearchInfo info;  // from the mover's view
    std::chrono::microseconds elapsed{0};
    bool offers_draw = false;
};

// A mate that an engine announced and that did not come.
struct FalseMate {
    int engine = 0;
    std::size_t move = 0;  // index into the game's moves: the one it announced it with
    int mate = 0;          // in so many moves; negative: it is mated
};

struct MatchGame {
    int number = 0;   // from 0, in the order of the schedule
    int opening = 0;  // index into the options' openings
    Pairing engines{0,
                    1};  // who plays, by the options' numbers; below they are the first and the second: 0, 1
    std::array<std::string, 2> names;
    int white = 0;  // who of the two has White
    chess::Position start;
    std::vector<chess::Move> opening_moves;
    std::vector<PlayedMove> moves;  // after the opening's
    games::GameResult result = games::GameResult::Unknown;
    games::Ending ending = games::Ending::Unknown;
    std::string reason;  // how it ended, in words: "White mates", "Black loses on time"
    Failure failure = Failure::None;
    int failed = 0;  // who of the two failed, if one did
    std::vector<FalseMate> false_mates;
    bool chess960 = false;

    // 1, ½ or 0 for one of the two.
    double points(int engine) const;
};

// What an engine did in its games.
struct EngineRecord {
    std::string name;
    std::array<std::uint64_t, kFailures.size()> failures{};  // in kFailures' order
    std::uint64_t moves = 0;
    std::uint64_t depth_sum = 0;  // over moves with a depth
    std::uint64_t depth_moves = 0;
    std::uint64_t nodes = 0;                 // over moves with nodes
    std::chrono::microseconds node_time{0};  // our watch, over the same moves
    int false_mates = 0;                     // mates announced that were none
    int restarts = 0;                        // after failures, in games and between them
    int unready = 0;                         // times it did not start, or was not ready for a game

    std::uint64_t count(Failure failure) const;
    // All but the name.
    void add(const EngineRecord& other);
};

// What a result has to know of a finished game.
struct GameSummary {
    int number = 0;
    Pairing engines{0, 1};  // who played
    int white = 0;          // who of the two had White
    games::GameResult result = games::GameResult::Unknown;
    std::array<EngineRecord, 2> records;  // of the two, in this game alone

    // 1, ½ or 0 for one of the two.
    double points(int engine) const;
};
GameSummary summarise(const MatchGame& game);

// Puts games together to pairs, in whatever order they end.
class PairCounter {
  public:
    // True: it completes a pair.
    bool add(const GameSummary& game);
    // Complete ones only, from the first engine's view.
    const Pentanomial& pairs() const { return pairs_; }

  private:
    Pentanomial pairs_{};
    std::map<int, double> half_;  // by pair: the first engine's points in its one finished game
};

// What two engines have played, from the first one's view.
struct Encounter {
    Pairing engines{0, 1};
    WinDrawLoss score;
    Pentanomial pairs{};  // complete pairs only
};

struct MatchResult {
    std::vector<EngineRecord> engines;
    std::vector<Encounter> encounters;  // one for each pairing
    bool interrupted = false;
    std::string problem;  // why it ended early, if not at the user's wish: an engine that did not start again
    std::vector<std::string> withdrawn;  // of a tournament, which goes on without them: who, and why

    // Of a match of two.
    const WinDrawLoss& score() const { return encounters.front().score; }
    const Pentanomial& pairs() const { return encounters.front().pairs; }
    // So far, of all pairings.
    std::uint64_t games() const;
};

// Hears of a match as it goes on, from one thread at a time. A status that is an error ends the match.
class MatchObserver {
  public:
    virtual ~MatchObserver() = default;
    // The engines have started; the result has their names, and the games that were finished before.
    virtual void match_started(const MatchResult& so_far) { static_cast<void>(so_far); }
    virtual base::Status game_finished(const MatchGame& game, const MatchResult& so_far) = 0;
};

// Everybody against everybody; in the order in which a table is filled.
std::vector<Pairing> round_robin(int engines);
// The first against each of the others.
std::vector<Pairing> gauntlet(int engines);
// Each against the next so many, where the engines are in order of strength.
std::vector<Pairing> neighbours(int engines, int distance);

// Which opening each pair of games has: every opening once in an order that the seed fixes, then again in
// another. A tournament goes in rounds, in which each pairing plays the two games of one opening, the same
// for all: pair p is that of pairing p modulo their number. Game n belongs to pair n/2; in even games the
// first of the two has White.
std::vector<int> opening_order(int openings, int pairs, std::uint64_t seed);

// Games that were finished before: they count, and are not played again.
struct EarlierGames {
    std::vector<std::string> names;  // by the engines' numbers; "" of who has not played
    std::vector<GameSummary> games;
    std::vector<int> restarts;  // between games, which no game knows of; by the engines' numbers, or empty
    std::vector<int> unready;
};

// Plays the match. An error is one that no game could be played with (an engine that does not start, no
// openings) or an observer's; failures within games are in the result. On a stop, the games under way are
// left out.
base::Result<MatchResult> play_match(const MatchOptions& options,
                                     const std::vector<MatchObserver*>& observers, std::stop_token stop,
                                     const EarlierGames& earlier = {});

}  // namespace scholar::arena
