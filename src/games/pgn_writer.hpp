#pragma once

#include <span>
#include <string>
#include <string_view>

#include "games/game.hpp"

namespace scholar::games {

// Writes one game in PGN's export format: first its tags, then its moves, then its result. Whatever is
// written, the lines of moves are shorter than 80 characters, but for a word or a note in brackets that is
// longer.
class PgnWriter {
  public:
    // Line ends and tabs in the value become blanks.
    void tag(std::string_view name, std::string_view value);
    // The tags that a game from such a position needs: Variant, SetUp and FEN, as far as it does.
    void start(const chess::Position& position, std::string_view chess960_name);
    // A legal move of the position that the moves before led to; behind it a comment, if there is one, broken
    // at its blanks but not inside brackets, and without the braces that would end it.
    void move(chess::Move move, std::string_view comment = {});
    // Behind the last move: a numeric annotation glyph (PGN 10), "$4", which stands before its comments; a
    // comment as that of move(); and what might have been played in its place, a line of legal moves of the
    // position before it, with a comment at its end.
    void glyph(int number);
    void comment(std::string_view comment);
    void variation(std::span<const chess::Move> moves, std::string_view comment = {});
    // The whole game, with the empty line behind it. Nothing may be written afterwards.
    std::string finish(GameResult result);

  private:
    void word(std::string_view word);
    // `before` and `behind` stand at the move's words without a blank.
    void move_words(const chess::Position& position, chess::Move move, bool number_is_due,
                    std::string_view before = {}, std::string_view behind = {});
    void comment_words(std::string_view comment, std::string_view behind = {});

    std::string text_;
    chess::Position position_;
    chess::Position before_;  // the last move
    std::size_t column_ = 0;
    bool in_moves_ = false;
    bool number_is_due_ = true;
};

// What is known of a move, as the comment behind it has it, without braces: "" if nothing is.
std::string notes_of(const Game& game, std::size_t ply);
// "[%eval 0.25,12]", "[%eval #-3]".
std::string eval_note(const Evaluation& evaluation);
// All tags of the game, the seven that every game has first, and those of its start.
void write_tags(PgnWriter& writer, const Game& game);

// A game in PGN's export format: tags, the moves; what is known of a move
// in a comment, {[%eval 0.25,12] [%clk 1:30:00] [%emt 0:00:12] [%nodes 1000]}.
std::string to_pgn(const Game& game);

// As PGN writes dates: "2024.02.29".
std::string date_of_today();

}  // namespace scholar::games
