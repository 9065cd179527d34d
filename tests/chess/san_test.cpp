#include "chess/san.hpp"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

#include "base/random.hpp"
#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "chess/uci_move.hpp"
#include "start_position.hpp"
#include "support/test_data.hpp"

namespace scholar::chess {
namespace {

struct Written {
    const char* name;
    const char* fen;
    const char* uci;
    const char* san;
};

Position position_of(const char* fen) {
    return parse_fen(fen).value();
}

class SanOf : public testing::TestWithParam<Written> {};

// By the rules of the PGN standard, 8.2.3.
TEST_P(SanOf, IsWrittenAndReadBack) {
    const Position position = position_of(GetParam().fen);
    const Move move = parse_uci_move(position, GetParam().uci).value();
    EXPECT_EQ(to_san(position, move), GetParam().san);
    EXPECT_EQ(parse_san(position, GetParam().san).value(), move);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, SanOf,
    testing::Values(
        Written{"PawnPush", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4", "e4"},
        Written{"Knight", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "g1f3", "Nf3"},
        Written{"PawnCaptureNamesItsFile", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "exd5"},
        Written{"EnPassantIsAPlainCapture", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"},
        Written{"PieceCapture", "4k3/8/8/3p4/8/4N3/8/4K3 w - - 0 1", "e3d5", "Nxd5"},
        Written{"ByFile", "4k3/8/8/8/8/8/8/1N1K1N2 w - - 0 1", "b1d2", "Nbd2"},
        Written{"ByFileAlsoOnOneRank", "4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "a1d1", "Rad1"},
        Written{"ByRankOnOneFile", "3k4/8/8/R7/8/8/8/R3K3 w - - 0 1", "a1a3", "R1a3"},
        // Queens on e4, h4 and h1 can all go to e1: h4 shares the file with one and the rank with the other.
        Written{"ByBoth", "8/k7/8/8/4Q2Q/8/1K6/7Q w - - 0 1", "h4e1", "Qh4e1"},
        Written{"ByFileOfThree", "8/k7/8/8/4Q2Q/8/1K6/7Q w - - 0 1", "e4e1", "Qee1"},
        Written{"ByRankOfThree", "8/k7/8/8/4Q2Q/8/1K6/7Q w - - 0 1", "h1e1", "Q1e1"},
        // The knight on c3 is pinned, so the one on g1 needs no file.
        Written{"PinnedPieceDoesNotCount", "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2"},
        Written{"DisambiguatedCapture", "4k3/8/8/8/3p4/8/2N1N3/4K3 w - - 0 1", "c2d4", "Ncxd4"},
        Written{"Promotion", "8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8r", "a8=R"},
        Written{"PromotionWithCheck", "7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8q", "a8=Q+"},
        Written{"CapturePromotion", "1n5k/P7/8/8/8/8/8/K7 w - - 0 1", "a7b8n", "axb8=N"},
        Written{"ShortCastling", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O"},
        Written{"LongCastling", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "O-O-O"},
        Written{"CastlingWithCheck", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"},
        Written{"Chess960Castling", "5k2/8/8/8/8/8/8/1R2K3 w Q - 0 1", "e1b1", "O-O-O"},
        Written{"Check", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8+"},
        Written{"Mate", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8#"},
        Written{"DoubleCheck", "4k3/8/8/8/4N3/8/8/K3R3 w - - 0 1", "e4f6", "Nf6+"},
        Written{"FoolsMate", "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", "d8h4", "Qh4#"},
        Written{"KingMove", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1e2", "Ke2"},
        // Castling to g1 is no second king move to g1.
        Written{"KingBesideCastling", "4k3/8/8/8/8/8/8/5K1R w H - 0 1", "f1g1", "Kg1"}),
    [](const auto& one) { return std::string(one.param.name); });

// Five hundred and more moves of every kind, as another program writes them.
TEST(San, IsWrittenAsAnotherProgramWritesIt) {
    std::ifstream in(tests::test_data("san.tsv"));
    int checked = 0;
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with('#')) continue;
        std::istringstream fields(line);
        std::string fen;
        std::string uci;
        std::string san;
        ASSERT_TRUE(std::getline(fields, fen, '\t') && std::getline(fields, uci, '\t') &&
                    std::getline(fields, san))
            << line;
        const auto position = parse_fen(fen);
        ASSERT_TRUE(position.has_value()) << position.error().message;
        const auto move = parse_uci_move(*position, uci);
        ASSERT_TRUE(move.has_value()) << move.error().message;
        EXPECT_EQ(to_san(*position, *move), san) << fen;
        const auto read = parse_san(*position, san);
        ASSERT_TRUE(read.has_value()) << read.error().message;
        EXPECT_EQ(*read, *move) << fen << ' ' << san;
        // Check marks say nothing about which move it is.
        const std::string bare = san.substr(0, san.find_first_of("+#"));
        for (const char* mark : {"", "+", "#"})
            EXPECT_EQ(parse_san(*position, bare + mark).value(), *move) << fen << ' ' << bare << mark;
        ++checked;
    }
    EXPECT_EQ(checked, 560);
}

// What people write, by the position and the move that they mean.
struct Tolerated {
    const char* name;
    const char* fen;
    const char* san;
    std::vector<std::string> texts;
};

class Tolerance : public testing::TestWithParam<Tolerated> {};

TEST_P(Tolerance, IsReadAsMeant) {
    const Position position = position_of(GetParam().fen);
    for (const std::string& text : GetParam().texts) {
        const auto move = parse_san(position, text);
        ASSERT_TRUE(move.has_value()) << text << ": " << move.error().message;
        EXPECT_EQ(to_san(position, *move), GetParam().san) << text;
    }
}

constexpr const char* kCastling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

INSTANTIATE_TEST_SUITE_P(
    Cases, Tolerance,
    testing::Values(
        Tolerated{"ShortCastling",
                  kCastling,
                  "O-O",
                  {"O-O", "0-0", "o-o", "OO", "00", "0-O", "O-Och", "O-O+", "0-0!", "O-O?!", "O-O#", "e1g1",
                   "e1h1"}},
        Tolerated{"LongCastling",
                  kCastling,
                  "O-O-O",
                  {"O-O-O", "0-0-0", "o-o-o", "OOO", "000", "O-0-0", "0-0-0mate", "O-O-O+", "0-0-0!!", "e1c1",
                   "e1a1"}},
        Tolerated{
            "CastlingWithCheck", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", "O-O+", {"O-O", "0-0+", "O-O+!", "e1g1"}},
        Tolerated{"Chess960Castling", "5k2/8/8/8/8/8/8/1R2K3 w Q - 0 1", "O-O-O", {"O-O-O", "0-0-0", "e1b1"}},
        Tolerated{"Knight",
                  kStart,
                  "Nf3",
                  {"Nf3", "Nf3+", "Nf3#", "Nf3!", "Nf3!?", "Nf3?!", "Nf3??", "Nf3!!", "Nf3+!", "Ngf3", "N1f3",
                   "Ng1f3", "Ng1-f3", "Ng1-f3!", "g1f3", "g1-f3"}},
        Tolerated{"Pawn", kStart, "e4", {"e4", "e4!", "e2e4", "e2-e4", "Pe4", "Pe2-e4", "Pe2e4", "e4+"}},
        Tolerated{"PawnCapture",
                  "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1",
                  "exd5",
                  {"exd5", "ed5", "e4xd5", "e4d5", "Pexd5", "exd5!", "exd5+", "e4-d5", "e:d5"}},
        Tolerated{"EnPassant",
                  "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
                  "exd6",
                  {"exd6", "exd6e.p.", "exd6ep", "e5xd6", "e5d6", "ed6", "e5xd6e.p."}},
        Tolerated{"RookDisambiguation",
                  "4k3/8/8/8/8/8/4K3/R6R w - - 0 1",
                  "Rad1",
                  {"Rad1", "Ra1d1", "Ra1-d1", "a1d1", "Rad1!"}},
        Tolerated{"CaptureOverSpecified",
                  "4k3/8/8/8/3p4/8/2N1N3/4K3 w - - 0 1",
                  "Ncxd4",
                  {"Ncxd4", "Ncd4", "Nc2xd4", "Nc2d4", "c2d4", "c2xd4", "Nc2:d4"}},
        // Only one of the knights may move: naming its file all the same is over-specified, not wrong.
        Tolerated{
            "PinnedTwin", "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "Ne2", {"Ne2", "Nge2", "N1e2", "Ng1e2"}},
        Tolerated{"Promotion",
                  "1n5k/P7/8/8/8/8/8/K7 w - - 0 1",
                  "a8=Q",
                  {"a8=Q", "a8Q", "a8q", "a8=q", "a8(Q)", "a8/Q", "a8=Q!", "a7a8q", "a7a8Q", "a7a8=Q",
                   "a7-a8=Q", "a7-a8Q"}},
        Tolerated{"CapturePromotion",
                  "1n5k/P7/8/8/8/8/8/K7 w - - 0 1",
                  "axb8=N",
                  {"axb8=N", "axb8N", "axb8=n", "ab8=N", "a7xb8=N", "a7b8n", "axb8(N)", "a7xb8N"}},
        Tolerated{"Mate",
                  "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1",
                  "Ra8#",
                  {"Ra8#", "Ra8", "Ra8+", "Ra8++", "Ra8#!", "Ra8++!!", "Ra1-a8#", "a1a8"}},
        Tolerated{"DoubleCheck", "4k3/8/8/8/4N3/8/8/K3R3 w - - 0 1", "Nf6+", {"Nf6++", "Nf6+", "Nf6"}},
        // A small b is the b-file, a capital one the bishop.
        Tolerated{"SmallBIsTheFile", "4k3/8/8/2p5/1P6/B7/8/4K3 w - - 0 1", "bxc5", {"bxc5", "bc5", "b4c5"}}),
    [](const auto& one) { return std::string(one.param.name); });

// Texts that name a move which the position does not have, or more than one.
TEST(San, WrongSpecificationsAreRefused) {
    for (const char* text :
         {"Nbf3", "N2f3", "Nb1f3", "Qf3", "O-O", "e1g1", "exd5", "exd3", "e5", "e2e5", "e7e5"})
        EXPECT_FALSE(parse_san(position_of(kStart), text).has_value()) << text;
    // Castling is no king move to g1, and no rook move.
    for (const char* text : {"Kg1", "Kh1", "Rxe1"})
        EXPECT_FALSE(parse_san(position_of(kCastling), text).has_value()) << text;
    EXPECT_FALSE(parse_san(position_of("4k3/8/8/8/8/8/4K3/R6R w - - 0 1"), "Rd1").has_value());
    EXPECT_FALSE(parse_san(position_of("4k3/8/8/2p1p3/3P4/8/8/4K3 w - - 0 1"), "dxf5").has_value());
}

// After 1. e4 d5 the pawn on e4 may take on d5, but "d5" does not say so.
TEST(San, PawnMoveWithoutAFileIsAPushOrRefused) {
    const char* const kTaking = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2";
    for (const char* text : {"d5", "Pd5", "xd5", "Pxd5", "4xd5", "d5+", "d5!", "dxd5", "e4xe5", "e5xd6"})
        EXPECT_FALSE(parse_san(position_of(kTaking), text).has_value()) << text;
    for (const char* text : {"d6", "d6ep", "d6e.p."})
        EXPECT_FALSE(parse_san(position_of("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"), text).has_value()) << text;
    for (const char* text : {"b8=Q", "b8Q", "xb8Q"})
        EXPECT_FALSE(parse_san(position_of("1n5k/P7/8/8/8/8/8/K7 w - - 0 1"), text).has_value()) << text;

    // Of any legal pawn move, the square alone is read as the push to it, or not at all.
    base::Random random(24);
    for (int game = 0; game < 50; ++game) {
        Position position;
        for (int ply = 0; ply < 120 && has_legal_move(position); ++ply) {
            const MoveList moves = legal_moves(position);
            for (const Move move : moves) {
                if (kind_of(position.piece_on(move.from())) != Pawn) continue;
                std::string text = to_string(move.to());
                if (move.is_promotion()) text += std::string("=") + kind_letter(move.promotion_kind());
                for (const std::string& written : {text, "P" + text, text + "!"}) {
                    const auto read = parse_san(position, written);
                    EXPECT_TRUE(!read || file_of(read->from()) == file_of(read->to()))
                        << to_fen(position) << ' ' << written;
                }
            }
            position.make(moves[random.below(moves.size())]);
        }
    }
}

// Any legal move with any annotations behind it is that move.
TEST(San, AnnotationsSayNothingAboutTheMove) {
    const std::vector<std::string> kMarks{
        "!",   "?",   "!!",  "??",  "!?",  "?!",   "+",    "#",  "++",   "=",   "+=",  "=+",  "+/=",
        "=/+", "+-",  "-+",  "+/-", "-/+", "+--",  "--+",  "~",  "\\/",  "/\\", "^",   "^^",  "N",
        "TN",  "D",   "ch",  "dbl", "ep",  "e.p.", "mate", "$1", "$146", "_|_", "<=>", "->",  "|^",
        "=/&", "(=)", "(!)", "±",   "∓",   "⩲",    "⩱",    "∞",  "→",    "↑",   "□",   "⟳",   "⌓",
        "‼",   "⁇",   "⁈",   "⁉",   "†",   "‡",    "–",    "∆",  "\xB1", "⇆⩲",  "=N",  "!+-", "+!?N"};
    for (const std::string& mark : kMarks) EXPECT_TRUE(is_annotation(mark)) << mark;
    for (const char* move :
         {"e4", "Nf3", "O-O", "0-0", "e8=Q", "Q", "♘", "5", "x", "\xE1", "$", "…d5", "Nd5"})
        EXPECT_FALSE(is_annotation(move)) << move;

    const char* const kPromoting = "r1n1k2r/1P6/3P4/4Pp2/3B4/8/6p1/R3K2R w KQkq f6 0 1";
    base::Random random(7);
    for (int game = 0; game < 60; ++game) {
        Position position = game % 2 == 0 ? Position() : position_of(kPromoting);
        for (int ply = 0; ply < 80 && has_legal_move(position); ++ply) {
            const MoveList moves = legal_moves(position);
            for (const Move move : moves) {
                std::string text = to_san(position, move);
                for (std::uint64_t i = 1 + random.below(3); i > 0; --i)
                    text += kMarks[random.below(kMarks.size())];
                const auto read = parse_san(position, text);
                ASSERT_TRUE(read.has_value()) << read.error().message;
                EXPECT_EQ(*read, move) << to_fen(position) << ' ' << text;
            }
            position.make(moves[random.below(moves.size())]);
        }
    }
}

TEST(San, BIsTheFileAndNotTheBishop) {
    const Position position = position_of("4k3/8/8/2p5/1P6/B7/8/4K3 w - - 0 1");
    EXPECT_EQ(to_uci(parse_san(position, "bxc5").value()), "b4c5");
    EXPECT_FALSE(parse_san(position, "Bxc5").has_value());
}

TEST(San, RefusesWithTheReason) {
    const Position start;
    const Position rooks = position_of("4k3/8/8/8/8/8/4K3/R6R w - - 0 1");
    const Position promoting = position_of("8/P6k/8/8/8/8/8/K7 w - - 0 1");
    const auto refused = [](const Position& position, const char* text, const char* reason) {
        const auto move = parse_san(position, text);
        ASSERT_FALSE(move.has_value()) << text;
        EXPECT_NE(move.error().message.find(reason), std::string::npos)
            << text << ": " << move.error().message;
    };
    refused(start, "", "expected a move such as");
    refused(start, "!", "expected a move such as");
    refused(start, "N", "expected a move such as");
    refused(start, "Zf3", "expected a move such as");
    refused(start, "Nf9", "expected a move such as");
    refused(start, "hello", "expected a move such as");
    refused(start, "Nf3Nf3", "expected a move such as");
    refused(start, "e5", "not legal");
    refused(start, "Ke2", "not legal");
    refused(start, "O-O", "not legal");
    refused(start, "O-O-O-O", "expected O-O or O-O-O");
    refused(start, "e4=Q", "not legal");
    refused(rooks, "Rd1", "ambiguous");
    refused(promoting, "a8", "not legal");
    refused(promoting, "a8=K", "expected a move such as");
    refused(promoting, "a8=P", "expected a move such as");
}

}  // namespace
}  // namespace scholar::chess
