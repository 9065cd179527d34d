#include "evaluators/accumulator_cache.hpp"

#include <algorithm>

#include "nets/perspective/kernels.hpp"

namespace scholar::evaluators {

using nets::FeatureSet;

AccumulatorCache::AccumulatorCache(const nets::FirstLayer& layer) {
    pieces_.resize(2 * 2 * static_cast<std::size_t>(layer.features->buckets));
    sums_.reserve(pieces_.size() * static_cast<std::size_t>(layer.width));
    for (std::size_t entry = 0; entry < pieces_.size(); ++entry)
        sums_.insert(sums_.end(), layer.bias, layer.bias + layer.width);
}

void AccumulatorCache::refresh(const nets::FirstLayer& layer, const chess::Position& position,
                               chess::Color viewpoint, std::int16_t* out) {
    const FeatureSet& features = *layer.features;
    const nets::View view = features.view(viewpoint, position.king(viewpoint));
    const std::size_t entry =
        2 * (viewpoint * static_cast<std::size_t>(features.buckets) + view.bucket) + (view.flip != 0 ? 1 : 0);
    struct Rows {
        std::array<const std::int16_t*, FeatureSet::kMaxActive> rows;
        int count = 0;
    };
    Rows added;
    Rows removed;
    for (const chess::Color color : chess::kColors)
        for (const chess::PieceKind kind : chess::kPieceKinds) {
            const chess::Bitboard now = position.pieces(color, kind);
            chess::Bitboard& then = pieces_[entry][color][kind];
            const auto collect = [&](chess::Bitboard squares, Rows& into) {
                for (const chess::Square square : chess::squares(squares))
                    into.rows[into.count++] =
                        layer.row(FeatureSet::index(view, viewpoint, chess::make_piece(color, kind), square));
            };
            collect(now & ~then, added);
            collect(then & ~now, removed);
            then = now;
        }
    std::int16_t* kept = sums_.data() + entry * static_cast<std::size_t>(layer.width);
    nets::update_accumulator(out, kept, layer.width, added.rows.data(), added.count, removed.rows.data(),
                             removed.count);
    std::copy_n(out, layer.width, kept);
}

}  // namespace scholar::evaluators
