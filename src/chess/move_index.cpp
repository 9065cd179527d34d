#include "chess/move_index.hpp"

#include "chess/movegen.hpp"

namespace scholar::chess {

namespace {

bool promotes(const Position& position, Square from) {
    return kind_of(position.piece_on(from)) == Pawn && relative_rank(position.side_to_move(), from) == 6;
}

// The move between two squares, other than a promotion, as what it is.
Move move_between(const Position& position, Square from, Square to) {
    const PieceKind kind = kind_of(position.piece_on(from));
    if (kind == King && (position.pieces(position.side_to_move()) & bit(to)))
        return Move(from, to, Move::Castling);
    if (kind == Pawn && to == position.en_passant()) return Move(from, to, Move::EnPassant);
    return Move(from, to);
}

}  // namespace

std::optional<std::uint8_t> move_to_index(const Position& position, Move move) {
    LegalTargets legal;
    find_legal_targets(position, legal);
    const Square from = move.from();
    if (!(legal.movers & bit(from)) || !(legal.targets[from] & bit(move.to()))) return std::nullopt;
    int index = 0;
    for (const Square earlier : squares(legal.movers & (bit(from) - 1)))
        index += popcount(legal.targets[earlier]) * (promotes(position, earlier) ? 4 : 1);
    const int before = popcount(legal.targets[from] & (bit(move.to()) - 1));
    if (promotes(position, from)) {
        if (!move.is_promotion()) return std::nullopt;
        index += 4 * before + (move.promotion_kind() - Knight);
    } else {
        if (move != move_between(position, from, move.to())) return std::nullopt;
        index += before;
    }
    return static_cast<std::uint8_t>(index);
}

std::optional<Move> index_to_move(const Position& position, std::uint8_t index) {
    LegalTargets legal;
    find_legal_targets(position, legal);
    int rest = index;
    for (const Square from : squares(legal.movers)) {
        const bool promotion = promotes(position, from);
        Bitboard targets = legal.targets[from];
        const int count = popcount(targets) * (promotion ? 4 : 1);
        if (rest >= count) {
            rest -= count;
            continue;
        }
        for (int skip = promotion ? rest / 4 : rest; skip > 0; --skip) targets &= targets - 1;
        const Square to = lowest(targets);
        if (promotion) return Move::promotion(from, to, static_cast<PieceKind>(Knight + rest % 4));
        return move_between(position, from, to);
    }
    return std::nullopt;
}

}  // namespace scholar::chess
