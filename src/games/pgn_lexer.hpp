#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/streams.hpp"
#include "games/game.hpp"

// The first stage of reading PGN: characters to tags, moves and comments. It knows the notation but no chess;
// games/pgn.hpp plays the moves. What it finds it tells as views into its buffer: nothing is copied that
// nobody wants to keep.

namespace scholar::games {

// What a lexer finds in one game, in order. Views last as long as the call.
class PgnListener {
  public:
    virtual ~PgnListener() = default;

    // Lines count from 1.
    virtual void game_begins(std::uint64_t line) = 0;
    // Escapes in the value are resolved.
    virtual void tag(std::string_view name, std::string_view value) = 0;
    // A move number of the main line; what it counts comes next.
    virtual void number(std::uint64_t) {}
    // As written, without its number.
    virtual void move(std::string_view text, std::uint64_t line) = 0;
    // Of the main line, behind the last move, or before the first; of a very long one its beginning.
    virtual void comment(std::string_view text) = 0;
    // At the end of the moves; a game that lacks its result is not told of one.
    virtual void result(GameResult result) = 0;
    // What makes the game no game; only the first is told, and no moves after it. `cut_off`: the file ends in
    // the game.
    virtual void problem(std::uint64_t line, std::string message, bool cut_off) = 0;
};

// PGN to be taken apart: some bytes, and perhaps a stream that has the rest.
struct PgnText {
    // Zeros that must stand behind the text, so that its end need not be looked for at each step.
    static constexpr std::size_t kPadding = 16;

    std::vector<char> buffer;  // the text from its beginning, then at least kPadding more bytes
    std::size_t size = 0;      // of the text in the buffer
    std::unique_ptr<base::InputStream> rest;
    // Whether the tag pair [Event "…"] of another game comes behind the text.
    bool event_follows = false;
    // Room made for what comes from `rest`, at least what the lexer must see at once.
    std::size_t room = std::size_t{1} << 20;
};

// Takes PGN apart, in bounded memory whatever is in it. A game ends with its result, or where the tags of the
// next one begin. After something that is no PGN the rest of that game is passed over; so is a game with one
// of the standard's tags twice, or with tags alone: what was torn must not run into the next.
class PgnLexer {
  public:
    explicit PgnLexer(PgnText text);

    // Tells `listener` of the next game; false at the end. An error is of the file, not of the game.
    base::Result<bool> next(PgnListener& listener);

    // Good and bad ones, so far.
    std::uint64_t games() const { return games_; }
    // Line ends passed, so far.
    std::uint64_t lines() const { return line_ - 1; }

    // Gives the buffer back, for another text.
    std::vector<char> take_buffer() { return std::move(buffer_); }

  private:
    base::Status refill();
    void begin_game();
    void begin_moves() { in_moves_ = in_moves_ || begun_; }
    void complain(std::string message) { complain_at(line_, std::move(message)); }
    void complain_at(std::uint64_t line, std::string message);
    bool at_tag() const;
    bool at_event_tag() const;
    void read_tag();
    base::Status read_comment();
    base::Status skip_line();
    void read_token();
    void read_unusual_token(std::string_view token);
    void tell_move(std::string_view token);
    void tell_result(GameResult result);
    void end_before_next();
    bool finish();

    std::vector<char> buffer_;
    std::unique_ptr<base::InputStream> rest_;
    const char* at_;
    const char* end_;
    bool event_follows_;
    std::uint64_t games_ = 0;
    std::uint64_t line_ = 1;

    // Where the lexer stands in the game.
    PgnListener* listener_ = nullptr;
    bool begun_ = false;        // it has a tag or a move
    bool in_moves_ = false;     // tags are over
    bool ended_ = false;        // its result was read
    bool has_event_ = false;    // it has a tag Event
    bool tags_broken_ = false;  // one of its tags was unreadable
    unsigned seen_tags_ = 0;    // of those that a game has once, a bit each
    bool complained_ = false;
    bool cut_off_ = false;  // the file ends in it
    std::uint32_t tags_ = 0;
    std::uint32_t moves_ = 0;
    std::size_t characters_ = 0;  // of its tags
    int variations_ = 0;          // parentheses open
    bool first_in_line_ = true;   // only blanks before on this line
    bool column_one_ = true;
    std::string scratch_;
};

}  // namespace scholar::games
