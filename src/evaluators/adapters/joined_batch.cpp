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

void JoinedBatch::submit_part(const chess::Line& line, const chess::MoveList& moves, Wanted wanted) {
    if (wanted != Wanted::Policy) value_->submit_part(line, moves, Wanted::Value);
    if (wanted != Wanted::Value) policy_->submit_part(line, moves, Wanted::Policy);
    wanted_.push_back(wanted);
}

base::Status JoinedBatch::collect(std::vector<Opinion>& opinions) {
    opinions.clear();
    const std::vector<Wanted> wanted = std::exchange(wanted_, {});
    // Both, so that neither keeps what is no longer asked for.
    const base::Status valued = value_->collect(values_);
    const base::Status judged = policy_->collect(policies_);
    if (!valued || !judged) return valued ? judged : valued;
    std::size_t value = 0;
    std::size_t policy = 0;
    for (const Wanted part : wanted) {
        Opinion& opinion = opinions.emplace_back();
        if (part != Wanted::Policy) opinion = std::move(values_[value++]);
        opinion.probabilities.clear();
        if (part != Wanted::Value) opinion.probabilities = std::move(policies_[policy++].probabilities);
    }
    return {};
}

}  // namespace scholar::evaluators
