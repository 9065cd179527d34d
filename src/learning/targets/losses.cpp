#include "learning/targets/losses.hpp"

#include <numeric>

namespace scholar::learning {

double constant_cross_entropy(std::span<const float> targets) {
    const double mean =
        std::accumulate(targets.begin(), targets.end(), 0.0) / static_cast<double>(targets.size());
    const auto part = [](double share) { return share > 0 ? -share * std::log(share) : 0; };
    return part(mean) + part(1 - mean);
}

}  // namespace scholar::learning
