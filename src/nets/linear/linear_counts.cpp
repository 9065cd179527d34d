#include "nets/linear/linear_counts.hpp"

#include "nets/linear/linear_parts.hpp"

namespace scholar::nets {

using namespace chess;

void count_piece(Piece piece, Square square, int times, FeatureCounts& out) {
    constexpr std::array blocks{Block::PawnSquare, Block::KnightSquare, Block::BishopSquare,
                                Block::RookSquare, Block::QueenSquare,  Block::KingSquare};
    const PieceKind kind = kind_of(piece);
    const Color color = color_of(piece);
    const int count = color == White ? times : -times;
    if (kind != King) out.add(feature(Block::Material, kind), count);
    out.add(square_feature(blocks[kind], relative_square(color, square)), count);
}

void count_placement(const Position& position, FeatureCounts& out) {
    for (const Square square : squares(position.occupied()))
        count_piece(position.piece_on(square), square, 1, out);
}

void count_rest(const Position& position, const PawnSets& pawns, FeatureCounts& out) {
    const std::array<LinearView, 2> views = make_views(position);
    count_control(views, out);
    for (const LinearView& view : views) {
        const ViewCounter counter{view, pawns, out};
        count_material(counter);
        count_mobility(counter);
        count_attacks(counter);
        count_loose_pieces(counter);
        count_pins(counter);
        count_passed_pawns(counter);
        count_rooks(counter);
        count_minors(counter);
        count_shelter(counter);
        count_castling(counter);
        count_king_attack(counter);
        count_threats(counter);
        count_development(counter);
        count_lead(counter);
    }
}

void count_features(const Position& position, FeatureCounts& out) {
    count_placement(position, out);
    const PawnSets pawns = count_pawns(position.pieces(White, Pawn), position.pieces(Black, Pawn), out);
    count_rest(position, pawns, out);
}

std::array<std::int16_t, kLinearFeatures> dense_counts(const Position& position) {
    FeatureCounts counts;
    count_features(position, counts);
    std::array<std::int16_t, kLinearFeatures> dense{};
    const int sign = position.side_to_move() == White ? 1 : -1;
    for (const auto& [feature, count] : counts)
        dense[feature] = static_cast<std::int16_t>(dense[feature] + sign * count);
    return dense;
}

}  // namespace scholar::nets
