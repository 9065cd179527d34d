#include "learning/perspective/batch.hpp"

#include <algorithm>

namespace scholar::learning {

void Batch::resize(std::size_t positions, int max_active) {
    stride = max_active;
    const std::size_t indices = positions * static_cast<std::size_t>(max_active);
    own.resize(indices);
    enemy.resize(indices);
    counts.resize(2 * positions);
    targets.resize(positions);
    highs.clear();
    results.resize(positions);
}

Batch Batch::slice(std::size_t begin, std::size_t end) const {
    const auto part = [](const auto& from, std::size_t first, std::size_t last) {
        return std::remove_cvref_t<decltype(from)>(from.begin() + static_cast<std::ptrdiff_t>(first),
                                                   from.begin() + static_cast<std::ptrdiff_t>(last));
    };
    const auto each = static_cast<std::size_t>(stride);
    Batch result;
    result.stride = stride;
    result.own = part(own, begin * each, end * each);
    result.enemy = part(enemy, begin * each, end * each);
    result.counts = part(counts, 2 * begin, 2 * end);
    result.targets = part(targets, begin, end);
    if (!highs.empty()) result.highs = part(highs, begin, end);
    result.results = part(results, begin, end);
    return result;
}

void encode_into(Batch& batch, std::size_t offset, std::span<const games::Sample> samples,
                 const nets::FeatureSet& features, const TargetRule& rule) {
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const games::Sample& sample = samples[i];
        batch.put(offset + i, features, sample.position, sample.position.side_to_move(), rule.target(sample),
                  sample.result);
    }
}

Batch encode(std::span<const games::Sample> samples, const nets::FeatureSet& features,
             const TargetRule& rule) {
    Batch batch;
    batch.resize(samples.size(), nets::FeatureSet::kMaxActive);
    encode_into(batch, 0, samples, features, rule);
    return batch;
}

}  // namespace scholar::learning
