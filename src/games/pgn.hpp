#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "base/error.hpp"
#include "games/game.hpp"
#include "games/pgn_lexer.hpp"

// Portable Game Notation in and out.

namespace scholar::games {

// Why a game was left out.
struct PgnProblem {
    std::string file;
    std::uint64_t line = 0;  // of what is wrong, from 1
    std::uint64_t game = 0;  // its number in the file, from 1
    std::string players;     // "White – Black", or "" if neither is known
    int ply = 0;             // the half-move that is wrong, from 1; 0: something else is
    std::string message;     // what was found and what was expected

    // "games.pgn: line 12: game 3 (Anand – Carlsen): half-move 41: move 'Qh9', expected …"
    std::string to_string() const;
};

struct PgnEnd {};
using PgnItem = std::variant<Game, PgnProblem, PgnEnd>;

// Plays a game's moves from its start position.
//
// The result at the end of the moves counts; if that is "*" or missing, the Result tag does. How the game
// ended comes from a mate or stalemate on the board, else from the tags TerminationDetails and Termination,
// else from the rules (insufficient material, threefold repetition, fifty moves). Text that is not UTF-8 is
// taken for Latin-1. Evaluations are those of comments "[%eval 0.25,12]" and of match programs'
// "+0.25/12 1.5s".
std::variant<Game, PgnProblem> decode_game(const PgnText& text, const std::string& file);

// The games of a PGN file, one after another, whatever its compression and its size. "-" is standard input.
class PgnReader {
  public:
    static base::Result<PgnReader> open(const std::string& path);

    // A game, or what is wrong with one, or the end. An error means that the file cannot be read on.
    base::Result<PgnItem> next();

    // The game that next() gave last, if others refuse it for the reason given.
    PgnProblem refused(std::string reason) const;

    // Good and bad ones, so far.
    std::uint64_t games() const { return lexer_.games(); }

  private:
    PgnReader(std::string file, std::unique_ptr<base::InputStream> input)
        : file_(std::move(file)), lexer_(std::move(input)) {}

    std::string file_;
    PgnLexer lexer_;
    PgnText text_;
};

// A game in PGN's export format: tags, the moves in lines of at most 80 characters, evaluations as [%eval …]
// comments.
std::string to_pgn(const Game& game);

}  // namespace scholar::games
