// What is written is read back as what it was.

#include <gtest/gtest.h>
#include <optional>
#include <rapidcheck/gtest.h>

#include "chess/epd.hpp"
#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "chess/san.hpp"
#include "chess/uci_move.hpp"
#include "properties/playout.hpp"

namespace scholar::chess {
namespace {

using tests::Playout;

bool is_one_line(const std::string& message) {
    return !message.empty() && message.find_first_of("\r\n") == std::string::npos;
}

RC_GTEST_PROP(Notation, FenIsReadAsItWasWritten, (const Playout& playout)) {
    const Line line = playout.line();
    for (int ago = line.ply(); ago >= 0; --ago) {
        const std::string fen = to_fen(line.ago(ago));
        const auto read = parse_fen(fen);
        RC_ASSERT(read.has_value());
        RC_ASSERT(*read == line.ago(ago));
        RC_ASSERT(to_fen(*read) == fen);
    }
}

// X-FEN and Shredder-FEN of one position mean the same.
RC_GTEST_PROP(Notation, ShredderFenIsReadAsMeant, (const Playout& playout)) {
    const Position position = playout.end();
    std::string castling;
    for (const Color color : kColors)
        for (const CastlingSide side : {KingSide, QueenSide})
            if (position.may_castle(color, side))
                castling += static_cast<char>((color == White ? 'A' : 'a') +
                                              file_of(position.castling_rook(color, side)));
    std::string fen = to_fen(position);
    const std::size_t field = fen.find(' ', fen.find(' ') + 1) + 1;
    fen.replace(field, fen.find(' ', field) - field, castling.empty() ? "-" : castling);
    RC_ASSERT(parse_fen(fen).value() == position);
}

RC_GTEST_PROP(Notation, FenOfAnythingIsReadOrRefusedInOneLine, (const Playout& playout)) {
    std::string fen = to_fen(playout.end());
    const int changes = *rc::gen::inRange(1, 4);
    for (int i = 0; i < changes; ++i) {
        const auto at = *rc::gen::inRange<std::size_t>(0, fen.size());
        fen[at] = *rc::gen::oneOf(rc::gen::arbitrary<char>(),
                                  rc::gen::elementOf(std::string("PNBRQKpnbrqk12345678/ wb-AHah09\n")));
    }
    const auto read = parse_fen(fen);
    if (read)
        RC_ASSERT(parse_fen(to_fen(*read)).value() == *read);
    else
        RC_ASSERT(is_one_line(read.error().message));
}

rc::Gen<std::string> opcode() {
    return rc::gen::map(
        rc::gen::pair(rc::gen::elementOf(std::string("abcDEvz_")),
                      rc::gen::container<std::string>(rc::gen::elementOf(std::string("abz019_-\"\\")))),
        [](const std::pair<char, std::string>& parts) { return parts.first + parts.second; });
}

RC_GTEST_PROP(Notation, EpdIsReadAsItWasWritten, (const Playout& playout)) {
    // Operands of any bytes at all, and many of those that quoting is about.
    const auto character =
        rc::gen::oneOf(rc::gen::arbitrary<char>(), rc::gen::elementOf(std::string("a1;\"\\ \t\n\rnrt")));
    const auto operands =
        rc::gen::container<std::vector<std::string>>(rc::gen::container<std::string>(character));
    const auto name = rc::gen::oneOf(opcode(), rc::gen::element<std::string>("id", "bm", "c0", "v9", "noop"));
    Epd epd{playout.end(), {}};
    epd.operations = *rc::gen::scale(
        0.1, rc::gen::container<std::vector<std::pair<std::string, std::vector<std::string>>>>(
                 rc::gen::pair(name, operands)));
    const std::string line = to_epd(epd);
    RC_LOG() << line << '\n';
    RC_ASSERT(line.find_first_of("\r\n") == std::string::npos);
    const auto read = parse_epd(line);
    RC_ASSERT(read.has_value());
    RC_ASSERT(*read == epd);
    RC_ASSERT(to_epd(*read) == line);
    // Operands that are no moves, and no clocks.
    if (const auto moves = read->moves("bm"); !moves) RC_ASSERT(is_one_line(moves.error().message));
    if (const auto moves = read->variation("bm"); !moves) RC_ASSERT(is_one_line(moves.error().message));
    for (auto& [opcode, unused] : epd.operations) opcode = "hmvc";
    if (const auto clocks = parse_epd(to_epd(epd)); !clocks) RC_ASSERT(is_one_line(clocks.error().message));
}

RC_GTEST_PROP(Notation, SanIsReadAsItWasWritten, (const Playout& playout)) {
    const Line line = playout.line();
    for (int ago = line.ply(); ago >= 0; --ago) {
        const Position& position = line.ago(ago);
        for (const Move move : legal_moves(position)) {
            const std::string san = to_san(position, move);
            const auto read = parse_san(position, san);
            RC_ASSERT(read.has_value());
            RC_ASSERT(*read == move);
            // By each of the two ways: the fast one, which knows no annotations, and the one behind it.
            RC_ASSERT(match_san(position, san) == std::optional(move));
            RC_ASSERT(!match_san(position, san + '!'));
            RC_ASSERT(parse_san(position, san + '!').value() == move);
            const Position next = position.after(move);
            RC_ASSERT((san.ends_with('+') || san.ends_with('#')) == next.in_check());
            RC_ASSERT(san.ends_with('#') == (next.in_check() && !has_legal_move(next)));
        }
    }
}

RC_GTEST_PROP(Notation, UciMovesAreReadAsWritten, (const Playout& playout)) {
    const Line line = playout.line();
    for (int ago = line.ply(); ago >= 0; --ago) {
        const Position& position = line.ago(ago);
        for (const Move move : legal_moves(position)) {
            for (const auto notation : {CastlingNotation::Standard, CastlingNotation::Chess960}) {
                const auto read = parse_uci_move(position, to_uci(move, notation));
                RC_ASSERT(read.has_value());
                RC_ASSERT(*read == move);
            }
        }
    }
}

}  // namespace
}  // namespace scholar::chess
