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
    update_sums(layer, view, viewpoint, layer.features->difference(boards_[entry], board), kept, out);
    boards_[entry] = board;
    std::copy_n(out, layer.width, kept);
}

void update_sums(const nets::FirstLayer& layer, nets::View view, chess::Color viewpoint,
                 const nets::BoardDifference& difference, const std::int16_t* from, std::int16_t* to) {
    std::array<const std::int16_t*, nets::FeatureSet::kMaxActive> added;
    std::array<const std::int16_t*, nets::FeatureSet::kMaxActive> removed;
    const auto row = [&](const nets::BoardDifference::Man& man) {
        return layer.row(layer.features->index(view, viewpoint, man));
    };
    std::ranges::transform(difference.added, added.begin(), row);
    std::ranges::transform(difference.removed, removed.begin(), row);
    nets::update_accumulator(to, from, layer.width, added.data(), difference.added.count, removed.data(),
                             difference.removed.count);
}

}  // namespace scholar::evaluators
