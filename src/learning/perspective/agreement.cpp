#include "learning/perspective/agreement.hpp"

#include <algorithm>
#include <cmath>

#include "learning/targets/difference.hpp"

namespace scholar::learning {

Agreement compare(const nets::Network& network, std::span<const games::Sample> samples,
                  std::span<const float> logits) {
    const nets::Architecture& architecture = network.info.architecture;
    Agreement agreement;
    agreement.bias.resize(static_cast<std::size_t>(architecture.output_buckets));
    std::vector<double> counts(agreement.bias.size());
    constexpr double bound = chess::Score::kEvaluationBound;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const double exact = std::clamp(chess::Score::kScale * static_cast<double>(logits[i]), -bound, bound);
        const double difference = nets::evaluate_plainly(network, samples[i].position).value() - exact;
        const auto bucket = static_cast<std::size_t>(
            architecture.output_bucket(chess::popcount(samples[i].position.occupied())));
        agreement.bias[bucket] += difference;
        counts[bucket] += 1;
        agreement.mean_difference += std::abs(difference);
        agreement.largest_difference = std::max(agreement.largest_difference, difference_of(difference, 0.0));
        ++agreement.positions;
    }
    for (std::size_t bucket = 0; bucket < counts.size(); ++bucket)
        agreement.bias[bucket] /= std::max(1.0, counts[bucket]);
    agreement.mean_difference /= std::max(1.0, static_cast<double>(agreement.positions));
    return agreement;
}

}  // namespace scholar::learning
