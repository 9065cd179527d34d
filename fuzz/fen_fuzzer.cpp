// FEN: a position that is read is whole, whatever the text was.

#include <algorithm>
#include <array>

#include "base/random.hpp"
#include "check.hpp"
#include "chess/checks.hpp"
#include "chess/exchange.hpp"
#include "chess/fen.hpp"
#include "chess/legality.hpp"
#include "chess/mended_fen.hpp"
#include "chess/move_index.hpp"
#include "chess/movegen.hpp"
#include "chess/uci_move.hpp"
#include "fuzzer.hpp"

namespace scholar::fuzz {
namespace {

using namespace chess;

// A FEN has room for so much; a game may go on longer.
bool has_fen(const Position& position) {
    return position.halfmove_clock() <= 10'000 && position.fullmove_number() <= 30'000;
}

void check_written_and_read(const Position& position) {
    check(position.key() == position.fresh_key(), "the kept key is not the fresh one");
    if (!has_fen(position)) return;
    const std::string fen = to_fen(position);
    const Position again = must(parse_fen(fen), "a FEN that we wrote");
    check(again == position, "'{}' is read as another position, '{}'", fen, to_fen(again));
    check(to_fen(again) == fen, "'{}' is written again as '{}'", fen, to_fen(again));
}

// The same position seen from the other side of the board.
Position mirrored(const Position& position) {
    const Setup setup = position.setup();
    Setup other = setup;
    other.board.fill(NoPiece);
    for (int square = 0; square < 64; ++square)
        if (const Piece piece = setup.board[square]; piece != NoPiece)
            other.board[square ^ 56] = make_piece(~color_of(piece), kind_of(piece));
    other.side_to_move = ~setup.side_to_move;
    other.castling_rights = 0;
    for (const Color color : kColors) {
        for (const CastlingSide side : {KingSide, QueenSide}) {
            if (!(setup.castling_rights & castling_bit(color, side))) continue;
            other.castling_rights |= castling_bit(~color, side);
            other.castling_rooks[castling_index(~color, side)] =
                static_cast<Square>(setup.castling_rooks[castling_index(color, side)] ^ 56);
        }
    }
    if (setup.en_passant != NoSquare) other.en_passant = static_cast<Square>(setup.en_passant ^ 56);
    return must(Position::from_setup(other), "a mirrored position");
}

// What wins more wins less, too; and no exchange wins more than is there.
void check_exchange(const Position& position, Move move) {
    constexpr std::array<int, 6> values{100, 300, 300, 500, 900, 0};
    bool wins = true;
    for (const int threshold : {-2'000, -900, -300, -100, 0, 1, 100, 300, 900, 2'000}) {
        const bool wins_more = exchange_wins(position, move, threshold, values);
        check(wins || !wins_more, "{}: {} wins {}, but not less", to_fen(position), to_uci(move), threshold);
        wins = wins_more;
    }
    check(exchange_wins(position, move, -2'000, values), "{}: {} loses more than there is", to_fen(position),
          to_uci(move));
    check(!wins, "{}: {} wins more than there is", to_fen(position), to_uci(move));
}

void check_moves(const Position& position) {
    const MoveList moves = legal_moves(position);
    check(count_legal_moves(position) == moves.size(), "{}: {} moves, counted as {}", to_fen(position),
          moves.size(), count_legal_moves(position));
    check(has_legal_move(position) == !moves.empty(), "{}: {} moves, but has_legal_move says otherwise",
          to_fen(position), moves.size());
    check(legal_moves(position, MoveSet::Noisy).size() + legal_moves(position, MoveSet::Quiet).size() ==
              moves.size(),
          "{}: noisy and quiet moves are not all", to_fen(position));
    check(count_legal_moves(mirrored(position)) == moves.size(),
          "{}: the mirrored position has {} moves, not {}", to_fen(position),
          count_legal_moves(mirrored(position)), moves.size());

    int captures = 0;
    int quiet_checks = 0;
    for (const Move move : moves) {
        const Position next = position.after(move);
        check(is_legal(position, move), "{}: {} is generated, but not called legal", to_fen(position),
              to_uci(move));
        check(gives_check(position, move) == next.in_check(), "{}: does {} give check?", to_fen(position),
              to_uci(move));
        captures += position.is_capture(move);
        quiet_checks += !position.is_noisy(move) && next.in_check();
        check_exchange(position, move);
        check_written_and_read(next);
        check(!next.is_attacked(next.king(position.side_to_move()), next.side_to_move(), next.occupied()),
              "{}: {} leaves the king in check", to_fen(position), to_uci(move));
        for (const auto notation : {CastlingNotation::Standard, CastlingNotation::Chess960}) {
            const std::string text = to_uci(move, notation);
            check(must(parse_uci_move(position, text), "a UCI move that we wrote") == move,
                  "{}: {} is read as another move", to_fen(position), text);
        }
        const auto index = move_to_index(position, move);
        check(index && index_to_move(position, *index) == move, "{}: {} has no number of its own",
              to_fen(position), to_uci(move));
    }
    check(legal_moves(position, MoveSet::Captures).size() == captures, "{}: captures are not {}",
          to_fen(position), captures);
    check(legal_moves(position, MoveSet::QuietChecks).size() == quiet_checks, "{}: quiet checks are not {}",
          to_fen(position), quiet_checks);
    // Any 16 bits may be asked about.
    base::Random random(position.key());
    for (int i = 0; i < 100; ++i) {
        const Move move = Move::from_bits(static_cast<std::uint16_t>(random.next()));
        check(is_legal(position, move) == (std::ranges::find(moves, move) != moves.end()),
              "{}: is move {:04x} legal?", to_fen(position), move.bits());
    }
    if (!position.in_check()) {
        Position passed = position;
        passed.make_null();
        check(passed.key() == passed.fresh_key(), "{}: the key after a pass is not the fresh one",
              to_fen(position));
    }
}

// What is read as it stands is not mended, but for counters that may be left out; what is mended is a whole
// position, and each line says one thing.
void check_mended(std::string_view fen, const base::Result<Position>& strict) {
    const auto found = mend_fen(fen);
    if (!found) {
        check_refusal(found.error(), "FEN");
        check(!strict, "'{}' is read, but cannot be mended", fen);
        return;
    }
    for (const std::string& mended : found->mended) {
        check(mended.starts_with("FEN: "), "'{}' does not say of what it speaks", mended);
        check(mended.find_first_of("\r\n") == std::string::npos, "'{}' has a line end", mended);
    }
    check_written_and_read(found->position);
    if (!strict) return;
    check(found->position == *strict, "'{}' is mended to another position, '{}'", fen,
          to_fen(found->position));
    check(found->mended.empty() || found->mended.size() == 2, "'{}' needed mending", fen);
}

}  // namespace
}  // namespace scholar::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace scholar;
    const auto position = chess::parse_fen(fuzz::as_text(data, size));
    fuzz::check_mended(fuzz::as_text(data, size), position);
    if (!position) {
        fuzz::check_refusal(position.error(), "FEN");
        return 0;
    }
    fuzz::check_written_and_read(*position);
    fuzz::check_moves(*position);
    return 0;
}
