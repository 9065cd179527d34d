#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/random.hpp"
#include "chess/position.hpp"

// Opening books in Polyglot's format: entries of 16 bytes, big-endian, sorted by the position's key
// (chess/polyglot_key.hpp). Castling is the king taking its own rook.

namespace scholar::games {

struct BookEntry {
    std::uint64_t key = 0;
    // As the format packs it: to-square in bits 0 to 5, from-square in 6 to 11, promotion in 12 to 14 (0
    // none, then knight to queen).
    std::uint16_t move = 0;
    // How good or how frequent; of the moves of one position only the ratios count. 0: never to be played.
    std::uint16_t weight = 0;
    // A number that programs use as they like.
    std::uint32_t learn = 0;

    bool operator==(const BookEntry&) const = default;
};

// A legal move of the position in the format's bits, and the other way round; the latter gives no move for
// one that is not legal. Castling written as e1g1 is understood, as some books have it.
std::uint16_t to_book_move(chess::Move move);
chess::Move from_book_move(const chess::Position& position, std::uint16_t bits);

struct BookMove {
    chess::Move move;
    std::uint16_t weight = 0;
    std::uint32_t learn = 0;
};

// What a book has for a position.
struct BookMoves {
    // Legal ones, the heaviest first, equals in the file's order.
    std::vector<BookMove> moves;
    // Entries under the position's key whose move is not legal: the book is damaged, or another position has
    // the same key.
    std::size_t illegal = 0;

    std::uint64_t total_weight() const;
};

enum class BookChoice {
    Best,      // the heaviest
    Weighted,  // each as often as its weight says
};

class Book {
  public:
    // Reads all of it. Refused: a size that is no multiple of 16, and keys that are not in order. An empty
    // file is an empty book.
    static base::Result<Book> open(const std::filesystem::path& path);
    // The same of a file's bytes; errors call them `name`.
    static base::Result<Book> parse(std::string_view bytes, const std::string& name);
    // Sorted by key. Anything else is a bug of the caller.
    static Book from_entries(std::vector<BookEntry> entries);

    std::size_t size() const { return entries_.size(); }
    // How many keys there are.
    std::size_t positions() const;
    const std::vector<BookEntry>& entries() const { return entries_; }

    BookMoves moves(const chess::Position& position) const;
    // Nothing if the book has no legal move of a weight above 0.
    std::optional<chess::Move> choose(const chess::Position& position, base::Random& random,
                                      BookChoice choice) const;

    // Visits once each position that moves of the book lead to from `start`, and `start` itself, if the book
    // has legal moves there: first those of fewer half-moves, of as many in the order of the moves. `plies`
    // is how many half-moves it took.
    using Visit = std::function<void(const chess::Position& position, const BookMoves& moves, int plies)>;
    void walk(const chess::Position& start, const Visit& visit) const;

  private:
    explicit Book(std::vector<BookEntry> entries) : entries_(std::move(entries)) {}
    std::vector<BookEntry> entries_;
};

// Writes entries as a book, as they are. Refuses keys that are not in order.
base::Status write_book(const std::filesystem::path& path, const std::vector<BookEntry>& entries);

// One book of all of them: weights of the same move in the same position are added, and all of a position's
// are scaled down together where the sum is beyond 16 bits. What `learn` says is lost.
std::vector<BookEntry> merge_books(const std::vector<const Book*>& books);

}  // namespace scholar::games
