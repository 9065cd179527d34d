#include "chess/fen.hpp"

#include <gtest/gtest.h>

#include "chess/mended_fen.hpp"
#include "chess/movegen.hpp"
#include "start_position.hpp"

namespace scholar::chess {
namespace {

TEST(Fen, StartPosition) {
    EXPECT_EQ(to_fen(Position()), kStart);
    EXPECT_EQ(parse_fen(kStart).value(), Position());
}

TEST(Fen, FourFieldsAreEnough) {
    EXPECT_EQ(to_fen(parse_fen("8/8/8/8/8/8/4K3/2k5 b - -").value()), "8/8/8/8/8/8/4K3/2k5 b - - 0 1");
    EXPECT_EQ(to_epd_fields(Position()), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -");
}

TEST(Fen, ClocksAndSpacesAreRead) {
    const Position position = parse_fen("  8/8/8/8/8/8/4K3/2k5  b - -   17 64 \r\n").value();
    EXPECT_EQ(position.halfmove_clock(), 17);
    EXPECT_EQ(position.fullmove_number(), 64);
    EXPECT_EQ(position.side_to_move(), Black);
    EXPECT_EQ(position.king(White), E2);
    EXPECT_EQ(position.king(Black), C1);
}

// Many programs write it where moves are not counted.
TEST(Fen, MoveNumberZeroIsReadAsOne) {
    const Position position = parse_fen("8/8/8/8/8/8/4K3/2k5 b - - 0 0").value();
    EXPECT_EQ(position.fullmove_number(), 1);
    EXPECT_EQ(to_fen(position), "8/8/8/8/8/8/4K3/2k5 b - - 0 1");
}

// The examples of the FEN chapter of the PGN standard (16.1.4). They name the en-passant square after every
// double step; ours names it only where a pawn stands ready to take.
TEST(Fen, ExamplesOfThePgnStandard) {
    const Position e4 = parse_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1").value();
    EXPECT_EQ(e4.en_passant(), NoSquare);
    EXPECT_EQ(to_fen(e4), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    const Position c5 = parse_fen("rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2").value();
    EXPECT_EQ(c5.fullmove_number(), 2);
    const Position nf3 = parse_fen("rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2").value();
    EXPECT_EQ(to_fen(nf3), "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
}

TEST(Fen, EnPassantIsKeptWhereAPawnCanTake) {
    const std::string fen = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3";
    const Position position = parse_fen(fen).value();
    EXPECT_EQ(position.en_passant(), F6);
    EXPECT_TRUE(position.en_passant_is_legal());
    EXPECT_EQ(to_fen(position), fen);
}

TEST(Fen, EnPassantOfAPinnedPawnIsNotedButNotLegal) {
    const Position position = parse_fen("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 2").value();
    EXPECT_EQ(position.en_passant(), D6);
    EXPECT_FALSE(position.en_passant_is_legal());
    EXPECT_EQ(position.key(), parse_fen("8/8/8/K2pP2r/8/8/8/4k3 w - - 0 2")->key());
}

TEST(Fen, ShredderFenMeansTheSameAsKqkq) {
    EXPECT_EQ(parse_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1").value(), Position());
    const std::string fen = "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w GBgb - 0 1";
    const Position position = parse_fen(fen).value();
    EXPECT_EQ(position.castling_rook(White, KingSide), G1);
    EXPECT_EQ(position.castling_rook(Black, QueenSide), B8);
    EXPECT_EQ(to_fen(position), "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w KQkq - 0 1");
}

TEST(Fen, XFenMeansTheOutermostRook) {
    // Two rooks on the king's side: K is h1, and the inner one is written by its file.
    const Position outer = parse_fen("4k3/8/8/8/8/8/8/4KR1R w K - 0 1").value();
    EXPECT_EQ(outer.castling_rook(White, KingSide), H1);
    EXPECT_EQ(to_fen(outer), "4k3/8/8/8/8/8/8/4KR1R w K - 0 1");
    const Position inner = parse_fen("4k3/8/8/8/8/8/8/4KR1R w F - 0 1").value();
    EXPECT_EQ(inner.castling_rook(White, KingSide), F1);
    EXPECT_EQ(to_fen(inner), "4k3/8/8/8/8/8/8/4KR1R w F - 0 1");
    EXPECT_NE(outer.setup().castling_rooks, inner.setup().castling_rooks);
}

// Chess960 with every rook inside or outside: what is written means the same when it is read, by K and Q
// where the rook is the outermost, by its file where it is not.
TEST(Fen, InnerAndOuterRooks) {
    const Position both = parse_fen("1r1rkr1r/8/8/8/8/8/8/1R1RKR1R w DFbf - 0 1").value();
    EXPECT_EQ(both.castling_rook(White, KingSide), F1);
    EXPECT_EQ(both.castling_rook(White, QueenSide), D1);
    EXPECT_EQ(both.castling_rook(Black, KingSide), F8);
    EXPECT_EQ(both.castling_rook(Black, QueenSide), B8);
    EXPECT_EQ(to_fen(both), "1r1rkr1r/8/8/8/8/8/8/1R1RKR1R w FDfq - 0 1");
    EXPECT_EQ(parse_fen(to_fen(both)).value(), both);
    // Another piece beyond the rook does not make it an inner one.
    EXPECT_EQ(to_fen(parse_fen("4k3/8/8/8/8/8/8/4KR1N w F - 0 1").value()),
              "4k3/8/8/8/8/8/8/4KR1N w K - 0 1");
    // The order of the letters is free.
    EXPECT_EQ(parse_fen("r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0 1").value(),
              parse_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").value());
}

struct Refusal {
    const char* name;
    const char* fen;
    const char* reason;  // part of the message
};

class RefusedFen : public testing::TestWithParam<Refusal> {};

TEST_P(RefusedFen, SaysWhy) {
    const auto position = parse_fen(GetParam().fen);
    ASSERT_FALSE(position.has_value()) << to_fen(*position);
    EXPECT_NE(position.error().message.find(GetParam().reason), std::string::npos)
        << position.error().message;
    EXPECT_EQ(position.error().message.find('\n'), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, RefusedFen,
    testing::Values(
        Refusal{"Empty", "", "0 fields"}, Refusal{"OneField", "8/8/8/8/8/8/8/8", "1 fields"},
        Refusal{"FiveFields", "8/8/8/8/8/8/4K3/2k5 b - - 0", "5 fields"},
        Refusal{"SevenFields", "8/8/8/8/8/8/4K3/2k5 b - - 0 1 x", "7 fields"},
        Refusal{"NoWhiteKing", "4k3/8/8/8/8/8/8/8 w - - 0 1", "White has 0 kings"},
        Refusal{"NoBlackKing", "8/8/8/8/8/8/8/4K3 w - - 0 1", "Black has 0 kings"},
        Refusal{"TwoKings", "4k3/8/8/8/8/8/8/K3K3 w - - 0 1", "White has 2 kings"},
        Refusal{"PawnOnFirstRank", "4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "pawn stands on a1"},
        Refusal{"PawnOnLastRank", "p3k3/8/8/8/8/8/8/4K3 w - - 0 1", "pawn stands on a8"},
        Refusal{"WrongSideInCheck", "4k3/8/8/8/8/8/8/4RK2 w - - 0 1",
                "Black is in check, but it is White's move"},
        Refusal{"ThreeCheckers", "4k3/8/3N1N2/8/8/8/8/4RK2 b - - 0 1", "check by 3 pieces"},
        Refusal{"KingsSideBySide", "8/8/8/8/8/8/3k4/4K3 w - - 0 1", "in check"},
        Refusal{"NinePawns", "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", "White has more pieces"},
        Refusal{"TooManyQueens", "4k3/8/8/QQ6/8/8/PPPPPPPP/3QK3 w - - 0 1", "White has more pieces"},
        Refusal{"SevenRanks", "4k3/8/8/8/8/8/4K3 w - - 0 1", "7 ranks"},
        Refusal{"NineRanks", "4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", "more than 8 ranks"},
        Refusal{"ShortRank", "4k3/8/8/7/8/8/8/4K3 w - - 0 1", "rank 5 has 7 squares"},
        Refusal{"LongRank", "4k3/8/8/8p/8/8/8/4K3 w - - 0 1", "rank 5 has more than 8"},
        Refusal{"ShortLastRank", "4k3/8/8/8/8/8/8/4K2 w - - 0 1", "rank 1 has 7"},
        Refusal{"NineEmpty", "4k3/9/8/8/8/8/8/4K3 w - - 0 1", "'9'"},
        Refusal{"TwoDigits", "4k3/44/8/8/8/8/8/4K3 w - - 0 1", "two digits"},
        Refusal{"UnknownPiece", "4k3/8/8/3x4/8/8/8/4K3 w - - 0 1", "'x'"},
        Refusal{"UnknownSide", "4k3/8/8/8/8/8/8/4K3 x - - 0 1", "side to move 'x'"},
        Refusal{"CastlingLetter", "4k3/8/8/8/8/8/8/4K2R w X - 0 1", "castling 'X'"},
        Refusal{"CastlingWithoutRook", "4k3/8/8/8/8/8/8/4K3 w K - 0 1",
                "no rook to castle with on the king's side"},
        Refusal{"CastlingWithKingAway", "4k3/8/8/8/8/8/4K3/7R w K - 0 1", "king stands on e2"},
        Refusal{"CastlingWithRookOnTheOtherSide", "4k3/8/8/8/8/8/8/R3K3 w K - 0 1",
                "no rook to castle with on the king's side"},
        Refusal{"CastlingOfBlackWithoutRook", "4k3/8/8/8/8/8/8/4K3 w q - 0 1", "Black has no rook"},
        Refusal{"CastlingOnTheKingsOwnFile", "4k3/8/8/8/8/8/8/4K2R w E - 0 1", "no rook"},
        Refusal{"CastlingTwoRooksOneSide", "4k3/8/8/8/8/8/8/4KR1R w FH - 0 1", "twice"},
        Refusal{"CastlingDashAndLetter", "4k3/8/8/8/8/8/8/4K2R w K- - 0 1", "castling 'K-'"},
        Refusal{"EmptyRank", "4k3//8/8/8/8/8/4K3 w - - 0 1", "rank 7 has 0 squares"},
        Refusal{"UpperCaseSide", "4k3/8/8/8/8/8/8/4K3 W - - 0 1", "side to move 'W'"},
        Refusal{"PassantFileOnly", "4k3/8/8/3pP3/8/8/8/4K3 w - d 0 1", "en-passant square 'd'"},
        Refusal{"ClockHuge", "4k3/8/8/8/8/8/8/4K3 w - - 99999 1", "half-move clock 99999"},
        Refusal{"MoveNumberNegative", "4k3/8/8/8/8/8/8/4K3 w - - 0 -1", "move number -1, expected 0 to"},
        Refusal{"ControlByteInTheBoard", "4k3/8/8/\x1b/8/8/8/4K3 w - - 0 1", "'\\x1b' in the board"},
        Refusal{"ControlByteInAField", "4k3/8/8/8/8/8/8/4K3 w - - \x07 1", "half-move clock '\\x07'"},
        Refusal{"ControlByteInTheSide", "4k3/8/8/8/8/8/8/4K3 \x1b[2J - - 0 1", "side to move '\\x1b[2J'"},
        Refusal{"ControlByteInTheCastling", "4k3/8/8/8/8/8/8/4K3 w \x7f - 0 1", "castling '\\x7f'"},
        Refusal{"ControlByteInTheSquare", "4k3/8/8/8/8/8/8/4K3 w - \x01 0 1", "square '\\x01'"},
        Refusal{"ControlByteAmongThreeFields", "4k3/8/8 \x1b w", "3 fields in '4k3/8/8 \\x1b w'"},
        Refusal{"BytesThatAreNoAscii", "4k3/8/8/\xc3\xa9/8/8/8/4K3 w - - 0 1", "'\\xc3' in the board"},
        Refusal{"CastlingTwice", "4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "twice"},
        Refusal{"CastlingTwiceInTwoWays", "4k3/8/8/8/8/8/8/4K2R w KH - 0 1", "twice"},
        Refusal{"CastlingFileWithoutRook", "4k3/8/8/8/8/8/8/4K2R w G - 0 1", "no rook"},
        Refusal{"EnPassantNoSquare", "4k3/8/8/8/8/8/8/4K3 w - x9 0 1", "en-passant square 'x9'"},
        Refusal{"EnPassantWrongRank", "4k3/8/8/3pP3/8/8/8/4K3 w - d5 0 1", "en-passant square d5"},
        Refusal{"EnPassantOwnSide", "4k3/8/8/8/3P4/8/8/4K3 w - d3 0 1", "en-passant square d3"},
        Refusal{"EnPassantNoPawn", "4k3/8/8/4P3/8/8/8/4K3 w - d6 0 1", "no Black pawn"},
        Refusal{"EnPassantOriginTaken", "4k3/3p4/8/3pP3/8/8/8/4K3 w - d6 0 1", "no Black pawn"},
        Refusal{"EnPassantSquareTaken", "4k3/8/3n4/3pP3/8/8/8/4K3 w - d6 0 1", "no Black pawn"},
        Refusal{"ClockNoNumber", "4k3/8/8/8/8/8/8/4K3 w - - x 1", "half-move clock 'x'"},
        Refusal{"ClockNegative", "4k3/8/8/8/8/8/8/4K3 w - - -1 1", "half-move clock -1"},
        Refusal{"MoveNumberNoNumber", "4k3/8/8/8/8/8/8/4K3 w - - 0 1.", "move number '1.'"},
        Refusal{"MoveNumberHuge", "4k3/8/8/8/8/8/8/4K3 w - - 0 99999999999999", "move number"}),
    [](const auto& one) { return std::string(one.param.name); });

struct Mending {
    const char* name;
    const char* fen;
    const char* becomes;
    std::vector<std::string> said;  // a part of each line
};

class MendedFen : public testing::TestWithParam<Mending> {};

TEST_P(MendedFen, SaysWhatWasLeftOut) {
    const auto found = mend_fen(GetParam().fen);
    ASSERT_TRUE(found.has_value()) << found.error().message;
    EXPECT_EQ(to_fen(found->position), GetParam().becomes);
    ASSERT_EQ(found->mended.size(), GetParam().said.size());
    for (std::size_t i = 0; i < found->mended.size(); ++i) {
        EXPECT_NE(found->mended[i].find(GetParam().said[i]), std::string::npos) << found->mended[i];
        EXPECT_EQ(found->mended[i].find('\n'), std::string::npos);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Cases, MendedFen,
    testing::Values(Mending{"Nothing",
                            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 7",
                            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 7",
                            {}},
                    Mending{"RightsWithoutRooks",
                            "4k2r/8/8/8/8/8/8/R3K3 w KQkq - 0 1",
                            "4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1",
                            {"White has no rook to castle with on the king's side; left out",
                             "Black has no rook to castle with on the queen's side; left out"}},
                    Mending{"RightsWithTheKingAway",
                            "4k3/8/8/8/8/8/4K3/R6R w KQ - 0 1",
                            "4k3/8/8/8/8/8/4K3/R6R w - - 0 1",
                            {"king stands on e2"}},
                    Mending{"ARightTwice",
                            "4k3/8/8/8/8/8/8/4K2R w KHK - 0 1",
                            "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
                            {"'H' gives one right twice; left out", "'K' gives one right twice; left out"}},
                    Mending{"AnEnPassantSquareWithoutItsPawn",
                            "4k3/8/8/4P3/8/8/8/4K3 w - d6 4 9",
                            "4k3/8/8/4P3/8/8/8/4K3 w - - 4 9",
                            {"no Black pawn can have just jumped over it; left out"}},
                    Mending{"AnEnPassantSquareOfTheWrongSide",
                            "4k3/8/8/8/3P4/8/8/4K3 w - d3 0 1",
                            "4k3/8/8/8/3P4/8/8/4K3 w - - 0 1",
                            {"en-passant square d3"}},
                    Mending{"NoCounters",
                            "4k3/8/8/8/8/8/8/4K3 b - -",
                            "4k3/8/8/8/8/8/8/4K3 b - - 0 1",
                            {"no half-move clock; taken as 0", "no move number; taken as 1"}},
                    Mending{"NoMoveNumber",
                            "4k3/8/8/8/8/8/8/4K3 b - - 12",
                            "4k3/8/8/8/8/8/8/4K3 b - - 12 1",
                            {"no move number; taken as 1"}},
                    Mending{"CountersThatAreNone",
                            "4k3/8/8/8/8/8/8/4K3 b - - - -3",
                            "4k3/8/8/8/8/8/8/4K3 b - - 0 1",
                            {"half-move clock '-', expected a number; taken as 0", "move number -3"}},
                    Mending{"AllAtOnce",
                            "4k3/8/8/8/8/8/8/4K3 b Kq e3 99999",
                            "4k3/8/8/8/8/8/8/4K3 b - - 0 1",
                            {"White has no rook", "Black has no rook", "en-passant square e3",
                             "half-move clock 99999", "no move number"}}),
    [](const auto& one) { return std::string(one.param.name); });

// Where it is not clear what was meant, nothing is guessed.
TEST(Fen, WhatCannotBeMendedIsRefused) {
    for (const char* fen :
         {"", "8/8/8/8/8/8/8/8", "8/8/8/8/8/8/8/K7 w - - 0 1", "4k3/8/8/8/8/8/8/4RK2 w - - 0 1",
          "4k3/8/8/8/8/8/8/4K3 x - - 0 1", "4k3/8/8/8/8/8/8/4K3 w X - 0 1", "4k3/8/8/8/8/8/8/4K3 w - e9 0 1",
          "4k3/8/8/8/8/8/8/4K3 w - - 0 1 x", "4k3/8/8/8/8/8/8/P3K3 w - - 0 1"}) {
        const auto found = mend_fen(fen);
        ASSERT_FALSE(found) << fen;
        EXPECT_TRUE(found.error().message.starts_with("FEN: ")) << found.error().message;
    }
}

TEST(Fen, Squares) {
    EXPECT_EQ(parse_square("a1"), A1);
    EXPECT_EQ(parse_square("h8"), H8);
    for (const char* bad : {"", "e", "e9", "i1", "E4", "e44", "-"})
        EXPECT_EQ(parse_square(bad), NoSquare) << bad;
    EXPECT_EQ(to_string(E4), "e4");
    EXPECT_EQ(to_string(NoSquare), "-");
}

TEST(Fen, PieceLetters) {
    for (const char letter : std::string_view("PNBRQKpnbrqk"))
        EXPECT_EQ(piece_letter(parse_piece(letter)), letter);
    for (const char letter : std::string_view("x1 /")) EXPECT_EQ(parse_piece(letter), NoPiece);
}

}  // namespace
}  // namespace scholar::chess
