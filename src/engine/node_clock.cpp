#include "engine/node_clock.hpp"

namespace scholar::engine {

void NodeClock::enter(search::Limits& limits, chess::Color color, std::uint64_t rate) {
    limits.nodes_per_second = 1000 * rate;
    limits.move_overhead = search::Milliseconds(0);
    entered_.reset();
    const auto nodes_each = static_cast<std::int64_t>(rate);
    for (search::Limit& limit : limits.limits) {
        auto* clock = std::get_if<search::ClockLimit>(&limit);
        if (clock == nullptr) continue;
        std::optional<Budget> budget = budgets_[color];
        if (!budget) {
            const std::int64_t first = clock->remaining.count() * nodes_each;
            budget = Budget{.nodes = first, .first = first, .increment = 0, .moves_to_go = {}};
        } else if (clock->moves_to_go && budget->moves_to_go && *clock->moves_to_go > *budget->moves_to_go) {
            budget->nodes += budget->first;
        }
        budget->moves_to_go = clock->moves_to_go;
        budget->increment = clock->increment.count() * nodes_each;
        clock->remaining = search::Milliseconds(budget->nodes / nodes_each);
        entered_ = {color, *budget};
    }
}

void NodeClock::spend(std::uint64_t nodes) {
    if (!entered_) return;
    entered_->budget.nodes += entered_->budget.increment - static_cast<std::int64_t>(nodes);
    budgets_[entered_->color] = entered_->budget;
    entered_.reset();
}

}  // namespace scholar::engine
