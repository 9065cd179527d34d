#include "evaluators/accumulator_cache.hpp"

#include <algorithm>
#include <array>

#include "nets/perspective/kernels.hpp"

namespace scholar::evaluators {

AccumulatorCache::AccumulatorCache(const nets::FirstLayer& layer) {
    boards_.resize(2 * 2 * static_cast<std::size_t>(layer.features->buckets));
    sums_.reserve(boards_.size() * static_cast<std::size_t>(layer.width));
    for (std::size_t entry = 0; entry < boards_.size(); ++entry)
        sums_.insert(sums_.end(), layer.bias, layer.bias + layer.width);
}

void AccumulatorCache::refresh(const nets::FirstLayer& layer, const nets::BoardState& board, nets::View view,
                               chess::Color viewpoint, std::int16_t* out) {
    const std::size_t entry =
        2 * (viewpoint * static_cast<std::size_t>(layer.features->buckets) + view.bucket) +
        (view.flip != 0 ? 1 : 0);
    std::int16_t* kept = sums_.data() + entry * static_cast<std::size_t>(layer.width);
    update_sums(layer, layer.features->changes(view, viewpoint, boards_[entry], board), kept, out);
    boards_[entry] = board;
    std::copy_n(out, layer.width, kept);
}

void update_sums(const nets::FirstLayer& layer, const nets::FeatureChanges& changes, const std::int16_t* from,
                 std::int16_t* to) {
    std::array<const std::int16_t*, nets::FeatureSet::kMaxActive> added;
    std::array<const std::int16_t*, nets::FeatureSet::kMaxActive> removed;
    std::ranges::transform(changes.added, added.begin(), [&](int feature) { return layer.row(feature); });
    std::ranges::transform(changes.removed, removed.begin(), [&](int feature) { return layer.row(feature); });
    nets::update_accumulator(to, from, layer.width, added.data(), changes.added.count, removed.data(),
                             changes.removed.count);
}

}  // namespace scholar::evaluators
