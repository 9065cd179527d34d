#include "evaluators/accumulator_cache.hpp"

#include <algorithm>

#include "nets/perspective/kernels.hpp"

namespace scholar::evaluators {

using nets::FeatureSet;

AccumulatorCache::AccumulatorCache(const nets::Network& network) {
    const nets::FeatureSet& features = *network.info.architecture.features;
    pieces_.resize(2 * 2 * static_cast<std::size_t>(features.buckets));
    sums_.reserve(pieces_.size() * network.transformer_bias.size());
    for (std::size_t entry = 0; entry < pieces_.size(); ++entry)
        sums_.insert(sums_.end(), network.transformer_bias.begin(), network.transformer_bias.end());
}

void AccumulatorCache::refresh(const nets::Network& network, const chess::Position& position,
                               chess::Color viewpoint, std::int16_t* out) {
    const FeatureSet& features = *network.info.architecture.features;
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
                    into.rows[into.count++] = network.row(
                        FeatureSet::index(view, viewpoint, chess::make_piece(color, kind), square));
            };
            collect(now & ~then, added);
            collect(then & ~now, removed);
            then = now;
        }
    std::int16_t* kept = sums_.data() + entry * static_cast<std::size_t>(network.width());
    nets::update_accumulator(out, kept, network.width(), added.rows.data(), added.count, removed.rows.data(),
                             removed.count);
    std::copy_n(out, network.width(), kept);
}

}  // namespace scholar::evaluators
