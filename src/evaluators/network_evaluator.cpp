#include "evaluators/network_evaluator.hpp"

#include "nets/perspective/kernels.hpp"

namespace scholar::evaluators {

using nets::Network;

chess::Score NetworkEvaluator::value(const chess::Position& position) {
    const chess::Color us = position.side_to_move();
    const std::int16_t* const own = accumulators_.of(position, us);
    const std::int16_t* const enemy = accumulators_.of(position, ~us);
    const nets::Architecture& architecture = network_->info.architecture;
    const int bucket = architecture.output_bucket(chess::popcount(position.occupied()));
    const std::int32_t sum =
        network_->hidden.empty()
            ? nets::output_sum(architecture.activation, own, enemy, network_->output_weights(bucket),
                               network_->width(), Network::kActivationScale, Network::kProductShift)
            : hidden_.output_sum(*network_, own, enemy, bucket);
    return network_->to_score(sum, bucket);
}

}  // namespace scholar::evaluators
