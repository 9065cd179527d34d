#include "games/book.hpp"

#include <algorithm>
#include <cassert>
#include <deque>
#include <numeric>
#include <unordered_set>

#include "base/file_kind.hpp"
#include "base/files.hpp"
#include "base/streams.hpp"
#include "base/text.hpp"
#include "chess/movegen.hpp"
#include "chess/polyglot_key.hpp"
#include "games/book_builder.hpp"

namespace scholar::games {

namespace {

constexpr std::size_t kEntrySize = 16;

template <class T>
T get_big_endian(const std::byte* at) {
    T value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
        value = static_cast<T>(value << 8 | static_cast<std::uint8_t>(at[i]));
    return value;
}

template <class T>
void put_big_endian(std::string& out, T value) {
    for (int shift = 8 * static_cast<int>(sizeof(T)) - 8; shift >= 0; shift -= 8)
        out += static_cast<char>(value >> shift & 0xFF);
}

// Of a whole book's bytes; errors call it `name`.
base::Result<std::vector<BookEntry>> parse_entries(std::string_view bytes, const std::string& name) {
    if (bytes.size() % kEntrySize != 0)
        return base::fail("{}: {}, expected a Polyglot book of 16 bytes an entry: cut off, or no book", name,
                          base::counted(bytes.size(), "byte"));
    std::vector<BookEntry> entries(bytes.size() / kEntrySize);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const auto* at = reinterpret_cast<const std::byte*>(bytes.data()) + i * kEntrySize;
        entries[i] = {get_big_endian<std::uint64_t>(at), get_big_endian<std::uint16_t>(at + 8),
                      get_big_endian<std::uint16_t>(at + 10), get_big_endian<std::uint32_t>(at + 12)};
        if (i > 0 && entries[i].key < entries[i - 1].key)
            return base::fail(
                "{}: entry {}: key {:016x} after {:016x}, expected keys in order: damaged, or no "
                "Polyglot book",
                name, i + 1, entries[i].key, entries[i - 1].key);
    }
    return entries;
}

}  // namespace

std::uint16_t to_book_move(chess::Move move) {
    const int promotion = move.is_promotion() ? move.promotion_kind() - chess::Knight + 1 : 0;
    return static_cast<std::uint16_t>(move.to() | move.from() << 6 | promotion << 12);
}

chess::Move from_book_move(const chess::Position& position, std::uint16_t bits) {
    // The bit that no move uses.
    if (bits & 0x8000) return chess::Move::none();
    for (const chess::Move move : chess::legal_moves(position)) {
        if (to_book_move(move) == bits) return move;
        if (!move.is_castling()) continue;
        // A king never goes two squares otherwise.
        const auto side =
            chess::file_of(move.to()) > chess::file_of(move.from()) ? chess::KingSide : chess::QueenSide;
        const chess::Square to = chess::castled_king(position.side_to_move(), side);
        const int distance = std::abs(chess::file_of(to) - chess::file_of(move.from()));
        if (distance == 2 && (to | move.from() << 6) == bits) return move;
    }
    return chess::Move::none();
}

std::uint64_t BookMoves::total_weight() const {
    return std::accumulate(moves.begin(), moves.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const BookMove& move) { return sum + move.weight; });
}

base::Result<Book> Book::open(const std::filesystem::path& path) {
    const auto bytes = base::read_bytes(path);
    if (!bytes) return std::unexpected(bytes.error());
    const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    auto entries = parse_entries(text, path.string());
    // A book has no mark of its own: only what is none is looked at as a packed one.
    if (!entries && base::kind_of_file(text) != base::FileKind::Plain) {
        auto input = base::open_input(path.string());
        if (!input) return std::unexpected(input.error());
        const auto unpacked = base::read_all(**input);
        if (!unpacked) return std::unexpected(unpacked.error());
        entries = parse_entries(*unpacked, path.string());
    }
    if (!entries) return std::unexpected(entries.error());
    return Book(std::move(*entries));
}

base::Result<Book> Book::parse(std::string_view bytes, const std::string& name) {
    auto entries = parse_entries(bytes, name);
    if (!entries) return std::unexpected(entries.error());
    return Book(std::move(*entries));
}

Book Book::from_entries(std::vector<BookEntry> entries) {
    assert(std::ranges::is_sorted(entries, {}, &BookEntry::key));
    return Book(std::move(entries));
}

std::size_t Book::positions() const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < entries_.size(); ++i)
        count += i == 0 || entries_[i].key != entries_[i - 1].key;
    return count;
}

BookMoves Book::moves(const chess::Position& position) const {
    BookMoves found;
    for (const BookEntry& entry :
         std::ranges::equal_range(entries_, chess::polyglot_key(position), {}, &BookEntry::key)) {
        if (const chess::Move move = from_book_move(position, entry.move))
            found.moves.push_back({move, entry.weight, entry.learn});
        else
            ++found.illegal;
    }
    std::ranges::stable_sort(found.moves, std::ranges::greater(), &BookMove::weight);
    return found;
}

std::optional<chess::Move> Book::choose(const chess::Position& position, base::Random& random,
                                        BookChoice choice) const {
    const BookMoves found = moves(position);
    const std::uint64_t total = found.total_weight();
    if (total == 0) return std::nullopt;
    if (choice == BookChoice::Best) return found.moves.front().move;
    std::uint64_t left = random.below(total);
    for (const BookMove& move : found.moves) {
        if (left < move.weight) return move.move;
        left -= move.weight;
    }
    return std::nullopt;
}

void Book::walk(const chess::Position& start, const Visit& visit) const {
    struct Waiting {
        chess::Position position;
        int plies;
    };
    std::unordered_set<std::uint64_t> seen{chess::polyglot_key(start)};
    std::deque<Waiting> waiting{{start, 0}};
    while (!waiting.empty()) {
        const Waiting current = waiting.front();
        waiting.pop_front();
        const BookMoves found = moves(current.position);
        if (found.moves.empty()) continue;
        visit(current.position, found, current.plies);
        for (const BookMove& move : found.moves) {
            const chess::Position next = current.position.after(move.move);
            if (seen.insert(chess::polyglot_key(next)).second) waiting.push_back({next, current.plies + 1});
        }
    }
}

base::Status write_book(const std::filesystem::path& path, const std::vector<BookEntry>& entries) {
    if (!std::ranges::is_sorted(entries, {}, &BookEntry::key))
        return base::fail("{}: the entries are not in the order of their keys", path.string());
    std::string bytes;
    bytes.reserve(entries.size() * kEntrySize);
    for (const BookEntry& entry : entries) {
        put_big_endian(bytes, entry.key);
        put_big_endian(bytes, entry.move);
        put_big_endian(bytes, entry.weight);
        put_big_endian(bytes, entry.learn);
    }
    return base::write_atomically(path, std::string_view(bytes));
}

std::vector<BookEntry> merge_books(const std::vector<const Book*>& books) {
    std::vector<WeighedMove> all;
    for (const Book* book : books)
        for (const BookEntry& entry : book->entries()) all.push_back({entry.key, entry.move, entry.weight});
    std::ranges::sort(all, {}, [](const WeighedMove& m) { return std::pair(m.key, m.move); });
    std::vector<WeighedMove> sums;
    for (const WeighedMove& item : all) {
        if (!sums.empty() && sums.back().key == item.key && sums.back().move == item.move)
            sums.back().weight += item.weight;
        else
            sums.push_back(item);
    }
    return scale_weights(sums);
}

}  // namespace scholar::games
