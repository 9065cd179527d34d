#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/streams.hpp"
#include "games/game.hpp"

// The first stage of reading PGN: characters to the tags and move texts of one game after another. It knows
// the notation but no chess; games/pgn.hpp plays the moves. The two share nothing but PgnText, so that games
// can be decoded by other threads than the one that reads.

namespace scholar::games {

// One game as written, notation taken off. The object is meant to be used again and again: its memory stays.
struct PgnText {
    struct Span {
        std::uint32_t offset;
        std::uint32_t size;
    };
    struct Tag {
        Span name;
        Span value;  // escapes resolved
    };
    struct MoveText {
        Span text;  // as written, without move number
        std::uint64_t line;
        std::optional<Evaluation> evaluation;
        bool from_mover = false;  // the evaluation's view is the moving player's, not White's
    };
    struct Problem {
        std::uint64_t line;
        std::string message;
    };

    std::string characters;  // what the spans are of
    std::vector<Tag> tags;
    std::vector<MoveText> moves;
    std::optional<GameResult> result;  // at the end of the moves
    std::uint64_t number = 0;          // of the game in its file, from 1
    std::uint64_t line = 0;            // where it begins, from 1
    std::optional<Problem> problem;    // the first thing that makes it no game
    bool cut_off = false;              // the problem is that the file ends in the game

    std::string_view view(Span span) const {
        return std::string_view(characters).substr(span.offset, span.size);
    }
    // "" if there is no such tag.
    std::string_view tag(std::string_view name) const;
    void clear();
};

// Takes a stream of PGN apart, in bounded memory whatever is in it. A game ends with its result, or where the
// tags of the next one begin. After something that is no PGN the rest of that game is passed over.
class PgnLexer {
  public:
    explicit PgnLexer(std::unique_ptr<base::InputStream> input);

    // The next game; false at the end of the file. An error is of the file, not of the game.
    base::Result<bool> next(PgnText& out);

    std::uint64_t games() const { return games_; }

  private:
    base::Status refill();
    base::Result<bool> ensure_lookahead();
    void begin_game(PgnText& out);
    void complain(PgnText& out, std::string message);
    bool at_tag() const;
    bool at_event_tag() const;
    void read_tag(PgnText& out);
    base::Status read_comment(PgnText& out);
    base::Status skip_line();
    void read_token(PgnText& out);
    PgnText::Span keep(PgnText& out, std::string_view text);
    bool finish(PgnText& out);

    std::unique_ptr<base::InputStream> input_;
    std::vector<char> buffer_;
    const char* at_;
    const char* end_;
    bool input_ended_ = false;
    std::uint64_t bytes_read_ = 0;
    std::uint64_t games_ = 0;
    std::uint64_t line_ = 1;

    // Where the lexer stands in the game.
    bool begun_ = false;         // it has a tag or a move
    bool in_moves_ = false;      // tags are over
    bool ended_ = false;         // its result was read
    bool tags_broken_ = false;   // one of its tags was unreadable
    int variations_ = 0;         // parentheses open
    bool first_in_line_ = true;  // only blanks before on this line
    bool column_one_ = true;
    std::string comment_;
};

}  // namespace scholar::games
