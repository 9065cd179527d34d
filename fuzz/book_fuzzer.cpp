// Polyglot books. The first line of an input is a FEN (of anything else the start position is taken); what
// follows is the book file. If the first line ends with '!', the entries get keys: each the key of the
// position that the entry before it leads to, or of the first; so that small inputs have moves that are
// played.

#include <algorithm>
#include <string>
#include <vector>

#include "check.hpp"
#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "chess/polyglot_key.hpp"
#include "fuzzer.hpp"
#include "games/book.hpp"
#include "memory_file.hpp"

namespace scholar::fuzz {
namespace {

using namespace games;

constexpr std::size_t kEntrySize = 16;

void put_key(std::string& bytes, std::size_t at, std::uint64_t key) {
    for (int i = 0; i < 8; ++i)
        bytes[at + static_cast<std::size_t>(i)] = static_cast<char>(key >> (56 - 8 * i));
}

std::string with_keys(std::string_view file, const chess::Position& start) {
    std::vector<std::string> entries;
    chess::Position position = start;
    for (std::size_t at = 0; at + kEntrySize <= file.size(); at += kEntrySize) {
        std::string& entry = entries.emplace_back(file.substr(at, kEntrySize));
        // The first byte of what would be the key: whether to stay in the position, for another move of it.
        const bool stay = entry[0] & 1;
        put_key(entry, 0, chess::polyglot_key(position));
        const auto bits = static_cast<std::uint16_t>(static_cast<unsigned char>(entry[8]) << 8 |
                                                     static_cast<unsigned char>(entry[9]));
        if (const chess::Move move = from_book_move(position, bits); move && !stay) position.make(move);
    }
    std::ranges::stable_sort(entries, {}, [](const std::string& entry) { return entry.substr(0, 8); });
    std::string bytes;
    for (const std::string& entry : entries) bytes += entry;
    return bytes;
}

void check_moves(const BookMoves& found, const chess::Position& position) {
    const chess::MoveList legal = chess::legal_moves(position);
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < found.moves.size(); ++i) {
        const BookMove& one = found.moves[i];
        check(std::ranges::find(legal, one.move) != legal.end(), "an illegal move in {}",
              chess::to_fen(position));
        check(from_book_move(position, to_book_move(one.move)) == one.move, "a move is read as another in {}",
              chess::to_fen(position));
        check(i == 0 || found.moves[i - 1].weight >= one.weight, "the heaviest is not first in {}",
              chess::to_fen(position));
        total += one.weight;
    }
    check(total == found.total_weight(), "the sum of the weights is {}, not {}", total, found.total_weight());
}

void check_book(const Book& book, const chess::Position& start) {
    const BookMoves here = book.moves(start);
    check_moves(here, start);
    base::Random random(book.size());
    for (const BookChoice choice : {BookChoice::Best, BookChoice::Weighted}) {
        const auto move = book.choose(start, random, choice);
        check(move.has_value() == (here.total_weight() > 0),
              "a choice where there is none, or none where there is");
        check(!move || std::ranges::any_of(
                           here.moves, [&](const BookMove& m) { return m.move == *move && m.weight > 0; }),
              "a move that the book does not have");
    }
    std::size_t visits = 0;
    int last_plies = 0;
    book.walk(start, [&](const chess::Position& position, const BookMoves& moves, int plies) {
        ++visits;
        check(plies >= last_plies, "a walk that goes back");
        last_plies = plies;
        check_moves(moves, position);
    });
    check(visits <= book.positions(), "{} positions visited of {}", visits, book.positions());

    // Merged with itself: the same moves in the same order, each position's with twice the weights or in
    // proportion.
    const Book merged = Book::from_entries(merge_books({&book, &book}));
    check(merged.positions() == book.positions(), "{} positions merged became {}", book.positions(),
          merged.positions());
    const BookMoves merged_here = merged.moves(start);
    check_moves(merged_here, start);
    check((merged_here.total_weight() > 0) == (here.total_weight() > 0), "merged weights are lost");
}

void run(std::string_view input) {
    std::string_view line = input.substr(0, input.find('\n'));
    const std::string_view file = input.substr(std::min(line.size() + 1, input.size()));
    const bool keyed = line.ends_with('!');
    if (keyed) line.remove_suffix(1);
    const auto parsed = chess::parse_fen(line);
    const chess::Position start = parsed ? *parsed : chess::Position();
    const MemoryFile bytes(keyed ? with_keys(file, start) : std::string(file));
    const auto book = Book::open(bytes.path());
    if (!book) {
        check(!keyed, "a sound book is refused: {}", book.error().message);
        return check_refusal(book.error(), "a book");
    }
    check_book(*book, start);
}

}  // namespace
}  // namespace scholar::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    scholar::fuzz::run(scholar::fuzz::as_text(data, size));
    return 0;
}
