#include "chess/san.hpp"

#include <gtest/gtest.h>

#include "chess/fen.hpp"
#include "chess/uci_move.hpp"

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

struct Tolerated {
    const char* fen;
    const char* text;
    const char* san;
};

TEST(San, ReadsWhatPeopleWrite) {
    const char* start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const char* castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    const char* en_passant = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
    const char* promotion = "1n5k/P7/8/8/8/8/8/K7 w - - 0 1";
    const char* rook = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
    for (const auto& [fen, text, san] : {
             Tolerated{start, "Nf3!", "Nf3"},         Tolerated{start, "Nf3?!", "Nf3"},
             Tolerated{start, "Nf3+", "Nf3"},  // no check
             Tolerated{start, "Ng1-f3", "Nf3"},       Tolerated{start, "Ng1f3", "Nf3"},
             Tolerated{start, "Ngf3", "Nf3"},         Tolerated{start, "N1f3", "Nf3"},
             Tolerated{start, "g1f3", "Nf3"},         Tolerated{start, "e2-e4", "e4"},
             Tolerated{start, "e2e4", "e4"},          Tolerated{start, "Pe4", "e4"},
             Tolerated{castling, "O-O", "O-O"},       Tolerated{castling, "0-0", "O-O"},
             Tolerated{castling, "o-o", "O-O"},       Tolerated{castling, "0-0-0!", "O-O-O"},
             Tolerated{castling, "e1g1", "O-O"},      Tolerated{castling, "e1c1", "O-O-O"},
             Tolerated{castling, "e1h1", "O-O"},      Tolerated{en_passant, "exd6e.p.", "exd6"},
             Tolerated{en_passant, "ed6", "exd6"},    Tolerated{en_passant, "e5:d6", "exd6"},
             Tolerated{promotion, "a8Q", "a8=Q"},     Tolerated{promotion, "a8=q", "a8=Q"},
             Tolerated{promotion, "a8(Q)", "a8=Q"},   Tolerated{promotion, "a8/Q", "a8=Q"},
             Tolerated{promotion, "a7a8q", "a8=Q"},   Tolerated{promotion, "ab8=B", "axb8=B"},
             Tolerated{promotion, "a7b8n", "axb8=N"}, Tolerated{rook, "Ra8", "Ra8#"},  // mate not written
             Tolerated{rook, "Ra8+", "Ra8#"},         Tolerated{rook, "Ra8++!!", "Ra8#"},
         }) {
        const Position position = position_of(fen);
        const auto move = parse_san(position, text);
        ASSERT_TRUE(move.has_value()) << text << ": " << move.error().message;
        EXPECT_EQ(to_san(position, *move), san) << text;
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
