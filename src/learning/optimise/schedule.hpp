#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace scholar::learning {

enum class ScheduleKind {
    Constant,
    Step,      // × factor every `every` steps
    Cosine,    // down to the final rate along half a cosine
    Cooldown,  // constant, at the end down to the final rate in a straight line
};

// As recipes name them, in the order above; the kind of such a name.
std::vector<std::string> schedule_names();
ScheduleKind schedule_kind(std::string_view name);

// The learning rate by step. Counted in steps, never in seconds, so that a resumed run goes on exactly.
struct Schedule {
    ScheduleKind kind = ScheduleKind::Cosine;
    double learning_rate = 0.001;
    double final_learning_rate = 0;  // cosine, cooldown: at the last step; step: never below it
    std::uint64_t steps = 1;
    std::uint64_t warmup = 0;  // steps over which the rate first climbs from 0
    std::uint64_t every = 1;
    double factor = 0.1;
    double cooldown = 0.25;  // the share of all steps, at the end, over which the rate falls

    // Of step number `step`, which counts from 1.
    double rate(std::uint64_t step) const;
};

}  // namespace scholar::learning
