#include "learning/perspective/piece_values.hpp"

#include "learning/measuring/removals.hpp"

namespace scholar::learning {

namespace {

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
    const nets::FeatureSet& features = *model.architecture().features;
    const std::vector<Removal> removals = draw_removals(samples, seed);
    Batch batch;
    for (const games::Sample& sample : samples) append(batch, features, sample.position, chess::NoSquare);
    for (const Removal& removal : removals)
        append(batch, features, samples[removal.sample].position, removal.square);
    const std::vector<float> logits = model.logits(batch);
    const std::span all(logits);
    return values_of_removals(removals, all.first(samples.size()), all.subspan(samples.size()));
}

}  // namespace scholar::learning
