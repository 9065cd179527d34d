#include "protocols/ics_style12.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "base/text.hpp"
#include "chess/fen.hpp"
#include "protocols/ics_scan.hpp"
#include "protocols/words.hpp"

namespace scholar::protocols::ics {

namespace {

// The fields, from 0, after the "<12>".
enum Field : std::size_t {
    FirstRank = 0,
    SideToMove = 8,
    DoublePush = 9,
    Castling = 10,  // four: White short, White long, Black short, Black long
    HalfmoveClock = 14,
    GameNumber = 15,
    WhiteName = 16,
    BlackName = 17,
    MyRelation = 18,
    BaseTime = 19,
    Increment = 20,
    WhiteClock = 23,
    BlackClock = 24,
    MoveNumber = 25,
    MoveTime = 27,
    LastMove = 28,
    Flip = 29,
    FieldCount = 30,
};

constexpr int kMaxMoveNumber = 20'000;
constexpr std::int64_t kMaxClock = 1'000'000'000;  // ms or s: some nanoseconds fewer than 64 bits hold

base::Status read_board(const Words& fields, chess::Setup& setup) {
    for (int rank = 7; rank >= 0; --rank) {
        const std::string_view row = fields[FirstRank + static_cast<std::size_t>(7 - rank)];
        if (row.size() != 8) return base::fail("style 12: rank '{}', expected 8 squares", base::excerpt(row));
        for (int file = 0; file < 8; ++file) {
            const char letter = row[static_cast<std::size_t>(file)];
            const chess::Piece piece = chess::parse_piece(letter);
            if (piece == chess::NoPiece && letter != '-')
                return base::fail("style 12: '{}' on a square, expected a piece's letter or '-'", letter);
            setup.board[chess::make_square(file, rank)] = piece;
        }
    }
    return {};
}

base::Status read_castling(const Words& fields, chess::Setup& setup) {
    constexpr std::array kSides{chess::KingSide, chess::QueenSide};
    for (std::size_t i = 0; i < 4; ++i) {
        const std::string_view text = fields[Castling + i];
        if (text != "0" && text != "1")
            return base::fail("style 12: castling '{}', expected 0 or 1", base::excerpt(text));
        const auto color = static_cast<chess::Color>(i / 2);
        const chess::CastlingSide side = kSides[i % 2];
        const chess::Square king = chess::relative_square(color, chess::E1);
        const chess::Square rook =
            chess::relative_square(color, side == chess::KingSide ? chess::H1 : chess::A1);
        if (text == "0" || setup.board[king] != chess::make_piece(color, chess::King) ||
            setup.board[rook] != chess::make_piece(color, chess::Rook))
            continue;
        setup.castling_rights |= chess::castling_bit(color, side);
        setup.castling_rooks[chess::castling_index(color, side)] = rook;
    }
    return {};
}

template <class Number>
base::Result<Number> read_number(const Words& fields, std::size_t field, const char* what, Number least,
                                 Number most) {
    const auto number = base::parse_number<Number>(fields[field]);
    if (!number || *number < least || *number > most)
        return base::fail("style 12: {} '{}', expected a number from {} to {}", what,
                          base::excerpt(fields[field]), least, most);
    return *number;
}

}  // namespace

base::Result<Style12> parse_style12(std::string_view line) {
    const Words words = base::split_words(line);
    if (words.empty() || words.front() != "<12>") return base::fail("style 12: expected '<12>' first");
    const Words fields(words.begin() + 1, words.end());
    if (fields.size() < FieldCount)
        return base::fail("style 12: {} fields after '<12>', expected {}", fields.size(),
                          static_cast<std::size_t>(FieldCount));

    chess::Setup setup;
    if (auto status = read_board(fields, setup); !status) return std::unexpected(status.error());
    if (fields[SideToMove] != "W" && fields[SideToMove] != "B")
        return base::fail("style 12: side to move '{}', expected W or B", base::excerpt(fields[SideToMove]));
    setup.side_to_move = fields[SideToMove] == "W" ? chess::White : chess::Black;
    if (auto status = read_castling(fields, setup); !status) return std::unexpected(status.error());

    const auto push = read_number(fields, DoublePush, "file of the double push", -1, 7);
    if (!push) return std::unexpected(push.error());
    if (*push >= 0) setup.en_passant = chess::make_square(*push, setup.side_to_move == chess::White ? 5 : 2);
    const auto halfmoves = read_number(fields, HalfmoveClock, "halfmove clock", 0, kMaxMoveNumber);
    const auto number = read_number(fields, MoveNumber, "move number", 1, kMaxMoveNumber);
    const auto game = read_number(fields, GameNumber, "game number", 0, std::numeric_limits<int>::max());
    const auto relation = read_number(fields, MyRelation, "relation", -4, 2);
    const auto base_time = read_number(fields, BaseTime, "initial time", 0, 1'000'000);
    const auto increment = read_number(fields, Increment, "increment", 0, 1'000'000);
    const auto white = read_number(fields, WhiteClock, "clock", -kMaxClock, kMaxClock);
    const auto black = read_number(fields, BlackClock, "clock", -kMaxClock, kMaxClock);
    for (const auto* value : {&halfmoves, &number, &game, &relation, &base_time, &increment})
        if (!*value) return std::unexpected(value->error());
    for (const auto* value : {&white, &black})
        if (!*value) return std::unexpected(value->error());
    setup.halfmove_clock = *halfmoves;
    setup.fullmove_number = *number;

    Style12 board;
    const auto position = chess::Position::from_setup(setup);
    if (!position) return base::fail_in("style 12", position.error());
    board.position = *position;
    board.game = *game;
    board.relation = static_cast<Relation>(*relation);
    board.base = std::chrono::minutes(*base_time);
    board.increment = std::chrono::seconds(*increment);
    for (const chess::Color color : chess::kColors) {
        Scan scan(fields[color == chess::White ? WhiteName : BlackName]);
        const auto name = scan.name();
        if (!name || !scan.at_end())
            return base::fail("style 12: '{}', expected a user's name",
                              base::excerpt(fields[color == chess::White ? WhiteName : BlackName]));
        board.names[color] = *name;
    }
    const std::string_view time = fields[MoveTime];
    if (time.size() < 2 || time.front() != '(' || time.back() != ')')
        return base::fail("style 12: time of the last move '{}', expected (MINUTES:SECONDS)",
                          base::excerpt(time));
    const std::int64_t unit = time.find('.') != std::string_view::npos ? 1 : 1'000;
    board.clocks[chess::White] = std::chrono::milliseconds(*white * unit);
    board.clocks[chess::Black] = std::chrono::milliseconds(*black * unit);
    if (fields[LastMove] != "none") board.last_move = fields[LastMove];
    if (fields[Flip] != "0" && fields[Flip] != "1")
        return base::fail("style 12: flip '{}', expected 0 or 1", base::excerpt(fields[Flip]));
    return board;
}

bool same_board(const chess::Position& a, const chess::Position& b) {
    return a.side_to_move() == b.side_to_move() && a.pieces(chess::White) == b.pieces(chess::White) &&
           a.pieces(chess::Black) == b.pieces(chess::Black) &&
           std::ranges::all_of(chess::kPieceKinds,
                               [&](chess::PieceKind kind) { return a.pieces(kind) == b.pieces(kind); });
}

int ply_number(const chess::Position& position) {
    return 2 * (position.fullmove_number() - 1) + (position.side_to_move() == chess::Black ? 1 : 0);
}

}  // namespace scholar::protocols::ics
