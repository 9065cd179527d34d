#include "search/time_plan.hpp"

#include <algorithm>

namespace scholar::search {

namespace {

// Even when the clock says there is none left, a move must be found.
constexpr Milliseconds kLeast{1};

TimePlan plan_clock(const ClockLimit& clock, Milliseconds overhead) {
    const double available = std::max(1.0, static_cast<double>((clock.remaining - overhead).count()));
    // A game without a next time control is taken to last some 25 moves more, whenever one asks.
    const double moves = clock.moves_to_go ? std::clamp(*clock.moves_to_go, 1, 40) : 25;
    const double increment = static_cast<double>(std::max(clock.increment, Milliseconds(0)).count());
    const double share = available / moves + 0.75 * increment;
    // The last move before a control may use nearly all; otherwise most of the clock stays.
    const double most = moves <= 1 ? 0.9 * available : 0.5 * available;
    const double soft = std::min(0.7 * share, most);
    const double hard = std::min(4.0 * share, most);
    return {std::max(kLeast, Milliseconds(static_cast<long>(soft))),
            std::max(kLeast, Milliseconds(static_cast<long>(hard)))};
}

}  // namespace

std::optional<TimePlan> plan_time(const Limits& limits) {
    std::optional<TimePlan> plan;
    if (const auto fixed = limits.find<MoveTimeLimit>()) {
        const Milliseconds time = std::max(kLeast, fixed->time - limits.move_overhead);
        plan = TimePlan{time, time};
    }
    if (const auto clock = limits.find<ClockLimit>()) {
        const TimePlan by_clock = plan_clock(*clock, limits.move_overhead);
        plan = plan ? TimePlan{std::min(plan->soft, by_clock.soft), std::min(plan->hard, by_clock.hard)}
                    : by_clock;
    }
    return plan;
}

}  // namespace scholar::search
