#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "chess/position.hpp"

namespace scholar::games {

enum class GameResult : std::uint8_t { WhiteWins, BlackWins, Draw, Unknown };

// How a game ended, as far as the file or the final position says. A resigned or adjudicated game stops in
// the middle of things; a learner may want to know.
enum class Ending : std::uint8_t {
    Unknown,
    Checkmate,
    Stalemate,
    InsufficientMaterial,
    Repetition,
    FiftyMoves,
    Resignation,
    Adjudication,  // by a person, a rule of the event, or a tablebase
    TimeForfeit,
    Forfeit,    // illegal move, lost connection, crash
    Abandoned,  // unfinished
};

// What a player's search said when it chose a move: in that player's own pawns, from White's view.
struct Evaluation {
    std::int16_t centipawns = 0;  // of White's advantage; meaningless for a mate
    std::int16_t mate = 0;        // in so many moves: > 0 White mates, < 0 Black mates, 0 no mate
    std::uint8_t depth = 0;       // 0: not said
    bool operator==(const Evaluation&) const = default;
};

// A number for each half-move, where there is one.
using PlyNumbers = std::vector<std::optional<std::uint64_t>>;

// A game as the store keeps it.
struct Game {
    // In the file's order, without Result, FEN, SetUp and Variant, which are the fields below.
    std::vector<std::pair<std::string, std::string>> tags;
    chess::Position start;
    bool chess960 = false;
    GameResult result = GameResult::Unknown;
    Ending ending = Ending::Unknown;
    std::vector<chess::Move> moves;
    // By ply: of the position before the move of that ply, by the player who made it. Empty if the game has
    // none. A game without moves, which is just a position, may have one, of that.
    std::vector<std::optional<Evaluation>> evaluations;
    // By ply, of the player who made the move; each is empty if the game has none.
    PlyNumbers clocks;  // milliseconds left on the clock after the move
    PlyNumbers times;   // milliseconds spent on the move
    PlyNumbers nodes;   // positions searched for it

    // "" if there is no such tag.
    std::string_view tag(std::string_view name) const;
    // In place of what the tag was, or behind the others.
    void set_tag(std::string_view name, std::string_view value);
    // Of the start position and the moves, nothing else: two copies of one game agree whatever their tags
    // say.
    std::uint64_t hash() const;
};

// 1, ½ or 0 for `color`; nothing if the result is not known.
std::optional<double> points(GameResult result, chess::Color color);
// "1-0", "0-1", "1/2-1/2", "*".
std::string_view to_string(GameResult result);
// Of "1-0", "0-1", "1/2-1/2" and "*"; nothing for any other text.
std::optional<GameResult> parse_result(std::string_view text);

// Which part of the data a game belongs to: by its hash, so that no game (nor a copy of it) is in two.
enum class Split : std::uint8_t { Train, Validation, Test };
struct SplitShares {
    double validation = 0.02;
    double test = 0.02;
    // With folds, what are no test games is cut into so many equal parts, and number `fold` of them, from 0
    // on, are the games for validation, whatever `validation` says: each game is so in one of as many runs
    // (k-fold cross-validation). 0: none.
    int folds = 0;
    int fold = 0;
};
Split split_of(std::uint64_t game_hash, const SplitShares& shares = {});

}  // namespace scholar::games
