// What convolutional networks see, square by square.

#include "nets/conv/planes.hpp"

#include <bit>
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "chess/attacks.hpp"
#include "chess/fen.hpp"
#include "chess/movegen.hpp"
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
    encode_planes(layout, line, {}, std::span(planes));
    // The long form says the same.
    std::vector<float> numbers(planes.size() * kPlaneSquares);
    encode_planes(layout, line, {}, std::span(numbers));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const Plane& plane = planes[i / kPlaneSquares];
        float expected = 0;
        if ((plane.squares >> i % kPlaneSquares & 1) != 0) expected = plane.value;
        if ((plane.negative >> i % kPlaneSquares & 1) != 0) expected = -plane.value;
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
        EXPECT_EQ(find_planes_input(to_string(layout)), layout);
    EXPECT_FALSE(find_planes_input("lc0-113"));
}

TEST(Planes, ShowSixPlanesWithSigns) {
    const auto planes = planes_of(PlanesLayout::Board6, line_of("", {"e2e4", "d7d5", "e4d5"}));
    ASSERT_EQ(planes.size(), 6U);
    EXPECT_EQ(planes[0].squares, 0xFF00ULL & ~bit(D2));  // Black's own pawns, d7 gone
    EXPECT_EQ(planes[0].negative, (0xFF000000000000ULL & ~bit(E7)) | bit(D4));
    EXPECT_EQ(planes[0].at(D4), -1);
    EXPECT_EQ(planes[5].squares, bit(E1));
    EXPECT_EQ(planes_of(PlanesLayout::Board12, line_of("", {"e2e4"})).size(), 12U);
}

// One of thirteen on each square.
TEST(Planes, ShowThirteenThatShareTheBoard) {
    const auto planes = planes_of(PlanesLayout::Board13, line_of("", {"e2e4", "d7d5", "e4d5"}));
    ASSERT_EQ(planes.size(), 13U);
    std::uint64_t all = 0;
    for (const Plane& plane : planes) {
        EXPECT_EQ(all & plane.squares, 0U);
        all |= plane.squares;
    }
    EXPECT_EQ(all, ~std::uint64_t{0});
    EXPECT_EQ(std::popcount(planes[12].squares), 64 - 31);
}

TEST(Planes, NameTheirLayers) {
    const std::string all = "board-12+last-move+attacks+threats+rating+outcome+piece";
    const auto input = find_planes_input(all);
    ASSERT_TRUE(input);
    EXPECT_EQ(to_string(*input), all);
    EXPECT_EQ(plane_count(*input), 12 + 2 + 12 + 11 + 1 + 1 + 1);
    EXPECT_EQ(to_string(*find_planes_input("board-6+rating+last-move")), "board-6+last-move+rating");
    for (const char* wrong : {"", "board-7", "board-6+", "board-6+rating+rating", "board-6+x", "+rating"})
        EXPECT_FALSE(find_planes_input(wrong)) << wrong;
    EXPECT_TRUE(reads_of(*find_planes_input("board-18+attacks+rating")).position_alone());
    EXPECT_FALSE(reads_of(*find_planes_input("board-18+last-move")).position_alone());
}

TEST(Planes, ShowWhatIsKnownOfTheGame) {
    PlanesInput input(PlanesLayout::Board6,
                      {.last_move = true, .rating = true, .outcome = true, .piece = true});
    input.rating_least = 1'000;
    input.rating_most = 2'000;
    PlaneContext context;
    context.last_move = {bit(G1), bit(F3)};
    context.rating = rating_plane(input, 1'750);
    context.outcome = 0;
    context.piece = D7;
    std::vector<Plane> planes(static_cast<std::size_t>(plane_count(input)));
    encode_planes(input, line_of("", {"g1f3"}), context, std::span(planes));
    EXPECT_EQ(planes[6].squares, bit(G8));  // as Black sees them
    EXPECT_EQ(planes[7].squares, bit(F6));
    EXPECT_EQ(planes[8].squares, kEverywhere);
    EXPECT_EQ(planes[8].value, 0.75F);
    EXPECT_EQ(planes[9].squares, 0U);
    EXPECT_EQ(planes[10].squares, bit(D2));
    EXPECT_EQ(rating_plane(input, 0), -1);
    EXPECT_EQ(rating_plane(input, 9'000), 1.5F);
}

// Of every move of random games, castling, promotions and en passant among them: what the move itself says is
// what the boards before and after it say.
TEST(Planes, TraceMovesAlikeFromMovesAndBoards) {
    base::Random random(9);
    int castlings = 0;
    for (int game = 0; game < 60; ++game) {
        Line line(game % 2 == 0 ? Position()
                                : *parse_fen("r3k2r/pppqbppp/8/8/8/8/PPPQBPPP/R3K2R w KQkq - 0 1"));
        EXPECT_EQ(last_traces(line), MoveTraces{});
        for (int ply = 0; ply < 120; ++ply) {
            const MoveList moves = legal_moves(line.current());
            if (moves.empty()) break;
            const Move move = moves[static_cast<int>(random.below(static_cast<std::uint64_t>(moves.size())))];
            const Color mover = line.current().side_to_move();
            line.push(move);
            castlings += move.is_castling() ? 1 : 0;
            ASSERT_EQ(last_traces(line), traces_of(move, mover));
        }
    }
    EXPECT_GT(castlings, 0);
}

// Against what each square sees by itself: who attacks it, moved one at a time.
TEST(Planes, ShowAttacksAndThreats) {
    const PlanesInput input(PlanesLayout::Board6, {.attacks = true, .threats = true});
    base::Random random(10);
    Line line;
    for (int ply = 0; ply < 200; ++ply) {
        const Position& position = line.current();
        const Color us = position.side_to_move();
        std::vector<float> planes(static_cast<std::size_t>(plane_count(input)) * kPlaneSquares);
        encode_planes(input, line, {}, std::span(planes));
        const auto shown = [&](int plane, Square square) {
            return planes[static_cast<std::size_t>(plane) * kPlaneSquares +
                          static_cast<std::size_t>(relative_square(us, square))] == 1;
        };
        for (int index = 0; index < 64; ++index) {
            const auto square = static_cast<Square>(index);
            const Bitboard attackers = position.attackers(square, position.occupied());
            for (const Color color : {us, ~us}) {
                const int side = color == us ? 0 : 1;
                for (const PieceKind kind : kPieceKinds)
                    ASSERT_EQ(shown(6 + 6 * side + kind, square),
                              (attackers & position.pieces(color, kind)) != 0);
                ASSERT_EQ(shown(18 + side, square), popcount(attackers & position.pieces(color)) > 1);
                const Bitboard enemies = attackers & position.pieces(~color);
                const bool stands =
                    (position.pieces(color) & bit(square)) != 0 && kind_of(position.piece_on(square)) != King;
                const auto cost = [&](Square of) {
                    constexpr std::array costs{1, 3, 3, 5, 9, 100};
                    return costs.at(kind_of(position.piece_on(of)));
                };
                bool lost = enemies != 0 && (attackers & position.pieces(color)) == 0;
                for (const Square enemy : chess::squares(enemies))
                    lost = lost || (stands && cost(enemy) < cost(square));
                ASSERT_EQ(shown(27 + side, square), stands && lost) << ply << " " << index;
            }
        }
        // Where a man of a kind would check: put him there, where nobody or an enemy stands.
        for (int index = 0; index < 64; ++index) {
            const auto square = static_cast<Square>(index);
            if ((position.pieces(us) & bit(square)) != 0 || square == position.king(~us)) continue;
            for (const PieceKind kind : {Pawn, Knight, Bishop, Rook, Queen}) {
                if (kind == Pawn && (rank_of(square) == 0 || rank_of(square) == 7)) continue;
                const Bitboard seen = attacks_from(kind, us, square, position.occupied() | bit(square));
                ASSERT_EQ(shown(20 + kind, square), (seen & bit(position.king(~us))) != 0);
            }
        }
        // Who shields his king: without him a slider would attack that had not.
        for (const Color color : {us, ~us})
            for (const Square man : chess::squares(position.pieces(color))) {
                const Square king = position.king(color);
                const Bitboard before = position.attackers(king, position.occupied());
                const Bitboard without = position.attackers(king, position.occupied() & ~bit(man));
                const bool shields = man != king && ((without & ~before) & position.pieces(~color)) != 0;
                ASSERT_EQ(shown(25 + (color == us ? 0 : 1), man), shields) << ply;
            }
        const MoveList moves = legal_moves(position);
        if (moves.empty()) break;
        line.push(moves[static_cast<int>(random.below(static_cast<std::uint64_t>(moves.size())))]);
    }
}

}  // namespace
}  // namespace scholar::nets
