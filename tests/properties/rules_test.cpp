// The rules of the game hold together: whatever is played from wherever, their parts agree.

#include <algorithm>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "chess/checks.hpp"
#include "chess/fen.hpp"
#include "chess/legality.hpp"
#include "chess/move_index.hpp"
#include "chess/movegen.hpp"
#include "chess/perft.hpp"
#include "properties/playout.hpp"
#include "support/mirror.hpp"
#include "support/test_data.hpp"

namespace scholar::chess {
namespace {

using tests::Playout;

std::vector<std::uint16_t> sorted_bits(const MoveList& moves) {
    std::vector<std::uint16_t> bits;
    for (const Move move : moves) bits.push_back(move.bits());
    std::ranges::sort(bits);
    return bits;
}

template <class Condition>
std::vector<std::uint16_t> sorted_bits_if(const MoveList& moves, Condition&& condition) {
    MoveList some;
    for (const Move move : moves)
        if (condition(move)) some.push(move);
    return sorted_bits(some);
}

// What one move may change, and how.
void check_step(const Position& before, const Position& after) {
    const Color us = before.side_to_move();
    RC_ASSERT(after.side_to_move() == ~us);
    RC_ASSERT(!after.is_attacked(after.king(us), ~us, after.occupied()));
    RC_ASSERT(popcount(after.pieces(us)) == popcount(before.pieces(us)));
    const int taken = popcount(before.pieces(~us)) - popcount(after.pieces(~us));
    RC_ASSERT(taken == 0 || taken == 1);
    Bitboard kinds = 0;
    for (const PieceKind kind : kPieceKinds) {
        RC_ASSERT((kinds & after.pieces(kind)) == 0U);
        kinds |= after.pieces(kind);
    }
    RC_ASSERT(kinds == after.occupied());
    RC_ASSERT((after.pieces(White) & after.pieces(Black)) == 0U);
    for (const Square square : squares(after.occupied())) {
        const Piece piece = after.piece_on(square);
        RC_ASSERT((after.pieces(color_of(piece), kind_of(piece)) & bit(square)) != 0U);
    }
    RC_ASSERT((after.castling_rights() & ~before.castling_rights()) == 0);
    const bool irreversible = taken == 1 || before.pieces(us, Pawn) != after.pieces(us, Pawn);
    RC_ASSERT(after.halfmove_clock() == (irreversible ? 0 : before.halfmove_clock() + 1));
    RC_ASSERT(after.fullmove_number() == before.fullmove_number() + (us == Black ? 1 : 0));
}

RC_GTEST_PROP(Rules, MakeKeepsThePositionWhole, (const Playout& playout)) {
    const Line line = playout.line();
    for (int ago = line.ply(); ago > 0; --ago) check_step(line.ago(ago), line.ago(ago - 1));
}

RC_GTEST_PROP(Rules, IncrementalStateIsTheFreshOne, (const Playout& playout)) {
    const Line line = playout.line();
    for (int ago = line.ply(); ago >= 0; --ago) {
        const Position& position = line.ago(ago);
        RC_ASSERT(position.key() == position.fresh_key());
        RC_ASSERT(Position::from_setup(position.setup()).value() == position);
        if (position.in_check()) continue;
        Position passed = position;
        passed.make_null();
        RC_ASSERT(passed.key() == passed.fresh_key());
    }
}

RC_GTEST_PROP(Rules, UnmakingGoesBackExactly, (const Playout& playout)) {
    Line line = playout.line();
    std::vector<Position> copies;
    for (int ago = line.ply(); ago > 0; --ago) copies.push_back(line.ago(ago));
    while (!copies.empty()) {
        // Over and back from every position on the way down, too.
        for (const Move move : legal_moves(line.current())) {
            const Position before = line.current();
            const int repetitions = line.repetitions();
            line.push(move);
            RC_ASSERT(line.current() == before.after(move));
            line.pop();
            RC_ASSERT(line.current() == before);
            RC_ASSERT(line.repetitions() == repetitions);
        }
        line.pop();
        RC_ASSERT(line.current() == copies.back());
        copies.pop_back();
    }
}

RC_GTEST_PROP(Rules, LegalityAgreesWithGenerationOverAllMoves, (const Playout& playout)) {
    const Line line = playout.line();
    for (int ago = line.ply(); ago >= 0; ago -= tests::kSanitized ? 10 : 1) {
        const Position& position = line.ago(ago);
        std::vector<std::uint16_t> legal;
        for (unsigned bits = 0; bits < 65'536; ++bits)
            if (is_legal(position, Move::from_bits(static_cast<std::uint16_t>(bits))))
                legal.push_back(static_cast<std::uint16_t>(bits));
        RC_ASSERT(legal == sorted_bits(legal_moves(position)));
    }
}

RC_GTEST_PROP(Rules, GivesCheckAgreesWithMakingTheMove, (const Playout& playout)) {
    const Line line = playout.line();
    for (int ago = line.ply(); ago >= 0; --ago) {
        const Position& position = line.ago(ago);
        const CheckSquares check_squares = find_check_squares(position);
        for (const Move move : legal_moves(position)) {
            const bool check = position.after(move).in_check();
            RC_ASSERT(gives_check(position, move) == check);
            RC_ASSERT(gives_check(position, check_squares, move) == check);
        }
    }
}

RC_GTEST_PROP(Rules, MoveSetsPartitionAllMoves, (const Playout& playout)) {
    const Line line = playout.line();
    for (int ago = line.ply(); ago >= 0; --ago) {
        const Position& position = line.ago(ago);
        const MoveList all = legal_moves(position);
        const auto bits = sorted_bits(all);
        RC_ASSERT(std::ranges::adjacent_find(bits) == bits.end());
        RC_ASSERT(count_legal_moves(position) == all.size());
        RC_ASSERT(has_legal_move(position) == !all.empty());
        const auto noisy = [&](Move move) { return position.is_noisy(move); };
        const auto quiet = [&](Move move) { return !position.is_noisy(move); };
        const auto capture = [&](Move move) { return position.is_capture(move); };
        const auto quiet_check = [&](Move move) { return quiet(move) && position.after(move).in_check(); };
        RC_ASSERT(sorted_bits(legal_moves(position, MoveSet::Noisy)) == sorted_bits_if(all, noisy));
        RC_ASSERT(sorted_bits(legal_moves(position, MoveSet::Quiet)) == sorted_bits_if(all, quiet));
        RC_ASSERT(sorted_bits(legal_moves(position, MoveSet::Captures)) == sorted_bits_if(all, capture));
        RC_ASSERT(sorted_bits(legal_moves(position, MoveSet::QuietChecks)) ==
                  sorted_bits_if(all, quiet_check));
    }
}

RC_GTEST_PROP(Rules, MoveIndexIsABijection, (const Playout& playout)) {
    const Line line = playout.line();
    for (int ago = line.ply(); ago >= 0; --ago) {
        const Position& position = line.ago(ago);
        const MoveList all = legal_moves(position);
        std::vector<bool> seen(static_cast<std::size_t>(all.size()), false);
        for (const Move move : all) {
            const auto index = move_to_index(position, move);
            RC_ASSERT(index.has_value());
            RC_ASSERT(*index < all.size());
            RC_ASSERT(!seen[*index]);
            seen[*index] = true;
            RC_ASSERT(index_to_move(position, *index) == move);
        }
        if (all.size() < 256)
            RC_ASSERT(!index_to_move(position, static_cast<std::uint8_t>(all.size())).has_value());
    }
}

// The moves of a position and of its mirror image are mirror images, and so is what they do.
template <class Mirror>
void check_mirror(const Position& position, const Position& image, Mirror&& mirror) {
    MoveList images;
    for (const Move move : legal_moves(position)) images.push(mirror(move));
    RC_ASSERT(sorted_bits(legal_moves(image)) == sorted_bits(images));
    RC_ASSERT(image.in_check() == position.in_check());
    RC_ASSERT(image.has_insufficient_material() == position.has_insufficient_material());
    for (const Move move : legal_moves(position)) {
        RC_ASSERT(image.captured_kind(mirror(move)) == position.captured_kind(move));
        RC_ASSERT(gives_check(image, mirror(move)) == gives_check(position, move));
    }
}

RC_GTEST_PROP(Rules, ColourFlippedPositionsBehaveAlike, (const Playout& playout)) {
    const Line line = playout.line();
    for (int ago = line.ply(); ago >= 0; --ago) {
        const Position& position = line.ago(ago);
        const Position image = tests::mirrored(position);
        RC_ASSERT(tests::mirrored(image) == position);
        check_mirror(position, image, [](Move move) { return tests::mirrored(move); });
        for (const Move move : legal_moves(position))
            RC_ASSERT(image.after(tests::mirrored(move)).key() ==
                      tests::mirrored(position.after(move)).key());
    }
    RC_ASSERT(perft(tests::mirrored(line.current()), 2) == perft(line.current(), 2));
}

RC_GTEST_PROP(Rules, LeftAndRightAreAlikeWithoutCastling, (const Playout& playout)) {
    const Line line = playout.line();
    for (int ago = line.ply(); ago >= 0; --ago) {
        const Position position = tests::without_castling(line.ago(ago));
        const Position image = tests::mirrored_by_files(position);
        RC_ASSERT(tests::mirrored_by_files(image) == position);
        check_mirror(position, image, [](Move move) { return tests::mirrored_by_files(move); });
    }
    const Position end = tests::without_castling(line.current());
    RC_ASSERT(perft(tests::mirrored_by_files(end), 2) == perft(end, 2));
}

}  // namespace
}  // namespace scholar::chess
