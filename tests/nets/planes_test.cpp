// What convolutional networks see, square by square.

#include "nets/conv/planes.hpp"

#include <gtest/gtest.h>

#include "chess/fen.hpp"
#include "chess/uci_move.hpp"

namespace scholar::nets {
namespace {

using namespace chess;

Line line_of(const std::string& fen, const std::vector<std::string>& moves) {
    Line line(fen.empty() ? Position() : *parse_fen(fen));
    for (const std::string& move : moves) line.push(*parse_uci_move(line.current(), move));
    return line;
}

std::vector<Plane> planes_of(PlanesLayout layout, const Line& line) {
    std::vector<Plane> planes(static_cast<std::size_t>(plane_count(layout)));
    encode_planes(layout, line, std::span(planes));
    // The long form says the same.
    std::vector<float> numbers(planes.size() * kPlaneSquares);
    encode_planes(layout, line, std::span(numbers));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const Plane& plane = planes[i / kPlaneSquares];
        const float expected = (plane.squares >> i % kPlaneSquares & 1) != 0 ? plane.value : 0;
        EXPECT_EQ(numbers[i], expected) << i;
    }
    return planes;
}

constexpr std::uint64_t kEverywhere = ~std::uint64_t{0};

TEST(Planes, ShowOneBoardFromTheSideToMove) {
    // 1.e4 d5 2.e5 f5: en passant at f6. Black's king has moved before that in another game.
    const auto white = planes_of(PlanesLayout::Board18, line_of("", {"e2e4", "d7d5", "e4e5", "f7f5"}));
    ASSERT_EQ(white.size(), 18U);
    EXPECT_EQ(white[0].squares, (0xFF00ULL & ~bit(E2)) | bit(E5));
    EXPECT_EQ(white[5].squares, bit(E1));
    EXPECT_EQ(white[11].squares, bit(E8));
    for (const std::size_t right : {12, 13, 14, 15}) EXPECT_EQ(white[right].squares, kEverywhere);
    EXPECT_EQ(white[16].squares, bit(F6));
    EXPECT_EQ(white[17].squares, kEverywhere);
    EXPECT_EQ(white[17].value, 1);
    const auto black = planes_of(PlanesLayout::Board18, line_of("", {"e2e4", "e7e5", "e1e2"}));
    EXPECT_EQ(black[0].squares, (0xFF00ULL & ~bit(E2)) | bit(E4));  // Black's own pawns, e7e5 seen from Black
    EXPECT_EQ(black[11].squares, bit(E7));                          // White's king on e2
    EXPECT_EQ(black[12].squares, kEverywhere);
    EXPECT_EQ(black[14].squares, 0U);
    EXPECT_EQ(black[16].squares, 0U);
}

TEST(Planes, ShowEightBoardsTheNewestFirst) {
    const auto planes = planes_of(PlanesLayout::Lc0Classical112, line_of("", {"g1f3", "g8f6", "f3g1"}));
    ASSERT_EQ(planes.size(), 112U);
    const auto knights = [&](std::size_t board, bool own) {
        return planes[board * 13 + (own ? 1 : 7)].squares;
    };
    // Black is to move: its squares are seen from the other side.
    EXPECT_EQ(knights(0, true), bit(B1) | bit(F3));
    EXPECT_EQ(knights(1, true), bit(B1) | bit(F3));
    EXPECT_EQ(knights(2, true), bit(B1) | bit(G1));
    EXPECT_EQ(knights(0, false), bit(B8) | bit(G8));
    EXPECT_EQ(knights(1, false), bit(B8) | bit(F6));
    EXPECT_EQ(knights(3, false), bit(B8) | bit(G8));
    // Before the start position there is nothing.
    for (std::size_t plane = 4 * 13; plane < 104; ++plane) EXPECT_EQ(planes[plane].squares, 0U) << plane;
    for (const std::size_t right : {104, 105, 106, 107}) EXPECT_EQ(planes[right].squares, kEverywhere);
    EXPECT_EQ(planes[108].squares, kEverywhere);
    EXPECT_EQ(planes[109].value, 3);
    EXPECT_EQ(planes[110].squares, 0U);
    EXPECT_EQ(planes[111].squares, kEverywhere);
}

TEST(Planes, ShowWhatStoodOnTheBoardBefore) {
    const auto planes =
        planes_of(PlanesLayout::Lc0Classical112, line_of("", {"g1f3", "g8f6", "f3g1", "f6g8", "g1f3"}));
    EXPECT_EQ(planes[12].squares, kEverywhere);       // after 3.Nf3 as after 1.Nf3
    EXPECT_EQ(planes[13 + 12].squares, kEverywhere);  // after 2…Ng8 as at the start
    EXPECT_EQ(planes[2 * 13 + 12].squares, 0U);
}

TEST(Planes, RepeatTheFirstBoardWhereNothingIsKnownBefore) {
    // A queen's side right each, of which the classical input speaks first.
    const auto planes =
        planes_of(PlanesLayout::Lc0Classical112, line_of("r3k3/8/8/8/8/8/8/4K2R w Kq - 12 40", {}));
    for (std::size_t board = 0; board < 8; ++board) {
        EXPECT_EQ(planes[board * 13 + 3].squares, bit(H1)) << board;
        EXPECT_EQ(planes[board * 13 + 9].squares, bit(A8)) << board;
    }
    EXPECT_EQ(planes[104].squares, 0U);
    EXPECT_EQ(planes[105].squares, kEverywhere);
    EXPECT_EQ(planes[106].squares, kEverywhere);
    EXPECT_EQ(planes[107].squares, 0U);
    EXPECT_EQ(planes[108].squares, 0U);
    EXPECT_EQ(planes[109].value, 12);
    // En passant says what the last move was: before it the pawn stood on d7.
    const auto jumped =
        planes_of(PlanesLayout::Lc0Classical112, line_of("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", {}));
    EXPECT_EQ(jumped[6].squares, bit(D5));
    for (std::size_t board = 1; board < 8; ++board)
        EXPECT_EQ(jumped[board * 13 + 6].squares, bit(D7)) << board;
    // From Black's side after one more move, all the same boards.
    const auto later =
        planes_of(PlanesLayout::Lc0Classical112, line_of("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", {"e1e2"}));
    EXPECT_EQ(later[13].squares, bit(D4));
    for (std::size_t board = 2; board < 8; ++board) EXPECT_EQ(later[board * 13].squares, bit(D2)) << board;
}

TEST(Planes, SayWhatTheyRead) {
    EXPECT_TRUE(reads_of(PlanesLayout::Board18).position_alone());
    EXPECT_EQ(reads_of(PlanesLayout::Lc0Classical112), (Reads{8, true, true}));
    for (const PlanesLayout layout : {PlanesLayout::Board18, PlanesLayout::Lc0Classical112})
        EXPECT_EQ(find_planes_layout(to_string(layout)), layout);
    EXPECT_FALSE(find_planes_layout("lc0-113"));
}

}  // namespace
}  // namespace scholar::nets
