#include "evaluators/dense_evaluator.hpp"

namespace scholar::evaluators {

DenseEvaluator::DenseEvaluator(std::shared_ptr<const nets::DenseNetwork> network)
    : runner_(std::move(network)) {}

chess::Score DenseEvaluator::value(const chess::Position& position) {
    runner_.network().info.shape.features->encode(position, runner_.inputs());
    return nets::dense_score(runner_.run(), position.side_to_move());
}

}  // namespace scholar::evaluators
