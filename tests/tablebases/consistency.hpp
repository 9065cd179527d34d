#pragma once

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "chess/uci_move.hpp"
#include "tablebases/syzygy_file.hpp"
#include "tablebases/tablebases.hpp"

namespace scholar::tests {

// A legal position of the material with either side as White and either to move; now and then, if both have
// pawns, one in which en passant is possible.
inline chess::Position random_position(base::Random& random, const tablebases::Material& material) {
    while (true) {
        chess::Setup setup;
        const bool swapped = random.below(2) != 0;
        setup.side_to_move = random.below(2) != 0 ? chess::White : chess::Black;
        const chess::Color mover = setup.side_to_move;
        const bool en_passant =
            material.pawns(chess::White) > 0 && material.pawns(chess::Black) > 0 && random.below(3) == 0;
        const int file = static_cast<int>(random.below(8));
        const int beside = file + (random.below(2) != 0 ? 1 : -1);
        if (en_passant && (beside < 0 || beside > 7)) continue;
        bool jumped = !en_passant;
        bool stands = !en_passant;
        for (const chess::Color side : chess::kColors) {
            const chess::Color color = swapped ? ~side : side;
            for (const chess::PieceKind kind : chess::kPieceKinds) {
                for (int left = material.count[side][kind]; left > 0; --left) {
                    auto square = static_cast<chess::Square>(random.below(64));
                    if (kind == chess::Pawn && color != mover && !jumped) {
                        square = chess::relative_square(color, chess::make_square(file, 3));
                        setup.en_passant = chess::relative_square(color, chess::make_square(file, 2));
                        jumped = true;
                    } else if (kind == chess::Pawn && color == mover && !stands) {
                        square = chess::relative_square(color, chess::make_square(beside, 4));
                        stands = true;
                    }
                    while (setup.board[square] != chess::NoPiece)
                        square = static_cast<chess::Square>(random.below(64));
                    setup.board[square] = chess::make_piece(color, kind);
                }
            }
        }
        if (auto position = chess::Position::from_setup(setup)) return *position;
    }
}

// What tables say of a position follows from what they say of its successors and from the rules.
inline void expect_consistent(const tablebases::Tablebases& tables, const chess::Position& position) {
    using tablebases::Outcome;
    const std::string fen = chess::to_fen(position);
    const auto outcome = tables.probe_wdl(position);
    const auto dtz = tables.probe_dtz(position);
    ASSERT_TRUE(outcome && dtz) << fen;
    const chess::MoveList moves = chess::legal_moves(position);
    if (moves.empty()) {
        EXPECT_EQ(*outcome, position.in_check() ? Outcome::Loss : Outcome::Draw) << fen;
        EXPECT_EQ(*dtz, position.in_check() ? -1 : 0) << fen;
        return;
    }

    // The tables themselves know no fifty-move rule across a capture or pawn move, so a loss for the other
    // side is the best there is.
    auto best = Outcome::Loss;
    std::optional<int> shortest;  // to a win, by the moves that win
    int longest = 0;              // to a loss, by any move
    for (const chess::Move move : moves) {
        const chess::Position next = position.after(move);
        const auto reply = tables.probe_wdl(next);
        ASSERT_TRUE(reply) << fen << " " << chess::to_uci(move);
        best = std::max(best, -*reply);
        const auto reply_dtz = tables.probe_dtz(next);
        ASSERT_TRUE(reply_dtz) << fen << " " << chess::to_uci(move);
        const bool mates = next.in_check() && !chess::has_legal_move(next);
        const bool zeroes = next.halfmove_clock() == 0;
        if (-*reply > Outcome::Draw) {
            const int distance = mates ? 1 : zeroes ? (*reply == Outcome::Loss ? 1 : 101) : 1 - *reply_dtz;
            shortest = std::min(shortest.value_or(distance), distance);
        } else if (*reply > Outcome::Draw) {
            longest = std::max(longest, zeroes ? (*reply == Outcome::Win ? 1 : 101) : 1 + *reply_dtz);
        }
    }
    EXPECT_EQ(*outcome, best) << fen;

    // The sign of the distance is the outcome, and beyond 100 the fifty-move rule has come in.
    const int sign = *dtz > 0 ? 1 : *dtz < 0 ? -1 : 0;
    EXPECT_EQ(sign, *outcome > Outcome::Draw ? 1 : *outcome < Outcome::Draw ? -1 : 0) << fen;
    EXPECT_EQ(std::abs(*dtz) > 100, *outcome == Outcome::CursedWin || *outcome == Outcome::BlessedLoss)
        << fen;
    // A table may count whole moves: one half-move is then lost.
    if (*outcome > Outcome::Draw) {
        EXPECT_NEAR(*dtz, shortest.value_or(0), 1) << fen;
    } else if (*outcome < Outcome::Draw) {
        EXPECT_NEAR(-*dtz, longest, 1) << fen;
    }

    // The root's list is all of this, move by move.
    const auto probe = tables.probe_root(chess::Line(position));
    ASSERT_TRUE(probe) << fen;
    ASSERT_EQ(static_cast<int>(probe->moves.size()), moves.size()) << fen;
    EXPECT_EQ(probe->outcome, *outcome) << fen;
    for (std::size_t i = 0; i < probe->moves.size(); ++i) {
        const auto& entry = probe->moves[i];
        EXPECT_TRUE(moves.contains(entry.move)) << fen;
        const Outcome after = -*tables.probe_wdl(position.after(entry.move));
        // Of a move that is not the best one, the fifty-move rule may make a win a cursed one.
        EXPECT_EQ(entry.outcome == Outcome::Draw, after == Outcome::Draw) << fen << chess::to_uci(entry.move);
        EXPECT_EQ(entry.outcome > Outcome::Draw, after > Outcome::Draw) << fen << chess::to_uci(entry.move);
        if (i > 0) {
            EXPECT_GE(probe->moves[i - 1].outcome, entry.outcome) << fen;
        }
    }
}

}  // namespace scholar::tests
