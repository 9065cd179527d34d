#include "evaluators/adapters/policy_of_batch.hpp"

#include <algorithm>
#include <utility>

namespace scholar::evaluators {

PolicyOfBatch::PolicyOfBatch(BatchMaker make, double worth_nodes)
    : make_(std::move(make)), batch_(make_()), worth_nodes_(worth_nodes) {}

std::unique_ptr<MovePolicy> PolicyOfBatch::copy() const {
    return std::make_unique<PolicyOfBatch>(make_, worth_nodes_);
}

void PolicyOfBatch::judge(const chess::Position&, const chess::MoveList& moves, std::span<float> out) {
    batch_->submit(line_, moves);
    if (batch_->collect(opinions_) && opinions_.size() == 1 &&
        opinions_.front().probabilities.size() == out.size())
        std::ranges::copy(opinions_.front().probabilities, out.begin());
    else
        std::ranges::fill(out, 1 / static_cast<float>(out.size()));
}

}  // namespace scholar::evaluators
