#include "evaluators/adapters/leaf_of_batch.hpp"

#include <utility>

#include "chess/movegen.hpp"

namespace scholar::evaluators {

LeafOfBatch::LeafOfBatch(BatchMaker make, const nets::PieceValues& piece_values)
    : make_(std::move(make)), batch_(make_()), piece_values_(piece_values) {}

chess::Score LeafOfBatch::value(const chess::Position& position) {
    const chess::MoveList moves = chess::legal_moves(position);
    // Mated or stalemated: who asks will find out without an evaluation.
    if (moves.empty()) return chess::Score::draw();
    batch_->submit(chess::Line(position), moves);
    if (!batch_->collect(opinions_) || opinions_.size() != 1) return chess::Score::draw();
    const Opinion& opinion = opinions_.front();
    if (opinion.value) return *opinion.value;
    const auto expected = opinion.expected();
    return expected ? chess::Score::from_expected(*expected) : chess::Score::draw();
}

}  // namespace scholar::evaluators
