#include "learning/agreement.hpp"

#include <algorithm>
#include <cmath>

namespace scholar::learning {

Agreement compare(const nets::Network& network, std::span<const games::Sample> samples,
                  std::span<const float> logits) {
    Agreement agreement;
    constexpr double bound = chess::Score::kEvaluationBound;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const double exact = std::clamp(chess::Score::kScale * static_cast<double>(logits[i]), -bound, bound);
        const double difference = nets::evaluate_plainly(network, samples[i].position).value() - exact;
        agreement.bias += difference;
        agreement.mean_difference += std::abs(difference);
        agreement.largest_difference = std::max(agreement.largest_difference, std::abs(difference));
        ++agreement.positions;
    }
    if (agreement.positions > 0) {
        agreement.bias /= static_cast<double>(agreement.positions);
        agreement.mean_difference /= static_cast<double>(agreement.positions);
    }
    return agreement;
}

}  // namespace scholar::learning
