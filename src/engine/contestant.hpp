#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "chess/line.hpp"
#include "games/game.hpp"
#include "search/search.hpp"

// Playing whole games against others who come and go: the seam between whatever brings the opponents (the
// client of a chess server, or a loop over engines) and whatever plays, and may learn from, the games.

namespace scholar::engine {

// What is known of a game before its first move. Arrays are by colour.
struct GameHeader {
    std::string site;  // the server, or where else it is played
    std::string kind;  // the server's word, as "blitz"; "" if it has none
    std::array<std::string, 2> names;
    std::array<std::optional<int>, 2> ratings;  // nothing: unrated or not told
    chess::Color side = chess::White;           // the contestant's
    bool rated = false;
    std::chrono::milliseconds base{0};  // on each clock at the start; 0 and no increment: untimed
    std::chrono::milliseconds increment{0};
    // The game was begun earlier, adjourned and is now gone on with.
    bool resumed = false;

    const std::string& opponent() const { return names[~side]; }
    std::optional<int> opponent_rating() const { return ratings[~side]; }
    bool is_timed() const { return base.count() > 0 || increment.count() > 0; }
};

// What a move is asked for.
struct Turn {
    const GameHeader& game;
    const chess::Line& line;  // at its end the contestant is to move, and has a legal move
    std::array<std::chrono::milliseconds, 2> clocks;  // what is left, by colour; meaningless if untimed
};

// The answer to a turn. Nothing but a legal move, or giving up.
struct Decision {
    chess::Move move;
    bool resigns = false;  // instead of the move
    // To offer a draw with the move.
    bool offers_draw = false;
    // Whether a draw is as good as playing on: an offer that the opponent has made, or makes while this is
    // thought about, is accepted instead of the move, and a draw that the rules allow is claimed.
    bool accepts_draw = false;
    // Where the move comes from a search: what it found, and how that is shown in a game.
    std::optional<search::SearchResult> search;
    std::optional<games::Evaluation> evaluation;
};

// What a search found, as a game keeps it: from White's view. `side` searched; `centipawns` is what its score
// is shown as, from its own view, where it is no mate. Only of one with a score.
games::Evaluation evaluation_of(const search::SearchResult& result, int centipawns, chess::Color side);

// How a game ended.
enum class GameEnd : std::uint8_t {
    Unknown,  // it is over, and we were not told how
    Checkmate,
    Stalemate,
    InsufficientMaterial,
    Repetition,
    FiftyMoves,
    Agreement,
    Resignation,
    TimeForfeit,
    Disconnection,  // the loser left
    Adjudication,
    Aborted,    // without a result; counts for nothing
    Adjourned,  // without a result as yet; a later game may go on with it
};
// "checkmate", "time forfeit", …
std::string_view to_string(GameEnd end);

// A move of a game, and what is known of it.
struct PlayedMove {
    chess::Move move;
    std::optional<std::chrono::milliseconds> clock;  // what it left the mover, where that was told
    // Of the position before the move, where the contestant made it by a search.
    std::optional<search::SearchResult> search;
    std::optional<games::Evaluation> evaluation;
};

// A game that is over, or adjourned.
struct PlayedGame {
    GameHeader header;
    chess::Position start;
    std::vector<PlayedMove> moves;
    games::GameResult result = games::GameResult::Unknown;
    GameEnd end = GameEnd::Unknown;
    std::string reason;  // in the words of whoever told
    // Whether `moves` is the game from its beginning. False where a game was taken up in its middle.
    bool is_whole = true;
    std::string date;  // of its end, as PGN has it: "2024.02.29"

    // 1, ½ or 0 for the contestant; nothing without a result.
    std::optional<double> points() const { return games::points(result, header.side); }
};
// As files keep it: without the searches, but for their scores.
games::Game to_game(const PlayedGame& played);

// One who plays. All calls come from one thread, one after the other. Of each game it hears the start, its
// turns, and the end, before the next game begins, or is sought.
class Contestant {
  public:
    virtual ~Contestant() = default;
    virtual void game_starts(const GameHeader& header) = 0;
    // May think until `stop` is requested, which means that the answer is no longer wanted (the game has
    // ended, or the position is another one): then any answer will do. The clock is its own affair.
    virtual Decision decide(const Turn& turn, std::stop_token stop) = 0;
    // May take as long as it needs: a learner learns here. An error is told, and ends nothing.
    virtual base::Status game_ends(const PlayedGame& game) = 0;
};

}  // namespace scholar::engine
