#include "evaluators/adapters/joined_batch.hpp"

#include <algorithm>

namespace scholar::evaluators {

nets::Abilities JoinedBatch::abilities() const {
    nets::Abilities can{nets::Ability::Policy};
    for (const nets::Ability ability : {nets::Ability::Value, nets::Ability::Wdl, nets::Ability::MovesLeft})
        if (value_->abilities().has(ability)) can.add(ability);
    return can;
}

nets::Reads JoinedBatch::reads() const {
    return nets::united(value_->reads(), policy_->reads());
}

std::size_t JoinedBatch::capacity() const {
    return std::min(value_->capacity(), policy_->capacity());
}

void JoinedBatch::submit(const chess::Line& line, const chess::MoveList& moves) {
    value_->submit(line, moves);
    policy_->submit(line, moves);
}

base::Status JoinedBatch::collect(std::vector<Opinion>& opinions) {
    // Both, so that neither keeps what is no longer asked for.
    const base::Status valued = value_->collect(opinions);
    const base::Status judged = policy_->collect(policies_);
    if (!valued || !judged) {
        opinions.clear();
        return valued ? judged : valued;
    }
    for (std::size_t i = 0; i < opinions.size(); ++i)
        opinions[i].probabilities = std::move(policies_[i].probabilities);
    return {};
}

}  // namespace scholar::evaluators
