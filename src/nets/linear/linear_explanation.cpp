#include "nets/linear/linear_explanation.hpp"

#include <cmath>
#include <functional>

namespace scholar::nets {

ValueExplanation explain(const LinearNetwork& network, const chess::Position& position) {
    ValueExplanation explanation;
    explanation.shares = stage_shares(position);
    const auto counts = dense_counts(position);
    for (int feature = 0; feature < kLinearFeatures; ++feature) {
        const int count = counts[static_cast<std::size_t>(feature)];
        if (count == 0) continue;
        StageSums sums{};
        for (std::size_t stage = 0; stage < kStageCount; ++stage)
            sums[stage] = std::int64_t{network.row(feature)[stage]} * count;
        explanation.parts.push_back({feature, count, weigh(sums, explanation.shares)});
        explanation.sum += explanation.parts.back().weighed;
    }
    explanation.value = to_score(explanation.sum);
    return explanation;
}

namespace {

BlockWeights summarise_if(const FloatLinearNetwork& network, Stage stage,
                          const std::function<bool(const FeatureBlock&)>& wanted) {
    BlockWeights summary;
    int count = 0;
    for (const FeatureBlock& block : kFeatureBlocks) {
        if (!wanted(block)) continue;
        for (int i = 0; i < block.size(); ++i) {
            const double weight =
                static_cast<double>(network.weights[weight_index(feature(block.id) + i, stage)]);
            summary.mean += weight;
            summary.mean_absolute += std::abs(weight);
            if (std::abs(weight) > std::abs(summary.largest)) summary.largest = weight;
            summary.set += weight != 0;
            ++count;
        }
    }
    summary.mean /= count;
    summary.mean_absolute /= count;
    return summary;
}

}  // namespace

BlockWeights summarise(const FloatLinearNetwork& network, Block block, Stage stage) {
    return summarise_if(network, stage, [block](const FeatureBlock& each) { return each.id == block; });
}

BlockWeights summarise(const FloatLinearNetwork& network, Group group, Stage stage) {
    return summarise_if(network, stage, [group](const FeatureBlock& each) { return each.group == group; });
}

int feature_count(Group group) {
    int count = 0;
    for (const FeatureBlock& block : kFeatureBlocks)
        if (block.group == group) count += block.size();
    return count;
}

}  // namespace scholar::nets
