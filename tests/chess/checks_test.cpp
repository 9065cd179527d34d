#include "chess/checks.hpp"

#include <gtest/gtest.h>

#include "chess/fen.hpp"
#include "chess/uci_move.hpp"

namespace scholar::chess {
namespace {

struct CheckCase {
    const char* name;
    const char* fen;
    const char* move;
    bool check;
};

class GivesCheck : public testing::TestWithParam<CheckCase> {};

TEST_P(GivesCheck, WithoutMakingTheMove) {
    const Position position = parse_fen(GetParam().fen).value();
    const Move move = parse_uci_move(position, GetParam().move).value();
    EXPECT_EQ(gives_check(position, move), GetParam().check);
    EXPECT_EQ(gives_check(position, find_check_squares(position), move), GetParam().check);
    EXPECT_EQ(position.after(move).in_check(), GetParam().check);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, GivesCheck,
    testing::Values(
        CheckCase{"Rook", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", true},
        CheckCase{"RookBlocked", "1n2k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", false},
        CheckCase{"BlackKnight", "4k3/8/8/3n4/8/8/8/4K3 b - - 0 1", "d5c3", false},
        CheckCase{"BlackKnightChecks", "4k3/8/8/3n4/8/8/8/6K1 b - - 0 1", "d5e3", false},
        CheckCase{"BlackKnightAtLast", "4k3/8/8/8/3n4/8/8/6K1 b - - 0 1", "d4e2", true},
        CheckCase{"Pawn", "8/4k3/8/3P4/8/8/8/4K3 w - - 0 1", "d5d6", true},
        CheckCase{"PawnBeside", "8/3k4/8/3P4/8/8/8/4K3 w - - 0 1", "d5d6", false},
        CheckCase{"DoubleStep", "8/8/8/4k3/8/8/3P4/4K3 w - - 0 1", "d2d4", true},
        CheckCase{"Discovered", "4k3/8/8/8/8/4N3/8/K3R3 w - - 0 1", "e3c4", true},
        CheckCase{"DiscoveredByTheKing", "4k3/8/8/8/8/4K3/8/4R3 w - - 0 1", "e3d3", true},
        CheckCase{"KingStaysOnTheLine", "4k3/8/8/8/8/4K3/8/4R3 w - - 0 1", "e3e4", false},
        CheckCase{"PawnStaysOnTheLine", "4k3/8/8/8/8/4P3/8/K3R3 w - - 0 1", "e3e4", false},
        CheckCase{"PawnLeavesTheLine", "4k3/8/8/8/3p4/4P3/8/K3R3 w - - 0 1", "e3d4", true},
        CheckCase{"TwoInBetween", "4k3/8/4p3/8/8/4N3/8/K3R3 w - - 0 1", "e3c4", false},
        CheckCase{"Promotion", "8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8b", false},
        CheckCase{"PromotionToAKnight", "8/P7/1k6/8/8/8/8/K7 w - - 0 1", "a7a8n", true},
        CheckCase{"PromotionToAQueen", "8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8q", false},
        // The pawn itself stood between its promotion square and the king.
        CheckCase{"PromotionLooksBack", "8/P7/8/8/8/k7/8/2K5 w - - 0 1", "a7a8r", true},
        CheckCase{"CapturingPromotion", "1n1k4/P7/8/8/8/8/8/K7 w - - 0 1", "a7b8q", true},
        CheckCase{"CastlingRook", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", true},
        CheckCase{"CastlingLong", "3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", true},
        CheckCase{"CastlingWithoutCheck", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", false},
        // Chess960: king and rook both leave b1 and c1; the queen on a1 then looks along the rank.
        CheckCase{"CastlingRookBehindTheKing", "8/8/8/8/8/8/8/RK3k2 w A - 0 1", "b1a1", true},
        CheckCase{"CastlingUncoversTheRank", "8/8/8/8/8/8/8/QRK4k w B - 0 1", "c1b1", true},
        CheckCase{"EnPassantByThePawn", "8/4k3/8/2pP4/8/8/8/4K3 w - c6 0 1", "d5c6", false},
        CheckCase{"EnPassantPawnChecks", "8/3k4/8/2pP4/8/8/8/4K3 w - c6 0 1", "d5c6", true},
        // Both pawns leave the fifth rank.
        CheckCase{"EnPassantOpensTheRank", "8/8/8/R1pP3k/8/8/8/4K3 w - c6 0 1", "d5c6", true},
        // The pawn taken stood between bishop and king.
        CheckCase{"EnPassantOpensTheDiagonal", "8/8/1k6/2pP4/8/8/5B2/4K3 w - c6 0 1", "d5c6", true}),
    [](const auto& one) { return std::string(one.param.name); });

TEST(CheckSquares, OfEachKind) {
    const CheckSquares found = find_check_squares(parse_fen("7k/8/8/8/8/8/4R2B/K6R w - - 0 1").value());
    EXPECT_EQ(found.king, H8);
    EXPECT_EQ(found.by_kind[Pawn], bit(G7));
    EXPECT_EQ(found.by_kind[Knight], bit(F7) | bit(G6));
    EXPECT_EQ(found.by_kind[King], 0U);
    EXPECT_EQ(found.by_kind[Queen], found.by_kind[Bishop] | found.by_kind[Rook]);
    EXPECT_EQ(found.discoverers, bit(H2));
}

}  // namespace
}  // namespace scholar::chess
