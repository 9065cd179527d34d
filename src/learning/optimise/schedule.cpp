#include "learning/optimise/schedule.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace scholar::learning {

namespace {

constexpr std::array<std::string_view, 4> kScheduleNames{"constant", "step", "cosine", "cooldown"};

}  // namespace

std::vector<std::string> schedule_names() {
    return {kScheduleNames.begin(), kScheduleNames.end()};
}

ScheduleKind schedule_kind(std::string_view name) {
    return static_cast<ScheduleKind>(std::ranges::find(kScheduleNames, name) - kScheduleNames.begin());
}

double Schedule::rate(std::uint64_t step) const {
    if (step <= warmup) return learning_rate * static_cast<double>(step) / static_cast<double>(warmup);
    switch (kind) {
        case ScheduleKind::Constant:
            break;
        case ScheduleKind::Step: {
            const auto falls = (step - warmup - 1) / every;
            return std::max(final_learning_rate,
                            learning_rate * std::pow(factor, static_cast<double>(falls)));
        }
        case ScheduleKind::Cosine: {
            const double whole = std::max(1.0, static_cast<double>(steps) - static_cast<double>(warmup));
            const double done = std::min(1.0, static_cast<double>(step - warmup) / whole);
            return final_learning_rate +
                   (learning_rate - final_learning_rate) * (1 + std::cos(std::numbers::pi * done)) / 2;
        }
        case ScheduleKind::Cooldown: {
            const double falling = std::max(1.0, cooldown * static_cast<double>(steps));
            const double left = static_cast<double>(steps) - static_cast<double>(std::min(step, steps));
            // Exactly the constant's, so that a constant run may go on with it.
            if (left >= falling) return learning_rate;
            return std::lerp(final_learning_rate, learning_rate, left / falling);
        }
    }
    return learning_rate;
}

}  // namespace scholar::learning
