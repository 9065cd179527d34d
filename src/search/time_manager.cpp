#include "search/time_manager.hpp"

#include <algorithm>
#include <cmath>

namespace scholar::search {

namespace {

using Time = std::chrono::duration<double, std::milli>;

// Even when the clock says there is none left, a move must be found.
constexpr Time kLeast{1};

TimePlan plan_clock(const ClockLimit& clock, Milliseconds overhead, int ply, const Tunables& tunables) {
    const Time remaining = std::max(kLeast, Time(clock.remaining - overhead));
    const Time increment = std::max(Time(0), Time(clock.increment));
    if (clock.moves_to_go) {
        const int moves = std::clamp(*clock.moves_to_go, 1, 50);
        // The last move before a control may use nearly all; the others leave some for a hard one.
        const Time most = (moves == 1 ? 0.9 : 0.65) * remaining;
        const Time optimum = std::min((0.9 / moves) * remaining + 0.75 * increment, most);
        return {std::max(kLeast, optimum), std::max(kLeast, std::min((1.5 + 0.1 * moves) * optimum, most))};
    }
    const double share = tunables.time_share / 10'000.0 * std::min(1.0, 0.55 + ply / 100.0);
    const Time most = (tunables.time_most / 100.0) * remaining;
    const Time optimum =
        std::min(share * remaining + tunables.time_increment / 100.0 * increment, 0.7 * most);
    return {std::max(kLeast, optimum),
            std::max(kLeast, std::min(tunables.time_maximum / 100.0 * optimum, most))};
}

}  // namespace

std::optional<TimePlan> plan_time(const Limits& limits, int ply, const Tunables& tunables) {
    std::optional<TimePlan> plan;
    if (const auto clock = limits.find<ClockLimit>())
        plan = plan_clock(*clock, limits.move_overhead, ply, tunables);
    if (const auto fixed = limits.find<MoveTimeLimit>()) {
        const Time time = std::max(kLeast, Time(fixed->time));
        if (!plan || time < plan->optimum) return TimePlan{time, time, false};
        plan->maximum = std::min(plan->maximum, time);
    }
    return plan;
}

double stretch(const Difficulty& difficulty, const Tunables& tunables) {
    const double stability =
        (tunables.time_unstable - tunables.time_stable_step * std::min(difficulty.stable_iterations, 10)) /
        100.0;
    const double trend = std::clamp(1.0 + difficulty.score_drop * tunables.time_trend / 100'000.0, 0.75, 1.6);
    const double effort =
        (tunables.time_effort_base - tunables.time_effort_slope * difficulty.best_effort) / 100.0;
    return std::clamp(stability * trend * effort, 0.15, 4.0);
}

}  // namespace scholar::search
