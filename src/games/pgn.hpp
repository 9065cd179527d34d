#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/error.hpp"
#include "games/game.hpp"
#include "games/pgn_lexer.hpp"

// Reading Portable Game Notation.

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

// What PgnReader::next() found.
enum class PgnItem { Game, Problem, End };

// The games of a PGN file, one after another, whatever its compression and its size, in bounded memory. Every
// move is played from the game's start position.
//
// The result at the end of the moves counts; if that is "*" or missing, the Result tag does. A game that
// contradicts itself is a problem: two results, or move numbers that do not count its moves. A game without
// the result behind its moves, and one whose result checkmate or stalemate on the board rules out, have a
// remark. How the game ended comes from a mate or stalemate on the board, else from the tags
// TerminationDetails and Termination, else from the rules (insufficient material, threefold repetition, fifty
// moves). Text that is not UTF-8 is taken for Latin-1. What comments say of a move is what
// games/pgn_comments.hpp understands. Variations and glyphs are passed over.
class PgnReader {
  public:
    // "-" is standard input.
    static base::Result<PgnReader> open(const std::string& path);
    // Of some text; `file` is what problems call it.
    PgnReader(std::string file, PgnText text);
    PgnReader(PgnReader&&) noexcept;
    PgnReader& operator=(PgnReader&&) noexcept;
    ~PgnReader();

    // A game, or what is wrong with one, or the end. An error means that the file cannot be read on.
    base::Result<PgnItem> next();
    // Passes over a game without looking at its moves; false at the end.
    base::Result<bool> skip();

    // What next() gave last; may be moved from. Its memory is used again.
    Game& game();
    const PgnProblem& problem() const;
    // What is odd about the game that next() gave last, though it can be read; nullptr if nothing is.
    const PgnProblem* remark() const;
    // The game that next() gave last, if others refuse it for the reason given.
    PgnProblem refused(std::string reason) const;

    // Good and bad ones and those passed over, so far.
    std::uint64_t games() const { return lexer_.games(); }
    std::uint64_t lines() const { return lexer_.lines(); }
    // Gives the text's buffer back, for another.
    std::vector<char> take_buffer() { return lexer_.take_buffer(); }

  private:
    class Player;

    PgnLexer lexer_;
    std::unique_ptr<Player> player_;
};

}  // namespace scholar::games
