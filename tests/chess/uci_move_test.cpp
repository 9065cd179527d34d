#include "chess/uci_move.hpp"

#include <gtest/gtest.h>

#include "chess/fen.hpp"

namespace scholar::chess {
namespace {

TEST(UciMove, Writing) {
    EXPECT_EQ(to_uci(Move(E2, E4)), "e2e4");
    EXPECT_EQ(to_uci(Move::promotion(E7, D8, Knight)), "e7d8n");
    EXPECT_EQ(to_uci(Move::promotion(A2, A1, Queen)), "a2a1q");
    EXPECT_EQ(to_uci(Move(E1, H1, Move::Castling)), "e1g1");
    EXPECT_EQ(to_uci(Move(E8, A8, Move::Castling)), "e8c8");
    EXPECT_EQ(to_uci(Move(E1, H1, Move::Castling), CastlingNotation::Chess960), "e1h1");
    EXPECT_EQ(to_uci(Move::none()), "0000");
}

TEST(UciMove, CastlingIsReadInBothNotations) {
    const Position position = parse_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").value();
    for (const char* text : {"e1g1", "e1h1"})
        EXPECT_EQ(parse_uci_move(position, text).value(), Move(E1, H1, Move::Castling));
    for (const char* text : {"e1c1", "e1a1"})
        EXPECT_EQ(parse_uci_move(position, text).value(), Move(E1, A1, Move::Castling));
    // Beside the castling rook's square the king's own step stays what it is.
    EXPECT_EQ(parse_uci_move(position, "e1f1").value(), Move(E1, F1));
    const Position near = parse_fen("4k3/8/8/8/8/8/8/5K1R w H - 0 1").value();
    EXPECT_EQ(parse_uci_move(near, "f1g1").value(), Move(F1, G1));
    EXPECT_EQ(parse_uci_move(near, "f1h1").value(), Move(F1, H1, Move::Castling));
}

// King b1, rook a1: castling long ends on c1, one step from b1, so only "king takes rook" can say it.
TEST(UciMove, InChess960KingTakesRookInBothNotations) {
    const Position position = parse_fen("4k3/8/8/8/8/8/8/RK6 w A - 0 1").value();
    const Move castling(B1, A1, Move::Castling);
    for (const auto notation : {CastlingNotation::Standard, CastlingNotation::Chess960})
        EXPECT_EQ(to_uci(castling, notation), "b1a1");
    EXPECT_EQ(parse_uci_move(position, "b1a1").value(), castling);
    EXPECT_EQ(parse_uci_move(position, "b1c1").value(), Move(B1, C1));
    // King e1, rook g1: e1g1 is the rook's square and the king's target at once.
    const Position near = parse_fen("4k3/8/8/8/8/8/8/4K1R1 w G - 0 1").value();
    EXPECT_EQ(parse_uci_move(near, "e1g1").value(), Move(E1, G1, Move::Castling));
    EXPECT_EQ(parse_uci_move(near, "e1f1").value(), Move(E1, F1));
}

TEST(UciMove, Refusals) {
    const Position start;
    for (const char* text : {"", "e2", "e2e", "e2e9", "e2e4qq", "0000", "Nf3", "e2-e4"})
        EXPECT_NE(parse_uci_move(start, text).error().message.find("expected a move such as"),
                  std::string::npos)
            << text;
    for (const char* text : {"e2e5", "e1g1", "e7e5", "e2e4q"})
        EXPECT_NE(parse_uci_move(start, text).error().message.find("not legal"), std::string::npos) << text;
    const Position promoting = parse_fen("8/P6k/8/8/8/8/8/K7 w - - 0 1").value();
    for (const char* text : {"a7a8", "a7a8k", "a7a8p", "a7a8Q"})
        EXPECT_FALSE(parse_uci_move(promoting, text).has_value()) << text;
}

}  // namespace
}  // namespace scholar::chess
