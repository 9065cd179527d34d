#include "chess/legality.hpp"

#include <gtest/gtest.h>

#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "chess/uci_move.hpp"
#include "perft_file.hpp"

namespace scholar::chess {
namespace {

struct Case {
    const char* name;
    const char* fen;
    Move move;
    bool legal;
};

class IsLegal : public testing::TestWithParam<Case> {};

TEST_P(IsLegal, ByTheRules) {
    EXPECT_EQ(is_legal(parse_fen(GetParam().fen).value(), GetParam().move), GetParam().legal);
}

constexpr const char* kStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

INSTANTIATE_TEST_SUITE_P(
    Cases, IsLegal,
    testing::Values(
        Case{"Pawn", kStart, Move(E2, E4), true}, Case{"ThreeSteps", kStart, Move(E2, E5), false},
        Case{"NoMove", kStart, Move::none(), false}, Case{"EmptySquare", kStart, Move(E4, E5), false},
        Case{"TheOtherSide", kStart, Move(E7, E5), false}, Case{"OwnPiece", kStart, Move(A1, A2), false},
        Case{"Through", kStart, Move(A1, A4), false}, Case{"Knight", kStart, Move(G1, F3), true},
        Case{"KnightWithAFlag", kStart, Move(G1, F3, Move::EnPassant), false},
        Case{"KnightPromotes", kStart, Move::promotion(G1, F3, Queen), false},
        Case{"NoSuchKindOfMove", kStart, Move::from_bits(Move(E2, E4).bits() | 0x3000), false},
        Case{"PawnCapturesNothing", kStart, Move(E2, D3), false},
        Case{"CastlingThroughPieces", kStart, Move(E1, H1, Move::Castling), false},
        Case{"PromotionTooSoon", kStart, Move::promotion(E2, E3, Queen), false},
        Case{"Promotion", "8/P6k/8/8/8/8/8/K7 w - - 0 1", Move::promotion(A7, A8, Rook), true},
        Case{"NoPromotion", "8/P6k/8/8/8/8/8/K7 w - - 0 1", Move(A7, A8), false},
        Case{"BlockedDoubleStep", "4k3/8/8/8/8/4p3/4P3/4K3 w - - 0 1", Move(E2, E4), false},
        Case{"DoubleStepOntoAPiece", "4k3/8/8/8/4p3/8/4P3/4K3 w - - 0 1", Move(E2, E4), false},
        Case{"Pinned", "4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", Move(E2, C3), false},
        Case{"PinnedAlongTheLine", "4r1k1/8/8/8/8/8/4R3/4K3 w - - 0 1", Move(E2, E8), true},
        Case{"CheckIgnored", "4r1k1/8/8/8/8/8/P7/4K3 w - - 0 1", Move(A2, A3), false},
        Case{"CheckBlocked", "4r1k1/8/8/8/8/8/3N4/4K3 w - - 0 1", Move(D2, E4), true},
        Case{"CheckerTaken", "4r1k1/8/8/8/8/8/8/K3R3 w - - 0 1", Move(E1, E8), true},
        Case{"DoubleCheckNotBlocked", "4r1k1/8/8/8/8/5n2/3N4/4K3 w - - 0 1", Move(D2, F3), false},
        Case{"KingAlongTheCheck", "4r1k1/8/8/8/8/8/4K3/8 w - - 0 1", Move(E2, E1), false},
        Case{"KingTakesDefended", "6k1/8/8/8/8/5p2/4p3/4K3 w - - 0 1", Move(E1, E2), false},
        Case{"Castling", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", Move(E1, H1, Move::Castling), true},
        Case{"CastlingAsAPlainMove", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", Move(E1, H1), false},
        Case{"CastlingWithTwoSteps", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", Move(E1, G1), false},
        Case{"CastlingNoRight", "4k3/8/8/8/8/8/8/4K2R w - - 0 1", Move(E1, H1, Move::Castling), false},
        Case{"CastlingInCheck", "4r1k1/8/8/8/8/8/8/4K2R w K - 0 1", Move(E1, H1, Move::Castling), false},
        Case{"CastlingThroughCheck", "5rk1/8/8/8/8/8/8/4K2R w K - 0 1", Move(E1, H1, Move::Castling), false},
        Case{"CastlingIntoCheck", "k5r1/8/8/8/8/8/8/4K2R w K - 0 1", Move(E1, H1, Move::Castling), false},
        Case{"CastlingRookAttacked", "4k2r/8/8/8/8/8/8/4K2R w K - 0 1", Move(E1, H1, Move::Castling), true},
        Case{"CastlingUncoversTheKing", "4k3/8/8/8/8/8/8/rR2K3 w B - 0 1", Move(E1, B1, Move::Castling),
             false},
        Case{"EnPassant", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", Move(E5, D6, Move::EnPassant), true},
        Case{"EnPassantAsAPlainMove", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", Move(E5, D6), false},
        Case{"EnPassantElsewhere", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", Move(E5, F6, Move::EnPassant), false},
        Case{"EnPassantTooLate", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", Move(E5, D6, Move::EnPassant), false},
        Case{"EnPassantOpensTheRank", "4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1", Move(E5, D6, Move::EnPassant),
             false},
        Case{"EnPassantTakesTheChecker", "8/8/8/3pP3/2K5/8/8/4k3 w - d6 0 1", Move(E5, D6, Move::EnPassant),
             true}),
    [](const auto& one) { return std::string(one.param.name); });

class LegalityOfAll : public testing::TestWithParam<tests::PerftCase> {};

TEST_P(LegalityOfAll, AgreesWithGenerationOverAll65536) {
    const auto agrees = [](const Position& position) {
        const MoveList moves = legal_moves(position);
        for (unsigned bits = 0; bits < 65'536; ++bits) {
            const Move move = Move::from_bits(static_cast<std::uint16_t>(bits));
            ASSERT_EQ(is_legal(position, move), moves.contains(move))
                << to_fen(position) << ' ' << to_uci(move) << " bits " << bits;
        }
    };
    agrees(GetParam().position);
    for (const Move move : legal_moves(GetParam().position)) agrees(GetParam().position.after(move));
}

INSTANTIATE_TEST_SUITE_P(Positions, LegalityOfAll, testing::ValuesIn(tests::shipped_perft_cases()),
                         [](const auto& one) { return tests::test_name(one.param.id); });

}  // namespace
}  // namespace scholar::chess
