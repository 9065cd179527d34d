// SAN: first line a FEN (of anything else the start position is taken), then words, each read as a move of
// the game so far. What is read is a legal move, and what we write of a legal move is read as that move, by
// the fast way, which knows the standard's notation, and by the slow one, which knows what people write.

#include <algorithm>
#include <set>

#include "check.hpp"
#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "chess/san.hpp"
#include "chess/uci_move.hpp"
#include "fuzzer.hpp"

namespace scholar::fuzz {
namespace {

using namespace chess;

constexpr std::string_view kBlanks = " \t\r\n";
// More would only repeat what shorter inputs show.
constexpr int kMaxWords = 200;

// By the slow way alone: the fast one knows no annotations.
base::Result<Move> parse_slowly(const Position& position, std::string_view word) {
    const std::string annotated = std::string(word) + '!';
    check(!match_san(position, annotated), "{}: '{}' is matched", to_fen(position), annotated);
    return parse_san(position, annotated);
}

void check_written_and_read(const Position& position, Move move) {
    const std::string san = to_san(position, move);
    const Move again = must(parse_slowly(position, san), "a SAN that we wrote");
    check(again == move, "{}: {} is written '{}', which is read as {}", to_fen(position), to_uci(move), san,
          to_uci(again));
    check(match_san(position, san) == move, "{}: '{}' is not matched with {}", to_fen(position), san,
          to_uci(move));
}

// No two legal moves are written alike, and each is read as itself.
void check_all_moves(const Position& position) {
    std::set<std::string> written;
    for (const Move move : legal_moves(position)) {
        check_written_and_read(position, move);
        const std::string san = to_san(position, move);
        check(written.insert(san).second, "{}: two moves are written '{}'", to_fen(position), san);
    }
}

void run(std::string_view text) {
    const std::size_t line_end = std::min(text.find('\n'), text.size());
    const auto parsed = parse_fen(text.substr(0, line_end));
    Position position = parsed ? *parsed : Position();
    check_all_moves(position);

    std::string_view rest = text.substr(line_end);
    for (int words = 0; words < kMaxWords; ++words) {
        const std::size_t begin = rest.find_first_not_of(kBlanks);
        if (begin == std::string_view::npos) break;
        rest.remove_prefix(begin);
        const std::string_view word = rest.substr(0, rest.find_first_of(kBlanks));
        rest.remove_prefix(word.size());

        const auto move = parse_san(position, word);
        // The fast way may know less, but nothing else.
        const auto slow_move = parse_slowly(position, word);
        if (const auto matched = match_san(position, word))
            check(slow_move && *slow_move == *matched, "{}: '{}' is matched with {}, and read slowly as {}",
                  to_fen(position), word, to_uci(*matched),
                  slow_move ? to_uci(*slow_move) : slow_move.error().message);
        check(move.has_value() == slow_move.has_value() && (!move || *move == *slow_move),
              "{}: '{}' is read as another move than '{}!'", to_fen(position), word, word);
        if (!move) {
            check_refusal(move.error(), "SAN");
            continue;
        }
        const MoveList legal = legal_moves(position);
        check(std::ranges::find(legal, *move) != legal.end(), "{}: '{}' is read as {}, which is not legal",
              to_fen(position), word, to_uci(*move));
        check_written_and_read(position, *move);
        position.make(*move);
    }
    check_all_moves(position);
}

}  // namespace
}  // namespace scholar::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    scholar::fuzz::run(scholar::fuzz::as_text(data, size));
    return 0;
}
