#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "chess/position.hpp"
#include "chess/score.hpp"
#include "games/game.hpp"

// What a learnt book is told, one record a line of its journal (games/learnt_book_journal.hpp):
//
//   book VERSION PLIES POSITIONS                     the first: the bounds that the book keeps to
//   game NUMBER COLOUR RESULT START MOVES OPPONENT   a game of ours, which had COLOUR: white or black
//   search START MOVES                               what a search said of moves of a position, best first
//
// NUMBER counts games from 1. START is startpos or a FEN with '_' between its fields. MOVES are UCI moves
// with commas between them, or - for none; behind a move that a search of ours spoke of stands
// :SCORE:DEPTH:NODES (chess::Score, for the side that moves). OPPONENT is the rest of the line, which may be
// empty.

namespace scholar::games {

// What a search said of a position or move, for the side to move there.
struct BookOpinion {
    chess::Score score;
    int depth = 0;            // 0: not known
    std::uint64_t nodes = 0;  // 0: not known
    bool operator==(const BookOpinion&) const = default;
};

struct JudgedMove {
    chess::Move move;
    std::optional<BookOpinion> opinion;
    bool operator==(const JudgedMove&) const = default;
};

// The bounds of a book, fixed when it is made: what it remembers of the same games depends on them.
struct BookBounds {
    int max_plies = 60;                  // of each game, from its start
    std::size_t max_positions = 20'000;  // beyond that those of least use are forgotten
    bool operator==(const BookBounds&) const = default;
};

constexpr int kMostBookPlies = 1'000;
constexpr std::size_t kMostBookPositions = 10'000'000;

// A game that we played. The result is known.
struct BookGame {
    std::string opponent;  // as book_name() has it; "": not known
    chess::Color color = chess::White;
    GameResult result = GameResult::Draw;
    chess::Position start;
    std::vector<JudgedMove> moves;  // opinions are of our own searches, on our own moves
    bool operator==(const BookGame&) const = default;
};

struct BookSearch {
    chess::Position position;
    std::vector<JudgedMove> moves;  // the best first, each with an opinion
    bool operator==(const BookSearch&) const = default;
};

// A name as a journal can hold it: control characters are blanks, none at either end, at most 120 bytes.
std::string book_name(std::string_view name);

std::string to_text(const BookBounds& bounds);
std::string to_text(const BookGame& game, std::uint64_t number);
std::string to_text(const BookSearch& search);

base::Result<BookBounds> parse_book_bounds(std::string_view text);

struct NumberedGame {
    std::uint64_t number = 0;
    BookGame game;
};
using BookRecord = std::variant<NumberedGame, BookSearch>;
// Refused with what was expected: anything that to_text() does not write, illegal moves above all.
base::Result<BookRecord> parse_book_record(std::string_view text);

}  // namespace scholar::games
