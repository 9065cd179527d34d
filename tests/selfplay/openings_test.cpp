#include "selfplay/openings.hpp"

#include <bit>
#include <gtest/gtest.h>

#include "chess/fen.hpp"

namespace scholar::selfplay {
namespace {

TEST(Openings, AreMovesByLotThatDoNotEndTheGame) {
    base::Random random(1);
    for (int i = 0; i < 200; ++i) {
        const Opening opening = random_opening(chess::Position(), 8, random);
        ASSERT_EQ(opening.moves.size(), 8U);
        chess::Position position;
        for (const chess::Move move : opening.moves) position.make(move);
        EXPECT_EQ(position.key(), opening.line.current().key());
        EXPECT_EQ(opening.line.terminal(), chess::Terminal::None);
    }
    // Every move mates: the start alone.
    const auto mate_in_one = chess::parse_fen("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1");
    ASSERT_TRUE(mate_in_one);
    EXPECT_EQ(random_opening(*mate_in_one, 0, random).line.ply(), 0);
}

TEST(Openings, LoseOnePieceButNoKing) {
    base::Random random(2);
    int found = 0;
    std::array<int, 6> kinds{};
    for (int i = 0; i < 500; ++i) {
        const chess::Position before = random_opening(chess::Position(), 9, random).line.current();
        const auto after = unbalanced(before, random);
        if (!after) continue;
        ++found;
        const chess::Bitboard gone = before.occupied() & ~after->occupied();
        ASSERT_EQ(std::popcount(gone), 1);
        EXPECT_EQ(after->occupied() & ~before.occupied(), 0U);
        EXPECT_EQ(after->side_to_move(), before.side_to_move());
        for (const chess::Square square : chess::squares(after->occupied()))
            EXPECT_EQ(after->piece_on(square), before.piece_on(square));
        for (const chess::Square square : chess::squares(gone))
            ++kinds[static_cast<std::size_t>(chess::kind_of(before.piece_on(square)))];
        // It is a position that can be written and read again.
        EXPECT_TRUE(chess::parse_fen(chess::to_fen(*after)));
    }
    EXPECT_GT(found, 400);
    EXPECT_EQ(kinds[chess::King], 0);
    for (const chess::PieceKind kind : {chess::Pawn, chess::Knight, chess::Bishop, chess::Rook, chess::Queen})
        EXPECT_GT(kinds[kind], 0);
}

TEST(Openings, KeepNoRightToCastleWithARookThatIsGone) {
    base::Random random(3);
    const auto position = chess::parse_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    ASSERT_TRUE(position);
    for (int i = 0; i < 20; ++i) {
        const auto after = unbalanced(*position, random);
        EXPECT_TRUE(!after || after->castling_rights() == 0);
    }
    const auto bare = chess::parse_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    ASSERT_TRUE(bare);
    EXPECT_FALSE(unbalanced(*bare, random));
}

}  // namespace
}  // namespace scholar::selfplay
