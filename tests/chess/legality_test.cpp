#include "chess/legality.hpp"

#include <gtest/gtest.h>

#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "chess/uci_move.hpp"
#include "perft_file.hpp"
#include "start_position.hpp"

namespace scholar::chess {
namespace {

struct LegalCase {
    const char* name;
    const char* fen;
    Move move;
    bool legal;
};

class IsLegal : public testing::TestWithParam<LegalCase> {};

TEST_P(IsLegal, ByTheRules) {
    EXPECT_EQ(is_legal(parse_fen(GetParam().fen).value(), GetParam().move), GetParam().legal);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, IsLegal,
    testing::Values(
        LegalCase{"Pawn", kStart, Move(E2, E4), true}, LegalCase{"ThreeSteps", kStart, Move(E2, E5), false},
        LegalCase{"NoMove", kStart, Move::none(), false},
        LegalCase{"EmptySquare", kStart, Move(E4, E5), false},
        LegalCase{"TheOtherSide", kStart, Move(E7, E5), false},
        LegalCase{"OwnPiece", kStart, Move(A1, A2), false}, LegalCase{"Through", kStart, Move(A1, A4), false},
        LegalCase{"Knight", kStart, Move(G1, F3), true},
        LegalCase{"KnightWithAFlag", kStart, Move(G1, F3, Move::EnPassant), false},
        LegalCase{"KnightPromotes", kStart, Move::promotion(G1, F3, Queen), false},
        LegalCase{"NoSuchKindOfMove", kStart, Move::from_bits(Move(E2, E4).bits() | 0x3000), false},
        LegalCase{"PawnCapturesNothing", kStart, Move(E2, D3), false},
        LegalCase{"CastlingThroughPieces", kStart, Move(E1, H1, Move::Castling), false},
        LegalCase{"PromotionTooSoon", kStart, Move::promotion(E2, E3, Queen), false},
        LegalCase{"Promotion", "8/P6k/8/8/8/8/8/K7 w - - 0 1", Move::promotion(A7, A8, Rook), true},
        LegalCase{"NoPromotion", "8/P6k/8/8/8/8/8/K7 w - - 0 1", Move(A7, A8), false},
        LegalCase{"BlockedDoubleStep", "4k3/8/8/8/8/4p3/4P3/4K3 w - - 0 1", Move(E2, E4), false},
        LegalCase{"DoubleStepOntoAPiece", "4k3/8/8/8/4p3/8/4P3/4K3 w - - 0 1", Move(E2, E4), false},
        LegalCase{"Pinned", "4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", Move(E2, C3), false},
        LegalCase{"PinnedAlongTheLine", "4r1k1/8/8/8/8/8/4R3/4K3 w - - 0 1", Move(E2, E8), true},
        LegalCase{"CheckIgnored", "4r1k1/8/8/8/8/8/P7/4K3 w - - 0 1", Move(A2, A3), false},
        LegalCase{"CheckBlocked", "4r1k1/8/8/8/8/8/3N4/4K3 w - - 0 1", Move(D2, E4), true},
        LegalCase{"CheckerTaken", "4r1k1/8/8/8/8/8/8/K3R3 w - - 0 1", Move(E1, E8), true},
        LegalCase{"DoubleCheckNotBlocked", "4r1k1/8/8/8/8/5n2/3N4/4K3 w - - 0 1", Move(D2, F3), false},
        LegalCase{"KingAlongTheCheck", "4r1k1/8/8/8/8/8/4K3/8 w - - 0 1", Move(E2, E1), false},
        LegalCase{"KingTakesDefended", "6k1/8/8/8/8/5p2/4p3/4K3 w - - 0 1", Move(E1, E2), false},
        LegalCase{"Castling", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", Move(E1, H1, Move::Castling), true},
        LegalCase{"CastlingAsAPlainMove", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", Move(E1, H1), false},
        LegalCase{"CastlingWithTwoSteps", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", Move(E1, G1), false},
        LegalCase{"CastlingNoRight", "4k3/8/8/8/8/8/8/4K2R w - - 0 1", Move(E1, H1, Move::Castling), false},
        LegalCase{"CastlingInCheck", "4r1k1/8/8/8/8/8/8/4K2R w K - 0 1", Move(E1, H1, Move::Castling), false},
        LegalCase{"CastlingThroughCheck", "5rk1/8/8/8/8/8/8/4K2R w K - 0 1", Move(E1, H1, Move::Castling),
                  false},
        LegalCase{"CastlingIntoCheck", "k5r1/8/8/8/8/8/8/4K2R w K - 0 1", Move(E1, H1, Move::Castling),
                  false},
        LegalCase{"CastlingRookAttacked", "4k2r/8/8/8/8/8/8/4K2R w K - 0 1", Move(E1, H1, Move::Castling),
                  true},
        LegalCase{"CastlingUncoversTheKing", "4k3/8/8/8/8/8/8/rR2K3 w B - 0 1", Move(E1, B1, Move::Castling),
                  false},
        LegalCase{"EnPassant", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", Move(E5, D6, Move::EnPassant), true},
        LegalCase{"EnPassantAsAPlainMove", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", Move(E5, D6), false},
        LegalCase{"EnPassantElsewhere", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", Move(E5, F6, Move::EnPassant),
                  false},
        LegalCase{"EnPassantTooLate", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", Move(E5, D6, Move::EnPassant),
                  false},
        LegalCase{"EnPassantOpensTheRank", "4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1", Move(E5, D6, Move::EnPassant),
                  false},
        LegalCase{"EnPassantTakesTheChecker", "8/8/8/3pP3/2K5/8/8/4k3 w - d6 0 1",
                  Move(E5, D6, Move::EnPassant), true}),
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
