#include "learning/perspective/piece_values.hpp"

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "chess/score.hpp"

namespace scholar::learning {

namespace {

struct Removal {
    std::size_t whole;  // the position with all its pieces, by place in the batch
    std::size_t without;
    chess::PieceKind kind;
    bool own;
};

chess::Square random_square(chess::Bitboard set, base::Random& random) {
    for (auto skip = random.below(static_cast<std::uint64_t>(chess::popcount(set))); skip > 0; --skip)
        set &= set - 1;
    return chess::lowest(set);
}

// Appends a position without the piece on `gone` (NoSquare: with all).
void append(Batch& batch, const nets::FeatureSet& features, const chess::Position& position,
            chess::Square gone) {
    nets::Placement placement;
    placement.occupied = position.occupied() & ~(gone == chess::NoSquare ? 0 : chess::bit(gone));
    for (const chess::Square square : chess::squares(placement.occupied))
        placement.board[square] = position.piece_on(square);
    placement.kings = {position.king(chess::White), position.king(chess::Black)};
    const std::size_t at = batch.size();
    batch.resize(at + 1, nets::FeatureSet::kMaxActive);
    batch.put(at, features, placement, position.side_to_move(), 0, 0);
}

}  // namespace

nets::PieceValues measure_piece_values(const Model& model, std::span<const games::Sample> samples,
                                       std::uint64_t seed) {
    base::Random random(seed);
    Batch batch;
    const nets::FeatureSet& features = *model.architecture().features;
    std::vector<Removal> removals;
    for (const games::Sample& sample : samples) {
        const chess::Position& position = sample.position;
        const std::size_t whole = batch.size();
        append(batch, features, position, chess::NoSquare);
        for (const chess::Color color : chess::kColors)
            for (const chess::PieceKind kind : chess::kPieceKinds) {
                const chess::Bitboard pieces = position.pieces(color, kind);
                if (kind == chess::King || pieces == 0) continue;
                removals.push_back({whole, batch.size(), kind, color == position.side_to_move()});
                append(batch, features, position, random_square(pieces, random));
            }
    }
    const std::vector<float> logits = model.logits(batch);
    std::array<double, 6> falls{};
    std::array<double, 6> counts{};
    for (const Removal& removal : removals) {
        const double change =
            static_cast<double>(logits[removal.whole]) - static_cast<double>(logits[removal.without]);
        falls[removal.kind] += removal.own ? change : -change;
        counts[removal.kind] += 1;
    }
    nets::PieceValues values{};
    for (const chess::PieceKind kind : chess::kPieceKinds) {
        if (kind == chess::King) continue;
        const double mean = counts[kind] > 0 ? chess::Score::kScale * falls[kind] / counts[kind] : 1;
        values[kind] =
            static_cast<int>(std::lround(std::clamp(mean, 1.0, double{chess::Score::kEvaluationBound})));
    }
    return values;
}

}  // namespace scholar::learning
