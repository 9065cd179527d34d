#include "learning/segments/material_start.hpp"

#include "chess/bitboard.hpp"
#include "chess/score.hpp"
#include "learning/targets/interval_labels.hpp"

namespace scholar::learning {

double expected_by_material(const chess::Position& position, const nets::PieceValues& values) {
    const chess::Color us = position.side_to_move();
    int score = 0;
    for (const chess::PieceKind kind : {chess::Pawn, chess::Knight, chess::Bishop, chess::Rook, chess::Queen})
        score += values[kind] *
                 (chess::popcount(position.pieces(us, kind)) - chess::popcount(position.pieces(~us, kind)));
    return chess::Score(score).expected();
}

std::vector<LabelledNode> material_lessons(std::span<const chess::Position> positions,
                                           const MaterialStart& start) {
    std::vector<LabelledNode> nodes;
    nodes.reserve(positions.size());
    for (const chess::Position& position : positions) {
        const double expected = expected_by_material(position, start.values);
        if (start.decided && expected == 0.5) continue;
        nodes.push_back({position, labels_of(selfplay::Interval::value(expected))});
    }
    return nodes;
}

}  // namespace scholar::learning
