// Random games, standard and Chess960: whatever is played, the position stays whole and goes on agreeing with
// one that is set up afresh.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.hpp"
#include "chess/fen.hpp"
#include "chess/line.hpp"
#include "chess/move_index.hpp"
#include "chess/movegen.hpp"

namespace scholar::chess {
namespace {

// A Chess960 start position: bishops on both colours, the king between the rooks.
Position random_start(base::Random& random) {
    std::array<PieceKind, 8> back{};
    back.fill(NoKind);
    back[2 * random.below(4)] = Bishop;
    back[2 * random.below(4) + 1] = Bishop;
    const auto put_on_free = [&back](std::uint64_t place, PieceKind kind) {
        for (PieceKind& file : back)
            if (file == NoKind && place-- == 0) {
                file = kind;
                return;
            }
    };
    put_on_free(random.below(6), Queen);
    put_on_free(random.below(5), Knight);
    put_on_free(random.below(4), Knight);
    for (const PieceKind kind : {Rook, King, Rook}) put_on_free(0, kind);

    Setup setup;
    int rooks = 0;
    for (int file = 0; file < 8; ++file) {
        for (const Color color : kColors) {
            const int home = color == White ? 0 : 7;
            setup.board[make_square(file, home)] = make_piece(color, back[file]);
            setup.board[make_square(file, color == White ? 1 : 6)] = make_piece(color, Pawn);
            if (back[file] == Rook)
                setup.castling_rooks[castling_index(color, rooks == 0 ? QueenSide : KingSide)] =
                    make_square(file, home);
        }
        if (back[file] == Rook) ++rooks;
    }
    setup.castling_rights = 15;
    return Position::from_setup(setup).value();
}

// Material of each side can only shrink, but for promotions; kings stay.
void check_step(const Position& before, Move move, const Position& after) {
    RC_ASSERT(after.key() == after.fresh_key());
    RC_ASSERT(after.side_to_move() == ~before.side_to_move());
    RC_ASSERT(!after.is_attacked(after.king(before.side_to_move()), after.side_to_move(), after.occupied()));
    const int taken = before.is_capture(move) ? 1 : 0;
    RC_ASSERT(popcount(after.occupied()) == popcount(before.occupied()) - taken);
    RC_ASSERT(popcount(after.pieces(before.side_to_move())) ==
              popcount(before.pieces(before.side_to_move())));
    for (const Color color : kColors) RC_ASSERT(popcount(after.pieces(color, King)) == 1);
    Bitboard kinds = 0;
    for (const PieceKind kind : kPieceKinds) {
        RC_ASSERT((kinds & after.pieces(kind)) == 0U);
        kinds |= after.pieces(kind);
    }
    RC_ASSERT(kinds == after.occupied());
    RC_ASSERT((after.pieces(White) & after.pieces(Black)) == 0U);
    RC_ASSERT((after.castling_rights() & ~before.castling_rights()) == 0);
    const bool irreversible = taken != 0 || kind_of(before.piece_on(move.from())) == Pawn;
    RC_ASSERT(after.halfmove_clock() == (irreversible ? 0 : before.halfmove_clock() + 1));
    RC_ASSERT(after.fullmove_number() == before.fullmove_number() + (before.side_to_move() == Black ? 1 : 0));
    RC_ASSERT(Position::from_setup(after.setup()).value() == after);
    RC_ASSERT(parse_fen(to_fen(after)).value() == after);
    RC_ASSERT(count_legal_moves(after) == legal_moves(after).size());
}

void play_out(const Position& start, base::Random& random, int plies) {
    Line line(start);
    for (int ply = 0; ply < plies && line.terminal() == Terminal::None; ++ply) {
        const Position before = line.current();
        const MoveList moves = legal_moves(before);
        const Move move = moves[static_cast<int>(random.below(static_cast<std::uint64_t>(moves.size())))];
        const auto index = move_to_index(before, move);
        RC_ASSERT(index.has_value() && index_to_move(before, *index) == move);
        line.push(move);
        check_step(before, move, line.current());
    }
    while (line.ply() > 0) line.pop();
    RC_ASSERT(line.current() == start);
}

RC_GTEST_PROP(Playout, StandardGames, (std::uint64_t seed)) {
    base::Random random(seed);
    play_out(Position(), random, 300);
}

RC_GTEST_PROP(Playout, Chess960Games, (std::uint64_t seed)) {
    base::Random random(seed);
    play_out(random_start(random), random, 300);
}

// Two orders of the same moves meet in one position, and so in one key.
TEST(Playout, TranspositionsHaveOneKey) {
    const Position start;
    const Position one = start.after(Move(G1, F3)).after(Move(G8, F6)).after(Move(B1, C3));
    const Position other = start.after(Move(B1, C3)).after(Move(G8, F6)).after(Move(G1, F3));
    EXPECT_EQ(one.key(), other.key());
    EXPECT_NE(one.key(), start.key());
    Position passed = start;
    passed.make_null();
    EXPECT_NE(passed.key(), start.key());
    EXPECT_EQ(passed.key(), passed.fresh_key());
}

}  // namespace
}  // namespace scholar::chess
